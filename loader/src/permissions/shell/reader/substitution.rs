//! Commands inside words: `$( )`, backquotes, and both in here-documents.

use super::{DEPTH, End, Reader};
use crate::permissions::shell::Standing;

impl<'t> Reader<'t> {
    /// Reads the commands that a text's substitutions run.
    pub(super) fn substitutions_of(&mut self, text: &'t str) {
        let (whole, at) = (self.text, self.at);
        self.text = text;
        self.at = 0;
        while let Some(c) = self.next() {
            match c {
                '\\' => {
                    self.next();
                }
                '$' if self.rest().starts_with('(') => {
                    self.at += 1;
                    self.substituted();
                }
                '`' => self.backquotes(),
                _ => {}
            }
        }
        (self.text, self.at) = (whole, at);
    }

    /// The inside of `$( )`, whose opening was taken.
    pub(super) fn substituted(&mut self) {
        let outer = self.standing;
        self.standing = Standing::Substituted;
        let here = std::mem::take(&mut self.here);
        self.nested(End::Parenthesis);
        self.here = here;
        self.standing = outer;
    }

    /// The inside of backquotes, the first of which was taken.
    pub(super) fn backquotes(&mut self) {
        let rest = self.rest();
        let mut end = None;
        let mut escaped = false;
        for (index, c) in rest.char_indices() {
            match c {
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                '`' => {
                    end = Some(index);
                    break;
                }
                _ => {}
            }
        }
        let Some(end) = end else {
            self.script.broken = true;
            self.at = self.text.len();
            return;
        };
        let (whole, after) = (self.text, self.at + end + 1);
        (self.text, self.at) = (&rest[..end], 0);
        let outer = self.standing;
        self.standing = Standing::Substituted;
        if self.depth < DEPTH {
            self.depth += 1;
            self.list(End::Text);
            self.depth -= 1;
        } else {
            self.script.broken = true;
        }
        self.standing = outer;
        (self.text, self.at) = (whole, after);
    }
}
