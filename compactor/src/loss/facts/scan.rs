//! One pass over a text for facts.

use super::super::terms;
use super::FactClass;
use super::tokens::{self, Marks};

/// The longest quotation that is a fact, in bytes.
const QUOTED: usize = 200;

/// Each fact of a text, with its class. In prose, quotations and code marks count too.
pub(super) fn each<'t>(text: &'t str, is_prose: bool, found: &mut impl FnMut(FactClass, &'t str)) {
    // A part of a word is no fact, and would not be found again.
    let found = &mut |class, part: &'t str| {
        let start = part.as_ptr() as usize - text.as_ptr() as usize;
        if terms::is_whole(text, start, start + part.len()) {
            found(class, part);
        }
    };
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        if tokens::part(bytes[at]) == 0 {
            at += 1;
            continue;
        }
        let start = at;
        let mut marks = Marks::default();
        let mut before = 0;
        while let Some(byte) = bytes.get(at).copied()
            && let length @ 1.. = tokens::part(byte)
        {
            marks.add(before, byte);
            before = byte;
            at += length;
        }
        if !marks.may_be_fact() {
            continue;
        }
        if marks.has_scheme()
            && let Some(url) = tokens::url(text, start, at)
        {
            found(FactClass::Url, &text[url.clone()]);
            at = url.end;
            continue;
        }
        tokens::classify(text, start, at, marks, found);
    }
    if is_prose {
        quotations(text, found);
    }
}

/// Programs whose name makes a text in code marks a command.
const PROGRAMS: &[&str] = &[
    "ansible",
    "apt",
    "aws",
    "bash",
    "brew",
    "bun",
    "bundle",
    "cargo",
    "cat",
    "cd",
    "chmod",
    "claude",
    "cmake",
    "composer",
    "cp",
    "curl",
    "deno",
    "docker",
    "dotnet",
    "eslint",
    "find",
    "gcloud",
    "gh",
    "git",
    "go",
    "gradle",
    "grep",
    "helm",
    "java",
    "jest",
    "jq",
    "just",
    "kubectl",
    "ls",
    "make",
    "mkdir",
    "mv",
    "mvn",
    "mypy",
    "node",
    "npm",
    "npx",
    "pip",
    "pnpm",
    "poetry",
    "prettier",
    "psql",
    "pytest",
    "python",
    "python3",
    "rails",
    "rake",
    "rg",
    "rm",
    "ruff",
    "rustc",
    "rustup",
    "sed",
    "sh",
    "ssh",
    "sudo",
    "swift",
    "systemctl",
    "terraform",
    "tox",
    "tsc",
    "uv",
    "vitest",
    "wget",
    "yarn",
    "zig",
];

/// Texts in quotation marks and code marks, outside blocks of code.
fn quotations<'t>(text: &'t str, found: &mut impl FnMut(FactClass, &'t str)) {
    const PAIRS: [(char, char); 5] = [('`', '`'), ('"', '"'), ('“', '”'), ('「', '」'), ('„', '“')];
    let mut is_code = false;
    for line in text.lines() {
        let bare = line.trim_start();
        if bare.starts_with("```") || bare.starts_with("~~~") {
            is_code = !is_code;
            continue;
        }
        let mut rest = line;
        // Marks that nothing closes on the rest of the line.
        let mut open = [false; PAIRS.len()];
        while !is_code && let Some(at) = rest.find(PAIRS.map(|(open, _)| open)) {
            let pair = PAIRS
                .iter()
                .position(|(open, _)| rest[at..].starts_with(*open));
            let Some(pair) = pair else {
                break;
            };
            let (mark, close) = PAIRS[pair];
            let inner = &rest[at + mark.len_utf8()..];
            let end = match open[pair] {
                true => None,
                false => inner.find(close),
            };
            let Some(end) = end else {
                open[pair] = true;
                rest = inner;
                continue;
            };
            let quoted = inner[..end].trim().trim_end_matches(':');
            quotation(quoted, mark == '`', found);
            rest = &inner[end + close.len_utf8()..];
        }
    }
}

fn quotation<'t>(inner: &'t str, is_code: bool, found: &mut impl FnMut(FactClass, &'t str)) {
    let letters = inner
        .chars()
        .filter(|c| c.is_alphanumeric())
        .take(2)
        .count();
    if letters < 2 || inner.len() > QUOTED {
        return;
    }
    let mut words = inner.split_whitespace();
    let first = words.next().unwrap_or_default();
    if words.next().is_some() {
        let is_command = is_code && PROGRAMS.contains(&first);
        let class = if is_command {
            FactClass::Command
        } else {
            FactClass::Quoted
        };
        return found(class, inner);
    }
    // A single word counts once: as what it is, which the pass above told, or else as a name.
    let mut is_told = inner.contains("://");
    let marks = Marks::of(inner);
    tokens::classify(inner, 0, inner.len(), marks, &mut |_, _| is_told = true);
    if !is_told {
        found(
            if is_code {
                FactClass::Identifier
            } else {
                FactClass::Quoted
            },
            inner,
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts(text: &str) -> Vec<String> {
        let mut facts = Vec::new();
        each(text, true, &mut |class, text| {
            facts.push(format!("{class:?} {text}"));
        });
        facts
    }

    #[test]
    fn facts_of_prose() {
        for (text, want) in [
            ("see src/core/a.rs:12, ok", &["Path src/core/a.rs"][..]),
            (
                "in /etc/hosts and ~/x/y and C:\\a\\b.txt",
                &["Path /etc/hosts", "Path ~/x/y", "Path C:\\a\\b.txt"],
            ),
            ("and/or, 1/2, read/write, he/she, </div>", &[]),
            ("请修改src/a.ts文件", &["Path src/a.ts"]),
            (
                "(README.md) Cargo.toml.",
                &["Path README.md", "Path Cargo.toml"],
            ),
            (
                "go to https://a.example/x?q=1#z).",
                &["Url https://a.example/x?q=1#z"],
            ),
            (
                "took 250ms, 3.5 MB, 40%, 12 files, v1.2.3 and 7",
                &[
                    "Number 250ms",
                    "Number 3.5 MB",
                    "Number 40%",
                    "Number 12 files",
                    "Number v1.2.3",
                ],
            ),
            ("30 秒", &["Number 30 秒"]),
            (
                "12,345 tokens and 1,000 ms, 7,12 files",
                &["Number 12,345 tokens", "Number 1,000 ms", "Number 12 files"],
            ),
            (
                "E0382 TS2345 ENOENT ERR_FOO exit code 101 HTTP 404",
                &[
                    "ErrorCode E0382",
                    "ErrorCode TS2345",
                    "ErrorCode ENOENT",
                    "ErrorCode ERR_FOO",
                    "ErrorCode code 101",
                    "ErrorCode HTTP 404",
                ],
            ),
            ("SHA256 UTF-8 H2O", &[]),
            (
                "call read_all, FooBar::new, getUser and --no-verify",
                &[
                    "Identifier read_all",
                    "Identifier FooBar::new",
                    "Identifier getUser",
                    "Identifier --no-verify",
                ],
            ),
            ("commit 3f2a9bc", &["Identifier 3f2a9bc"]),
            (
                "run `cargo test -p x` then `foo`",
                &["Command cargo test -p x", "Identifier foo"],
            ),
            (
                "it says \"no such thing\" and “ok then”",
                &["Quoted no such thing", "Quoted ok then"],
            ),
            ("```\n\"not this\"\n```\n", &[]),
            ("plain words only, 12 of them. I/O", &[]),
        ] {
            assert_eq!(facts(text), want, "{text}");
        }
    }
}
