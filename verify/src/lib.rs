//! Runs a real Claude Code client and compares what it sends with a prediction.
//!
//! ```text
//! Session (predicted) ─▶ Plan ─▶ Launch (program, folder, environment)
//!                                          │
//! Script (tool calls to make) ─▶ Recorder ─▶ client, in a Sandbox ─▶ Recording
//!                                                                       │
//! prediction (deliveries of outcrop-loader) ──▶ Comparison ◀── Sent ◀───┘
//!                                                                └─▶ Profile (framing, sizes)
//! ```
//!
//! Nothing leaves the machine: the client is given a [`Recorder`] on 127.0.0.1 as the service, a
//! dummy key, and the same recorder as the proxy of every other address. Nothing of the user's
//! is changed: the client runs in a private mount namespace whose changes are thrown away, or,
//! where the platform has none, with a temporary home folder ([`sandbox`]).
//!
//! Only what the client sends is looked at. Fact numbers in comments are those of the project's
//! notes on the client.

pub mod compare;
pub mod plan;
pub mod process;
pub mod profile;
pub mod recorder;
pub mod run;
pub mod sandbox;
pub mod script;
pub mod sent;
pub mod shell;
pub mod view;

pub use compare::Comparison;
pub use plan::Plan;
pub use profile::Profile;
pub use recorder::{Recorder, Recording};
pub use run::{Launch, Outcome};
pub use script::Script;
pub use sent::Sent;
pub use view::View;
