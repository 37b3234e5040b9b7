//! Parts of a tree that are no instruction files: links, the memory index, the folders of git.

use proptest::prelude::*;
use proptest::sample::select;

use super::start::Repository;

/// Where links stand, and what they say (facts 2.6, 2.7, 2.10–2.12, 5.23).
const LINK_PLACES: &[&str] = &[
    "proj/ln.md",
    "proj/ln",
    "proj/a/ln.md",
    "proj/a/ln",
    "proj/lib",
    "out/ln.md",
    "proj/CLAUDE.md",
    "proj/CLAUDE.local.md",
    "proj/AGENTS.md",
    "proj/x.md",
    "proj/a/CLAUDE.md",
    "proj/a/x.md",
    "proj/a/.claude",
    "proj/a/b/CLAUDE.md",
    "proj/.claude/CLAUDE.md",
    "proj/.claude/rules/ln.md",
    "proj/.claude/rules/ln",
    "proj/.claude/rules/s",
    "proj/src/.claude/rules",
    "proj/src/CLAUDE.md",
    "home/.claude/CLAUDE.md",
    "home/.claude/rules/ln.md",
    "home/.claude/rules/ln",
];
const LINK_TARGETS: &[&str] = &[
    "x.md",
    "../x.md",
    "CLAUDE.md",
    "CLAUDE.local.md",
    "../CLAUDE.md",
    "{root}/out/x.md",
    "{root}/out/CLAUDE.md",
    "{root}/proj/x.md",
    "{root}/proj/CLAUDE.md",
    "{root}/proj/a",
    "{root}/proj/src",
    "{root}/proj/a/.claude",
    "{root}/proj/.claude/rules",
    "{root}/out",
    "{root}/out/.claude",
    "{root}/home/.claude/x.md",
    "../a",
    "ln.md",
    "ln",
    "nowhere",
    "{root}/proj/CLAUDE.md/",
];

/// A symbolic link: its place below the root, and what it says. It may lead to a file or a folder
/// inside or outside the project, to nothing, or to itself.
pub fn link() -> BoxedStrategy<(String, String)> {
    (select(LINK_PLACES), select(LINK_TARGETS))
        .prop_map(|(place, target)| (place.to_owned(), target.to_owned()))
        .boxed()
}

/// The text of a `MEMORY.md`: short, over one of the client's limits, or over both (facts 6.4,
/// 6.5).
pub fn memory_index() -> BoxedStrategy<String> {
    let head = select(
        &[
            "",
            "T@x.md ",
            "<!-- c -->\n\n",
            "---\nname: n\n---\n",
            "\n\n",
            "# T\n",
        ][..],
    );
    let unit = prop_oneof![3 => Just("n"), 1 => Just("é"), 1 => Just("😀")];
    let lines = prop_oneof![2 => 0..10_usize, 1 => 195..260_usize];
    let width = prop_oneof![3 => 1..20_usize, 2 => 100..150_usize];
    let long = prop_oneof![9 => Just(0_usize), 1 => Just(25_100)];
    (head, unit, lines, width, long)
        .prop_map(|(head, unit, lines, width, long)| {
            let line = format!("- {}\n", unit.repeat(width));
            format!("{head}TM {}{}", "n".repeat(long), line.repeat(lines))
        })
        .boxed()
}

/// Just enough for the real git to take the folders as its own.
pub(super) fn git_files(repository: Repository) -> Vec<(String, String)> {
    let checkout = |root: &str| {
        let file = |name: &str, text: &str| (format!("{root}/.git/{name}"), text.to_owned());
        [
            file("HEAD", "ref: refs/heads/main\n"),
            file(
                "config",
                "[core]\n\trepositoryformatversion = 0\n\tbare = false\n",
            ),
            file("objects/.keep", ""),
            file("refs/heads/.keep", ""),
        ]
    };
    let worktree = |name: &str, path: &str| {
        let folder = format!("proj/.git/worktrees/{name}");
        [
            (
                format!("{folder}/HEAD"),
                format!("ref: refs/heads/{name}\n"),
            ),
            (format!("{folder}/commondir"), "../..\n".to_owned()),
            (
                format!("{folder}/gitdir"),
                format!("{{root}}/{path}/.git\n"),
            ),
            (
                format!("{path}/.git"),
                format!("gitdir: {{root}}/{folder}\n"),
            ),
        ]
    };
    let mut files = Vec::new();
    if repository != Repository::None {
        files.extend(checkout("proj"));
    }
    match repository {
        Repository::None | Repository::Project => {}
        Repository::Inner => files.extend(checkout("proj/a")),
        Repository::Worktrees => {
            files.extend(worktree("wt", "proj/wt"));
            files.extend(worktree("beside", "out/wt"));
        }
    }
    files
}
