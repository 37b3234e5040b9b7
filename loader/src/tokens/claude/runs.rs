//! A text in runs of characters of one class.

use super::characters::{Class, Flags};

/// Characters of one class in a row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run<'t> {
    pub(super) class: Class,
    pub(super) text: &'t str,
    first: Flags,
    last: Flags,
    /// The numbers in it are all of one category, and there is nothing else.
    uniform: bool,
}

impl Run<'_> {
    /// Whether a run of symbols takes a mark on its left; ideographs and the like never do.
    pub(super) fn symbol_begins(&self) -> bool {
        self.class == Class::Hard && marked(self.first)
    }

    /// The same on its right.
    pub(super) fn symbol_ends(&self) -> bool {
        self.class == Class::Hard && marked(self.last)
    }

    pub(super) fn is_number(&self) -> bool {
        matches!(self.class, Class::Digit | Class::Hard) && self.uniform
    }

    pub(super) fn number_begins(&self) -> bool {
        self.is_number() && self.first.has(Flags::BORDER)
    }

    pub(super) fn number_ends(&self) -> bool {
        self.is_number() && self.last.has(Flags::BORDER)
    }

    /// Whether it may take a mark on its right.
    pub(super) fn takes_right_mark(&self) -> bool {
        self.class == Class::Punct || self.symbol_ends() || self.number_ends()
    }

    /// Whether no vocabulary has a piece that reaches beyond it.
    pub(super) fn stands_alone(&self) -> bool {
        match self.class {
            Class::Digit => true,
            Class::Hard => self.first.hard_kind() == 0 && !self.first.has(Flags::SELECTOR),
            _ => false,
        }
    }
}

fn marked(flags: Flags) -> bool {
    flags.has(Flags::SELECTOR) || flags.is_symbol()
}

/// Splits a text.
#[derive(Clone, Debug)]
pub(super) struct Runs<'t> {
    rest: &'t str,
}

impl<'t> Runs<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self { rest: text }
    }

    /// How long the run is that begins the rest, with the flags of its last character and
    /// whether its numbers are of one category.
    fn measure(&self, class: Class, first: Flags, from: usize) -> (usize, Flags, bool) {
        let bytes = self.rest.as_bytes();
        let (mut end, mut last, mut uniform) = (from, first, first.number() != 0);
        while end < bytes.len() {
            let byte = bytes[end];
            let (flags, length) = if byte < 0x80 {
                (Flags::of_ascii(byte), 1)
            } else {
                let Some(c) = self.rest[end..].chars().next() else {
                    break;
                };
                (Flags::of(c), c.len_utf8())
            };
            let goes_on = match class {
                Class::Stray => flags.class() == Class::Wordy && flags.has(Flags::STRAY),
                Class::Hard => {
                    flags.class() == Class::Hard
                        && (flags.has(Flags::SELECTOR) || flags.hard_kind() == first.hard_kind())
                }
                class => flags.class() == class,
            };
            if !goes_on {
                break;
            }
            uniform &= flags.number() == first.number();
            last = flags;
            end += length;
        }
        (end, last, uniform)
    }
}

impl<'t> Iterator for Runs<'t> {
    type Item = Run<'t>;

    fn next(&mut self) -> Option<Run<'t>> {
        let c = self.rest.chars().next()?;
        let first = Flags::of(c);
        let class = match first.class() {
            // Within a word it would not be the first of a run.
            Class::Wordy if first.has(Flags::STRAY) => Class::Stray,
            class => class,
        };
        let (end, last, uniform) = self.measure(class, first, c.len_utf8());
        let (text, rest) = self.rest.split_at(end);
        self.rest = rest;
        Some(Run {
            class,
            text,
            first,
            last,
            uniform,
        })
    }
}
