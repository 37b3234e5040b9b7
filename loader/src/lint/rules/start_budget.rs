//! L301: more tokens at the start than the budget.

use super::prelude::*;
use crate::javascript;
use crate::lint::budgets::total_warning;
use crate::lint::number::grouped;
use crate::lint::subject::{File, When};
use crate::record::Scope;

pub(in crate::lint) static RULE: Rule = Rule {
    id: "L301",
    name: "start-budget",
    severity: Severity::Warning,
    summary: "What every session starts with is larger than its budget.",
    page: Page {
        what: "Adds up the tokens of all instruction files that the start of a session delivers, \
               imports and the memory index included, and compares them with the budget \
               `start-tokens`, 20,000 unless it is set. The finding stands at the largest file and \
               tells the sum by scope.",
        why: "These tokens are part of every request of every session, before anybody has asked for \
              anything, and they come back after each compaction. The client itself warns only \
              from 120,000 characters of all files on (150,000 where the window is wide), and \
              leaves `AGENTS.md` out of its sum.",
        instead: "Give rules `paths`, move what concerns one folder into a `CLAUDE.md` there, and \
                  name long documents in a sentence instead of importing them.",
        drawbacks: "How many tokens are too many is a matter of taste: set the budget.",
        evidence: "Facts 1.1, I16 and I17; client threads 2766 and 16299.",
        since: "0.1.0",
    },
    bad: &[Example {
        title: "a handbook that every session is told",
        files: &[
            ("CLAUDE.md", "Use pnpm.\n\n@docs/handbook.md\n"),
            (
                "docs/handbook.md",
                "1600 × - Endpoint {n} answers with a code, a message and the id of the request.\n",
            ),
        ],
        fixed: &[],
    }],
    good: &[Example {
        title: "the same handbook as a rule that waits for its files",
        files: &[
            ("CLAUDE.md", "Use pnpm.\n"),
            (
                ".claude/rules/handbook.md",
                "---\npaths: \"src/**\"\n---\n\
                 1600 × - Endpoint {n} answers with a code, a message and the id of the request.\n",
            ),
            ("src/index.ts", "export {};\n"),
        ],
        fixed: &[],
    }],
    check,
};

/// How many of the largest files are named.
const NAMED: usize = 3;

fn check(subject: &Subject<'_, '_>, report: &mut Report<'_, '_>) {
    let budget = subject.budgets.start_tokens;
    let started = |file: &&File| file.when == When::Start;
    let files = || subject.files.iter().filter(started);
    // A token has a byte at least.
    let bytes: usize = files().map(|file| file.text.len()).sum();
    if u64::try_from(bytes).is_ok_and(|bytes| bytes <= budget) {
        return;
    }
    let mut counted: Vec<(u64, &File)> = files()
        .map(|file| (subject.tokens(&file.text), file))
        .collect();
    let total: u64 = counted.iter().map(|(tokens, _)| tokens).sum();
    if total <= budget {
        return;
    }
    let by_scope = by_scope(&counted);
    // The sort is stable, so of equal ones the first that is delivered comes first.
    counted.sort_by_key(|(tokens, _)| std::cmp::Reverse(*tokens));
    let Some((_, largest)) = counted.first() else {
        return;
    };
    let message = format!(
        "every session starts with {} tokens of instructions, above the budget of {}: {by_scope}",
        grouped(total),
        grouped(budget)
    );
    let mut draft = report
        .at(Place::File(largest.path.clone()), message)
        .chain(subject.chain(&largest.path))
        .costs(Cost::Start(total))
        .help(help(subject, &counted));
    for (tokens, file) in counted.iter().take(NAMED).skip(1) {
        let what = format!("{} tokens", grouped(*tokens));
        draft = draft.also(Place::File(file.path.clone()), what);
    }
    draft.report();
}

fn by_scope(counted: &[(u64, &File)]) -> String {
    let scopes = [
        Scope::Managed,
        Scope::User,
        Scope::Project,
        Scope::Local,
        Scope::AutoMemory,
    ];
    let mut told: Vec<String> = Vec::new();
    for scope in scopes {
        let own = counted.iter().filter(|(_, file)| file.scope == scope);
        let tokens: u64 = own.map(|(tokens, _)| tokens).sum();
        if tokens > 0 {
            told.push(format!("{scope} {}", grouped(tokens)));
        }
    }
    told.join(", ")
}

/// What helps, and whether the client warns of it, too (fact I17).
fn help(subject: &Subject<'_, '_>, largest: &[(u64, &File)]) -> String {
    let files = subject.files.iter();
    let counts = files.filter(|file| file.when == When::Start && !subject.is_agents(file));
    let characters: usize = counts.map(|file| javascript::len(&file.text)).sum();
    let limit = total_warning(subject.session.model().facts.window);
    let largest: Vec<String> = largest
        .iter()
        .take(NAMED)
        .map(|(tokens, file)| format!("`{}` {}", subject.name(&file.path), grouped(*tokens)))
        .collect();
    let mut help = format!(
        "give rules `paths`, or move parts into folders and documents: the largest are {}",
        largest.join(", ")
    );
    if characters > limit {
        let own = format!(
            "; the client warns of it, too: {} characters, its limit is {}",
            grouped(characters),
            grouped(limit)
        );
        help.push_str(&own);
    }
    help
}
