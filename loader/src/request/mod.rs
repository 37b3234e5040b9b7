//! What the first request of a session holds besides instruction files, skills and agents.

mod models;

pub use models::{Generation, Model, ModelChoice, ModelFacts};
