//! Text for a POSIX shell.

/// A text as one word of a shell: as it is where that is plain, else in single quotes.
#[must_use]
pub fn word(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=,@%+".contains(c);
    if !text.is_empty() && text.chars().all(is_plain) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_where_they_must_be() {
        assert_eq!(word("/a/b"), "/a/b");
        assert_eq!(word("/a b/it's"), r"'/a b/it'\''s'");
        assert_eq!(word(""), "''");
    }
}
