//! L601: a topic file that the memory index does not lead to.

use super::prelude::*;
use crate::lint::memory_folder::MemoryFolder;
use crate::memory::unnamed;
use crate::path::AbsPath;

pub(in crate::lint) static RULE: Rule = Rule {
    id: "L601",
    name: "memory-topic-unlinked",
    severity: Severity::Info,
    summary: "The memory index does not name a file that lies beside it.",
    page: Page {
        what: "Looks for Markdown files in the memory folder that neither `MEMORY.md` names nor a file \
               that it leads to. The name counts with and without `.md`, in a link or not, and with \
               other signs between its words.",
        why: "Of the memory folder only `MEMORY.md` is delivered. What it does not name is found only \
              by a session that lists the folder.",
        instead: "Give each file a line in the index, with a link and half a sentence on what is in it, \
                  or delete what nobody needs any more.",
        drawbacks: "A file may be named by words that are not its name.",
        evidence: "Facts 6.1 and 6.3 (cases memory-basic, memory-empty).",
        since: "0.1.0",
    },
    bad: &[Example {
        title: "notes that nobody will find",
        files: &[
            (
                "~/.claude/projects/-home-dev-shop/memory/MEMORY.md",
                "- [Tests](testing.md): how the cart is tested\n",
            ),
            (
                "~/.claude/projects/-home-dev-shop/memory/testing.md",
                "The cart needs a server.\n",
            ),
            (
                "~/.claude/projects/-home-dev-shop/memory/deploy-steps.md",
                "First the database.\n",
            ),
        ],
        fixed: &[],
    }],
    good: &[Example {
        title: "files that are named, or that a named file names",
        files: &[
            (
                "~/.claude/projects/-home-dev-shop/memory/MEMORY.md",
                "- [Tests](testing.md): how the cart is tested\n- Details on the till: see till\n",
            ),
            (
                "~/.claude/projects/-home-dev-shop/memory/testing.md",
                "The cart needs a server: see `server-setup.md`.\n",
            ),
            (
                "~/.claude/projects/-home-dev-shop/memory/server-setup.md",
                "Run it on port 4000.\n",
            ),
            (
                "~/.claude/projects/-home-dev-shop/memory/till.md",
                "The till rounds.\n",
            ),
        ],
        fixed: &[],
    }],
    check,
};

fn check(subject: &Subject<'_, '_>, report: &mut Report<'_, '_>) {
    let Some(folder) = MemoryFolder::in_use(subject) else {
        return;
    };
    let Some(first) = folder.topics.first() else {
        return;
    };
    if !folder.has_index {
        let number = folder.topics.len();
        let message = format!(
            "there is no `MEMORY.md` beside {}, so sessions learn of nothing here",
            if number == 1 {
                "this file".to_owned()
            } else {
                format!("these {number} files")
            }
        );
        report
            .at(Place::File(folder.path.child(first)), message)
            .help("write a `MEMORY.md` with a line and a link for each file")
            .report();
        return;
    }
    let text = |path: &AbsPath| subject.text(path);
    for name in unnamed(&folder.topics, &folder.index, text) {
        let message =
            format!("the memory index does not name `{name}`, so sessions do not learn of it");
        report
            .at(Place::File(folder.path.child(name)), message)
            .help(format!(
                "add a line to the index, such as `- [{}]({name}): …`",
                stem(name)
            ))
            .report();
    }
}

fn stem(name: &str) -> &str {
    name.strip_suffix(".md").unwrap_or(name)
}
