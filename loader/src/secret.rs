//! Tokens and private keys of known form, by prefix, length and the mix of their characters.
//!
//! Placeholders and the examples of manuals are none. Forms without a prefix of their own, such as
//! passwords, are not found.

use std::ops::Range;

/// A secret that stands in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Secret {
    /// Its bytes.
    pub range: Range<usize>,
    /// What it is, with an article: `a GitHub token`.
    pub name: &'static str,
}

/// The secrets in a text; tokens first, form by form.
#[must_use]
pub fn find(text: &str) -> Vec<Secret> {
    let mut found = tokens(text);
    found.extend(private_keys(text));
    let secrets = found.into_iter();
    secrets
        .map(|(range, name)| Secret { range, name })
        .collect()
}

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
    fn forms_are_found_once() {
        for form in FORMS.iter().filter(|form| !form.is_upper) {
            let token = token(form.prefix, form.length.0);
            let text = format!("a `{token}` b\n");
            let found = find(&text);
            assert_eq!(found.len(), 1, "{}", form.prefix);
            assert_eq!(found[0].range, 3..3 + token.len());
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
