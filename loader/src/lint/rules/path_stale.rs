//! L402: a path in a code span that names no file any more.

use super::prelude::*;
use crate::lint::existing::Existing;
use crate::lint::prose::{Block, Span};
use crate::record::Scope;

pub(in crate::lint) static RULE: Rule = Rule {
    id: "L402",
    name: "path-stale",
    severity: Severity::Info,
    summary: "A path in the text names a file that does not exist.",
    page: Page {
        what: "Looks in code spans for relative paths with a folder and an extension whose first folder \
               exists, while the file exists neither from the folder of the document, nor from a \
               folder above it up to the root of the checkout, nor at the end of any path below the \
               working directory. Patterns, placeholders, folders of builds, files that git ignores, \
               and sentences about examples, new files or files that are gone are left alone.",
        why: "The model takes the text at its word: it reads or names a file that is not there, and has \
              to search for the one that is meant.",
        instead: "Name the file as it is called now, or a folder, which changes less often.",
        drawbacks: "A file that is made by a build or lies in another repository is found if its first \
                    folder is here.",
        evidence: "Facts 3.1 and 3.8: a path in a code span is a mention; peers' checks of stale paths.",
        since: "0.1.0",
    },
    bad: &[Example {
        title: "a module that was moved",
        files: &[
            (
                "CLAUDE.md",
                "Routes are declared in `src/routes/index.ts`.\n",
            ),
            ("src/server/routes.ts", "export {};\n"),
        ],
        fixed: &[],
    }],
    good: &[Example {
        title: "paths that hold, patterns, placeholders, examples, and what a build makes",
        files: &[
            (
                "CLAUDE.md",
                "`src/a.ts`, `lib/b.ts` and `./src/a.ts` hold. Tests are `src/*.test.ts` or\n\
                 `src/<name>.ts`; name them as in `src/path/to/x.ts` or\n\
                 `src/YYYYMMDDHHMMSS_what.sql`.\n\n\
                 For example, `src/foo.ts` has `src/foo.test.ts`.\n\n\
                 Create `src/new.ts` for it.\n\nThe build writes `dist/a.js` and `src/gen/a.ts`.\n\n\
                 `src/old.ts` was removed. Use `node src/run.js`, `other/x.ts`, `/api/x.json`,\n\
                 `shop.example/a.html`, `application/x.json`.\n\n```\nsrc/gone.ts\n```\n",
            ),
            (".gitignore", "src/gen/\n"),
            ("src/a.ts", "export {};\n"),
            ("packages/c/lib/b.ts", "export {};\n"),
        ],
        fixed: &[],
    }],
    check,
};

/// Folders of what builds and installers make.
const MADE: &[&str] = &[
    "build",
    "coverage",
    "dist",
    "gen",
    "generated",
    "node_modules",
    "out",
    "target",
    "tmp",
    "temp",
    "logs",
    "log",
    "vendor",
    "venv",
    "bin",
    "obj",
    "__pycache__",
    "artifacts",
    "reports",
    "cache",
];

/// Parts of paths that stand for others.
const STANDS_FOR: &[&str] = &[
    "foo",
    "bar",
    "baz",
    "example",
    "examples",
    "my",
    "your",
    "some",
    "new",
    "name",
    "feature",
    "xxx",
    "yyyy",
    "nnn",
    "path",
    "template",
    "module",
    "component",
    "mycomponent",
    "filename",
    "file",
    "page",
];

/// What stands for a date or a time in a name.
const DATES: &[&str] = &["yyyy", "yymm", "mmdd", "hhmm"];

/// Words by which a sentence speaks of no file that is there.
const NOT_THERE: &[&str] = &[
    "e.g",
    "example",
    "such as",
    " like ",
    "creat",
    "add ",
    "adding",
    "new ",
    "generat",
    "writ",
    "sav",
    "output",
    "remov",
    "delet",
    "no longer",
    "former",
    "used to",
    "renam",
    "moved",
    "legacy",
    "not ",
    "n't",
    "never",
    "instead of",
    "ignored",
    "optional",
    "if present",
    "exists",
    "if there",
    "may ",
    "might",
    "will ",
    "would",
    "should",
    "planned",
    "todo",
    "future",
    "produc",
    "emit",
    "copy",
    "copied",
    "download",
    "pattern",
    "convention",
    "placeholder",
    "before:",
    "after:",
    "->",
    "→",
    "becomes",
    "import",
    "export",
    "pack",
    "publish",
    "other repo",
    "upstream",
    "submodule",
];

fn check(subject: &Subject<'_, '_>, report: &mut Report<'_, '_>) {
    let mut existing = Existing::new(subject);
    for file in &subject.files {
        let is_of_project = matches!(file.scope, Scope::Project | Scope::Local);
        if !is_of_project || !existing.can_tell(&file.path) {
            continue;
        }
        let source = &file.document.source;
        let prose = subject.prose(file);
        for span in &prose.spans {
            let written = &source[span.range.clone()];
            if span.in_link || !is_path(written) {
                continue;
            }
            let is_there = existing.may_be(&file.path, written)
                || !existing.has_folder(&file.path, written)
                || existing.is_ignored(&file.path, written);
            if is_there || speaks_of_others(source, prose.blocks.get(span.block), span) {
                continue;
            }
            report
                .at(
                    Place::Bytes(file.path.clone(), span.range.clone()),
                    format!("`{written}` does not exist, and no path ends so"),
                )
                .chain(subject.chain(&file.path))
                .help("name the file as it is called now")
                .report();
        }
    }
}

/// Whether a code span is a path of one file, and of no other.
fn is_path(written: &str) -> bool {
    let bare = written.strip_prefix("./").unwrap_or(written);
    let is_plain = bare
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || b"/._-".contains(&byte));
    let mut parts: Vec<&str> = bare.split('/').collect();
    let Some(name) = parts.pop() else {
        return false;
    };
    let Some((stem, extension)) = name.rsplit_once('.') else {
        return false;
    };
    let is_extension = (1..=5).contains(&extension.len())
        && extension.starts_with(|c: char| c.is_ascii_lowercase())
        && extension.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let Some(first) = parts.first() else {
        return false;
    };
    // The first may be a host, `..`, or the kind of a media type.
    let is_folder =
        !first.is_empty() && !first.trim_start_matches('.').contains('.') && *first != "..";
    let is_made = parts
        .iter()
        .any(|part| MADE.contains(&part.to_lowercase().as_str()));
    let stands = |part: &str| {
        let lower = part.to_lowercase();
        let mut words = lower.split(['-', '_', '.']);
        words.any(|word| STANDS_FOR.contains(&word) || DATES.iter().any(|sign| word.contains(sign)))
            || (part.len() <= 2 && part.bytes().all(|byte| byte.is_ascii_uppercase()))
    };
    let is_placeholder = parts.iter().any(|part| stands(part) || part.is_empty())
        || stands(stem)
        || bare.contains("..");
    is_plain && is_extension && !stem.is_empty() && is_folder && !is_made && !is_placeholder
}

/// Whether the sentences around a span speak of examples, or of files that are not there.
fn speaks_of_others(source: &str, block: Option<&Block>, span: &Span) -> bool {
    let Some(block) = block else {
        return true;
    };
    // What stands in code says nothing of the sentence.
    let before = &source[block.range.start..span.range.start];
    let after = &source[span.range.end..block.range.end.max(span.range.end)];
    let prose: String = before
        .split('`')
        .step_by(2)
        .chain(after.split('`').skip(1).step_by(2))
        .collect::<Vec<_>>()
        .join(" ")
        .to_lowercase();
    NOT_THERE.iter().any(|word| prose.contains(word))
}
