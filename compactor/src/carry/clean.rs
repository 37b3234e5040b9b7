//! Noise in a text that is carried over: logs, traces, diffs, long JSON, absolute paths, ids of
//! requests. Each leaves a mark that says how much was there; sentences stay as they are.

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::{Captures, Regex};

use crate::expression::{Form, is};
use crate::loss::fence_mark;

/// What paths are shortened by.
#[derive(Debug, Clone, Default)]
pub struct Around {
    /// The session's directory: paths below it are told from there.
    pub directory: Option<String>,
    /// The user's home: paths below it begin with `~`.
    pub home: Option<String>,
}

/// The longest block of code that stays, in lines.
const CODE: usize = 30;
/// The fewest lines in a row that make a log.
const LOG: usize = 4;
/// The longest line of JSON that stays, in bytes.
const JSON: usize = 240;

fn exact(text: &str) -> Option<Regex> {
    Regex::new(text).ok()
}

/// A line that a program printed.
static PRINTED: Form = LazyLock::new(|| {
    exact(
        r#"(?x)
        ^\s*(?:
            \[?\d{4}-\d\d-\d\d[T\x20]\d\d:\d\d
          | \d\d:\d\d:\d\d[.,\x20]
          | (?:ERROR|WARN(?:ING)?|INFO|DEBUG|TRACE|FATAL)\b
          | (?:error|warning)(?:\[\w+\])?:
          | Traceback\ \(most\ recent
          | File\ "[^"]+",\ line\ \d+
          | at\ [\w$.<>\x20\[\]]+\ ?\([^)]*:\d+
          | at\ \S+:\d+:\d+
          | -->\ \S+:\d+
          | \d*\s*\|\s
          | thread\ '[^']*'\ panicked
          | stack\ backtrace:
          | \d+:\s+0x[0-9a-f]+
          | npm\ (?:ERR!|WARN|info)
          | (?:Compiling|Downloading|Downloaded|Finished|Running|Checking|Building|Installing)\ [\w./-]+
          | test\ \S+\ \.\.\.\ 
          | (?:PASS|FAIL|ok|not\ ok)\s+\S+
          | (?:SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|DROP)\ .*\b(?:FROM|INTO|SET|TABLE|INDEX)\b
          | (?:Exit\ code|Chunk\ ID|Wall\ time|stdout|stderr)\s*:?
          | \$\ \S
        )"#,
    )
});
/// A line of a diff.
static DIFF: Form =
    LazyLock::new(|| exact(r"^(?:diff --git |index [0-9a-f]{7}|@@ |--- \S|\+\+\+ \S)"));
/// An absolute path of at least two names.
static PATH: Form = LazyLock::new(|| {
    exact(r#"(^|[\s"'`(\[<=:,，。：（「])((?:/[\w.@+~-]+){2,}/?|[A-Za-z]:\\[\w.@+~\\ -]*[\w])"#)
});
/// Ids that the service or the client made.
static ID: Form = LazyLock::new(|| {
    exact(
        r"\b(?:req|msg|toolu|srvtoolu|chatcmpl|run|call)_[A-Za-z0-9]{10,}\b|\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b",
    )
});

/// A text without its noise.
pub(super) fn clean(text: &str, around: &Around) -> String {
    let text = without_blocks(text);
    let text = without_ids(&text);
    shorten_paths(&text, around)
}

/// Leaves out blocks of output.
fn without_blocks(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let mut kept: Vec<Cow<'_, str>> = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        if let Some(fence) = fence_mark(lines[at].trim()) {
            let closes = |line: &&str| line.trim() == fence;
            let length = lines[at + 1..].iter().position(closes);
            let end = length.map_or(lines.len(), |length| at + 1 + length);
            let inner = &lines[at + 1..end];
            let after = (end + 1).min(lines.len());
            match noise(inner, lines[at].trim().trim_start_matches(['`', '~'])) {
                Some(kind) => kept.push(mark(kind, inner.len())),
                None => kept.extend(lines[at..after].iter().copied().map(Cow::Borrowed)),
            }
            at = after;
            continue;
        }
        let run = |is_noise: &dyn Fn(&str) -> bool| {
            let lines = lines[at..].iter();
            lines.take_while(|line| is_noise(line)).count()
        };
        if is(&DIFF, lines[at]) {
            let length = run(&|line| is(&DIFF, line) || line.starts_with(['+', '-', ' ', '@']));
            if length >= LOG {
                kept.push(mark("diff", length));
                at += length;
                continue;
            }
        }
        let length = run(&|line| is(&PRINTED, line));
        if length >= LOG {
            kept.push(mark("output", length));
            at += length;
            continue;
        }
        if is_json(lines[at]) {
            kept.push(mark("JSON", 1));
        } else {
            kept.push(Cow::Borrowed(lines[at].trim_end()));
        }
        at += 1;
    }
    let mut text = kept.join("\n");
    while text.contains("\n\n\n") {
        text = text.replace("\n\n\n", "\n\n");
    }
    text.trim().to_owned()
}

