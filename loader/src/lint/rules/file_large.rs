//! L302: a file above the length of which the client warns.

use rustc_hash::FxHashMap;

use super::prelude::*;
use crate::javascript;
use crate::lint::budgets::file_warning;
use crate::lint::number::grouped;
use crate::lint::subject::{File, When};
use crate::path::AbsPath;
use crate::record::{Cause, Mention};

pub(in crate::lint) static RULE: Rule = Rule {
    id: "L302",
    name: "file-large",
    severity: Severity::Info,
    summary: "A file, alone or with what it imports, is longer than the client thinks good.",
    page: Page {
        what: "Looks for files, rules and imports of more than 40,000 characters, and for files that \
               reach that with all that they import. Characters are counted as the client does: \
               UTF-16 units of what is delivered, without front matter and comments.",
        why: "The client warns at its start of each such file where the model's window is narrow, and \
              from 150,000 characters on where it is wide. Nothing is cut: all of it is sent in \
              each request. Of rules that wait, of nested files and of `AGENTS.md` it says nothing, \
              though they cost the same once they are there.",
        instead: "Split it by what it is about: rules with `paths`, a `CLAUDE.md` in the folder, or \
                  documents that are named in a sentence and read when they are needed.",
        drawbacks: "None of the parts may be worth a file of its own; then it is as large as it is.",
        evidence: "Facts I16 and I17; bug bank B067; client thread 2766.",
        since: "0.1.0",
    },
    bad: &[
        Example {
            title: "a small file that imports a large one",
            files: &[
                ("CLAUDE.md", "@docs/api.md\n"),
                (
                    "docs/api.md",
                    "700 × - Endpoint {n} answers with a code, a message and an id of the call.\n",
                ),
            ],
            fixed: &[],
        },
        Example {
            title: "a rule that is little but imports",
            files: &[
                (
                    ".claude/rules/web.md",
                    "---\npaths: \"src/**\"\n---\n@../../docs/a.md\n@../../docs/b.md\n",
                ),
                (
                    "docs/a.md",
                    "400 × - Component {n} has a story, a test and a page of documentation.\n",
                ),
                (
                    "docs/b.md",
                    "400 × - Hook {n} has a test, an example and an owner who reviews it.\n",
                ),
                ("src/index.ts", "export {};\n"),
            ],
            fixed: &[],
        },
    ],
    good: &[Example {
        title: "a large document that is only named",
        files: &[
            ("CLAUDE.md", "Endpoints are listed in `docs/api.md`.\n"),
            (
                "docs/api.md",
                "700 × - Endpoint {n} answers with a code, a message and an id of the call.\n",
            ),
        ],
        fixed: &[],
    }],
    check,
};

fn check(subject: &Subject<'_, '_>, report: &mut Report<'_, '_>) {
    let limit = subject.budgets.file_characters;
    let bytes: usize = subject.files.iter().map(|file| file.text.len()).sum();
    if bytes <= limit {
        return;
    }
    let mut whole: FxHashMap<&AbsPath, Whole<'_>> = FxHashMap::default();
    for file in &subject.files {
        let own = javascript::len(&file.document.text);
        if own > limit {
            alone(subject, report, file, own);
        }
        // Only what comes at the same time as its root adds to it.
        let (root, import) = root(subject, file);
        let whole = whole.entry(&root.path).or_default();
        whole.characters += own;
        whole.has_large |= own > limit;
        whole.imports.extend(import);
        whole.parts.push(file);
    }
    for file in &subject.files {
        let Some(whole) = whole.get(&file.path) else {
            continue;
        };
        // One that is large by itself is told already.
        if whole.characters > limit && !whole.has_large {
            together(subject, report, file, whole);
        }
    }
}

#[derive(Default)]
struct Whole<'s> {
    parts: Vec<&'s File>,
    characters: usize,
    has_large: bool,
    /// The imports of the root file itself.
    imports: Vec<Mention>,
}

/// The file through whose imports a file comes, itself where it is no import; and its own
/// mention, where the root is what names it.
fn root<'s>(subject: &'s Subject<'_, '_>, file: &'s File) -> (&'s File, Option<Mention>) {
    let chain = subject.chain(&file.path);
    let Some(first) = chain.first() else {
        return (file, None);
    };
    match subject.file(&first.by) {
        Some(root) => (root, (chain.len() == 1).then(|| first.clone())),
        None => (file, None),
    }
}

fn alone(subject: &Subject<'_, '_>, report: &mut Report<'_, '_>, file: &File, own: usize) {
    let message = format!(
        "`{}` has {} characters{}",
        subject.name(&file.path),
        grouped(own),
        warned(subject, file, own)
    );
    let tokens = subject.tokens(&file.document.text);
    let mut draft = report
        .at(Place::File(file.path.clone()), message)
        .chain(subject.chain(&file.path))
        .costs(file.cost(tokens))
        .help("split it: rules with `paths`, files in folders, documents that are named only");
    if let Some(Cause::Import(mention)) = &file.cause {
        draft = draft.also(Place::Mention(mention.clone()), "imported here");
    }
    draft.report();
}

fn together(
    subject: &Subject<'_, '_>,
    report: &mut Report<'_, '_>,
    file: &File,
    whole: &Whole<'_>,
) {
    let message = format!(
        "`{}` brings {} characters with what it imports",
        subject.name(&file.path),
        grouped(whole.characters)
    );
    let tokens = |is_start: bool| -> u64 {
        let parts = whole.parts.iter();
        let parts = parts.filter(|part| (part.when == When::Start) == is_start);
        parts.map(|part| subject.tokens(&part.document.text)).sum()
    };
    // What a waiting rule imports comes at the start (fact 3.22).
    let cost = match tokens(true) {
        0 => Cost::Read(tokens(false)),
        tokens => Cost::Start(tokens),
    };
    let mut draft = report
        .at(Place::File(file.path.clone()), message)
        .costs(cost)
        .help("name documents in a sentence instead of importing them");
    for mention in whole.imports.iter().take(3) {
        draft = draft.also(Place::Mention(mention.clone()), "an import");
    }
    draft.report();
}

/// What the client says of it (fact I16).
fn warned(subject: &Subject<'_, '_>, file: &File, own: usize) -> String {
    let window = subject.session.model().facts.window;
    if file.when != When::Start || subject.is_agents(file) {
        " and comes as a whole".to_owned()
    } else if own > file_warning(window) {
        format!(
            ", and the client warns of it at each start: its limit is {}",
            grouped(file_warning(window))
        )
    } else {
        format!(
            ", of which the client warns where the window is narrow: its limit is then {}",
            grouped(file_warning(200_000))
        )
    }
}
