//! A written carry-over, read again.

use std::io;

use outcrop_loader::client::Client;

use super::{Plan, Planned};
use crate::chain::Chain;
use crate::conversation::{Block, Conversation, Message, Resumed, Role};
use crate::doctor;
use crate::transcript::record;
use crate::transcript::{Source, Transcript};

/// Why a written carry-over is not what was planned; none where it is. `client` resumes it.
///
/// # Errors
///
/// When it cannot be read.
pub fn check<S: Source>(
    transcript: &Transcript<S>,
    plan: &Plan,
    client: &Client,
) -> io::Result<Option<String>> {
    let index = transcript.index();
    let chain = Chain::of(transcript, &client.behaviour.resume)?;
    if chain.refused.is_some() {
        return Ok(Some("the client would not resume it".to_owned()));
    }
    if chain.records.len() != index.entries().len() || !chain.other_leaves.is_empty() {
        return Ok(Some(format!(
            "{} of {} records are reached from its end",
            chain.records.len(),
            index.entries().len()
        )));
    }
    let examination = doctor::examine(transcript, client)?;
    if let Some(finding) = examination.findings.first() {
        return Ok(Some(format!(
            "line {}: {}",
            finding.line,
            finding.about.what()
        )));
    }
    let conversation = Conversation::of(transcript, &chain, client, &Resumed::default())?;
    let mut sent: Vec<Planned> = conversation.messages.iter().filter_map(planned).collect();
    // Behind a request without answer the client puts its own words (fact C7.6).
    sent.retain(|message| !message.blocks.is_empty());
    Ok((normal(sent) != normal(plan.messages.clone()))
        .then(|| "its messages are not those that were planned".to_owned()))
}

/// A message as it was read, without the client's own words.
fn planned(message: &Message) -> Option<Planned> {
    if message.role == Role::System {
        return None;
    }
    let texts = message
        .blocks
        .iter()
        .filter_map(|placed| match &placed.block {
            Block::Read(record::Block::Text(text)) => Some(text.clone()),
            _ => None,
        });
    Some(Planned {
        role: message.role,
        blocks: texts.collect(),
    })
}

/// Clients end the texts of a message with a line break where another follows (fact C2.4).
fn normal(mut messages: Vec<Planned>) -> Vec<Planned> {
    for message in &mut messages {
        for text in &mut message.blocks {
            text.truncate(text.trim_end_matches('\n').len());
        }
    }
    messages
}
