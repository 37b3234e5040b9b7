//! The cold store: whole sessions, kept outside the client's folders, for when the client has
//! deleted them.
//!
//! A session is kept as a [`Manifest`] that names its files, and of each file the chunks of its
//! bytes by their digest. A file that grew gets more chunks; one that was changed gets a new
//! version beside the old one. Nothing is taken out, and nothing is ever fed back by itself.
//!
//! Here is what the store means and how it is searched; [`store::cold`](crate::store::cold) reads
//! and writes it.

mod manifest;
mod search;
mod words;

#[cfg(test)]
mod tests;

pub use manifest::{CHUNK, Chunk, Kept, Manifest, Recall, SCHEMA, State, Version};
pub use search::{Hit, Lines, Pattern, PatternError, Role, Wanted};
