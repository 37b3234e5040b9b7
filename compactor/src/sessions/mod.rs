//! The sessions of a client: where they are kept, what each is about, how long it stays.
//!
//! [`list`] finds the files, [`Survey`] reads one session, and [`owner`] tells whose work a
//! sub-agent's file is. Nothing here asks the clock: ages and days are told from times that come
//! in as data.

mod agents;
mod folder;
mod health;
mod history;
mod listing;
mod retention;
mod survey;
pub mod time;
mod title;

#[cfg(test)]
mod tests;

pub use agents::{AgentId, owner};
pub use folder::{LONGEST_FOLDER, folder_of, is_folder_of};
pub use health::Health;
pub use history::Prompts;
pub use listing::{AgentFile, Found, Listing, agents_of, list};
pub use retention::{DAY, Retention};
pub(crate) use survey::counted;
pub use survey::{Context, Measure, Survey};
pub use title::{Title, TitleSource};
