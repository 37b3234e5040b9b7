//! L124: instruction files of which nothing is delivered.

use super::prelude::*;
use crate::javascript;
use crate::path::AbsPath;
use crate::record::Scope;

pub(in crate::lint) static RULE: Rule = Rule {
    id: "L124",
    name: "file-empty",
    severity: Severity::Info,
    summary: "Nothing of an instruction file is delivered.",
    page: Page {
        what: "Looks for instruction files, rules and imported files of which nothing but white space \
               is left once front matter and comments are taken out.",
        why: "The client sends no section for such a file. It costs nothing and says nothing; text \
              that was put into a comment or into front matter by mistake does not arrive.",
        instead: "Write the text below the front matter and outside of comments, or delete the file.",
        drawbacks: "A file may be kept empty on purpose, as a place for later.",
        evidence: "Facts 1.8, 4.1 and 4.3.",
        since: "0.1.0",
    },
    bad: &[Example {
        title: "a file that is one comment",
        files: &[("CLAUDE.md", "<!-- Use pnpm. -->\n")],
        fixed: &[],
    }],
    good: &[Example {
        title: "a wrapper, and no memory yet",
        files: &[
            ("CLAUDE.md", "@AGENTS.md\n"),
            ("AGENTS.md", "Use pnpm.\n"),
            ("~/.claude/projects/-home-dev-shop/memory/MEMORY.md", "\n"),
        ],
        fixed: &[],
    }],
    check,
};

fn check(subject: &Subject<'_, '_>, report: &mut Report<'_, '_>) {
    let mut told: Vec<&AbsPath> = Vec::new();
    let skips = subject.skips.iter();
    told.extend(
        skips
            .filter(|skip| skip.case == "empty" && skip.scope != Scope::AutoMemory)
            .map(|skip| &skip.path),
    );
    // Rules that wait.
    let files = subject.files.iter();
    told.extend(
        files
            .filter(|file| javascript::trim(&file.text).is_empty())
            .map(|file| &file.path),
    );
    told.sort();
    told.dedup();
    for path in told {
        let name = subject.name(path);
        let is_blank = subject
            .text(path)
            .is_none_or(|text| javascript::trim(&text).is_empty());
        let message = if is_blank {
            format!("`{name}` is empty")
        } else {
            format!("nothing of `{name}` is left without its front matter and comments")
        };
        report.at(Place::File(path.clone()), message).report();
    }
}
