//! L409: a list of documents that looks as if it loaded them.

use super::prelude::*;
use crate::lint::prose::{Block, BlockKind, Prose};
use crate::lint::subject::When;
use crate::path::AbsPath;
use crate::record::Scope;

pub(in crate::lint) static RULE: Rule = Rule {
    id: "L409",
    name: "document-list",
    severity: Severity::Info,
    summary: "A list of documents to read loads none of them.",
    page: Page {
        what: "Looks in files that load at the start for lists of three or more documents, each item a bare \
               path of a file that exists, below a sentence or heading that says to read or load them \
               and names no condition.",
        why: "Only `@path` imports. The model has to read each file by a call of its own, in each session, and \
              may leave it; after a compaction it has to do so again.",
        instead: "Write `@` before the paths that every session needs; for the others say when to read them.",
        drawbacks: "Such a list may be meant as it is: files that the model reads cost nothing until then.",
        evidence: "Facts 3.1 and 3.8; realistic files, section 3.",
        since: "0.1.0",
    },
    bad: &[Example {
        title: "documents to read first",
        files: &[
            (
                "CLAUDE.md",
                "Always read these documents:\n\n- docs/a.md\n- `docs/b.md`\n- [c](docs/c.md)\n",
            ),
            ("docs/a.md", "A.\n"),
            ("docs/b.md", "B.\n"),
            ("docs/c.md", "C.\n"),
        ],
        fixed: &[],
    }],
    good: &[Example {
        title: "an index, a condition, and imports",
        files: &[
            (
                "CLAUDE.md",
                "Read when it matters:\n\n- docs/a.md\n- docs/b.md\n- docs/c.md\n\n## Documents\n\n\
                 - docs/a.md\n- docs/b.md\n- docs/c.md\n\nRead first:\n\n- docs/a.md: errors\n- docs/b.md: style\n\
                 - docs/c.md: tests\n\nRead these:\n\n- @docs/a.md\n- @docs/b.md\n- @docs/c.md\n",
            ),
            ("docs/a.md", "A.\n"),
            ("docs/b.md", "B.\n"),
            ("docs/c.md", "C.\n"),
        ],
        fixed: &[],
    }],
    check,
};

fn check(subject: &Subject<'_, '_>, report: &mut Report<'_, '_>) {
    for file in &subject.files {
        if file.when != When::Start || file.scope == Scope::AutoMemory {
            continue;
        }
        let source = &file.document.source;
        let prose = subject.prose(file);
        let mut at = 0;
        while at < prose.blocks.len() {
            let Some(list) = prose.blocks[at].list else {
                at += 1;
                continue;
            };
            let items = prose.blocks[at..]
                .iter()
                .take_while(|block| block.list == Some(list));
            let items: Vec<&Block> = items.collect();
            let first = at;
            at += items.len();
            let says = first
                .checked_sub(1)
                .and_then(|before| prose.blocks.get(before));
            if items.len() < 3 || !says.is_some_and(|block| orders(source, block)) {
                continue;
            }
            let paths: Option<Vec<AbsPath>> = items
                .iter()
                .map(|item| document(subject, &file.path, path(source, &prose, item)?))
                .collect();
            let Some(paths) = paths else {
                continue;
            };
            if paths.iter().any(|path| subject.file(path).is_some()) {
                continue;
            }
            let range = items[0].range.start..items[items.len() - 1].range.end;
            report
                .at(
                    Place::Bytes(file.path.clone(), range),
                    format!(
                        "none of these {} documents is loaded: without `@` a path is a mention",
                        paths.len()
                    ),
                )
                .chain(subject.chain(&file.path))
                .help(
                    "write `@` before those that every session needs, and when to read the others",
                )
                .report();
        }
    }
}

/// Whether a sentence says to read what follows, at any time.
fn orders(source: &str, block: &Block) -> bool {
    if block.kind == BlockKind::Cell {
        return false;
    }
    let text = source[block.range.clone()].to_lowercase();
    let mut words = text.split(|c: char| !c.is_alphanumeric());
    let says = words.any(|word| {
        matches!(
            word,
            "read" | "load" | "loads" | "loaded" | "import" | "include"
        )
    });
    let conditions = [
        "when",
        "if ",
        "as needed",
        "on demand",
        "before ",
        "relevant",
        "depending",
        "need",
        "only",
        "not ",
        "n't",
        "optional",
        "further",
    ];
    says && !conditions.iter().any(|condition| text.contains(condition))
}

/// The path that an item is, and nothing else.
fn path<'t>(source: &'t str, prose: &'t Prose, item: &Block) -> Option<&'t str> {
    let links = prose.links.iter();
    if let Some(link) = links.clone().find(|link| link.range == item.range) {
        return Some(&link.target);
    }
    let text = source[item.range.clone()].trim_matches('`');
    let is_path = !text.starts_with('@') && !text.contains(char::is_whitespace);
    is_path.then_some(text)
}

/// The document of this path, seen from the file that names it.
fn document(subject: &Subject<'_, '_>, by: &AbsPath, written: &str) -> Option<AbsPath> {
    let is_document = [".md", ".txt", ".rst", ".adoc"]
        .iter()
        .any(|end| written.ends_with(end));
    let path = by.parent()?.join(written);
    (is_document && subject.is_file(&path)).then_some(path)
}
