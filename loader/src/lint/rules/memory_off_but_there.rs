//! L604: memory is off while files of it exist.

use super::prelude::*;
use crate::lint::memory_folder::MemoryFolder;
use crate::memory;
use crate::session::is_true;
use crate::{javascript, settings};

pub(in crate::lint) static RULE: Rule = Rule {
    id: "L604",
    name: "memory-off-but-there",
    severity: Severity::Info,
    summary: "Auto memory is switched off, though the project has a memory.",
    page: Page {
        what: "Looks for Markdown files in the project's memory folder where `autoMemoryEnabled: false` \
               or `CLAUDE_CODE_DISABLE_AUTO_MEMORY` turns memory off.",
        why: "What earlier sessions noted reaches no session, though it lies there as if it did.",
        instead: "Turn memory on again, move what is worth keeping into `CLAUDE.md`, or delete the \
                  folder.",
        drawbacks: "Memory may be off on purpose, and the folder kept for later.",
        evidence: "Facts 6.6 and 20 (cases memory-off-*, env-*).",
        since: "0.1.0",
    },
    bad: &[Example {
        title: "off for everybody, in the project's settings",
        files: &[
            (
                ".claude/settings.json",
                "{\n  \"autoMemoryEnabled\": false\n}\n",
            ),
            (
                "~/.claude/projects/-home-dev-shop/memory/MEMORY.md",
                "- The cart needs a server.\n",
            ),
        ],
        fixed: &[],
    }],
    good: &[Example {
        title: "off, and nothing is there",
        files: &[(
            ".claude/settings.json",
            "{\n  \"autoMemoryEnabled\": false\n}\n",
        )],
        fixed: &[],
    }],
    check,
};

const VARIABLE: &str = "CLAUDE_CODE_DISABLE_AUTO_MEMORY";

fn check(subject: &Subject<'_, '_>, report: &mut Report<'_, '_>) {
    let switches = &subject.session.world().switches;
    // Where all instructions are off, memory is not what that is about.
    if switches.memory_off.is_none() || switches.instructions_off.is_some() {
        return;
    }
    let Some(folder) = MemoryFolder::of(subject) else {
        return;
    };
    let Some((name, place)) = switch(subject) else {
        return;
    };
    let number = folder.topics.len() + usize::from(folder.has_index);
    let message = format!(
        "`{name}` turns memory off, so {} in `{}` {} no session",
        if number == 1 {
            "the file".to_owned()
        } else {
            format!("the {number} files")
        },
        subject.name(&folder.path),
        if number == 1 { "reaches" } else { "reach" },
    );
    let first = folder.topics.first().map(|name| folder.path.child(name));
    let file = match first {
        Some(first) if !folder.has_index => first,
        _ => folder.index.clone(),
    };
    let setting = place.and_then(Place::setting);
    let mut draft = report
        .at(
            setting.unwrap_or_else(|| Place::File(file.clone())),
            message,
        )
        .also(Place::File(file), "what is there")
        .help("turn memory on, or move what is worth keeping into `CLAUDE.md`");
    if let Some(text) = subject.text(&folder.index).filter(|_| folder.has_index) {
        let kept = memory::cut(javascript::trim(&text)).0;
        draft = draft.costs(Cost::Lost(subject.tokens(kept)));
    }
    draft.report();
}

/// What turns memory off, and where it was set; nothing where that is the client's age.
fn switch<'s>(subject: &'s Subject<'_, '_>) -> Option<(&'static str, Option<&'s settings::Place>)> {
    let settings = subject.session.settings();
    let variable = subject.session.origin().env.get(VARIABLE);
    if variable.is_some_and(|value| is_true(value)) {
        return Some((VARIABLE, settings.env.get(VARIABLE).map(|set| &set.place)));
    }
    let set = settings.auto_memory.as_ref().filter(|set| !set.value)?;
    Some(("autoMemoryEnabled", Some(&set.place)))
}
