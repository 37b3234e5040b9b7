//! Which matchers fit a value, such as the source of a start.

use fancy_regex::Regex;

/// Whether a matcher fits: names separated by `|` or `,` are compared whole, anything else is a
/// regular expression that may match anywhere (facts C3.5, 61).
pub(crate) fn fits(matcher: &str, value: &str) -> bool {
    if matcher.is_empty() || matcher == "*" {
        return true;
    }
    if is_list(matcher) {
        let mut names = matcher.split(['|', ',']).map(str::trim);
        return names.any(|name| name == value);
    }
    expression(matcher).is_some_and(|regex| regex.is_match(value).unwrap_or(false))
}

/// Whether a matcher is neither names nor a regular expression, and so fits nothing.
pub(crate) fn is_broken(matcher: &str) -> bool {
    matcher != "*" && !is_list(matcher) && expression(matcher).is_none()
}

fn is_list(matcher: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '|' | ',' | ' ');
    matcher.chars().all(is_plain)
}

fn expression(matcher: &str) -> Option<Regex> {
    // Flags within an expression are none of the client's language.
    let inner = matcher.match_indices("(?").any(|(at, _)| {
        let rest = matcher[at + 2..].chars().next();
        !matches!(rest, Some(':' | '=' | '!' | '<'))
    });
    Regex::new(matcher).ok().filter(|_| !inner)
}

#[cfg(test)]
mod tests {
    use super::fits;

    #[test]
    fn what_fits_a_start() {
        for (matcher, expected) in [
            ("startup", true),
            ("start", false),
            ("^start", true),
            ("startup|", true),
            ("startup | clear", true),
            (" startup", true),
            ("startup,clear", true),
            ("(", false),
            ("[", false),
            ("start.p", true),
            ("(startup)", true),
            ("(?i)STARTUP", false),
            ("startup|resume|clear|compact", true),
            (".*", true),
            ("**", false),
            ("^resume|startup$", true),
            ("star*", true),
            ("Startup", false),
            ("", true),
            ("*", true),
        ] {
            assert_eq!(fits(matcher, "startup"), expected, "{matcher}");
        }
    }
}
