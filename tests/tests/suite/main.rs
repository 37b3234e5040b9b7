//! The suites that cross the crates, as one binary.
#![expect(
    clippy::disallowed_methods,
    reason = "suites read their cases and build folders"
)]

mod bugbank;
mod conformance;
mod hooks;
mod versions;
