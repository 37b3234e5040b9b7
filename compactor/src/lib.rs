//! From a Claude Code transcript to what the next request holds, and what a compaction would lose.
//!
//! ```text
//! bytes ─▶ transcript ─▶ chain ─▶ conversation ─▶ pipeline and stages ─▶ loss
//! ```
//!
//! [`transcript`] indexes the bytes in one pass and reads records on demand. [`chain`] says which
//! records count for a client, [`conversation`] which messages it makes of them, [`window`] how
//! much that is and when it is too much. [`pipeline`] and [`stages`] take away what the published
//! analysis describes; [`boundary`] makes the lines that the client's own compaction appends.
//! [`simulation`] ties them together, [`loss`] tells what is gone. Beside them stand [`sessions`]
//! and [`inspect`] (lists and figures), [`doctor`] (faults and repairs), [`poison`] (what must not
//! be carried on) and [`audit`] (which instruction texts a session received).
//!
//! Nothing here touches the disk, the clock or the environment, but [`store`], which writes what
//! others made: bytes and times come in as data.

pub mod audit;
pub mod boot;
pub mod boundary;
pub mod carry;
pub mod chain;
pub mod cold;
pub mod conversation;
pub mod doctor;
pub mod ending;
mod expression;
pub mod handoff;
pub mod inspect;
pub mod instincts;
pub mod loss;
pub mod pipeline;
pub mod poison;
pub mod redact;
pub mod sessions;
pub mod simulation;
pub mod stages;
#[expect(
    clippy::disallowed_methods,
    reason = "the one place of this crate that reads and writes files"
)]
pub mod store;
#[cfg(feature = "testing")]
pub mod testing;
pub mod transcript;
pub mod turns;
pub mod window;
