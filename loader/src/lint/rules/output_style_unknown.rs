//! L716: an output style that no file has.

use super::prelude::*;
use crate::lint::near::nearest;

pub(in crate::lint) static RULE: Rule = Rule {
    id: "L716",
    name: "output-style-unknown",
    severity: Severity::Warning,
    summary: "The settings choose an output style that there is not.",
    page: Page {
        what: "Looks whether `outputStyle` names a style of the client or one of the files in \
               `output-styles`: by the `name` of its front matter, or without one by the file's, \
               with capitals as they are written.",
        why: "The client takes none and says nothing, so the instructions of the style are missing \
              in every session.",
        instead: "Write the name as the file has it.",
        drawbacks: "Styles of installed plugins are not looked at; a name with a colon is accepted. \
                    A user's settings may name a style that another project has.",
        evidence: "Facts C5.1, C5.2 and 67; cases style-by-name-not-file, style-project-beats-user.",
        since: "0.1.0",
    },
    bad: &[Example {
        title: "the name of the file, where front matter has another",
        files: &[
            (".claude/settings.json", "{\"outputStyle\": \"brief\"}\n"),
            (
                ".claude/output-styles/brief.md",
                "---\nname: Brief answers\n---\nAnswer in one sentence.\n",
            ),
        ],
        fixed: &[(
            ".claude/settings.json",
            "{\"outputStyle\": \"Brief answers\"}\n",
        )],
    }],
    good: &[
        Example {
            title: "a style that is there",
            files: &[
                (".claude/settings.json", "{\"outputStyle\": \"brief\"}\n"),
                (
                    ".claude/output-styles/brief.md",
                    "Answer in one sentence.\n",
                ),
            ],
            fixed: &[],
        },
        Example {
            title: "a style of the client",
            files: &[(
                ".claude/settings.json",
                "{\"outputStyle\": \"Explanatory\"}\n",
            )],
            fixed: &[],
        },
    ],
    check,
};

fn check(subject: &Subject<'_, '_>, report: &mut Report<'_, '_>) {
    let Some(set) = subject.session.settings().text("outputStyle") else {
        return;
    };
    let (chosen, place) = (set.value, set.place);
    let style = subject.style();
    let is_there = style.built_in || style.files.iter().any(|file| file.name == chosen);
    let is_default = chosen.eq_ignore_ascii_case("default") || chosen.is_empty();
    if is_there || is_default || chosen.contains(':') {
        return;
    }
    let Some(path) = &place.file else {
        return;
    };
    // The last of the line: the key may have the same name.
    let at = subject.quoted(path, place.line, chosen);
    let message = format!("there is no output style `{chosen}`, so none is sent");
    let mut draft = report.at(at, message);
    let own = ["Explanatory", "Learning", "default"].into_iter();
    let names = style.files.iter().map(|file| file.name.as_str()).chain(own);
    let of_file = style.files.iter().find(|file| {
        let stem = file.path.file_name().trim_end_matches(".md");
        stem == chosen
    });
    let meant = of_file.map(|file| file.name.as_str());
    if let Some(meant) = meant.or_else(|| nearest(chosen, names)) {
        draft = draft.help(format!("write `{meant}`"));
        if let Some(range) = subject.only_quoted(path, place.line, chosen) {
            let title = format!("write `{meant}`");
            draft = draft.fix(Fix::one(Applicability::Unsafe, title, path, range, meant));
        }
    }
    draft.report();
}
