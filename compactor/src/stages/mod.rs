//! The five stages, one file each, as the published analysis of the client describes them
//! (paper.md 3.1).
//!
//! Each default says where it comes from: observed (a fact), the analysis, or ours.

mod budget;
mod collapse;
mod microcompact;
mod paper;
mod place;
mod snip;
mod summary;

pub use budget::{Limit, ResultBudget};
pub use collapse::Collapse;
pub use microcompact::{COMPACTABLE, Microcompact};
pub use paper::Paper;
pub use snip::Snip;
pub(crate) use summary::with_pins;
pub use summary::{After, Extracted, Extractive, Given, Summariser, Summary, ToSummarise, extract};
