//! L114: imports of a home folder in files that others have, too.

use super::prelude::*;
use crate::document::{Places, has_known_extension};
use crate::lint::reach::{is_of_home, is_prose, path_of};
use crate::record::Mention;

pub(in crate::lint) static RULE: Rule = Rule {
    id: "L114",
    name: "import-of-home",
    severity: Severity::Info,
    summary: "A shared file imports a file of a home folder, which others do not have.",
    page: Page {
        what: "Looks in the project's own files, where git does not ignore them, for imports that \
               begin with `~/` or lead to the home folder of somebody.",
        why: "Everybody else who uses the repository has another file there or none, and the client \
              does not say that it is missing. It is external, too: headless runs leave it out until \
              external imports are approved.",
        instead: "Import it from `CLAUDE.local.md` or from `~/.claude/CLAUDE.md`, or keep the text in \
                  the repository.",
        drawbacks: "With `~/` this is a usual way to let each person add preferences of their own.",
        evidence: "Facts 3.4 and 3.17; realistic files, odd thing 5.",
        since: "0.1.0",
    },
    bad: &[Example {
        title: "a personal file",
        files: &[
            (".git/HEAD", "ref: refs/heads/main\n"),
            ("CLAUDE.md", "@~/.claude/python.md\n"),
            ("~/.claude/python.md", "Use ruff.\n"),
        ],
        fixed: &[],
    }],
    good: &[Example {
        title: "personal files that import personal files",
        files: &[
            (".git/HEAD", "ref: refs/heads/main\n"),
            (".gitignore", "/notes/\n"),
            ("CLAUDE.md", "Use pnpm. Ask @home/dev or see `@~/x.md`.\n"),
            ("CLAUDE.local.md", "@~/.claude/python.md\n"),
            ("~/.claude/CLAUDE.md", "@~/.claude/python.md\n"),
            ("~/.claude/python.md", "Use ruff.\n"),
        ],
        fixed: &[],
    }],
    check,
};

fn check(subject: &Subject<'_, '_>, report: &mut Report<'_, '_>) {
    for file in subject.files.iter().filter(|file| is_prose(&file.path)) {
        let source = &file.document.source;
        let imports = file.document.imports.iter();
        let mut imports = imports
            .filter(|import| {
                let reference = &source[import.range.clone()];
                let is_text = path_of(reference)
                    .is_some_and(|path| path.contains('.') && has_known_extension(path));
                is_of_home(reference) && is_text
            })
            .peekable();
        if imports.peek().is_none() || !subject.is_shared(file) {
            continue;
        }
        let mut places = Places::new(source);
        for import in imports {
            let mention = Mention::at(&mut places, &file.path, &import.range);
            let reference = &mention.reference;
            let whose = if reference.starts_with("@~/") {
                "each person's own home folder"
            } else {
                "one person's home folder"
            };
            let message =
                format!("`{reference}` lies in {whose}, where others may have no such file");
            report
                .at(Place::Mention(mention.clone()), message)
                .help("import it from `CLAUDE.local.md`, or keep the text in the repository")
                .report();
        }
    }
}
