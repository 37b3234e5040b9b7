//! Handoffs: what a session leaves to the next one, one file each in a folder that all share.
//!
//! No lock and no database: a new file never takes the place of another, and a file is taken by
//! renaming it, which one of several succeeds in (facts/carrying.md, "Handoffs"). The disk's part
//! is [`crate::store::Handoffs`]; here are names, texts and the draft, as data.
//!
//! ```text
//! transcript ─▶ chain ─▶ session (who said what) ─▶ loss ─┐
//!                                            git's answers ┴▶ sections ─▶ draft
//! names ◀── title        texts ─▶ head (title, session), merged (several as one)
//! ```

mod draft;
mod name;
mod sections;
mod session;
mod text;

#[cfg(test)]
mod tests;

pub use draft::{About, Cite, Commit, Draft, Repository, SECTIONS, Section, Statement, draft};
pub use name::{Name, slug};
pub use text::{Head, merged};
