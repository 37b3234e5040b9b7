//! How large a context may grow, when the client compacts it, and what it holds now.
//!
//! The loader's [`Window::of`] gives the limits with the place that decided each; [`anchor`] and
//! [`Estimate`] give the tokens that the client compares with them; [`Forecast`] and [`Floor`] say
//! what is to come. The numbers are those of facts C section 0 and C4.3 to C4.13, and of
//! docs/facts-sessions.md 224 to 251.

mod estimate;
mod forecast;
mod json_units;
mod parts;
mod usage;

#[cfg(test)]
mod tests;

pub use estimate::{ADDED_AFTER_TRIGGER, Estimate, PICTURE_TOKENS, Part, REMINDER_UNITS};
pub use forecast::{Due, Forecast, Growth, TURNS_NEEDED, Turn};
pub use json_units::json_units;
pub use outcrop_loader::window::{
    BLOCK_MARGIN, Decided, Floor, FloorPart, Given, Mode, Next, Remark, Room, Share, Source,
    TRIGGER_MARGIN, Window,
};
pub use parts::{attachment, block_parts, parts};
pub use usage::{Anchor, Counted, Usage, anchor, total};
