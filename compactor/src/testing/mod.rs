//! Random transcripts, for property tests (cargo feature `testing`).
//!
//! [`session`] is a strategy for [proptest](mod@proptest) that makes a [`Session`]: steps of a
//! session as plain data, with everything that was seen in transcripts: answers of several blocks,
//! parallel calls, attachments, compactions, rewinds, side chains, results without calls, calls
//! without results, broken lines. [`Session::write`] makes a transcript of it and tells what is
//! true of it.
//!
//! ```
//! use outcrop_compactor::testing::session;
//! use outcrop_compactor::transcript::Transcript;
//! use proptest::test_runner::{Config, TestRunner};
//!
//! let mut runner = TestRunner::new(Config { cases: 16, ..Config::default() });
//! runner
//!     .run(&session(), |session| {
//!         let written = session.write();
//!         let transcript = Transcript::read(written.bytes).unwrap();
//!         assert_eq!(transcript.index().entries().len(), written.truth.records);
//!         Ok(())
//!     })
//!     .unwrap();
//! ```
//!
//! [`of_size`] makes a long transcript, for benches and measurements.
//!
//! The strategies change when more is found of the client: a seed that proptest kept belongs to
//! one version of this library.

mod sized;
mod steps;
mod strategy;
mod texts;
mod write;

pub use sized::of_size;
pub use steps::{MadeCall, MadeResult, Session, Step};
pub use strategy::{session, session_of, step};
pub use texts::{code, prose};
pub use write::{Item, Truth, Written};

/// How large random sessions are.
#[derive(Debug, Clone)]
pub struct Options {
    /// At most so many steps.
    pub steps: usize,
    /// The longest result of a usual call, in characters; one in many is longer.
    pub result: usize,
    /// The longest of the others.
    pub long_result: usize,
    /// Broken lines, a torn end, results and calls without their other half.
    pub faults: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            steps: 28,
            result: 1_500,
            long_result: 40_000,
            faults: true,
        }
    }
}
