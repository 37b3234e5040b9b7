//! Boot packets: what is quoted is there, the spine is whole or absent, the cap holds.
#![expect(clippy::unwrap_used, reason = "tests")]

mod packets;
mod random;
mod sources;
