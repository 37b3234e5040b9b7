//! L703: descriptions that the list of skills has no room for.

use super::prelude::*;
use crate::catalog::{Bare, Budget, Entry, Room};
use crate::javascript;

pub(in crate::lint) static RULE: Rule = Rule {
    id: "L703",
    name: "skill-description-cut",
    severity: Severity::Warning,
    summary: "The list of skills is too long, so descriptions are dropped or cut.",
    page: Page {
        what: "Looks at the list of skills and commands as it is sent: whether it is longer than \
               its budget, which is a hundredth of the model's window, and whether one text is \
               longer than its cap of 1,536 characters.",
        why: "Over the budget the client keeps all names and drops whole descriptions, in the \
              order of the list. The model then has a name alone to tell by when to use the skill. \
              Of a text over the cap the end is cut, which is where `when_to_use` stands.",
        instead: "Shorten descriptions, the long ones first. Keep what only people call out of the \
                  list with `disable-model-invocation: true`, or raise \
                  `skillListingBudgetFraction` in the settings.",
        drawbacks: "The budget depends on the model: what fits one with a large window may not fit \
                    another. Skills that were used often go first on the machine of their user.",
        evidence: "Facts C1.20 to C1.25, 52 and 59; cases skills-budget-default, \
                   skills-description-cap.",
        since: "0.1.0",
    },
    bad: &[
        Example {
            title: "a budget that the settings made too small",
            files: &[
                (
                    ".claude/settings.json",
                    "{\"skillListingBudgetFraction\": 0.0001}\n",
                ),
                (
                    ".claude/skills/deploy/SKILL.md",
                    "---\ndescription: Ships the shop to its servers\n---\nRun make ship.\n",
                ),
            ],
            fixed: &[],
        },
        Example {
            title: "a text over its cap",
            files: &[
                (
                    ".claude/settings.json",
                    "{\"skillListingMaxDescChars\": 20}\n",
                ),
                (
                    ".claude/skills/deploy/SKILL.md",
                    "---\ndescription: Ships the shop to its servers\n---\nRun make ship.\n",
                ),
            ],
            fixed: &[],
        },
    ],
    good: &[Example {
        title: "a few skills",
        files: &[(
            ".claude/skills/deploy/SKILL.md",
            "---\ndescription: Ships the shop to its servers\n---\nRun make ship.\n",
        )],
        fixed: &[],
    }],
    check,
};

/// Names of dropped ones that a message tells.
const TOLD: usize = 5;

fn check(subject: &Subject<'_, '_>, report: &mut Report<'_, '_>) {
    let catalog = subject.catalog();
    let dropped = catalog.entries.iter();
    let dropped: Vec<&Entry> = dropped
        .filter(|entry| entry.bare == Some(Bare::Budget))
        .collect();
    if let (Some(first), Some(budget)) = (dropped.first(), &catalog.budget) {
        over_budget(subject, report, &dropped, first, budget);
    }
    for entry in &catalog.entries {
        let listed = entry.text.as_deref().map_or(usize::MAX, javascript::len);
        if listed >= entry.whole {
            continue;
        }
        let message = format!(
            "the list has {listed} of the {} characters that describe `{}`",
            entry.whole, entry.name
        );
        report
            .at(Place::File(entry.path.clone()), message)
            .help("put what matters first, and shorten the rest")
            .report();
    }
}

fn over_budget(
    subject: &Subject<'_, '_>,
    report: &mut Report<'_, '_>,
    dropped: &[&Entry],
    first: &Entry,
    budget: &Budget,
) {
    let all = subject.catalog().entries.len();
    let names: Vec<String> = dropped
        .iter()
        .take(TOLD)
        .map(|entry| format!("`{}`", entry.name))
        .collect();
    let more = match dropped.len().saturating_sub(TOLD) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let from = match &budget.from {
        Room::Share {
            place: Some(place), ..
        } => format!(", by skillListingBudgetFraction in {place}"),
        Room::Share { .. } => String::new(),
        Room::Variable => ", by SLASH_COMMAND_TOOL_CHAR_BUDGET".to_owned(),
    };
    let message = format!(
        "{} of {all} skills and commands are listed without their descriptions ({}{more}): the \
         list would take {} characters of {}{from}",
        dropped.len(),
        names.join(", "),
        budget.wanted,
        budget.room
    );
    let texts = dropped.iter().filter_map(|entry| entry.dropped.as_deref());
    let lost = texts.map(|text| subject.tokens(text)).sum();
    let mut draft = report
        .at(Place::File(first.path.clone()), message)
        .costs(Cost::Lost(lost))
        .help("shorten the longest descriptions, or keep what only people call from the model");
    for entry in dropped.iter().skip(1) {
        draft = draft.also(Place::File(entry.path.clone()), "listed by name alone");
    }
    draft.report();
}
