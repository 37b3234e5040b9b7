//! Front matter, with `paths:` in every form.

use proptest::prelude::*;
use proptest::sample::select;

use super::patterns::pattern;

/// How two patterns, `$` and `&`, are written (facts 5.1–5.3).
const FORMS: &[&str] = &[
    "paths: \"$\"",
    "paths: '$'",
    "paths: $",
    "paths: $, &",
    "paths: \"$, &\"",
    "paths: \"$,&,\"",
    "paths:\n  - $\n  - &",
    "paths:\n- \"$\"\n- '&'",
    "paths:\n  - \"$, &\"",
    "paths: [\"$\", \"&\"]",
    "paths: [$, &]",
    "paths: ['$', 5, \"&\", \"\"]",
    "paths: |\n  $\n  &",
    "paths: |-\n  $",
    "paths: >\n  $\n  &",
    "paths: \"$\"\npaths: \"&\"",
    "paths: \"$\" # comment",
    "# comment\npaths: \"$\"",
    "description: d\npaths: \"$\"\nalwaysApply: false",
    "paths: $\ntitle: a: b",
    "paths: [\"$\", ",
    "\"paths\": \"$\"",
    "  paths: \"$\"",
    "{paths: \"$\"}",
    "paths : \"$\"",
    "paths:\"$\"",
    "paths:\t\"$\"",
    // Values that make no patterns (fact 5.3).
    "paths:",
    "paths: null",
    "paths: ~",
    "paths: 5",
    "paths: true",
    "paths: {a: b}",
    "paths: []",
    "paths: \"\"",
    "paths: \",\"",
    "paths: [\"\", \",\"]",
    "paths: [\"**\", \"$\"]",
    // Other keys (fact 5.1).
    "Paths: \"$\"",
    "path: \"$\"",
    "globs: \"$\"",
    "glob: \"$\"",
    "applyTo: \"$\"",
    "alwaysApply: true",
    "name: n",
    "rule:\n  paths: \"$\"",
    "title: [",
    "plain text",
    "",
];

/// What stands around them, at each `%` (facts 4.1, 4.2): most are front matter, some are not.
const FRAMES: &[&str] = &[
    "---\n%\n---\n",
    "---\n%\n---\n\n\n",
    "---  \n%\n---\n",
    "---\t\n%\n---  \n",
    "---\n%\n--- rest\n",
    "---\n%\n---rest\n",
    "---\n%\n----\n",
    "---\n%\n---",
    "\u{FEFF}---\n%\n---\n",
    "---\n\n%\n\n---\n",
    "----\n%\n----\n",
    "--- x\n%\n---\n",
    " ---\n%\n---\n",
    "\n---\n%\n---\n",
    "---\n%\n...\n",
    "---\n%\n",
    "---\n% --- x\n---\n",
    "+++\n%\n+++\n",
    "<!-- c -->\n---\n%\n---\n",
];

/// The front matter of a file, in every form of facts 4.1, 4.2 and 5.1–5.3; empty for a third.
pub fn front_matter() -> BoxedStrategy<String> {
    let form = prop_oneof![1 => select(&FORMS[..10]), 2 => select(FORMS)];
    let frame = prop_oneof![3 => Just(FRAMES[0]), 1 => select(FRAMES)];
    let written = (form, frame, pattern(), pattern());
    prop_oneof![
        1 => Just(String::new()),
        2 => written.prop_map(|(form, frame, first, second)| {
            frame.replace('%', &filled(form, &first, &second))
        }),
    ]
    .boxed()
}

/// A pattern in double quotes has its backslashes and quotes escaped, as YAML wants it.
fn filled(form: &str, first: &str, second: &str) -> String {
    let mut text = String::new();
    let mut quoted = false;
    for letter in form.chars() {
        quoted ^= letter == '"';
        let pattern = match letter {
            '$' => first,
            '&' => second,
            _ => {
                text.push(letter);
                continue;
            }
        };
        if quoted {
            text.push_str(&pattern.replace('\\', "\\\\").replace('"', "\\\""));
        } else {
            text.push_str(pattern);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::filled;

    #[test]
    fn patterns_stand_in_their_form() {
        assert_eq!(
            filled("paths: [\"$\", &]", "\\a", "\\b"),
            "paths: [\"\\\\a\", \\b]"
        );
    }
}
