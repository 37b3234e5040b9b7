//! What the first request of a session holds besides instruction files, skills and agents.

pub mod blocks;
mod deferral;
pub(crate) mod denied;
pub mod fixed_cost;
pub mod git_status;
pub mod hooks;
pub mod mcp;
mod models;
pub mod offered;
mod program;
pub mod style;
pub mod system;
mod whole;

pub use models::{Generation, Model, ModelChoice, ModelFacts, generation};
pub use whole::{FirstRequest, Section};
