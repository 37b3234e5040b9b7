//! What the first request of a session holds besides instruction files, skills and agents.

pub mod hooks;
mod json_file;
mod models;
mod plugins;
mod program;

pub use models::{Generation, Model, ModelChoice, ModelFacts};
