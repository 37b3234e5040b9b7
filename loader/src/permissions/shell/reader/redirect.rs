//! Redirections and here-documents.

use super::Reader;
use super::simple::Begun;
use crate::permissions::shell::{Direction, Redirect, Unclear};

/// A here-document whose text is still to come.
pub(super) struct Here {
    delimiter: String,
    replaces: bool,
}

impl Reader<'_> {
    pub(super) fn redirection_starts(&self) -> bool {
        let rest = self.rest().trim_start_matches(|c: char| c.is_ascii_digit());
        let digits = self.rest().len() - rest.len();
        let process = rest.starts_with("<(") || rest.starts_with(">(");
        (rest.starts_with(['<', '>']) && !process) || (digits == 0 && rest.starts_with("&>"))
    }

    pub(super) fn redirection(&mut self, begun: &mut Begun) {
        while self.peek().is_some_and(|c| c.is_ascii_digit()) {
            self.next();
        }
        if self.take("<<<") {
            self.blanks();
            let word = self.word(0);
            self.unclear_word(&word);
            return;
        }
        if self.take("<<-") || self.take("<<") {
            self.blanks();
            let word = self.word(0);
            let replaces = word.bare;
            if replaces {
                self.unclear(Unclear::HereDocument);
            }
            self.here.push(Here {
                delimiter: word.text,
                replaces,
            });
            return;
        }
        let direction = match self.peek() {
            Some('<') => Direction::Input,
            _ => Direction::Output,
        };
        for operator in ["&>>", "&>", ">>", ">|", ">&", "<&", "<>", ">", "<"] {
            if self.take(operator) {
                break;
            }
        }
        self.blanks();
        let target = self.word(0);
        let is_descriptor = target.text.chars().all(|c| c.is_ascii_digit() || c == '-');
        if target.text.is_empty() {
            self.script.broken = true;
        } else if !is_descriptor && target.text != "/dev/null" {
            begun.redirects.push(Redirect { direction, target });
        }
    }

    /// The texts of here-documents, at a line's end.
    pub(super) fn here_documents(&mut self) {
        for here in std::mem::take(&mut self.here) {
            loop {
                if self.at >= self.text.len() {
                    break;
                }
                let rest = self.rest();
                let end = memchr::memchr(b'\n', rest.as_bytes());
                let line = &rest[..end.unwrap_or(rest.len())];
                if line.trim_start_matches('\t') == here.delimiter {
                    self.at += line.len();
                    break;
                }
                if here.replaces {
                    self.substitutions_of(line);
                }
                self.at += line.len() + usize::from(end.is_some());
            }
        }
    }
}
