//! Which instruction texts a past session really received, and whether they are those that it
//! should have received.
//!
//! The data's way: [`Receipt`] (what a transcript's own records tell) and a replay of the same
//! session by the loader ([`Receipt::replay`], [`predicted`]) ─▶ [`compare`] (text by text) ─▶
//! [`Text`]. [`Loaded`] is a second witness: the client's own events, kept in a log.

mod compare;
mod loaded;
mod receipt;
mod replay;
mod repository;
mod sent;
mod witness;

pub use compare::{Comparison, Text, Verdict, compare};
pub use loaded::{Loaded, NotLoaded, file_hash, read_log};
pub use receipt::{Evidence, Form, Moment, Receipt, Received, Withdrawn, Witness};
pub use replay::{Predicted, Step, predicted, replay, steps};
pub use witness::{LogFinding, of_log};
