//! What speaks against carrying a session on: each rule in both directions, the last safe
//! boundary, a transcript as a generator makes it, and properties.
#![expect(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

mod boundary;
mod loops;
mod pages;
mod properties;
mod refusals;
mod samples;
mod story;
mod words;