fn mark(kind: &str, lines: usize) -> Cow<'static, str> {
    let plural = if lines == 1 { "" } else { "s" };
    Cow::Owned(format!("[{kind} left out: {lines} line{plural}]"))
}

/// What kind of noise a block is.
fn noise(lines: &[&str], language: &str) -> Option<&'static str> {
    let filled = lines.iter().filter(|line| !line.trim().is_empty()).count();
    let of = |test: &dyn Fn(&str) -> bool| lines.iter().filter(|line| test(line)).count();
    let changed = of(&|line| line.starts_with(['+', '-']));
    if matches!(language, "diff" | "patch") || of(&|line| is(&DIFF, line)) > 0 && changed > 1 {
        return Some("diff");
    }
    if filled >= 2 && 2 * of(&|line| is(&PRINTED, line)) >= filled {
        return Some("output");
    }
    let first = lines.iter().find(|line| !line.trim().is_empty());
    let opens = first.is_some_and(|line| line.trim_start().starts_with(['{', '[']));
    let is_json = matches!(language, "json" | "jsonl") || language.is_empty() && opens;
    if is_json && (filled > 8 || lines.iter().any(|line| line.len() > JSON)) {
        return Some("JSON");
    }
    (lines.len() > CODE).then_some("code")
}

fn is_json(line: &str) -> bool {
    let line = line.trim();
    line.len() > JSON
        && line.starts_with(['{', '['])
        && line.ends_with(['}', ']', ','])
        && line.contains("\":")
}

fn without_ids(text: &str) -> Cow<'_, str> {
    match ID.as_ref() {
        Some(made) => made.replace_all(text, "[id]"),
        None => Cow::Borrowed(text),
    }
}

pub(crate) fn shorten_paths(text: &str, around: &Around) -> String {
    let Some(made) = PATH.as_ref() else {
        return text.to_owned();
    };
    let shorten = |found: &Captures<'_>| {
        let (before, path) = (&found[1], &found[2]);
        format!("{before}{}", short(path, around))
    };
    made.replace_all(text, shorten).into_owned()
}

/// A text of at most about so many tokens: what is longer loses its middle, and tells where it is.
pub(super) fn without_middle(text: &str, tokens: u64, line: u32) -> String {
    // Some three bytes make a token in any script.
    let room = usize::try_from(tokens.saturating_mul(3)).unwrap_or(usize::MAX);
    if text.len() <= room {
        return text.to_owned();
    }
    let end = |at: usize| {
        let at = (0..=at).rev().find(|at| text.is_char_boundary(*at));
        let at = at.unwrap_or_default();
        text[..at]
            .rfind('\n')
            .filter(|line| 2 * line > at)
            .unwrap_or(at)
    };
    let start = |at: usize| {
        let at = (at..=text.len()).find(|at| text.is_char_boundary(*at));
        let at = at.unwrap_or(text.len());
        let next = text[at..].find('\n').map(|next| at + next + 1);
        next.filter(|next| text.len() - next > (text.len() - at) / 2)
            .unwrap_or(at)
    };
    let (first, last) = (end(room * 2 / 3), start(text.len() - room / 4));
    let left_out = text[first..last].chars().count();
    format!(
        "{}\n[{left_out} characters left out: line {line} of the old session]\n{}",
        &text[..first],
        &text[last..]
    )
}

