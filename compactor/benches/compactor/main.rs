//! The benches of the compactor, as one program: `cargo bench -p outcrop-compactor`.
//!
//! Nothing here touches the disk, so the times are those of the compactor alone.
#![expect(clippy::expect_used, reason = "bytes in memory can be read")]

mod reading;
mod stages;

use std::sync::LazyLock;

/// The transcript of a long session.
static LONG: LazyLock<Vec<u8>> =
    LazyLock::new(|| outcrop_compactor::testing::of_size(20_000_000, 7).bytes);

fn main() {
    divan::main();
}
