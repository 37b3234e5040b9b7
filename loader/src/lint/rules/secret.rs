//! L404: a token or key in an instruction file.

use std::ops::Range;

use super::prelude::*;
use crate::lint::committed::Committed;

pub(in crate::lint) static RULE: Rule = Rule {
    id: "L404",
    name: "secret",
    severity: Severity::Error,
    summary: "A file holds a token or a private key, which every session sends along.",
    page: Page {
        what: "Looks for tokens of known form, by prefix, length and the mix of their characters, and \
               for blocks of private keys. Placeholders and the examples of manuals are left alone. \
               The secret itself is in no output.",
        why: "The text of the file is part of the requests of every session that receives it, of its \
              transcripts and of what hooks see. In a file that git tracks everybody with the \
              repository has it as well.",
        instead: "Revoke the secret, then name the variable or the store that holds it: the model needs \
                  the name, not the value.",
        drawbacks: "Forms without a prefix of their own, such as passwords, are not found. In a file \
                    that git ignores it is a warning.",
        evidence: "Fact 0.9: the same block goes with every request; peers' checks of secrets.",
        since: "0.1.0",
    },
    bad: &[Example {
        title: "a key in a command",
        files: &[(
            "CLAUDE.md",
            concat!(
                "Call it with `AWS_ACCESS_KEY_ID=AK",
                "IAQ3T7ZKV5M2XR6NJD ./deploy`.\n"
            ),
        )],
        fixed: &[],
    }],
    good: &[Example {
        title: "placeholders, prefixes, and the example of a manual",
        files: &[(
            "CLAUDE.md",
            "Keys begin with `sk-`, tokens with `ghp_`; set `API_KEY=sk-your-key-here` or\n\
             `ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx`, never AKIAIOSFODNN7EXAMPLE.\n\
             `sk-...`, `sk-ant-api03-<your key>`, glpat-XXXXXXXXXXXXXXXXXXXX.\n\n\
             ```\n-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----\n```\n",
        )],
        fixed: &[],
    }],
    check,
};

/// How a kind of token is written.
struct Form {
    name: &'static str,
    prefix: &'static str,
    /// How many characters follow the prefix: at least, at most.
    length: (usize, usize),
    /// Characters that may occur beside letters and digits.
    also: &'static str,
    /// Whether letters are capitals.
    is_upper: bool,
}

const fn form(
    name: &'static str,
    prefix: &'static str,
    length: (usize, usize),
    also: &'static str,
) -> Form {
    Form {
        name,
        prefix,
        length,
        also,
        is_upper: false,
    }
}

/// Longer prefixes stand before those that they begin with.
const FORMS: &[Form] = &[
    Form {
        name: "an AWS access key",
        prefix: "AKIA",
        length: (16, 16),
        also: "",
        is_upper: true,
    },
    Form {
        name: "an AWS access key",
        prefix: "ASIA",
        length: (16, 16),
        also: "",
        is_upper: true,
    },
    form("a GitHub token", "ghp_", (36, 255), ""),
    form("a GitHub token", "gho_", (36, 255), ""),
    form("a GitHub token", "ghu_", (36, 255), ""),
    form("a GitHub token", "ghs_", (36, 255), ""),
    form("a GitHub token", "ghr_", (36, 255), ""),
    form("a GitHub token", "github_pat_", (60, 255), "_"),
    form("a GitLab token", "glpat-", (20, 64), "_-"),
    form("an Anthropic key", "sk-ant-", (40, 255), "_-"),
    form("an OpenAI key", "sk-proj-", (40, 255), "_-"),
    form("an OpenAI key", "sk-svcacct-", (40, 255), "_-"),
    form("an API key", "sk-", (40, 255), ""),
    form("a Stripe key", "sk_live_", (24, 255), ""),
    form("a Stripe key", "rk_live_", (24, 255), ""),
    form("a Slack token", "xoxb-", (24, 255), "-"),
    form("a Slack token", "xoxp-", (24, 255), "-"),
    form("a Slack token", "xoxa-", (24, 255), "-"),
    form("a Slack token", "xoxs-", (24, 255), "-"),
    form("a Google API key", "AIza", (35, 35), "_-"),
    form("an npm token", "npm_", (36, 36), ""),
    form("a PyPI token", "pypi-AgEIcHlwaS5vcmc", (50, 255), "_-"),
    form("a Hugging Face token", "hf_", (34, 40), ""),
    form("a DigitalOcean token", "dop_v1_", (64, 64), ""),
    form("a Shopify token", "shpat_", (32, 32), ""),
    form("a SendGrid key", "SG.", (60, 80), "._-"),
];

fn check(subject: &Subject<'_, '_>, report: &mut Report<'_, '_>) {
    let mut committed = Committed::new(subject);
    let has_git = subject.session.git().is_some();
    for file in &subject.files {
        let source = &file.document.source;
        let mut found: Vec<(Range<usize>, &str)> = tokens(source);
        found.extend(private_keys(source));
        if found.is_empty() {
            continue;
        }
        let is_ignored =
            has_git && file.path.is_within(subject.root()) && !committed.may_hold(&file.path);
        let severity = if is_ignored {
            Severity::Warning
        } else {
            Severity::Error
        };
        for (range, name) in found {
            let is_removed = file
                .document
                .comments
                .iter()
                .any(|gone| gone.contains(&range.start));
            let message = if is_removed {
                format!(
                    "{name} stands here; the comment around it is not delivered, but the file holds it"
                )
            } else {
                format!(
                    "{name} stands here and is sent with the requests of every session that receives this file"
                )
            };
            report
                .at(Place::Bytes(file.path.clone(), range), message)
                .severity(severity)
                .chain(subject.chain(&file.path))
                .help("revoke it, and name the variable that holds the new one instead")
                .secret()
                .report();
        }
    }
}