/// A path as it is told: from the session's directory, from home, or by its last name.
fn short(path: &str, around: &Around) -> String {
    let near = near(path, around);
    let is_absolute = near.starts_with('/') || near.get(1..3) == Some(":\\");
    match near.trim_end_matches('/').rsplit(['/', '\\']).next() {
        Some(name) if is_absolute => format!("…/{name}"),
        _ => near,
    }
}

/// A path from the session's directory or from home, where it is below; else as it is.
pub(super) fn near(path: &str, around: &Around) -> String {
    let below = |folder: &Option<String>| {
        let folder = folder.as_deref().filter(|folder| folder.len() > 1)?;
        let rest = path.strip_prefix(folder.trim_end_matches('/'))?;
        let is_below = rest.is_empty() || rest.starts_with('/');
        is_below.then(|| rest.trim_start_matches('/').to_owned())
    };
    if let Some(rest) = below(&around.directory) {
        return match rest.is_empty() {
            true => ".".to_owned(),
            false => rest,
        };
    }
    if let Some(rest) = below(&around.home) {
        return format!("~/{rest}");
    }
    path.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn around() -> Around {
        Around {
            directory: Some("/srv/shop".to_owned()),
            home: Some("/home/kit".to_owned()),
        }
    }

    /// Fault 7 of the reference script: a final answer that lists changed files is no noise.
    #[test]
    fn answers_that_name_files_stay() {
        let text = "I changed three files:\n- src/cart.rs\n- src/order.ts\n- app/main.py\n\n```rust\nfn total() -> u64 { 0 }\n```\n\nThe rest is as it was.";
        assert_eq!(clean(text, &around()), text);
    }

    #[test]
    fn output_is_left_out_and_told() {
        for (text, want) in [
            (
                "It failed:\n```\nTraceback (most recent call last):\n  File \"a.py\", line 1, in x\nValueError: no\n```\nSo I went on.",
                "It failed:\n[output left out: 3 lines]\nSo I went on.",
            ),
            ("```diff\n-a\n+b\n```", "[diff left out: 2 lines]"),
            (
                "Seen:\n2026-01-01T00:00:00 a\n2026-01-01T00:00:01 b\n2026-01-01T00:00:02 c\n2026-01-01T00:00:03 d\nEnd.",
                "Seen:\n[output left out: 4 lines]\nEnd.",
            ),
            ("a\n\n\n\n\nb  ", "a\n\nb"),
        ] {
            assert_eq!(clean(text, &around()), want, "{text}");
        }
        let long = format!("{{\"a\": \"{}\"}}", "x".repeat(300));
        assert_eq!(clean(&long, &around()), "[JSON left out: 1 line]");
        let code = format!("```rust\n{}```", "let a = 1;\n".repeat(40));
        assert_eq!(clean(&code, &around()), "[code left out: 40 lines]");
    }

    #[test]
    fn paths_and_ids_are_shortened() {
        for (text, want) in [
            ("see /srv/shop/src/a.rs", "see src/a.rs"),
            ("in /srv/shop", "in ."),
            ("`/home/kit/notes/b.md`", "`~/notes/b.md`"),
            ("在 /opt/tools/bin/x 里", "在 …/x 里"),
            ("/srv/shopping/list.md", "…/list.md"),
            (r"C:\work\shop\a.rs", "…/a.rs"),
            (
                "and/or, 1/2, https://example.org/a/b",
                "and/or, 1/2, https://example.org/a/b",
            ),
            ("req_0123456789abcdef failed", "[id] failed"),
            (
                "session 5e550000-aaaa-4000-8000-000000000007",
                "session [id]",
            ),
        ] {
            assert_eq!(clean(text, &around()), want, "{text}");
        }
    }
}
