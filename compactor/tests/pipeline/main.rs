//! The stages and what they are made of: invariants over random transcripts, behaviours one by
//! one, and damaged files.

mod damage;
mod properties;
mod richness;
mod stages;
mod world;
