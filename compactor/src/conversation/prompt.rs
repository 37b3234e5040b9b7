//! The new prompt, and what the client tells with it because the records do not hold it.

use super::announced::Announced;
use super::groups::{self, Group, Said};
use super::items::client_text;
use super::{Block, ClientText, Placed, Speaker};

/// What a newer client tells once, and again after a compaction, by the attachments that tell it.
const TOLD: &[(&str, ClientText)] = &[
    ("environment", ClientText::Environment),
    ("model", ClientText::Model),
    ("deferred_tools_delta", ClientText::DeferredTools),
    ("agent_listing_delta", ClientText::Agents),
    ("skill_listing", ClientText::Skills),
    ("plan_mode_exit", ClientText::PlanLeft),
    ("total_tokens_reminder", ClientText::TotalTokens),
    ("date", ClientText::Date),
];

/// What an older client tells in messages.
const TOLD_BEFORE: &[(&str, ClientText)] = &[
    ("agent_listing_delta", ClientText::Agents),
    ("skill_listing", ClientText::Skills),
    ("plan_mode_exit", ClientText::PlanLeft),
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
            ClientText::PlanLeft => announced.plans,
            _ => !announced.has(kind),
        };
        if is_due && in_messages {
            between.told.push(client_text(*text));
        } else if is_due {
            between.attach(vec![client_text(*text)], false, false);
        }
    }
    if rendered {
        between.attach(instructions.into_iter().collect(), false, false);
        if !announced.has("remote_session_change") {
            let attribution = client_text(ClientText::Attribution);
            between.attach(vec![attribution], false, false);
        }
    }
    between.records.push(Said::new(vec![text_block(prompt)]));
}

fn text_block(text: &str) -> Placed {
    Placed {
        block: Block::text(text.to_owned()),
        from: None,
    }
}
