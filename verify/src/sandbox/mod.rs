//! How a client is kept from changing what belongs to the user.
//!
//! [`Namespace`]: the client sees every path as it is, but what it writes below the folders named
//! goes to a layer in memory that ends with it. Linux only, where the system allows it.
//! [`Mirror`]: the client is given a temporary home folder that holds the user's instruction
//! files, settings and state. Works everywhere; paths below home differ.

mod mirror;
mod namespace;

pub use mirror::Mirror;
pub use namespace::{Namespace, Unavailable};
