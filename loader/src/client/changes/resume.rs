//! What changed in how sessions are resumed.

use super::{Change, change};

pub(super) const CHANGES: &[Change] = &[
    // The change points were not searched.
    change(
        (2, 1, 198),
        "facts 111 to 222",
        "sessions are resumed as by 2.1.332: what attachments contributed is read from the transcript (change points not searched)",
        |b| {
            let resume = &mut b.resume;
            resume.needs_times = false;
            resume.needs_content = false;
            resume.tells_to_go_on = false;
            resume.keeps_unsigned_thoughts = false;
            resume.keeps_empty_texts = false;
            resume.sends_empty_content = false;
            resume.goes_down_to_newest_leaf = true;
            resume.merges_answers_without_id = false;
            resume.answers_open_calls = true;
            resume.attachments_rendered = true;
            resume.tells_effort = true;
            resume.unrestored = &["claude-sonnet-4-5"];
            resume.begins_with_user = false;
            resume.renamed_tools = &[("Task", "Agent")];
            resume.delivers_again = true;
        },
    ),
];
