//! One thin file a command: start a session, hand it to a renderer, choose the exit code.

pub(crate) mod agents;
pub(crate) mod archive;
pub(crate) mod audit;
pub(crate) mod boot;
pub(crate) mod carry;
pub(crate) mod doctor;
pub(crate) mod graph;
pub(crate) mod handoff;
mod handoff_write;
pub(crate) mod hook;
pub(crate) mod inspect;
pub(crate) mod lint;
pub(crate) mod memory;
pub(crate) mod permissions;
pub(crate) mod recall;
pub(crate) mod rule;
pub(crate) mod sessions;
pub(crate) mod show;
mod show_agent;
pub(crate) mod simulate;
pub(crate) mod tokens;
pub(crate) mod verify;
pub(crate) mod why;

/// Done, nothing is wrong.
pub(crate) const DONE: u8 = 0;
/// Something was found, such as a file that is not in the context.
pub(crate) const FOUND: u8 = 1;
/// Wrong usage, or something could not be read or written.
pub(crate) const USAGE: u8 = 2;
