//! L405: a path of one person's machine in a file that others receive.

use std::ops::Range;

use super::prelude::*;
use crate::lint::committed::Committed;

pub(in crate::lint) static RULE: Rule = Rule {
    id: "L405",
    name: "path-personal",
    severity: Severity::Info,
    summary: "A file that git tracks names a path that exists on one person's machine.",
    page: Page {
        what: "Looks for `/Users/NAME/…`, `/home/NAME/…` and `C:\\Users\\NAME\\…` in instruction files of \
               a checkout that git does not ignore. Names that stand for anybody, such as `user`, and \
               those of containers and build machines are left alone.",
        why: "For everybody else the path names nothing: the model looks for a file or runs a command \
              that is not there. It also tells the name of an account to all who can read the \
              repository.",
        instead: "Write the path from the root of the repository, `~/…` or `$HOME/…`, or move the line \
                  to `CLAUDE.local.md` and let git ignore that.",
        drawbacks: "A path that is the same on all machines of a team is found, too.",
        evidence: "Realistic files 37 and section 2: personal absolute paths in public trees.",
        since: "0.1.0",
    },
    bad: &[Example {
        title: "a command with somebody's home folder",
        files: &[
            (".git/HEAD", "ref: refs/heads/main\n"),
            ("CLAUDE.md", "Run `/home/qz7/code/shop/scripts/check`.\n"),
        ],
        fixed: &[],
    }],
    good: &[
        Example {
            title: "names that stand for anybody, addresses, and routes",
            files: &[
                (".git/HEAD", "ref: refs/heads/main\n"),
                (
                    "CLAUDE.md",
                    "Works in `/home/runner/work/shop/shop`, `/Users/you/code/shop`,\n\
                     `/home/<name>/code/a.sh` and `~/code`. Pages: `/home/settings/profile`,\n\
                     https://shop.example/Users/qz7/code/a.html, `/api/Users/qz7/code`.\n",
                ),
            ],
            fixed: &[],
        },
        Example {
            title: "a personal file that git ignores",
            files: &[
                (".git/HEAD", "ref: refs/heads/main\n"),
                (".gitignore", "CLAUDE.local.md\n"),
                (
                    "CLAUDE.local.md",
                    "My notes: /home/qz7/code/notes/shop.md\n",
                ),
            ],
            fixed: &[],
        },
    ],
    check,
};

/// Names of accounts that are nobody's.
const NOBODY: &[&str] = &[
    "admin",
    "agent",
    "alice",
    "app",
    "bob",
    "build",
    "builder",
    "circleci",
    "ci",
    "claude",
    "coder",
    "codespace",
    "container",
    "default",
    "deploy",
    "dev",
    "developer",
    "docker",
    "ec2-user",
    "example",
    "foo",
    "gitpod",
    "guest",
    "home",
    "jane",
    "jdoe",
    "jenkins",
    "john",
    "johndoe",
    "jovyan",
    "linuxbrew",
    "me",
    "model-user",
    "my-user",
    "myname",
    "myuser",
    "name",
    "nixos",
    "node",
    "nobody",
    "opc",
    "owner",
    "path",
    "pi",
    "public",
    "root",
    "runner",
    "runneradmin",
    "sandbox",
    "shared",
    "someone",
    "somebody",
    "test",
    "travis",
    "ubuntu",
    "user",
    "user1",
    "username",
    "vagrant",
    "vscode",
    "web",
    "work",
    "worker",
    "www",
    "www-data",
    "x",
    "xxx",
    "you",
    "your-name",
    "your-user",
    "your-username",
    "your_name",
    "your_username",
    "yourname",
    "yourusername",
];

/// Folders that people have in their home folder; a route of a page has none of them.
const FOLDERS: &[&str] = &[
    "bin",
    "code",
    "coding",
    "desktop",
    "dev",
    "developer",
    "development",
    "documents",
    "downloads",
    "dropbox",
    "git",
    "github",
    "gitlab",
    "go",
    "library",
    "local",
    "onedrive",
    "personal",
    "projects",
    "project",
    "repo",
    "repos",
    "scripts",
    "source",
    "sources",
    "src",
    "work",
    "workspace",
    "workspaces",
    "www",
];

fn check(subject: &Subject<'_, '_>, report: &mut Report<'_, '_>) {
    let mut committed = Committed::new(subject);
    for file in &subject.files {
        let source = &file.document.source;
        let found = paths(source);
        if found.is_empty() || !committed.may_hold(&file.path) {
            continue;
        }
        let comments = &file.document.comments;
        let delivered = |range: &&Range<usize>| {
            !comments
                .iter()
                .any(|comment| comment.contains(&range.start))
        };
        // One a file is enough: the others are mended with it.
        let Some(first) = found.iter().find(delivered) else {
            continue;
        };
        let more = match found.iter().filter(delivered).count() - 1 {
            0 => String::new(),
            more => format!(", as do {more} more places of this file"),
        };
        let message = format!(
            "`{}` names a home folder of one machine{more}, and git does not ignore this file",
            &source[first.clone()]
        );
        report
            .at(Place::Bytes(file.path.clone(), first.clone()), message)
            .help("write the path from the root of the repository, or with `~/`")
            .report();
    }
}

/// The places of such paths.
fn paths(source: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    for start in ["/Users/", "/home/", ":\\Users\\"] {
        let finder = memchr::memmem::find_iter(source.as_bytes(), start);
        for at in finder {
            if let Some(range) = path(source, at, start) {
                found.push(range);
            }
        }
    }
    found.sort_by_key(|range| range.start);
    found
}

fn path(source: &str, at: usize, start: &str) -> Option<Range<usize>> {
    let is_windows = start.starts_with(':');
    let separator = if is_windows { '\\' } else { '/' };
    let before = source[..at].chars().next_back();
    let begin = if is_windows {
        let drive = before.filter(char::is_ascii_alphabetic)?;
        at - drive.len_utf8()
    } else {
        let of_longer = |c: char| c.is_alphanumeric() || "_-.~}>)$*".contains(c);
        if before.is_some_and(of_longer) {
            return None;
        }
        at
    };
    let rest = &source[at + start.len()..];
    let end = rest
        .find(|c: char| c.is_whitespace() || "`'\"<>(){}[]|,;*$:".contains(c))
        .unwrap_or(rest.len());
    let is_placeholder = rest[end..].starts_with(['<', '{', '$', '*', '[']);
    let written = rest[..end].trim_end_matches(['.', separator]);
    let mut parts = written.split(separator).filter(|part| !part.is_empty());
    let name = parts.next()?;
    let next = parts.next()?;
    let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "._-".contains(c))
        && name.len() > 1;
    let is_nobody = NOBODY.contains(&name.to_lowercase().as_str());
    let is_home = next.starts_with('.')
        || FOLDERS.contains(&next.to_lowercase().as_str())
        || is_windows
        || written.contains('.');
    let placeholder_within = is_placeholder && !written.contains(separator);
    let is_it = is_name && !is_nobody && is_home && !placeholder_within && !next.contains("...");
    is_it.then(|| begin..at + start.len() + written.len())
}
