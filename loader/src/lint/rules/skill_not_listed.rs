//! L702: a file that is meant as a skill or command and is not offered as one.

use super::prelude::*;
use crate::catalog::{Absence, Absent, Entry, EntryKind, Misplaced, Misplacement};
use crate::document::FrontMatter;
use crate::glob::RulePatterns;
use crate::lint::front_keys;
use crate::record::Scope;

pub(in crate::lint) static RULE: Rule = Rule {
    id: "L702",
    name: "skill-not-listed",
    severity: Severity::Warning,
    summary: "A skill or command is not offered, or not by its description.",
    page: Page {
        what: "Looks for skills in the wrong place (a Markdown file beside the folders of skills, a \
               `SKILL.md` more than one folder deep, a name in other letters), for names with \
               characters that the client does not list, for front matter that the client does not \
               see, and for `paths` that match no file of the project.",
        why: "The client passes over such a file without a word, so neither the model nor the user \
              is told of it. Where only the front matter is not seen, the first line of the text \
              stands in place of the description, and the model cannot tell when to use it.",
        instead: "A skill is `.claude/skills/NAME/SKILL.md`, with front matter from the first line \
                  on. A command is any `.md` file below `.claude/commands`.",
        drawbacks: "`paths` may be for files that are made later; those that match nothing are \
                    therefore told as information.",
        evidence: "Facts C1.6, C1.8, C1.14 and 54; cases skills-front-matter-keys, skills-paths, \
                   skills-name-characters.",
        since: "0.1.0",
    },
    bad: &[
        Example {
            title: "a file in place of a folder",
            files: &[(
                ".claude/skills/deploy.md",
                "---\nname: deploy\ndescription: Ships the shop\n---\nRun make ship.\n",
            )],
            fixed: &[],
        },
        Example {
            title: "skills in groups",
            files: &[(
                ".claude/skills/release/deploy/SKILL.md",
                "---\ndescription: Ships the shop\n---\nRun make ship.\n",
            )],
            fixed: &[],
        },
        Example {
            title: "a name in other letters",
            files: &[(
                ".claude/skills/deploy/Skill.md",
                "---\ndescription: Ships the shop\n---\nRun make ship.\n",
            )],
            fixed: &[],
        },
        Example {
            title: "front matter that does not begin on the first line",
            files: &[(
                ".claude/skills/deploy/SKILL.md",
                "\n---\ndescription: Ships the shop\n---\nRun make ship.\n",
            )],
            fixed: &[],
        },
        Example {
            title: "`paths` that match nothing",
            files: &[
                (
                    ".claude/skills/deploy/SKILL.md",
                    "---\ndescription: Ships\npaths: \"infra/**\"\n---\nRun make ship.\n",
                ),
                ("deploy/main.tf", "\n"),
            ],
            fixed: &[],
        },
    ],
    good: &[
        Example {
            title: "what is not for the model, and what waits for a file that there is",
            files: &[
                (
                    ".claude/skills/deploy/SKILL.md",
                    "---\ndescription: Ships\ndisable-model-invocation: true\n---\nRun make.\n",
                ),
                (
                    ".claude/skills/infra/SKILL.md",
                    "---\ndescription: Infra\npaths: \"infra/**\"\n---\nRun terraform.\n",
                ),
                ("infra/main.tf", "\n"),
            ],
            fixed: &[],
        },
        Example {
            title: "documents beside skills, references in them, commands without front matter",
            files: &[
                (".claude/skills/README.md", "# Our skills\n"),
                (
                    ".claude/skills/deploy/SKILL.md",
                    "---\ndescription: Ships\n---\nRun make.\n",
                ),
                (
                    ".claude/skills/deploy/template/SKILL.md",
                    "---\ndescription: A template\n---\n",
                ),
                (".claude/commands/ship.md", "Run make ship.\n"),
            ],
            fixed: &[],
        },
    ],
    check,
};

fn check(subject: &Subject<'_, '_>, report: &mut Report<'_, '_>) {
    for file in subject.misplaced() {
        misplaced(subject, report, file);
    }
    let catalog = subject.catalog();
    for absent in &catalog.absent {
        left_out(subject, report, absent);
    }
    for entry in catalog.entries.iter().filter(|entry| !entry.described) {
        undescribed(subject, report, entry);
    }
}

