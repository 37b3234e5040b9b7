//! How large a context may grow, when the client compacts it, and what it holds now.
//!
//! [`Window::of`] gives the limits with the place that decided each; [`anchor`] and [`Estimate`]
//! give the tokens that the client compares with them; [`Forecast`] and [`Floor`] say what is to
//! come. The numbers are those of facts C section 0 and C4.3 to C4.13, and of
//! docs/facts-sessions.md 224 to 251.

mod estimate;
mod floor;
mod forecast;
mod json_units;
mod limits;
mod number;
mod parts;
mod remark;
mod source;
mod usage;
mod variables;

#[cfg(test)]
mod tests;

pub use estimate::{ADDED_AFTER_TRIGGER, Estimate, PICTURE_TOKENS, Part, REMINDER_UNITS};
pub use floor::{Floor, FloorPart, Room};
pub use forecast::{Due, Forecast, Growth, TURNS_NEEDED, Turn};
pub use json_units::json_units;
pub use limits::{BLOCK_MARGIN, Given, Mode, Next, Share, TRIGGER_MARGIN, Window};
pub use parts::{attachment, block_parts, parts};
pub use remark::Remark;
pub use source::{Decided, Source};
pub use usage::{Anchor, Counted, Usage, anchor, total};
