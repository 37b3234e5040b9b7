//! The stages and what they are made of: invariants over random transcripts, behaviours one by
//! one, and damaged files.
#![expect(
    clippy::expect_used,
    reason = "helpers of tests stop on what cannot be"
)]

mod compactions;
mod damage;
mod properties;
mod richness;
mod stages;
mod world;
