//! L502: what no compaction takes away is near its trigger.

use super::prelude::*;
use crate::lint::number::grouped;
use crate::lint::subject::{File, When};
use crate::record::Evidence;
use crate::window::{Given, Mode, Window};

pub(in crate::lint) static RULE: Rule = Rule {
    id: "L502",
    name: "compaction-loop",
    severity: Severity::Warning,
    summary: "The instructions are so large that a compaction leaves no room.",
    page: Page {
        what: "Adds what the client sends of its own, as it was measured, to the tokens of all that the \
               start delivers, and compares the sum with the trigger of compaction: the window, less \
               20,000 for the answer, less 13,000, or what the settings and the environment make of \
               it. From 80 % on it is told.",
        why: "After a compaction all of this is sent again. Where it is near the trigger, the session \
              compacts again after a few answers, and where it is above, after every answer: most of \
              the time and of the tokens then goes into summaries, and the work is lost with them.",
        instead: "Make the largest files smaller, or take a larger window: \
                  `CLAUDE_CODE_AUTO_COMPACT_WINDOW` and `autoCompactWindow` only make it smaller.",
        drawbacks: "Tools of MCP servers, skills, agents, the summary and the files that come back are \
                    not counted, so that in truth there is less room than this says.",
        evidence: "Facts C section 0, C4.3, C4.8, C7.1 and 68; bug bank B085.",
        since: "0.1.0",
    },
    bad: &[Example {
        title: "a small window for a large handbook",
        files: &[
            (
                ".claude/settings.json",
                "{\n  \"env\": { \"CLAUDE_CODE_AUTO_COMPACT_WINDOW\": \"100000\" }\n}\n",
            ),
            ("CLAUDE.md", "@docs/handbook.md\n"),
            (
                "docs/handbook.md",
                "4000 × - Endpoint {n} answers with a code, a message and the id of the request.\n",
            ),
        ],
        fixed: &[],
    }],
    good: &[Example {
        title: "a small window for few instructions",
        files: &[
            (
                ".claude/settings.json",
                "{\n  \"env\": { \"CLAUDE_CODE_AUTO_COMPACT_WINDOW\": \"100000\" }\n}\n",
            ),
            ("CLAUDE.md", "Use pnpm.\n"),
        ],
        fixed: &[],
    }],
    check,
};

/// How many of the largest files are named.
const NAMED: usize = 3;

fn check(subject: &Subject<'_, '_>, report: &mut Report<'_, '_>) {
    let window = window(subject);
    let Some(limit) = limit(&window) else {
        return;
    };
    let cost = subject.session.fixed_cost();
    let per_token = u64::from(window.model.listing_characters_per_token).max(1);
    let fixed = u64::try_from(cost.total()).unwrap_or(u64::MAX) / per_token;
    let is_near = |tokens: u64| {
        let share = u128::from(limit) * u128::from(subject.budgets.floor_percent) / 100;
        u128::from(fixed) + u128::from(tokens) >= share
    };
    let started = |file: &&File| file.when == When::Start;
    let files = || subject.files.iter().filter(started);
    // A token has a byte at least.
    let bytes: usize = files().map(|file| file.text.len()).sum();
    if u64::try_from(bytes).is_ok_and(|bytes| !is_near(bytes)) {
        return;
    }
    let mut counted: Vec<(u64, &File)> = files()
        .map(|file| (subject.tokens(&file.text), file))
        .collect();
    let own: u64 = counted.iter().map(|(tokens, _)| tokens).sum();
    counted.sort_by_key(|(tokens, _)| std::cmp::Reverse(*tokens));
    // Where there are no instructions, no file is at fault.
    let (Some((_, largest)), true) = (counted.first(), is_near(own)) else {
        return;
    };
    let message = format!(
        "{} tokens of instructions and {} of the client's own are {}",
        grouped(own),
        grouped(fixed),
        what_comes(&window, fixed + own, limit)
    );
    let is_observed = cost.evidence == Evidence::Observed && window.evidence == Evidence::Observed;
    let mut draft = report
        .at(Place::File(largest.path.clone()), message)
        .chain(subject.chain(&largest.path))
        .costs(Cost::Start(own))
        .help("make the largest files smaller: all of this comes back after a compaction")
        .known(if is_observed {
            Evidence::Observed
        } else {
            Evidence::Assumed
        });
    for (tokens, file) in counted.iter().take(NAMED).skip(1) {
        let what = format!("{} tokens", grouped(*tokens));
        draft = draft.also(Place::File(file.path.clone()), what);
    }
    draft.report();
}

/// The limits of this session.
fn window(subject: &Subject<'_, '_>) -> Window {
    let model = subject.session.model().facts;
    // The suffix is not part of the name, and asks for nothing that a wide model has not.
    let wide = if model.window > 200_000 { "[1m]" } else { "" };
    let given = Given::of(subject.session);
    Window::of(&format!("{}{wide}", model.name), &given)
}

/// What the sum is compared with: the trigger, or the block limit where nothing is compacted by
/// itself. Other sessions wait for the service to refuse, which depends on its own count.
fn limit(window: &Window) -> Option<u64> {
    match window.mode {
        Mode::AtTrigger { .. } => Some(window.trigger),
        Mode::Off { .. } => Some(window.block),
        Mode::OnRefusal => None,
    }
}

fn what_comes(window: &Window, tokens: u64, limit: u64) -> String {
    let limit_told = grouped(limit);
    match (&window.mode, tokens >= limit) {
        (Mode::Off { .. }, true) => {
            format!("above the limit of {limit_told}, from which on no request is sent")
        }
        (Mode::Off { .. }, false) => {
            format!("near the limit of {limit_told}, from which on no request is sent")
        }
        (_, true) => {
            format!("above the trigger of {limit_told}, so the session compacts after every answer")
        }
        (_, false) => format!(
            "near the trigger of {limit_told}, so the session compacts again after a few answers"
        ),
    }
}
