//! What a compaction loses, by examples, public reports and properties.
#![expect(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

mod bugbank;
mod examples;
mod phrases;
mod properties;
mod talk;
