//! L208: a README, or a fixture, that loads as a rule.

use super::prelude::*;
use crate::lint::subject::When;
use crate::path::AbsPath;

pub(in crate::lint) static RULE: Rule = Rule {
    id: "L208",
    name: "rule-unintended",
    severity: Severity::Info,
    summary: "A README or a fixture in a rules folder loads as a rule.",
    page: Page {
        what: "Looks in rules folders for files without `paths` that are named `README.md`, or that lie \
               in a folder of `fixtures` or `testdata`.",
        why: "Every file of a rules folder whose name ends in `.md` is a rule. A text about the rules, \
              for people, or an input of a test is sent in every session with all of its tokens.",
        instead: "Move it out of the folder, or give it `paths` such as `.claude/rules/**`, so that it \
                  comes when rules are edited.",
        drawbacks: "A README that is meant as a rule is found, too.",
        evidence: "Fact 1.5; realistic files, section 2; bug bank B037.",
        since: "0.1.0",
    },
    bad: &[
        Example {
            title: "a text about the rules",
            files: &[(
                ".claude/rules/README.md",
                "# Our rules\n\nEach file here is about one topic.\n",
            )],
            fixed: &[],
        },
        Example {
            title: "an input of a test of the rules",
            files: &[(
                ".claude/rules/tests/fixtures/case1.md",
                "A change without a test.\n",
            )],
            fixed: &[],
        },
    ],
    good: &[Example {
        title: "one with `paths`, and one elsewhere",
        files: &[
            (
                ".claude/rules/README.md",
                "---\npaths: \".claude/rules/**\"\n---\nOne topic a file.\n",
            ),
            (".claude/README.md", "About this folder.\n"),
            ("src/index.ts", "export {};\n"),
        ],
        fixed: &[],
    }],
    check,
};

fn check(subject: &Subject<'_, '_>, report: &mut Report<'_, '_>) {
    for file in subject.files.iter().filter(|file| file.is_rule()) {
        let is_readme = file.path.file_name().eq_ignore_ascii_case("readme.md");
        let what = match (is_readme, is_fixture(&file.path)) {
            (true, _) => "a README",
            (false, true) => "a fixture",
            (false, false) => continue,
        };
        if matches!(file.when, When::Match { .. }) {
            continue;
        }
        let message = format!(
            "{what} in a rules folder is a rule: it loads {}",
            file.how_often()
        );
        report
            .at(Place::File(file.path.clone()), message)
            .costs(subject.cost(file))
            .help("move it out of the folder, or give it `paths: \".claude/rules/**\"`")
            .report();
    }
}

/// Whether a folder on the way from the rules folder holds inputs of tests.
fn is_fixture(path: &AbsPath) -> bool {
    let folders = path.as_str().rsplit('/').skip(1);
    let mut inner = folders.take_while(|folder| *folder != "rules");
    inner.any(|folder| ["fixtures", "__fixtures__", "testdata"].contains(&folder))
}
