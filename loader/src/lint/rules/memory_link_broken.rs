//! L602: the memory index names a topic file that does not exist.

use super::prelude::*;
use crate::javascript;
use crate::lint::memory_folder::MemoryFolder;
use crate::memory::{letters, links};
use crate::path::AbsPath;

pub(in crate::lint) static RULE: Rule = Rule {
    id: "L602",
    name: "memory-link-broken",
    severity: Severity::Warning,
    summary: "A link of the memory index leads to a file that does not exist.",
    page: Page {
        what: "Looks in `MEMORY.md` for links to Markdown files that lie neither in the memory folder \
               nor, by the same path, in the working directory or the repository.",
        why: "The index promises what a session cannot read. The entry costs its tokens in every \
              session, and the model spends a call on a file that is not there.",
        instead: "Write the name of the file as it is, or delete the entry.",
        drawbacks: "A link may be meant for another machine, on which the file is there.",
        evidence: "Facts 6.1 and 6.3 (cases memory-basic, memory-empty).",
        since: "0.1.0",
    },
    bad: &[Example {
        title: "a topic file that was renamed",
        files: &[
            (
                "~/.claude/projects/-home-dev-shop/memory/MEMORY.md",
                "- [Tests](testing_notes.md): how the cart is tested\n- [Till](till.md)\n",
            ),
            (
                "~/.claude/projects/-home-dev-shop/memory/testing-notes.md",
                "The cart needs a server.\n",
            ),
            (
                "~/.claude/projects/-home-dev-shop/memory/till.md",
                "The till rounds.\n",
            ),
        ],
        fixed: &[(
            "~/.claude/projects/-home-dev-shop/memory/MEMORY.md",
            "- [Tests](testing-notes.md): how the cart is tested\n- [Till](till.md)\n",
        )],
    }],
    good: &[Example {
        title: "links that lead somewhere, and what is no link",
        files: &[
            (
                "~/.claude/projects/-home-dev-shop/memory/MEMORY.md",
                "- [Tests](testing.md#cart), [guide](docs/guide.md), [site](https://a.example/x.md)\n\
                 - `[Name](name.md)` is the form of an entry\n\n```\n[Name](name.md)\n```\n\
                 <!-- [Old](old.md) -->\n",
            ),
            (
                "~/.claude/projects/-home-dev-shop/memory/testing.md",
                "The cart needs a server.\n",
            ),
            ("docs/guide.md", "A guide.\n"),
        ],
        fixed: &[],
    }],
    check,
};

fn check(subject: &Subject<'_, '_>, report: &mut Report<'_, '_>) {
    let Some(folder) = MemoryFolder::in_use(subject) else {
        return;
    };
    let Some(index) = folder.delivered(subject) else {
        return;
    };
    // What is cut is told by another rule.
    let whole = &index.document.text;
    let start = whole.len() - whole.trim_start_matches(javascript::is_space).len();
    let text = whole.get(..start + index.text.len()).unwrap_or(whole);
    let mut gone = Vec::new();
    for range in links(text) {
        let name = text[range.clone()].replace("%20", " ");
        if exists(subject, &folder, &name) {
            continue;
        }
        let start = index.document.map.source_offset(range.start);
        let bytes = start..start + range.len();
        let mut topics = folder.topics.iter();
        match topics.find(|topic| letters(topic) == letters(&name)) {
            Some(topic) => {
                let title = format!("write `{topic}`");
                let text = topic.replace(' ', "%20");
                let fix = Fix::one(
                    Applicability::Unsafe,
                    title,
                    &index.path,
                    bytes.clone(),
                    text,
                );
                let message = format!("`{name}` does not exist, so this entry leads nowhere");
                report
                    .at(Place::Bytes(index.path.clone(), bytes), message)
                    .help(format!("there is `{topic}`"))
                    .fix(fix)
                    .report();
            }
            None => gone.push((name, bytes)),
        }
    }
    // Of many, such as after a move, one is enough.
    let (told, more) = match gone.len() {
        0..=EACH => (gone.len(), 0),
        number => (1, number - 1),
    };
    for (name, bytes) in gone.into_iter().take(told) {
        let message = match more {
            0 => format!("`{name}` does not exist, so this entry leads nowhere"),
            _ => format!(
                "`{name}` does not exist, nor do {more} more files of this index: their entries \
                 lead nowhere"
            ),
        };
        report
            .at(Place::Bytes(index.path.clone(), bytes), message)
            .help("name the file that is there, or delete the entry")
            .report();
    }
}

/// How many entries that lead nowhere are told each by itself.
const EACH: usize = 3;

fn exists(subject: &Subject<'_, '_>, folder: &MemoryFolder, name: &str) -> bool {
    let session = subject.session;
    if let Some(below) = name.strip_prefix("~/") {
        return subject.is_file(&session.origin().home.join(below));
    }
    if let Some(path) = AbsPath::new(name) {
        return subject.is_file(&path);
    }
    let root = session.git().map(|git| &git.root);
    let bases = [Some(&folder.path), Some(session.cwd()), root];
    let mut bases = bases.into_iter().flatten();
    bases.any(|base| subject.is_file(&base.join(name)))
}
