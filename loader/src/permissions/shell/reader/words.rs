//! Words, with their quotes and variables.

use super::{Reader, is_blank};
use crate::permissions::shell::{Unclear, Word};

impl Reader<'_> {
    pub(super) fn word(&mut self, start: usize) -> Word {
        let mut word = Word {
            start,
            bare: true,
            tilde: self.rest().starts_with('~'),
            ..Word::default()
        };
        while let Some(c) = self.peek() {
            match c {
                _ if is_blank(c) => break,
                ';' | '&' | '|' | ')' => break,
                '<' | '>' if !self.rest()[1..].starts_with('(') => break,
                '(' => break,
                '<' | '>' => {
                    self.at += 2;
                    word.mark(Unclear::Process);
                    self.substituted();
                    word.text.push_str("<()");
                }
                '\'' => self.single(&mut word),
                '"' => self.double(&mut word),
                '\\' => {
                    self.at += 1;
                    word.bare = false;
                    word.escaped = true;
                    match self.next() {
                        Some('\n') => word.mark(Unclear::Continued),
                        Some(c) => word.text.push(c),
                        None => self.script.broken = true,
                    }
                }
                '$' => self.dollar(&mut word, false),
                '`' => {
                    self.at += 1;
                    word.mark(Unclear::Substitution);
                    word.text.push_str("``");
                    self.backquotes();
                }
                _ => {
                    word.pattern |= matches!(c, '*' | '?' | '[');
                    word.text.push(c);
                    self.at += c.len_utf8();
                }
            }
        }
        if word.bare && has_braces(&word.text) {
            word.mark(Unclear::Braces);
        }
        word
    }

    fn single(&mut self, word: &mut Word) {
        word.bare = false;
        self.at += 1;
        let rest = self.rest();
        match memchr::memchr(b'\'', rest.as_bytes()) {
            Some(end) => {
                quoted_comment(word, &rest[..end]);
                word.text.push_str(&rest[..end]);
                self.at += end + 1;
            }
            None => {
                self.script.broken = true;
                word.text.push_str(rest);
                self.at = self.text.len();
            }
        }
    }

    fn double(&mut self, word: &mut Word) {
        word.bare = false;
        self.at += 1;
        let from = word.text.len();
        loop {
            match self.peek() {
                None => {
                    self.script.broken = true;
                    break;
                }
                Some('"') => {
                    self.at += 1;
                    break;
                }
                Some('\\') => {
                    self.at += 1;
                    match self.next() {
                        Some('\n') => {}
                        Some(c @ ('"' | '\\' | '`' | '$')) => word.text.push(c),
                        Some(c) => word.text.extend(['\\', c]),
                        None => self.script.broken = true,
                    }
                }
                Some('$') => self.dollar(word, true),
                Some('`') => {
                    self.at += 1;
                    word.mark(Unclear::Substitution);
                    self.backquotes();
                }
                Some(c) => {
                    word.text.push(c);
                    self.at += c.len_utf8();
                }
            }
        }
        let inside = word.text[from..].to_owned();
        if inside == "$PWD" {
            word.mark(Unclear::Variable);
        }
        quoted_comment(word, &inside);
    }

    fn dollar(&mut self, word: &mut Word, quoted: bool) {
        self.at += 1;
        if self.take("((") {
            let from = self.at;
            self.skip_to("))");
            let inside = self.text[from..self.at].trim_end_matches("))");
            let counts = |c: char| c.is_ascii_digit() || " +-*/%<>=!&|^~".contains(c);
            if quoted || !inside.chars().all(counts) {
                word.mark(Unclear::Arithmetic);
            }
            return;
        }
        if self.take("[") {
            word.mark(Unclear::Arithmetic);
            self.skip_to("]");
            return;
        }
        if self.take("(") {
            word.mark(Unclear::Substitution);
            word.text.push_str("$()");
            self.substituted();
            return;
        }
        if self.take("{") {
            word.mark(Unclear::Expansion);
            self.skip_to("}");
            return;
        }
        if !quoted && self.peek().is_some_and(|c| "'\"".contains(c)) {
            // The quote itself is read as any other.
            word.mark(Unclear::Quoted);
            return;
        }
        let rest = self.rest();
        let named = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        let name = &rest[..named.unwrap_or(rest.len())];
        word.text.push('$');
        if name.is_empty() {
            if self.peek().is_some_and(|c| "?@*#$!-".contains(c)) {
                word.mark(Unclear::Variable);
                word.text.extend(self.next());
            } else if !quoted && self.peek().is_none_or(char::is_whitespace) {
                word.mark(Unclear::Variable);
            }
            return;
        }
        self.at += name.len();
        word.text.push_str(name);
        // `$HOME` is known wherever it stands, `$PWD` in quotes beside other text (cases
        // perm-bash-allow-forms, perm-unclear-plain).
        if name != "HOME" && !(quoted && name == "PWD") {
            word.mark(Unclear::Variable);
        }
        word.variables.push(name.to_owned());
    }
}

fn has_braces(text: &str) -> bool {
    let Some((_, inside)) = text.split_once('{') else {
        return false;
    };
    inside
        .split_once('}')
        .is_some_and(|(inside, _)| inside.contains(',') || inside.contains(".."))
}

fn quoted_comment(word: &mut Word, inside: &str) {
    let hides = |line: &str| line.trim_start().starts_with('#');
    if inside.lines().skip(1).any(hides) {
        word.mark(Unclear::QuotedComment);
    }
}
