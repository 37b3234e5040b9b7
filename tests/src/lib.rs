//! Recorded cases: their format, and two ways to build the world that they describe.
//!
//! A case is a tree of files, a way to start the client, and what the real client was seen to
//! deliver. [`memory`] builds the tree in memory, [`disk`] in a temporary folder.

#![expect(
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::panic,
    reason = "test support: builds real folders, and a broken case should stop the test"
)]

pub mod case;
pub mod disk;
pub mod memory;
pub mod report;
mod shell;
