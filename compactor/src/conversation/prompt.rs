//! The new prompt, and what the client tells with it because the records do not hold it.

use super::announced::Announced;
use super::groups::{Between, Group};
use super::items::client_text;
use super::{Block, ClientText, Placed, Resumed};
use crate::chain::Resume;
use crate::transcript::record;

/// What a newer client tells once, and again after a compaction.
const TOLD: &[&str] = &[
    "environment",
    "model",
    "deferred_tools_delta",
    "agent_listing_delta",
    "skill_listing",
    "date",
];

/// What an older client tells in messages.
const TOLD_BEFORE: &[&str] = &["agent_listing_delta", "skill_listing"];

/// Adds the prompt behind everything else.
pub(super) fn add(
    groups: &mut Vec<Group>,
    prompt: &str,
    announced: &Announced<'_>,
    client: &Resume,
    resumed: &Resumed,
) {
    if !matches!(groups.last(), Some(Group::User(_))) {
        groups.push(Group::User(Between::default()));
    }
    let Some(Group::User(between)) = groups.last_mut() else {
        return;
    };
    if client.attachments_rendered {
        if !announced.has("instructions")
            && let Some(text) = &resumed.instructions
        {
            between.attached.push(vec![text_block(text)]);
        }
        if !announced.has("remote_session_change") {
            between
                .attached
                .push(vec![client_text(ClientText::Attribution)]);
        }
    }
    between.texts.push(vec![text_block(prompt)]);
    let told = if client.attachments_rendered {
        TOLD
    } else {
        TOLD_BEFORE
    };
    if !announced.has_all(told) {
        between.told.push(client_text(ClientText::Announcements));
    }
}

fn text_block(text: &str) -> Placed {
    Placed {
        block: Block::Read(record::Block::Text(text.to_owned())),
        from: None,
    }
}
