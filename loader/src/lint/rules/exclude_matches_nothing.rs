//! L118: patterns of `claudeMdExcludes` that exclude nothing.

use super::prelude::*;
use crate::glob::ExcludePattern;
use crate::record::Scope;
use crate::settings::Tier;

pub(in crate::lint) static RULE: Rule = Rule {
    id: "L118",
    name: "exclude-matches-nothing",
    severity: Severity::Warning,
    summary: "A pattern of `claudeMdExcludes` excludes nothing.",
    page: Page {
        what: "Looks for patterns of `claudeMdExcludes` in the project's settings that match no \
               instruction file, rule or import here, and for patterns anywhere that can match no \
               absolute path.",
        why: "Patterns are matched against absolute paths, in their own letters. `CLAUDE.md`, \
              `docs/**`, `./x` and `~/x` match nothing, and neither does the name of a directory \
              without `/**`. What was to be excluded is in every session.",
        instead: "Begin the pattern with `**/` or write the absolute path; end a directory with `/**`.",
        drawbacks: "Folders that git ignores are not searched: a pattern that would match an \
                    instruction file there is accepted. A pattern for files that only some machines \
                    have is found where they are missing, but for `CLAUDE.local.md`.",
        evidence: "Fact 7.1; cases excludes-*; bug bank B054 and B055.",
        since: "0.1.0",
    },
    bad: &[
        Example {
            title: "a relative path",
            files: &[
                ("CLAUDE.md", "Use pnpm.\n"),
                ("old/CLAUDE.md", "Old.\n"),
                (
                    ".claude/settings.json",
                    "{\n  \"claudeMdExcludes\": [\n    \"old/CLAUDE.md\"\n  ]\n}\n",
                ),
            ],
            fixed: &[],
        },
        Example {
            title: "a folder that is gone",
            files: &[
                ("CLAUDE.md", "Use pnpm.\n"),
                (
                    ".claude/settings.local.json",
                    "{\n  \"claudeMdExcludes\": [\"**/old/**\"]\n}\n",
                ),
            ],
            fixed: &[],
        },
    ],
    good: &[Example {
        title: "nested files, ignored folders, and settings for all projects",
        files: &[
            ("CLAUDE.md", "Use pnpm.\n@docs/a.md\n"),
            ("docs/a.md", "A.\n"),
            ("old/CLAUDE.md", "Old.\n"),
            (".gitignore", "/build/\n"),
            ("build/x/CLAUDE.md", "X.\n"),
            (
                ".claude/settings.json",
                "{\"claudeMdExcludes\": [\"**/old/**\", \"**/build/**\"]}\n",
            ),
            (
                "~/.claude/settings.json",
                "{\"claudeMdExcludes\": [\"/home/dev/other/CLAUDE.md\"]}\n",
            ),
        ],
        fixed: &[],
    }],
    check,
};

/// Names of instruction files.
const NAMES: [&str; 3] = ["CLAUDE.md", "CLAUDE.local.md", "AGENTS.md"];

fn check(subject: &Subject<'_, '_>, report: &mut Report<'_, '_>) {
    let world = subject.session.world();
    if world.excludes.is_empty() {
        return;
    }
    let candidates = candidates(subject);
    for (set, pattern, used) in world.excludes_with_use() {
        let text = set.value.as_str();
        // An empty text is a pattern of no use, and evidently so.
        if used || text.trim().is_empty() {
            continue;
        }
        let is_hopeless = is_relative(text);
        let is_own = matches!(set.place.tier, Tier::Project | Tier::Local);
        let is_personal = text.ends_with("CLAUDE.local.md");
        let may_match = !is_own
            || is_personal
            || matches_ignored(subject, pattern)
            || names_link(subject, text);
        if (!is_hopeless && may_match) || candidates.iter().any(|path| pattern.is_match(path)) {
            continue;
        }
        let Some(place) = Place::setting(&set.place) else {
            continue;
        };
        let (message, help) = if is_hopeless {
            let bare = text.trim_start_matches("~/").trim_start_matches("./");
            (
                format!("`{text}` excludes nothing: patterns are matched against absolute paths"),
                format!("write `**/{bare}`, or the absolute path"),
            )
        } else {
            (
                format!("`{text}` matches no instruction file, rule or import here"),
                "take the pattern out, or mend it: a directory ends in `/**`".to_owned(),
            )
        };
        report.at(place, message).help(help).report();
    }
}

/// Whether a pattern can match no absolute path.
fn is_relative(pattern: &str) -> bool {
    let is_open = pattern.starts_with(['/', '*', '!', '?', '[', '{', '(', '@', '+', '\\', '"']);
    let is_drive = pattern.as_bytes().get(1) == Some(&b':');
    !is_open && !is_drive
}

/// Everything that a pattern may name here.
fn candidates(subject: &Subject<'_, '_>) -> Vec<String> {
    let cwd = subject.session.cwd();
    let files = subject.files.iter();
    let files = files.filter(|file| file.scope != Scope::Managed);
    let mut paths: Vec<String> = files.map(|file| file.path.to_string()).collect();
    paths.extend(subject.skips.iter().map(|skip| skip.path.to_string()));
    let waiting = subject.waiting.files.iter();
    paths.extend(waiting.map(|file| file.path.to_string()));
    for path in &subject.tree().files {
        let name = path.rsplit('/').next().unwrap_or(path);
        if NAMES.contains(&name) || path.contains(".claude/rules/") {
            paths.push(cwd.join(path).to_string());
        }
    }
    paths.sort_unstable();
    paths.dedup();
    paths
}

/// Whether a pattern names a `.claude` folder that is a link: the search for nested files follows
/// none.
fn names_link(subject: &Subject<'_, '_>, pattern: &str) -> bool {
    let files = subject.tree().files.iter();
    let mut links = files.filter(|path| path.ends_with("/.claude"));
    links.any(|link| pattern.contains(link.as_str()))
}

/// Whether an instruction file in a folder that was not searched would match.
fn matches_ignored(subject: &Subject<'_, '_>, pattern: &ExcludePattern) -> bool {
    let mut ignored = subject.waiting.ignored.iter();
    ignored.any(|folder| {
        let deep = folder.child("x");
        let rule = folder.child(".claude").child("rules").child("x.md");
        let named = NAMES
            .iter()
            .flat_map(|name| [folder.child(name), deep.child(name)]);
        let mut paths = named.chain([rule]);
        paths.any(|path| pattern.is_match(path.as_str()))
    })
}