fn tokens(source: &str) -> Vec<(Range<usize>, &'static str)> {
    let mut found: Vec<(Range<usize>, &'static str)> = Vec::new();
    for form in FORMS {
        for at in memchr::memmem::find_iter(source.as_bytes(), form.prefix) {
            let before = source[..at].bytes().next_back();
            if before.is_some_and(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte)) {
                continue;
            }
            let rest = &source[at + form.prefix.len()..];
            let belongs = |c: char| {
                let is_word = c.is_ascii_digit()
                    || c.is_ascii_uppercase()
                    || (!form.is_upper && c.is_ascii_lowercase());
                is_word || form.also.contains(c)
            };
            let length = rest.find(|c| !belongs(c)).unwrap_or(rest.len());
            let goes_on =
                rest[length..].starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
            let fits = form.length.0 <= length && length <= form.length.1 && !goes_on;
            let range = at..at + form.prefix.len() + length;
            let is_new = found.iter().all(|(other, _)| !other.contains(&at));
            if fits && is_new && looks_random(&rest[..length]) {
                found.push((range, form.name));
            }
        }
    }
    found
}

/// Words that stand in placeholders.
const WORDS: &[&str] = &[
    "example",
    "your",
    "xxxx",
    "0000",
    "1234",
    "abcd",
    "placeholder",
    "redacted",
    "dummy",
    "fake",
    "sample",
    "secret",
    "token",
    "replace",
    "insert",
    "changeme",
    "here",
];

/// Whether a token is as mixed as one that was drawn: characters, not words or rows.
fn looks_random(body: &str) -> bool {
    let lower = body.to_ascii_lowercase();
    if WORDS.iter().any(|word| lower.contains(word)) {
        return false;
    }
    let has_digit = body.bytes().any(|byte| byte.is_ascii_digit());
    let has_letter = body.bytes().any(|byte| byte.is_ascii_alphabetic());
    let mut counts = [0_u32; 128];
    for byte in body.bytes() {
        counts[usize::from(byte & 0x7f)] += 1;
    }
    let kinds = counts.iter().filter(|count| **count > 0).count();
    let most = counts.iter().max().copied().unwrap_or_default();
    // 16 drawn capitals and digits have 13 kinds on average, and hardly ever fewer than 9.
    let is_mixed =
        kinds >= 9 && usize::try_from(most).is_ok_and(|most| most * 4 <= body.len().max(16));
    has_digit && has_letter && is_mixed
}

/// Blocks of private keys that hold one.
fn private_keys(source: &str) -> Vec<(Range<usize>, &'static str)> {
    const END: &str = "PRIVATE KEY-----";
    let mut found = Vec::new();
    for at in memchr::memmem::find_iter(source.as_bytes(), "-----BEGIN ") {
        let line = source[at..].lines().next().unwrap_or_default();
        if !line.trim_end().ends_with(END) {
            continue;
        }
        let body = &source[at + line.len()..];
        let stop = body.find("-----END ");
        let end = stop.and_then(|stop| body[stop..].find(END).map(|more| stop + more + END.len()));
        let content = &body[..stop.unwrap_or(body.len())];
        let key = |line: &str| {
            let line = line.trim().trim_start_matches(['>', ' ']);
            let is_key = |byte: u8| byte.is_ascii_alphanumeric() || b"+/=".contains(&byte);
            line.len() >= 40 && line.bytes().all(is_key) && looks_random(line)
        };
        if content.lines().take(60).any(key) {
            let length = line.len() + end.unwrap_or_default();
            found.push((at..at + length, "a private key"));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lint::{Options, World, lint};
    use crate::session::Session;

    /// Put together here, so that no line of this file has the form of one.
    fn token(prefix: &str, length: usize) -> String {
        let letters = b"q7RbZ2kTm9WxLc4VnP8sJd3HgF6yEa5UoQ1iBt0";
        let body = letters
            .iter()
            .cycle()
            .take(length)
            .map(|byte| char::from(*byte));
        format!("{prefix}{}", body.collect::<String>())
    }

    #[test]
    fn forms_are_found_once_and_never_shown() {
        for form in FORMS.iter().filter(|form| !form.is_upper) {
            let token = token(form.prefix, form.length.0);
            let text = format!("a `{token}` b\n");
            let found = tokens(&text);
            assert_eq!(found.len(), 1, "{}", form.prefix);
            assert_eq!(found[0].0, 3..3 + token.len());
            let world = World::of(&[("CLAUDE.md", &text)]);
            let mut session = Session::start(&world.host, world.origin());
            let outcome = lint(&mut session, &Options::default());
            let shown = outcome.secrets.hide(&text);
            assert!(!format!("{:?}", outcome.findings[0].message).contains(&token));
            assert_eq!(shown.len(), text.len());
            assert!(!shown.contains(&token[form.prefix.len()..]), "{shown}");
        }
    }

    #[test]
    fn private_keys_are_found_with_their_lines() {
        let body = token("", 64);
        let block = |kind: &str| {
            format!("-----BEGIN {kind}KEY-----\n{body}\n{body}\n-----END {kind}KEY-----")
        };
        let text = format!("x\n{}\ny\n{}\n", block("RSA PRIVATE "), block("PUBLIC "));
        let found = private_keys(&text);
        assert_eq!(found.len(), 1);
        assert_eq!(&text[found[0].0.clone()], block("RSA PRIVATE "));
    }
}
