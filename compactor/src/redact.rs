//! Secrets taken out of texts that are written anew: carry-overs, handoffs, boot packets.
//!
//! Tokens of known form come from [`outcrop_loader::secret`]. Beside them go values that a text names
//! as secret (`password=…`, `Authorization: Bearer …`), credentials in addresses, and JSON web
//! tokens. What is taken out leaves a mark that says what it was.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::LazyLock;

use outcrop_loader::secret;
use regex::Captures;

use crate::expression::{Form, any_case};

/// A text without its secrets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Redacted<'t> {
    /// The text.
    pub text: Cow<'t, str>,
    /// How many secrets of each kind were taken out.
    pub found: BTreeMap<&'static str, usize>,
}

/// Values that their name makes secret, and values in headers: the second group is the secret.
static NAMED: Form = LazyLock::new(|| {
    any_case(
        r#"(\b[\w.-]*(?:password|passwd|passphrase|secret|api[_-]?key|access[_-]?key|auth[_-]?token|access[_-]?token|client[_-]?secret|private[_-]?key)["']?\s*(?:=|:|：)\s*["'`]?|(?:authorization|proxy-authorization)["']?\s*:\s*["']?(?:bearer|basic|token)\s+|\bbearer\s+)([^\s"'`,;<>(){}\[\]]{8,})"#,
    )
});
/// The password in an address.
static ADDRESS: Form =
    LazyLock::new(|| any_case(r"(\b[a-z][a-z0-9+.-]*://[^\s:/@]{1,64}:)([^\s:/@]{3,256})@"));
/// A JSON web token.
static WEB_TOKEN: Form =
    LazyLock::new(|| any_case(r"\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}"));

/// Takes the secrets out of a text.
#[must_use]
pub fn redact(text: &str) -> Redacted<'_> {
    let mut found: BTreeMap<&'static str, usize> = BTreeMap::new();
    let mut places: Vec<(Range<usize>, &'static str)> = Vec::new();
    let secrets = secret::find(text).into_iter();
    places.extend(secrets.map(|secret| (secret.range, secret.name)));
    if let Some(form) = WEB_TOKEN.as_ref() {
        let tokens = form.find_iter(text);
        places.extend(tokens.map(|token| (token.range(), "a JSON web token")));
    }
    let mut named = |form: &Form, name: &'static str| {
        let all = form.as_ref().into_iter();
        let all = all.flat_map(|form| form.captures_iter(text));
        let secrets = all.filter_map(|captures: Captures<'_>| captures.get(2));
        let secrets = secrets.filter(|secret| is_value(secret.as_str()));
        places.extend(secrets.map(|secret| (secret.range(), name)));
    };
    named(&NAMED, "a value named as secret");
    named(&ADDRESS, "a password in an address");
    places.sort_by_key(|(range, _)| (range.start, std::cmp::Reverse(range.end)));
    let mut clean = String::new();
    let mut end = 0;
    for (range, name) in places {
        if range.start < end {
            continue;
        }
        clean.push_str(&text[end..range.start]);
        clean.push_str("[secret left out: ");
        clean.push_str(name);
        clean.push(']');
        end = range.end;
        *found.entry(name).or_default() += 1;
    }
    if found.is_empty() {
        let text = Cow::Borrowed(text);
        return Redacted { text, found };
    }
    clean.push_str(&text[end..]);
    Redacted {
        text: Cow::Owned(clean),
        found,
    }
}

/// Whether a text is a value rather than a name of one, a placeholder or a type.
fn is_value(text: &str) -> bool {
    let text = text.trim_end_matches(['.', '。', '!', '?', ':']);
    let lower = text.to_ascii_lowercase();
    const NAMES: [&str; 19] = [
        "your",
        "example",
        "placeholder",
        "changeme",
        "xxxx",
        "****",
        "....",
        "…",
        "redacted",
        "secret",
        "password",
        "token",
        "process.env",
        "os.environ",
        "env.",
        "getenv",
        "none",
        "null",
        "left out",
    ];
    let is_name = text.starts_with(['$', '%', '<', '{', '*', '/', '~', '@'])
        || NAMES.iter().any(|name| lower.contains(name));
    let has_digit = text.bytes().any(|byte| byte.is_ascii_digit());
    let has_letter = text.bytes().any(|byte| byte.is_ascii_alphabetic());
    let has_mark = text.bytes().any(|byte| b"!@#$%^&*+=?~".contains(&byte));
    // Words alone are prose or identifiers: `secret: string`, `token = parse_token`.
    text.len() >= 6 && !is_name && has_letter && (has_digit || has_mark)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clean(text: &str) -> String {
        redact(text).text.into_owned()
    }

    /// Put together here, so that no line of this file has the form of one.
    #[test]
    fn secrets_are_taken_out_and_told() {
        let token = format!("{}{}", "ghp_", "q7RbZ2kTm9WxLc4VnP8sJd3HgF6yEa5UoQ1i");
        let web = format!("{}.{}.{}", "eyJhbGciOiJI", "eyJzdWIiOiIx", "q7RbZ2kTm9Wx");
        for (text, want) in [
            (
                format!("use {token} now"),
                "use [secret left out: a GitHub token] now",
            ),
            (format!("({web})"), "([secret left out: a JSON web token])"),
            (
                "DB_PASSWORD=hunter2!x and more".to_owned(),
                "DB_PASSWORD=[secret left out: a value named as secret] and more",
            ),
            (
                "\"apiKey\": \"a8f5f167f44f\",".to_owned(),
                "\"apiKey\": \"[secret left out: a value named as secret]\",",
            ),
            (
                "密码 password：Qx7-mill-99".to_owned(),
                "密码 password：[secret left out: a value named as secret]",
            ),
            (
                "Authorization: Bearer q7RbZ2kTm9WxLc4V".to_owned(),
                "Authorization: Bearer [secret left out: a value named as secret]",
            ),
            (
                "postgres://mill:gr1nd3r@db.internal/flour".to_owned(),
                "postgres://mill:[secret left out: a password in an address]@db.internal/flour",
            ),
        ] {
            assert_eq!(clean(&text), want);
        }
        let twice = format!("{token} {token}");
        assert_eq!(
            redact(&twice).found,
            BTreeMap::from([("a GitHub token", 2)])
        );
    }

    #[test]
    fn what_is_no_secret_stays() {
        for text in [
            "The password must have eight characters.",
            "password: string; secret = parse_secret(token)",
            "export API_KEY=$MILL_KEY; PASSWORD=<your password>; token=process.env.TOKEN1",
            "api_key = \"your-key-1234\"",
            "https://example.org:8080/a@b",
            "Bearer tokens are sent in a header.",
            "secret santa: 24 December",
            "",
        ] {
            let redacted = redact(text);
            assert_eq!(redacted.text, text);
            assert!(matches!(redacted.text, Cow::Borrowed(_)));
        }
    }
}
