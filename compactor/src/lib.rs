//! From a Claude Code transcript to what the next request holds.

pub mod audit;
pub mod boundary;
pub mod chain;
pub mod conversation;
pub mod doctor;
pub mod inspect;
pub mod loss;
pub mod pipeline;
pub mod sessions;
pub mod simulation;
pub mod stages;
#[cfg(feature = "testing")]
pub mod testing;
pub mod transcript;
pub mod turns;
pub mod window;
