//! Carry-overs: what is picked, what is left behind, and that clients resume what is written.
#![expect(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

mod faults;
mod properties;
mod world;
