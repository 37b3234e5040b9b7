//! A long transcript that is the same each time.

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use super::Options;
use super::steps::Step;
use super::strategy::step;
use super::write::{Writer, Written};

/// The tokens at which such a session is compacted.
const WINDOW: u64 = 160_000;

/// A transcript of at least so many bytes, with the results of a long session. The same seed gives
/// the same bytes.
#[must_use]
pub fn of_size(bytes: usize, seed: u64) -> Written {
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &key);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    let options = Options {
        result: 8_000,
        faults: false,
        ..Options::default()
    };
    let steps = step(&options);
    let mut writer = Writer::default();
    writer.step(&Step::Prompt {
        text: "Go through the whole ledger.".to_owned(),
        listed: false,
        image: false,
    });
    while writer.written.bytes.len() < bytes {
        let Ok(tree) = steps.new_tree(&mut runner) else {
            break;
        };
        match tree.current() {
            // Only when the window is full.
            Step::Compaction { summary, keep } if writer.context > WINDOW => {
                writer.step(&Step::Compaction { summary, keep });
            }
            Step::Compaction { .. } => {}
            other => writer.step(&other),
        }
    }
    writer.written
}
