//! A lesson as one line that is useful in another session, and tells nothing private.

use crate::carry::{Around, shorten_paths};
use crate::loss::Lesson;
use crate::redact::redact;

/// The longest part of a line, in characters.
const PART: usize = 100;

/// The line of a lesson; none where it says nothing for another session:
///
/// - The same command failed and worked later: what was built changed, or the weather did.
/// - Files were changed between a command and the one that worked: they mended it.
/// - It holds a secret.
#[must_use]
pub fn line(lesson: &Lesson, around: &Around) -> Option<String> {
    let whole = [
        Some(&lesson.error),
        lesson.failed.as_ref(),
        lesson.worked.as_ref(),
    ];
    let mut whole = whole.into_iter().flatten();
    if whole.any(|text| !redact(text).found.is_empty()) {
        return None;
    }
    let part = |text: &str| part(text, around);
    let error = part(&lesson.error)?;
    let failed = lesson.failed.as_deref().and_then(part);
    let worked = lesson.worked.as_deref().and_then(part);
    if lesson.tool == "Bash" {
        let (failed, worked) = (failed?, worked?);
        let says = lesson.changed.is_empty() && failed != worked;
        return says.then(|| format!("`{failed}` fails ({error}); `{worked}` works"));
    }
    // Which file it was matters in that session only.
    Some(format!("{} fails: {error}", lesson.tool))
}

/// A text on one line, cut, without paths of elsewhere: names below home tell of other projects.
fn part(text: &str, around: &Around) -> Option<String> {
    let around = Around {
        home: None,
        ..around.clone()
    };
    let text = shorten_paths(text, &around);
    let is_odd = |c: char| c.is_control() || c == '`';
    let words: Vec<&str> = text
        .split(|c: char| c.is_whitespace() || is_odd(c))
        .filter(|word| !word.is_empty())
        .collect();
    let mut line = String::new();
    let mut length = 0;
    for word in words {
        length += word.chars().count() + 1;
        // The word at a cut is left out: half a secret would not be known as one.
        if length > PART {
            line.push_str(" …");
            break;
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    let line = line.trim_start_matches(" …").trim();
    line.chars()
        .any(char::is_alphanumeric)
        .then(|| line.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lesson(tool: &str, failed: &str, error: &str, worked: Option<&str>) -> Lesson {
        Lesson {
            tool: tool.to_owned(),
            failed: Some(failed.to_owned()),
            error: error.to_owned(),
            worked: worked.map(str::to_owned),
            changed: Vec::new(),
            times: 1,
        }
    }

    #[test]
    fn lessons_as_lines() {
        let around = Around {
            directory: Some("/srv/shop".to_owned()),
            home: Some("/home/kit".to_owned()),
        };
        for (tool, failed, error, worked, want) in [
            (
                "Bash",
                "npm run tset",
                "npm ERR! Missing script: \"tset\"",
                Some("npm run test"),
                Some(
                    "`npm run tset` fails (npm ERR! Missing script: \"tset\"); `npm run test` works",
                ),
            ),
            (
                "Bash",
                "cd /srv/shop && python a.py",
                "can't open file '/home/kit/other/a.py'",
                Some("cd /srv/shop/tools && python a.py"),
                Some(
                    "`cd . && python a.py` fails (can't open file '…/a.py'); `cd tools && python a.py` works",
                ),
            ),
            // What was built changed.
            ("Bash", "cargo test", "error[E0382]: moved", None, None),
            (
                "Edit",
                "/srv/shop/src/a.rs",
                "File has not been read yet. Read it first before writing to it.",
                None,
                Some("Edit fails: File has not been read yet. Read it first before writing to it."),
            ),
            (
                "Bash",
                "curl -H 'Authorization: Bearer abcdefgh12345678' x",
                "401",
                Some("curl x"),
                None,
            ),
        ] {
            let lesson = lesson(tool, failed, error, worked);
            assert_eq!(line(&lesson, &around).as_deref(), want, "{failed}");
        }
        let mut mended = lesson("Bash", "cargo test a", "error: x", Some("cargo test b"));
        assert!(line(&mended, &around).is_some());
        mended.changed.push("src/a.rs".to_owned());
        assert_eq!(line(&mended, &around), None);
    }

    #[test]
    fn lines_are_cut_between_words() {
        let around = Around::default();
        let long = format!("{} {}", "word ".repeat(15), "x".repeat(100));
        let cut = part(&long, &around).unwrap();
        assert!(cut.ends_with("word …") && !cut.contains('x'), "{cut}");
        assert_eq!(part(&"x".repeat(300), &around), None);
        assert_eq!(part("a\u{1b}[31mb`c`\nd", &around).unwrap(), "a [31mb c d");
    }
}
