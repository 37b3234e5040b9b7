//! From a Claude Code transcript to what the next request holds.
//!
//! This crate is where transcripts, conversations, windows, the five stages of compaction and
//! carry-over will live; see ARCHITECTURE.md. It stands on `outcrop-loader`, whose
//! [`Session`](outcrop_loader::session::Session) says what a session receives at its start and
//! with each read. Nothing of its own is here yet, and nothing is stubbed.