fn misplaced(subject: &Subject<'_, '_>, report: &mut Report<'_, '_>, file: &Misplaced) {
    let folder = file.path.parent();
    let folder = folder.as_ref().map_or("", |folder| folder.file_name());
    let stem = file.path.file_name().trim_end_matches(".md");
    let (what, help) = match file.why {
        Misplacement::NoFolder => (
            "a skill is a folder with a `SKILL.md`, so the client does not see this file"
                .to_owned(),
            match stem {
                "SKILL" => "move it into a folder of the skill's name".to_owned(),
                stem => format!("move it to `{stem}/SKILL.md`"),
            },
        ),
        Misplacement::TooDeep => (
            format!("`{folder}` lies too deep: the client looks one folder below `skills`"),
            format!("move the folder `{folder}` into `skills` itself"),
        ),
        Misplacement::NameCase => (
            format!("the client looks for `SKILL.md`, so there is no skill `{folder}`"),
            "name the file `SKILL.md`".to_owned(),
        ),
        Misplacement::ExtensionCase => (
            "the client looks for files that end in `.md`, so this is no command".to_owned(),
            "end the name in `.md`".to_owned(),
        ),
    };
    let mut draft = report.at(Place::File(file.path.clone()), what).help(help);
    if let Some(text) = subject.text(&file.path) {
        draft = draft.costs(Cost::Lost(subject.tokens(&text)));
    }
    draft.report();
}

fn left_out(subject: &Subject<'_, '_>, report: &mut Report<'_, '_>, absent: &Absent) {
    let place = Place::File(absent.path.clone());
    match &absent.absence {
        Absence::BadName => {
            let message = format!(
                "`{}` is not listed: its name has characters that the client refuses",
                absent.name.escape_debug()
            );
            let help =
                "use letters, digits, dashes and single blanks, nothing hidden, no `<` or `>`";
            report.at(place, message).help(help).report();
        }
        Absence::NotDescribed => {
            let message = format!("`{}` of a plugin has no description", absent.name);
            let help = "write `description` in its front matter";
            report.at(place, message).help(help).report();
        }
        Absence::Unreadable { error } => {
            let message = format!("`{}` is not listed: its file {error}", absent.name);
            report.at(place, message).report();
        }
        Absence::Waits { patterns } if absent.scope == Scope::Project => {
            let tree = subject.tree();
            let wanted = RulePatterns::new(patterns);
            if tree.truncated || tree.files.iter().any(|file| wanted.is_match(file)) {
                return;
            }
            let message = format!(
                "`{}` is never offered: its `paths` match no file here",
                absent.name
            );
            let mut draft = report.at(paths_place(subject, absent).unwrap_or(place), message);
            draft = draft
                .severity(Severity::Info)
                .help("patterns are seen from the working directory");
            draft.report();
        }
        _ => {}
    }
}

fn paths_place(subject: &Subject<'_, '_>, absent: &Absent) -> Option<Place> {
    let source = subject.text(&absent.path)?;
    let front = front(subject, &source)?;
    let keys = front_keys::keys_in(&source, &front);
    let key = keys.into_iter().rfind(|key| key.name == "paths")?;
    Some(Place::Bytes(absent.path.clone(), key.name_range))
}

fn front(subject: &Subject<'_, '_>, source: &str) -> Option<FrontMatter> {
    let behaviour = &subject.session.client().behaviour;
    FrontMatter::find(source, behaviour.front_matter_behind_bom)
}

/// An entry whose description is in the file and not seen.
fn undescribed(subject: &Subject<'_, '_>, report: &mut Report<'_, '_>, entry: &Entry) {
    let Some(source) = subject.text(&entry.path) else {
        return;
    };
    let place = match front(subject, &source) {
        Some(front) => {
            let keys = front_keys::keys_in(&source, &front);
            let key = keys.into_iter().rfind(|key| key.name == "description");
            let Some(key) = key.filter(|key| !key.value_range.is_empty()) else {
                return;
            };
            Place::Bytes(entry.path.clone(), key.name_range)
        }
        None if is_late_or_open(&source) => {
            let before = source.find("---").unwrap_or_default();
            Place::Bytes(entry.path.clone(), before..before + 3)
        }
        None => return,
    };
    let shown = entry.text.as_deref().unwrap_or_default();
    let message = match entry.kind {
        EntryKind::Skill | EntryKind::Command if shown.is_empty() => format!(
            "the description of `{}` is not read, so it is listed without one",
            entry.name
        ),
        _ => format!(
            "the description of `{}` is not read, so it is listed as `{}`",
            entry.name,
            shown.chars().take(40).collect::<String>()
        ),
    };
    let help = "front matter begins on the first line with `---` and ends with `---`; \
                `description` is a text";
    report.at(place, message).help(help).report();
}

/// Whether front matter seems to begin behind the first line, or does not end.
fn is_late_or_open(source: &str) -> bool {
    let begun = source.trim_start().strip_prefix("---");
    let Some(rest) = begun.filter(|rest| rest.starts_with(['\r', '\n', ' '])) else {
        return false;
    };
    let mut lines = rest.lines().skip(1).take(30);
    lines.any(|line| line.starts_with("description:") || line.starts_with("name:"))
}
