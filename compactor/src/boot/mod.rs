//! The boot packet: what a new session should know before its first prompt, in a few hundred
//! tokens.
//!
//! ```text
//! documents, open items ─▶ evidence (statements, exclusions) ─▶ spine, lists ─▶ packet (text, cap)
//! ```
//!
//! Nothing is worded anew and nothing is asked of a model: what is quoted stands word for word at
//! the place that is named beside it, and the place is read again before it is quoted
//! (facts/carrying.md). The same sources give the same packet.

mod evidence;
mod packet;
mod signals;
mod source;
mod spine;

pub use packet::{Packet, build};
pub use source::{Document, Fact, Item, ItemKind, Kind, Options, Source, Sources, Thread};
pub use source::{Quote, Reason, time_of_name};
pub use spine::{LONGEST as LONGEST_SPINE, Line, Lines, Missing, Verdict};

/// The tokens that a packet has at most, unless another number is given.
pub const TOKENS: u64 = 1_000;
/// The UTF-16 units of a hook's text that reach the model (fact C3.1).
pub const HOOK_UNITS: usize = 10_000;
/// How old evidence may be, in days.
pub const DAYS: i64 = 14;
/// A day in milliseconds.
pub(crate) const DAY: i64 = 24 * 60 * 60 * 1000;
