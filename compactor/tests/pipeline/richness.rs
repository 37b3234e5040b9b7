//! The random sessions reach what they are to test.

use std::collections::BTreeMap;

use outcrop_compactor::pipeline::Budget;
use outcrop_compactor::testing::session;
use outcrop_compactor::transcript::Transcript;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;

use crate::properties::stages;
use crate::world::{config, context};

/// In how many of 256 sessions something must happen at least.
const WANTED: &[(&str, usize)] = &[
    ("budget Trimmed OverLimit", 3),
    ("budget Trimmed OverMessageLimit", 12),
    ("snip Dropped Superseded", 12),
    ("snip Dropped Retried", 8),
    ("snip Dropped Repeated", 3),
    ("snip Dropped Outdated", 8),
    ("snip Dropped LeftAlone", 3),
    ("snip Kept Pinned", 2),
    ("microcompact Cleared Old", 64),
    ("microcompact Kept Pinned", 8),
    ("collapse Folded Old", 64),
    ("summary Summarised BeforeBoundary", 64),
    ("summary Dropped BeforeBoundary", 32),
    ("summary Kept LastRequest", 32),
];

#[test]
fn every_stage_works_for_every_reason() {
    let mut runner = TestRunner::new(config());
    let sessions = session();
    let mut found: BTreeMap<String, usize> = BTreeMap::new();
    let mut compacted = 0;
    for _ in 0..256 {
        let session = sessions
            .new_tree(&mut runner)
            .expect("no step is filtered")
            .current();
        let written = session.write();
        compacted += usize::from(written.truth.compactions > 0);
        let transcript = Transcript::read(written.bytes).expect("bytes can be read");
        let text = "cargo test -p ledger".to_owned();
        let mut context = context(&transcript, vec![text]);
        for stage in stages(None) {
            let trace = stage.run(&mut context, &Budget::of(300));
            let mut names: Vec<String> = trace
                .changes
                .iter()
                .map(|change| {
                    let stage = stage.kind().name();
                    format!("{stage} {:?} {:?}", change.action, change.why)
                })
                .collect();
            names.sort();
            names.dedup();
            for name in names {
                *found.entry(name).or_default() += 1;
            }
        }
    }
    for (name, least) in WANTED {
        let times = found.get(*name).copied().unwrap_or(0);
        assert!(times >= *least, "{name}: {times} of {found:#?}");
    }
    assert!(compacted >= 32, "{compacted} of 256 were compacted");
}
