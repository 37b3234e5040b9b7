//! Which model is asked when a session is resumed, and by which client.

use outcrop_loader::client::{Client, Resume};
use outcrop_loader::request::{Generation, generation};

use super::Resumed;
use crate::transcript::{Index, Kind};

/// The client and the model.
pub(super) struct Speaker<'a> {
    pub resume: &'a Resume,
    /// The name as it is sent.
    pub model: &'a str,
    /// Whether the effort is told in a system message (fact C2.1): to the newest models.
    pub tells_effort: bool,
    /// Whether there are system messages at all: not for older models (fact C2.2).
    pub takes_system_messages: bool,
    /// Whether reminders keep their tags in system messages (docs/facts-sessions.md 114).
    pub keeps_tags: bool,
}

impl<'a> Speaker<'a> {
    /// By default the model of the last answer is asked again; a client that does not know it asks
    /// its own default (docs/facts-sessions.md 111, 112).
    pub(super) fn of(
        index: &'a Index,
        records: &[usize],
        client: &'a Client,
        resumed: &'a Resumed,
    ) -> Self {
        let resume = &client.behaviour.resume;
        let models = &client.behaviour.models;
        let entries = records.iter().rev().map(|record| &index.entries()[*record]);
        let mut answers = entries.filter(|entry| entry.kind == Kind::Assistant);
        let answered = answers
            .find(|entry| !index.is(entry.model, "<synthetic>"))
            .and_then(|entry| entry.model)
            .map(|model| index.text(model))
            .filter(|model| is_restored(model, resume));
        let model = resumed.model.as_deref().or(answered).unwrap_or(models.opus);
        let model = model.strip_suffix("[1m]").unwrap_or(model);
        Self {
            resume,
            model,
            tells_effort: resume.tells_effort && model.contains("-5-5"),
            takes_system_messages: generation(model) == Generation::Newer,
            keeps_tags: resume.attachments_rendered && model == "claude-sonnet-5",
        }
    }
}

/// Whether a client asks a model again that a transcript names; else it asks its default.
fn is_restored(model: &str, resume: &Resume) -> bool {
    let lines = [
        "claude-opus-",
        "claude-sonnet-",
        "claude-haiku-",
        "claude-fable-",
    ];
    lines.iter().any(|line| model.contains(line))
        && !resume.unrestored.iter().any(|name| model.starts_with(name))
}
