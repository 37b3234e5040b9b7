//! The directories and file names of random worlds.

use proptest::prelude::*;
use proptest::sample::select;

/// The directories of a world, below its root.
pub(super) const DIRECTORIES: &[&str] = &[
    "proj/",
    "proj/a/",
    "proj/a/b/",
    "proj/a/b/c/",
    "proj/src/",
    "proj/src/Web/",
    "proj/c d/",
    "proj/.hid/",
    "proj/node_modules/p/",
    "proj/wt/",
    "proj/wt/in/",
    "out/",
    "out/wt/",
    "home/",
    "home/.claude/",
    "managed/",
];

/// Those in which sessions start and below which they read.
pub(super) const PROJECT: &[&str] = &[
    "proj/",
    "proj/a/",
    "proj/a/b/",
    "proj/src/",
    "proj/a/b/c/",
    "proj/src/Web/",
    "proj/c d/",
    "proj/.hid/",
    "proj/wt/",
    "proj/wt/in/",
    "proj/node_modules/p/",
];

/// Source files of each project directory. They are there where a call names them and never
/// change but for `edit.rs`.
pub(super) const SOURCES: &[&str] = &["code.rs", "a.ts", "App.TSX", ".dot.rs", "edit.rs"];

/// Files that a directory of the walk, or one below it, gives by itself (facts 1.2, 1.5, 1.11).
const FOUND: &[&str] = &[
    "CLAUDE.md",
    "CLAUDE.md",
    "CLAUDE.md",
    ".claude/rules/r.md",
    ".claude/rules/r.md",
    ".claude/rules/q.md",
    ".claude/rules/s/t.md",
    ".claude/rules/s/deep/er.md",
    ".claude/rules/.hid.md",
    ".claude/rules/.dot/u.md",
    ".claude/rules/dir.md/in.md",
    ".claude/CLAUDE.md",
    ".claude/CLAUDE.md",
    "CLAUDE.local.md",
    "CLAUDE.local.md",
    "AGENTS.md",
    ".claude/AGENTS.md",
];

/// Files that are found only when they are named, and some that never are (facts 1.5, 1.7, 1.14).
const NAMED: &[&str] = &[
    "x.md",
    "x.md",
    "y z.md",
    "lib.py",
    "data.json",
    "conf.TOML",
    "Makefile",
    "README",
    ".env",
    "org/pkg",
    "w.png",
    "e.mdx",
    "é.md",
    "x.md,",
    "a#b.md",
    "_x.md",
    "-x.md",
    "claude.md",
    "AGENT.md",
    "AGENTS.local.md",
    ".claude/CLAUDE.local.md",
    ".claude/rules/no.txt",
    ".claude/rules/UP.MD",
    "rules/u.md",
];

/// Files of the user's folder and of the managed one, and some that do not count there
/// (facts 1.3, 1.4).
const CONFIGURATION: &[&str] = &[
    "CLAUDE.md",
    "CLAUDE.md",
    "rules/r.md",
    "rules/s/t.md",
    "x.md",
    "CLAUDE.local.md",
    "AGENTS.md",
];

/// A file's name, or its path below the directory that it counts for.
pub(super) fn any_name() -> BoxedStrategy<&'static str> {
    prop_oneof![3 => select(NAMED), 2 => select(FOUND)].boxed()
}

/// A directory of the project, mostly one of the first.
fn project() -> BoxedStrategy<&'static str> {
    prop_oneof![1 => select(&PROJECT[..4]), 1 => select(PROJECT)].boxed()
}

/// The path of a file below a world's root: instruction files, rules, files to import, and files
/// that only look like these, in the project, beside it, in the home and the managed folder.
pub fn place() -> BoxedStrategy<String> {
    let join = |(directory, name): (&str, &str)| format!("{directory}{name}");
    let named = prop_oneof![3 => Just(NAMED[0]), 4 => select(NAMED)];
    prop_oneof![
        9 => (project(), select(FOUND)).prop_map(join),
        5 => (project(), named).prop_map(join),
        2 => (select(&["home/.claude/", "home/.claude/", "conf/"][..]), select(CONFIGURATION))
            .prop_map(join),
        2 => (select(&["managed/", "managed/.claude/"][..]), select(CONFIGURATION)).prop_map(join),
        3 => (select(&["", "out/", "out/wt/", "home/"][..]), any_name()).prop_map(join),
    ]
    .boxed()
}

/// The path of a file that exists in each world that names it, below the project or outside it.
pub(super) fn source() -> BoxedStrategy<String> {
    let directory = prop_oneof![20 => project(), 1 => Just("out/")];
    (directory, select(SOURCES))
        .prop_map(|(directory, name)| format!("{directory}{name}"))
        .boxed()
}
