//! L115: absolute imports with a slash at their end.

use super::prelude::*;

pub(in crate::lint) static RULE: Rule = Rule {
    id: "L115",
    name: "import-trailing-slash",
    severity: Severity::Warning,
    summary: "A slash at the end of an absolute import keeps its file out.",
    page: Page {
        what: "Looks for imports that begin with `/` or `~/`, end in a slash, and would name a file \
               without it.",
        why: "Of a relative path the client drops the slash; of an absolute one it does not, and finds \
              no file. What is more, the file then counts as looked at: a later import of it, and the \
              walk, pass over it as well.",
        instead: "Take the slash out of the import.",
        drawbacks: "None is known: the file without the slash exists.",
        evidence: "Facts 10 and 28; cases import-absolute-2 and import-slash-*.",
        since: "0.1.0",
    },
    bad: &[Example {
        title: "a file of the home folder",
        files: &[
            ("~/.claude/CLAUDE.md", "@~/notes.md/\n"),
            ("~/notes.md", "Be brief.\n"),
        ],
        fixed: &[],
    }],
    good: &[Example {
        title: "a relative path",
        files: &[("CLAUDE.md", "@notes.md/\n"), ("notes.md", "Be brief.\n")],
        fixed: &[],
    }],
    check,
};

fn check(subject: &Subject<'_, '_>, report: &mut Report<'_, '_>) {
    for skip in &subject.skips {
        let (Some(mention), "trailing-slash") = (&skip.mention, skip.case) else {
            continue;
        };
        if !subject.is_file(&skip.path) {
            continue;
        }
        let bare = mention.reference.trim_end_matches('/');
        let message = "the slash at the end stays part of an absolute path, so it names no file";
        let mut draft = report
            .at(Place::Mention(mention.clone()), message)
            .chain(subject.chain(&mention.by))
            .help(format!("write `{bare}`"))
            .known(skip.evidence);
        if let Some(lost) = subject.lost_file(&skip.path) {
            draft = draft.costs(lost);
        }
        if let Some(range) = subject.range(mention) {
            let slash = range.start + bare.len()..range.end;
            let title = "take the slash out";
            draft = draft.fix(Fix::one(Applicability::Safe, title, &mention.by, slash, ""));
        }
        draft.report();
    }
}
