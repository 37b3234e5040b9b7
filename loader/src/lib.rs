//! Which instruction texts a Claude Code session receives, why, and what was left out.
//!
//! Start with [`Session::start`](session::Session::start): from a [`Host`](host::Host) (a file
//! tree) and an [`Origin`](origin::Origin) (where a session starts) to deliveries. The data's
//! way through the modules:
//!
//! ```text
//! host, origin ─▶ settings, git, state ─▶ session ─▶ record ─▶ graph, explanations
//!                                               │
//!             rules, memory (which files)       │   tools (which tool calls read a file)
//!             document (what of a file)         │
//!             glob (which rule, which exclude)  │   client (how a version behaves)
//! ```
//!
//! Nothing here reads the disk, the environment or a clock by itself, but for
//! [`DiskHost`](host::DiskHost). Loading never fails as a whole: it gives deliveries and
//! diagnostics.
//!
//! The cargo feature `testing`, off by default, adds the module `testing`: random file trees and
//! sessions for property tests, of this library or of your own hierarchy.
//!
//! Fact numbers in comments are those of the project's notes on the client.

pub mod catalog;
pub mod client;
pub mod document;
pub mod git;
pub mod glob;
pub mod graph;
pub mod host;
mod ignored;
pub mod javascript;
mod json_file;
pub mod limits;
pub mod lint;
pub mod memory;
pub mod origin;
pub mod path;
pub mod permissions;
mod plugins;
pub mod record;
pub mod request;
mod rules;
pub mod secret;
pub mod session;
pub mod settings;
pub mod state;
pub mod subagent;
#[cfg(feature = "testing")]
pub mod testing;
pub mod tokens;
mod tools;
pub mod window;
