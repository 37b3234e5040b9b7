//! The new prompt, and what the client tells with it because the records do not hold it.

use super::announced::Announced;
use super::groups::{self, Group};
use super::items::client_text;
use super::{Block, ClientText, Placed, Resumed, Speaker};

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
    speaker: &Speaker<'_>,
    resumed: &Resumed,
) {
    let between = groups::last(groups);
    let rendered = speaker.resume.attachments_rendered;
    if rendered {
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
    between.records.push(vec![text_block(prompt)]);
    if !announced.has_all(if rendered { TOLD } else { TOLD_BEFORE }) {
        between.told.push(client_text(ClientText::Announcements));
    }
}

fn text_block(text: &str) -> Placed {
    Placed {
        block: Block::text(text.to_owned()),
        from: None,
    }
}
