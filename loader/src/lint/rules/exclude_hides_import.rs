//! L119: files that are imported and excluded.

use super::prelude::*;

pub(in crate::lint) static RULE: Rule = Rule {
    id: "L119",
    name: "exclude-hides-import",
    severity: Severity::Info,
    summary: "A file is imported, and `claudeMdExcludes` keeps it out.",
    page: Page {
        what: "Looks for imports of files that a pattern of `claudeMdExcludes` names.",
        why: "The exclude wins: the file stays out with all that it imports, while the line that \
              imports it still stands there.",
        instead: "Take the import out, or make the pattern narrower.",
        drawbacks: "Personal excludes are meant to leave out what the project imports.",
        evidence: "Facts 7.1 and 7.2; cases excludes-*.",
        since: "0.1.0",
    },
    bad: &[Example {
        title: "a folder of documents",
        files: &[
            ("CLAUDE.md", "@docs/style.md\n"),
            ("docs/style.md", "Indent by two.\n"),
            (
                ".claude/settings.json",
                "{\n  \"claudeMdExcludes\": [\"**/docs/**\"]\n}\n",
            ),
        ],
        fixed: &[],
    }],
    good: &[Example {
        title: "a nested file that nothing imports",
        files: &[
            ("CLAUDE.md", "@docs/style.md\n"),
            ("docs/style.md", "Indent by two.\n"),
            ("old/CLAUDE.md", "Old.\n"),
            (
                ".claude/settings.json",
                "{\n  \"claudeMdExcludes\": [\"**/old/**\"]\n}\n",
            ),
        ],
        fixed: &[],
    }],
    check,
};

fn check(subject: &Subject<'_, '_>, report: &mut Report<'_, '_>) {
    for skip in &subject.skips {
        let (Some(mention), "excluded") = (&skip.mention, skip.case) else {
            continue;
        };
        let names = [skip.path.as_str()];
        let set = subject.session.world().excluded_by(skip.scope, &names);
        let pattern = set.as_ref().map_or("claudeMdExcludes", |set| &set.value);
        let message = format!(
            "`{}` is imported here, and `{pattern}` excludes it",
            subject.name(&skip.path)
        );
        let mut draft = report
            .at(Place::Mention(mention.clone()), message)
            .chain(subject.chain(&mention.by))
            .help("take the import out, or make the pattern of `claudeMdExcludes` narrower")
            .known(skip.evidence);
        if let Some(place) = set.and_then(|set| Place::setting(&set.place)) {
            draft = draft.also(place, "excluded here");
        }
        if let Some(lost) = subject.lost_file(&skip.path) {
            draft = draft.costs(lost);
        }
        draft.report();
    }
}
