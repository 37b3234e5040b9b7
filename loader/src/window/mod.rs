//! How large a context may grow, and when the client compacts it.
//!
//! [`Window::of`] gives the limits with the place that decided each, [`Floor`] what no compaction
//! takes away. The numbers are those of facts C section 0 and C4.3 to C4.13, and of
//! docs/facts-sessions.md 224 to 251. What a context holds now is told by the compactor.

mod floor;
mod limits;
mod number;
mod remark;
mod source;
mod variables;

pub use floor::{Floor, FloorPart, Room};
pub use limits::{BLOCK_MARGIN, Given, Mode, Next, Share, TRIGGER_MARGIN, Window};
pub use remark::Remark;
pub use source::{Decided, Source};
