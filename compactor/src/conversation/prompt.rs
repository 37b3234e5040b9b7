//! The new prompt, and what the client tells with it because the records do not hold it.

use super::announced::Announced;
use super::groups::{self, Attached, Group};
use super::items::client_text;
use super::{Block, ClientText, Placed, Speaker};

/// What a newer client tells once, and again after a compaction, by the attachments that tell it.
const TOLD: &[(&str, ClientText)] = &[
    ("environment", ClientText::Environment),
    ("model", ClientText::Model),
    ("deferred_tools_delta", ClientText::DeferredTools),
    ("agent_listing_delta", ClientText::Agents),
    ("skill_listing", ClientText::Skills),
    ("total_tokens_reminder", ClientText::TotalTokens),
    ("date", ClientText::Date),
];

/// What an older client tells in messages.
const TOLD_BEFORE: &[(&str, ClientText)] = &[
    ("agent_listing_delta", ClientText::Agents),
    ("skill_listing", ClientText::Skills),
];

/// Adds the prompt behind everything else.
pub(super) fn add(
    groups: &mut Vec<Group>,
    prompt: &str,
    announced: &Announced<'_>,
    speaker: &Speaker<'_>,
    instructions: Option<Placed>,
) {
    let between = groups::last(groups);
    let rendered = speaker.resume.attachments_rendered;
    let in_messages = speaker.takes_system_messages;
    for (kind, text) in if rendered { TOLD } else { TOLD_BEFORE } {
        let is_due = match text {
            // Told with each prompt, to older models alone.
            ClientText::TotalTokens => !in_messages,
            _ => !announced.has(kind),
        };
        if is_due && in_messages {
            between.told.push(client_text(*text));
        } else if is_due {
            between.attached.push(Attached::new(client_text(*text)));
        }
    }
    if rendered {
        between.attached.extend(instructions.map(Attached::new));
        if !announced.has("remote_session_change") {
            let attribution = client_text(ClientText::Attribution);
            between.attached.push(Attached::new(attribution));
        }
    }
    between.records.push(vec![text_block(prompt)]);
}

fn text_block(text: &str) -> Placed {
    Placed {
        block: Block::text(text.to_owned()),
        from: None,
    }
}
