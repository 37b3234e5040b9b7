//! Skills that a prompt may be about.

use std::path::Path;
use std::time::Instant;

use anyhow::{Context as _, Result};
use outcrop_loader::client::{Client, Version};
use outcrop_loader::host::DiskHost;
use outcrop_loader::session::Session;

use super::Answer;
use crate::args::{ClientFlags, Global};
use crate::start::client;
use crate::start::handoffs::one_line;
use crate::start::hooked::{Event, Here};

/// The most characters of a skill's text.
const TEXT: usize = 140;

pub(super) fn answer(global: &Global, end: Instant) -> Result<Answer> {
    let event = Event::read(&["UserPromptSubmit"], end)?;
    let prompt = event.prompt.as_deref().context("the event has no prompt")?;
    if prompt.trim().is_empty() || prompt.trim_start().starts_with('/') {
        return Ok(Answer::default());
    }
    let here = Here::of(global, &event)?;
    // A client that is not modelled is taken as the newest that is.
    let client = client(global).or_else(|_| Client::of(Version::NEWEST))?;
    let host = DiskHost::new();
    let directory = Path::new(here.directory.as_str());
    let flags = ClientFlags::default();
    let origin = here
        .place
        .origin(&host, global, client, &flags, directory)?;
    let catalog = Session::start(&host, origin).catalog();
    let lines: Vec<String> = (catalog.suggestions(prompt).iter())
        .map(|suggestion| {
            let entry = suggestion.entry;
            let text = entry.text.as_ref().or(entry.dropped.as_ref());
            match text {
                Some(text) => format!("- {}: {}", entry.name, one_line(text, TEXT)),
                None => format!("- {}", entry.name),
            }
        })
        .collect();
    let mut answer = Answer::default();
    if !lines.is_empty() {
        answer.context = format!(
            "Suggestions, not instructions: skills that share words with this prompt. \
             Leave out what does not fit.\n{}",
            lines.join("\n")
        );
    }
    Ok(answer)
}
