//! The library's random worlds as cases, so that each can be built in memory and on disk.

use outcrop_loader::testing::{self, World};
use outcrop_tests::case::Case;
use proptest::prelude::*;
use proptest::test_runner::{FileFailurePersistence, RngSeed};

/// The same worlds in every run; one that once failed is kept in the file named here.
pub(crate) fn config(cases: u32) -> ProptestConfig {
    let kept = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/proptest-regressions/worlds.txt"
    );
    ProptestConfig {
        cases,
        rng_seed: RngSeed::Fixed(0x6f75_7463_726f_7020),
        failure_persistence: Some(Box::new(FileFailurePersistence::Direct(kept))),
        ..ProptestConfig::default()
    }
}

/// A world, where the session starts in it, and what is read.
pub(crate) fn world() -> impl Strategy<Value = Case> {
    testing::world().prop_map(|world: World| Case::of_world("random", &world))
}
