//! Which parts of a user record are the user's own words: the client marks what it puts in with
//! tags (facts I36, I38, I39, I43).

use super::talk::Voice;

/// How the note begins that the user stopped an answer or a call (fact I39).
const INTERRUPTED: &str = "[Request interrupted by user";

/// Beginnings of records that hold what the client put in.
const CLIENT: [&str; 7] = [
    "<command-message>",
    "<command-name>",
    "<local-command-",
    "<bash-input>",
    "<bash-stdout>",
    "<bash-stderr>",
    "<task-notification>",
];

/// A text of a user record in parts, in order, each with its speaker.
pub(super) fn parts(text: &str) -> Vec<(&str, Voice)> {
    let begin = text.trim_start();
    if begin.starts_with(INTERRUPTED) {
        return vec![(text, Voice::Interrupt)];
    }
    if CLIENT.iter().any(|tag| begin.starts_with(tag)) {
        return match between(text, "<command-args>", "</command-args>") {
            // What the user typed behind a command's name.
            Some((before, typed, behind)) if !typed.trim().is_empty() => vec![
                (before, Voice::Shown),
                (typed, Voice::User),
                (behind, Voice::Shown),
            ],
            _ => vec![(text, Voice::Shown)],
        };
    }
    let mut parts = Vec::new();
    let mut said = 0;
    let mut from = 0;
    while let Some(at) = text[from..].find('<').map(|at| from + at) {
        let tag = &text[at..];
        let close = if tag.starts_with("<system-reminder>") {
            "</system-reminder"
        } else if tag.starts_with("<pasted_content") {
            "</pasted_content"
        } else {
            from = at + 1;
            continue;
        };
        let end = tag.find(close).and_then(|end| {
            let end = at + end + close.len();
            text[end..].find('>').map(|more| end + more + 1)
        });
        let end = end.unwrap_or(text.len());
        parts.push((&text[said..at], Voice::User));
        parts.push((&text[at..end], Voice::Shown));
        (said, from) = (end, end);
    }
    parts.push((&text[said..], Voice::User));
    parts.retain(|(part, _)| !part.trim().is_empty());
    parts
}

/// A text of a user record in what the user typed and what is only shown in it.
pub(crate) fn typed_and_shown(text: &str) -> (Vec<&str>, Vec<&str>) {
    let (mut typed, mut shown) = (Vec::new(), Vec::new());
    for (part, voice) in parts(text) {
        match voice {
            Voice::User => typed.push(part),
            Voice::Shown => shown.push(part),
            _ => {}
        }
    }
    (typed, shown)
}

fn between<'a>(text: &'a str, open: &str, close: &str) -> Option<(&'a str, &'a str, &'a str)> {
    let start = text.find(open)? + open.len();
    let end = start + text[start..].find(close)?;
    Some((&text[..start], &text[start..end], &text[end..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn own(text: &str) -> Vec<&str> {
        let parts = parts(text).into_iter();
        let own = parts.filter(|(_, voice)| *voice == Voice::User);
        own.map(|(part, _)| part).collect()
    }

    #[test]
    fn own_words_of_a_record() {
        for (text, want) in [
            ("use Vec<String> here", &["use Vec<String> here"][..]),
            ("a<system-reminder>never</system-reminder>b", &["a", "b"]),
            (
                "see\n<pasted_content id=\"8a51\">\nnever\n</pasted_content id=\"8a51\">\nend",
                &["see\n", "\nend"],
            ),
            ("<system-reminder>open", &[]),
            (
                "<command-name>/x</command-name><command-args>only b</command-args>",
                &["only b"],
            ),
            ("<command-name>/x</command-name>", &[]),
            ("<bash-stdout>never</bash-stdout>", &[]),
            ("[Request interrupted by user for tool use]", &[]),
            ("", &[]),
        ] {
            assert_eq!(own(text), want, "{text}");
        }
    }
}
