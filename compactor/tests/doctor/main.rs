//! Repairs: what holds of them for any transcript.
#![expect(clippy::unwrap_used, reason = "bytes in memory can be read")]

mod properties;
