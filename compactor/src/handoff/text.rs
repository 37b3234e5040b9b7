//! What the text of a handoff says of itself, and several of them as one.

use std::fmt::Write as _;

use outcrop_loader::path::AbsPath;

/// How much of a title is told, in characters.
const TITLE: usize = 120;

/// What a handoff's first lines tell, also of one that was written by hand.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Head {
    /// Its first heading, without the word that it is a handoff.
    pub title: Option<String>,
    /// The session that it names.
    pub session: Option<String>,
    /// The directory of that session.
    pub directory: Option<String>,
}

impl Head {
    /// Reads the first lines of a text.
    #[must_use]
    pub fn of(text: &str) -> Self {
        let mut head = Self::default();
        for line in text.trim_start_matches('\u{feff}').lines() {
            let line = line.trim();
            if let Some(heading) = line.strip_prefix("# ") {
                head.title = head.title.or_else(|| title(heading));
            } else if let Some(session) = session(line) {
                head.session = head.session.or(Some(session));
            } else if let Some(directory) = directory(line) {
                head.directory = head.directory.or(Some(directory));
            }
        }
        head
    }
}

fn title(heading: &str) -> Option<String> {
    let heading = heading.trim();
    let rest = heading.get(.."handoff".len());
    let named = rest.is_some_and(|word| word.eq_ignore_ascii_case("handoff"));
    let rest = match named {
        true => heading["handoff".len()..].trim_start_matches([':', '：', '-', '–', '—', ' ']),
        false => heading,
    };
    let visible = rest.chars().filter(|c| !c.is_control()).take(TITLE);
    let title: String = visible.collect();
    (!title.trim().is_empty()).then(|| title.trim().to_owned())
}

/// The id in a line such as `- Session: 5e55…`, or in front matter.
fn session(line: &str) -> Option<String> {
    let value = value(line, &["session", "session id"])?;
    let is_id = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    let fits = (8..=64).contains(&value.len()) && value.chars().all(is_id);
    fits.then(|| value.to_owned())
}

/// The path in a line such as `- Directory: /srv/mill`.
fn directory(line: &str) -> Option<String> {
    let value = value(line, &["directory"])?;
    AbsPath::new(value).map(|_| value.to_owned())
}

/// What a line says of something by one of these names.
fn value<'t>(line: &'t str, names: &[&str]) -> Option<&'t str> {
    let line = line.trim_start_matches(['-', '*', ' ']);
    let (key, value) = line.split_once([':', '：'])?;
    let key = key.trim_matches(['*', ' ']);
    let is_named = names.iter().any(|name| key.eq_ignore_ascii_case(name));
    is_named.then(|| value.trim().trim_matches(['`', '*', '"', '\'', ' ']))
}

/// Handoffs as one text: each whole and unchanged below a heading with its name, in this order.
#[must_use]
pub fn merged<'a>(handoffs: impl ExactSizeIterator<Item = (&'a str, &'a str)>) -> String {
    let count = handoffs.len();
    let mut text = String::new();
    for (number, (name, handoff)) in handoffs.enumerate() {
        if number > 0 {
            text.push('\n');
        }
        let _ = write!(text, "# Handoff {} of {count}: {name}\n\n", number + 1);
        text.push_str(handoff);
        if !handoff.ends_with('\n') {
            text.push('\n');
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_of_many_forms() {
        for (text, title, session) in [
            (
                "# Handoff: Ledger\n\n- Session: `5e550000-aaaa`\n",
                Some("Ledger"),
                Some("5e550000-aaaa"),
            ),
            (
                "---\nsession: 5e550000\n---\n# Deploy fix\n",
                Some("Deploy fix"),
                Some("5e550000"),
            ),
            ("# Handoff\nSession: ended early\n", None, None),
            ("**Session:** `5e550000`", None, Some("5e550000")),
            ("# 交接：登录\n会话", Some("交接：登录"), None),
            ("plain words\n## Session summary\n", None, None),
            ("", None, None),
        ] {
            let head = Head::of(text);
            assert_eq!(head.title.as_deref(), title, "{text}");
            assert_eq!(head.session.as_deref(), session, "{text}");
        }
    }

    /// As `outcrop handoff write` and the hook write it, and as a hand may.
    #[test]
    fn directories_of_many_forms() {
        for (line, want) in [
            ("- Directory: `/srv/mill`", Some("/srv/mill")),
            ("- Directory: /srv/my mill", Some("/srv/my mill")),
            ("**Directory:** /srv/mill", Some("/srv/mill")),
            ("- Directory: the mill", None),
        ] {
            let text = format!("# Mill\n{}{line}\n", "- a\n".repeat(100));
            assert_eq!(Head::of(&text).directory.as_deref(), want, "{line}");
        }
    }

    #[test]
    fn merging_changes_no_text() {
        let merged = merged([("a.md", "# A\none"), ("b.md", "two\n")].into_iter());
        assert_eq!(
            merged,
            "# Handoff 1 of 2: a.md\n\n# A\none\n\n# Handoff 2 of 2: b.md\n\ntwo\n"
        );
    }
}
