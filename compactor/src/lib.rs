//! From a Claude Code transcript to what the next request holds.

pub mod chain;
pub mod conversation;
pub mod pipeline;
pub mod stages;
#[cfg(feature = "testing")]
pub mod testing;
pub mod transcript;
