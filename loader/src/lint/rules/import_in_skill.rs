//! L718: an import where none is followed.

use super::prelude::*;
use crate::document::Document;
use crate::path::AbsPath;

pub(in crate::lint) static RULE: Rule = Rule {
    id: "L718",
    name: "import-in-skill",
    severity: Severity::Info,
    summary: "A skill or an output style has an `@path`, which is sent as it is written.",
    page: Page {
        what: "Looks in skills and the chosen output style for `@path` references, outside of code, \
               that name a file.",
        why: "Only instruction files import. Here the reference is sent as text: the model may read \
              the file, if it thinks of it, but nothing brings it.",
        instead: "Tell the model when to read the file, with its path, or write the text into the \
                  skill.",
        drawbacks: "A skill may mean just that: many write `@path` for a file that the model is to \
                    read. Commands are passed over, since sessions with a prompt line may attach \
                    what a command mentions. What agents do was not observed.",
        evidence: "Facts C1.30 and C5.1; cases skill-body-text-kept, style-*.",
        since: "0.1.0",
    },
    bad: &[Example {
        title: "a style guide that the skill seems to bring",
        files: &[
            (
                ".claude/skills/write/SKILL.md",
                "---\ndescription: Writes texts\n---\nFollow the guide:\n\n@guide.md\n",
            ),
            (".claude/skills/write/guide.md", "Short sentences.\n"),
        ],
        fixed: &[],
    }],
    good: &[Example {
        title: "paths as text, decorators, files that there are not",
        files: &[
            (
                ".claude/skills/write/SKILL.md",
                "---\ndescription: Writes texts\n---\nRead guide.md first, see `@guide.md`, mark \
                 with @Entity, mail a@b.example.\n",
            ),
            (".claude/skills/write/guide.md", "Short sentences.\n"),
        ],
        fixed: &[],
    }],
    check,
};

fn check(subject: &Subject<'_, '_>, report: &mut Report<'_, '_>) {
    use crate::catalog::EntryKind;
    let entries = subject.catalog().entries.iter();
    for entry in entries.filter(|entry| entry.kind == EntryKind::Skill) {
        look(subject, report, &entry.path, "a skill");
    }
    let files = subject.style().files.iter();
    if let Some(style) = files.into_iter().find(|file| file.not_sent.is_none()) {
        look(subject, report, &style.path, "an output style");
    }
}

fn look(subject: &Subject<'_, '_>, report: &mut Report<'_, '_>, path: &AbsPath, what: &str) {
    let Some(text) = subject.text(path).filter(|text| text.contains('@')) else {
        return;
    };
    let document = Document::from_text(text, &subject.session.client().behaviour);
    let Some(folder) = path.parent() else {
        return;
    };
    for reference in &document.imports {
        let near = folder.join(&reference.path);
        let here = subject.session.cwd().join(&reference.path);
        let Some(named) = [near, here].into_iter().find(|file| subject.is_file(file)) else {
            continue;
        };
        let message = format!(
            "`{}` is not imported: in {what} an `@path` is sent as it is written",
            subject.name(&named)
        );
        report
            .at(Place::Bytes(path.clone(), reference.range.clone()), message)
            .help("tell the model to read the file, or write the text here")
            .report();
    }
}
