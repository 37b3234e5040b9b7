//! Tool calls and prompts.

use proptest::prelude::*;
use proptest::sample::select;
use serde_json::json;

use super::places::{DIRECTORIES, PROJECT, place, source};
use crate::session::ToolCall;

/// A kind of tool call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallKind {
    /// `Read`, of files, missing files and directories.
    Read,
    /// `Write`, always of a file `new.rs`, which nothing else names.
    Write,
    /// `Edit`, always of a file `edit.rs`, in a way that can be repeated.
    Edit,
    /// `Grep` and `Glob`, which deliver nothing (fact 5.12).
    Search,
    /// `Bash` with one simple command, which may read a file (fact 5.11).
    Bash,
}

impl CallKind {
    /// Every kind.
    pub const ALL: &[Self] = &[
        Self::Read,
        Self::Write,
        Self::Edit,
        Self::Search,
        Self::Bash,
    ];

    /// How many of a hundred calls are of this kind, when all kinds are wanted.
    const fn weight(self) -> u32 {
        match self {
            Self::Read => 65,
            Self::Bash => 20,
            Self::Write | Self::Edit | Self::Search => 5,
        }
    }
}

/// Commands in which `%` is an existing file (fact 5.11): the first that are reads, then such as
/// are none.
const READERS: &[&str] = &[
    "cat '%'",
    "cat \"%\"",
    "cat -n '%'",
    "head '%'",
    "head -n 2 '%'",
    "head -2 '%'",
    "tail '%'",
    "tail -n 1 '%'",
    "nl '%'",
    "sed -n 1,3p '%'",
    "sed -n '1,2p' '%'",
    "sed -n 1p '%'",
    "grep one '%'",
    "grep -n one '%'",
    "cat '%'; true",
    "cat '%' && true",
];
const OTHERS: &[&str] = &[
    "cat '%' | head -n 1",
    "cat '%' > /dev/null",
    "cat < '%'",
    "cat '%' '%'",
    "cat '%' || true",
    "cd . && cat '%'",
    "/bin/cat '%'",
    "wc -l '%'",
    "ls '%'",
    "stat '%'",
    "tac '%'",
    "awk 1 '%'",
    "sed 1d '%'",
    "grep -r one '%'",
    "echo '%'",
    "true",
];

/// Paths, below the root, that a session may try to read: existing files at all depths, files and
/// directories that may be missing, and names that lead through a link.
pub fn read_path() -> BoxedStrategy<String> {
    let any_directory = || select(DIRECTORIES);
    prop_oneof![
        12 => source(),
        // Instruction files are read too (fact 5.19).
        4 => place(),
        2 => (select(PROJECT), select(&["CLAUDE.md", "x.md", "gone.rs"][..]))
            .prop_map(|(directory, name)| format!("{directory}{name}")),
        1 => any_directory().prop_map(|path| format!("{path}gone.rs")),
        1 => any_directory().prop_map(|path| path.trim_end_matches('/').to_owned()),
        2 => select(&[
            "proj/ln/code.rs",
            "proj/ln/b/code.rs",
            "proj/lib/code.rs",
            "proj/a/ln/code.rs",
            "way/code.rs",
            "way/b/code.rs",
            "proj/a/../src/code.rs",
            "proj/./a//code.rs",
        ][..]).prop_map(str::to_owned),
    ]
    .boxed()
}

/// A tool call of one of the kinds, on a path of [`read_path`]. Paths are absolute with `{root}`;
/// a few of Bash are relative.
pub fn call(kinds: &[CallKind]) -> BoxedStrategy<ToolCall> {
    let kinds: Vec<_> = kinds
        .iter()
        .map(|kind| (kind.weight(), of_kind(*kind)))
        .collect();
    if kinds.is_empty() {
        return of_kind(CallKind::Read);
    }
    proptest::strategy::Union::new_weighted(kinds).boxed()
}

fn of_kind(kind: CallKind) -> BoxedStrategy<ToolCall> {
    let named = |tool: &str, input| ToolCall {
        tool: tool.to_owned(),
        input,
    };
    let absolute = |path: String| format!("{{root}}/{path}");
    match kind {
        CallKind::Read => read_path()
            .prop_map(move |path| named("Read", json!({ "file_path": absolute(path) })))
            .boxed(),
        CallKind::Write => select(PROJECT)
            .prop_map(move |directory| {
                let path = absolute(format!("{directory}new.rs"));
                named("Write", json!({ "file_path": path, "content": "new\n" }))
            })
            .boxed(),
        CallKind::Edit => select(PROJECT)
            .prop_map(move |directory| {
                let path = absolute(format!("{directory}edit.rs"));
                // The old text is there again after each edit.
                let (old, new) = ("one", "one,");
                let input = json!({ "file_path": path, "old_string": old, "new_string": new });
                named("Edit", input)
            })
            .boxed(),
        CallKind::Search => (any::<bool>(), read_path())
            .prop_map(move |(grep, path)| {
                if grep {
                    named("Grep", json!({ "pattern": "one", "path": absolute(path) }))
                } else {
                    named("Glob", json!({ "pattern": format!("{}*", absolute(path)) }))
                }
            })
            .boxed(),
        CallKind::Bash => {
            let path = prop_oneof![
                6 => source().prop_map(absolute),
                1 => read_path().prop_map(absolute),
                1 => select(&["code.rs", "./a.ts", "a/code.rs", "b/code.rs"][..])
                    .prop_map(str::to_owned),
            ];
            let command = prop_oneof![3 => select(READERS), 1 => select(OTHERS)];
            (command, path)
                .prop_map(move |(command, path)| {
                    named("Bash", json!({ "command": command.replace('%', &path) }))
                })
                .boxed()
        }
    }
}

/// A prompt that mentions a file with `@`, or looks as if it did (fact 5.21).
pub fn prompt() -> BoxedStrategy<String> {
    let shapes = [
        "Look at @% please.",
        "@%",
        "see @% and @%",
        "mail a@%",
        "@\"%\" say",
    ];
    let path = prop_oneof![
        3 => source().prop_map(|path| format!("{{root}}/{path}")),
        1 => select(&["code.rs", "a/code.rs", "./a.ts", "x.md", "a", "gone.rs"][..])
            .prop_map(str::to_owned),
    ];
    (select(shapes.to_vec()), path)
        .prop_map(|(shape, path)| shape.replace('%', &path))
        .boxed()
}
