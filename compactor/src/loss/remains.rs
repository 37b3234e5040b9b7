//! What remains after a compaction: every word of it with its places, to look texts up in.

use std::hash::Hasher;

use rustc_hash::{FxHashMap, FxHasher};

use super::finding::{Part, Place, State};
use super::talk::Talk;
use super::terms::{self, Term};
use crate::transcript::Index;

/// The places of one word that are looked at for a passage that holds several: a word that is
/// everywhere tells nothing.
const PLACES: usize = 256;
/// The places of the rarest word of a text that are compared before the passages are searched.
const COMPARED: usize = 1_024;
/// The longest passage that is shown, in bytes.
const SHOWN: usize = 200;

/// A place of a word.
#[derive(Debug, Clone, Copy)]
struct Posting {
    /// The word's next place; 0 for none.
    next: u32,
    passage: u32,
    offset: u32,
    /// The sentence or line that it stands in.
    unit: u32,
}

/// The places of a word.
#[derive(Debug, Clone, Copy)]
struct Word {
    first: u32,
    last: u32,
    count: u32,
}

/// The words of some messages.
#[derive(Debug)]
pub(super) struct Remains<'a> {
    index: &'a Index,
    talk: &'a Talk<'a>,
    words: FxHashMap<u64, Word>,
    postings: Vec<Posting>,
    /// Where each sentence or line begins.
    units: Vec<(u32, u32)>,
}

impl<'a> Remains<'a> {
    pub(super) fn of(index: &'a Index, talk: &'a Talk<'a>) -> Self {
        let mut remains = Self {
            index,
            talk,
            words: FxHashMap::default(),
            postings: Vec::new(),
            units: Vec::new(),
        };
        for (number, passage) in talk.passages.iter().enumerate() {
            remains.add(number, &passage.text);
        }
        remains
    }

    fn add(&mut self, passage: usize, text: &str) {
        let passage = number(passage);
        let mut at = 0;
        self.units.push((passage, 0));
        terms::each(text, |term| {
            // Pairs of signs overlap.
            if terms::ends_unit(text.get(at..term.start).unwrap_or_default()) {
                self.units.push((passage, number(term.start)));
            }
            at = term.end;
            let unit = number(self.units.len() - 1);
            let place = number(self.postings.len());
            let word = self.words.entry(hash(text, &term)).or_insert(Word {
                first: place,
                last: place,
                count: 0,
            });
            if word.count > 0
                && let Some(before) = self.postings.get_mut(word.last as usize)
            {
                before.next = place;
            }
            word.last = place;
            word.count += 1;
            self.postings.push(Posting {
                next: 0,
                passage,
                offset: number(term.start),
                unit,
            });
        });
    }

    /// The places of a word, the first one first.
    fn places(&self, word: Word) -> impl Iterator<Item = Posting> {
        let get = |place: u32| self.postings.get(place as usize).copied();
        std::iter::successors(get(word.first), move |posting| {
            (posting.next > 0).then(|| get(posting.next)).flatten()
        })
    }

    /// The passage that holds a text word for word, as far as white space goes.
    pub(super) fn find(&self, text: &str) -> Option<usize> {
        let is_edge =
            |c: char| c.is_whitespace() || matches!(c, '.' | '!' | '。' | '！' | ',' | ';');
        let text = match text.trim_matches(is_edge) {
            "" => text.trim(),
            bare => bare,
        };
        if text.is_empty() {
            return None;
        }
        let mut rarest: Option<(Word, usize)> = None;
        let mut absent = false;
        terms::each(text, |term| match self.words.get(&hash(text, &term)) {
            None => absent = true,
            Some(word) if rarest.is_none_or(|(least, _)| word.count < least.count) => {
                rarest = Some((*word, term.start));
            }
            Some(_) => {}
        });
        if absent {
            return None;
        }
        let Some((word, start)) = rarest else {
            return self.search(text);
        };
        for (tried, posting) in self.places(word).enumerate() {
            if tried == COMPARED {
                return self.search(text);
            }
            let whole = &self.talk.passages[posting.passage as usize].text;
            if stands_at(whole, posting.offset as usize, text, start) {
                return Some(posting.passage as usize);
            }
        }
        None
    }

    /// The same for a text without words, or one whose words are everywhere.
    fn search(&self, text: &str) -> Option<usize> {
        let finder = memchr::memmem::Finder::new(text);
        let mut passages = self.talk.passages.iter();
        passages.position(|passage| {
            let whole = passage.text.as_bytes();
            let mut found = finder.find_iter(whole);
            found.any(|at| terms::is_whole(&passage.text, at, at + text.len()))
        })
    }

    /// What became of a text: kept word for word, kept in part, or lost.
    pub(super) fn state(&self, text: &str) -> State {
        match self.find(text) {
            Some(passage) => self.kept(passage),
            None => self.part(text).map_or(State::Lost, State::Part),
        }
    }

    pub(super) fn kept(&self, passage: usize) -> State {
        State::Kept {
            found: self.place_of(passage),
        }
    }

    /// A passage's place.
    pub(super) fn place_of(&self, passage: usize) -> Place {
        let spot = self.talk.passages[passage].spot;
        self.talk.place(self.index, spot)
    }

    /// What is left of a path whose file name still stands somewhere.
    pub(super) fn file_name(&self, path: &str) -> Option<Part> {
        let at = path.rfind(['/', '\\'])?;
        let name = path[at + 1..].trim();
        let passage = self.find(name).filter(|_| name.len() >= 3)?;
        let text = &self.talk.passages[passage].text;
        let place = text.find(name).unwrap_or(0);
        let start = text[..place].rfind('\n').map_or(0, |at| at + 1);
        let line = text[start..].lines().next().unwrap_or_default();
        let line = match place - start > SHOWN / 2 {
            true => &text[terms::floor(text, place)..start + line.len()],
            false => line,
        };
        Some(Part {
            found: self.place_of(passage),
            passage: terms::cut(line.trim(), SHOWN).to_owned(),
            survives: vec![name.to_owned()],
            missing: vec![path[..at].to_owned()],
        })
    }

    /// The sentence or line that holds at least half of a text's key words.
    pub(super) fn part(&self, text: &str) -> Option<Part> {
        let keys = terms::keys(text);
        let mut here: FxHashMap<u32, u64> = FxHashMap::default();
        for (number, key) in keys.iter().enumerate().take(64) {
            let Some(word) = self.words.get(&hash(text, key)) else {
                continue;
            };
            for posting in self.places(*word).take(PLACES) {
                *here.entry(posting.unit).or_default() |= 1 << number;
            }
        }
        let most = here
            .iter()
            .max_by_key(|(unit, keys)| (keys.count_ones(), std::cmp::Reverse(**unit)));
        let (unit, found) = most?;
        let considered = keys.len().min(64);
        if (found.count_ones() as usize) * 2 < considered {
            return None;
        }
        let is_found = |number: usize| number < 64 && found & (1 << number) != 0;
        let (passage, start) = self.units[*unit as usize];
        let end = self.units.get(*unit as usize + 1);
        let end = end.filter(|(other, _)| *other == passage);
        let whole = &*self.talk.passages[passage as usize].text;
        let start = start as usize;
        let end = end.map_or(whole.len(), |(_, end)| *end as usize);
        Some(Part {
            found: self.place_of(passage as usize),
            passage: terms::cut(whole[start..end].trim(), SHOWN).to_owned(),
            survives: terms::runs(text, &keys, is_found),
            missing: terms::runs(text, &keys, |number| !is_found(number)),
        })
    }
}

fn number(of: usize) -> u32 {
    u32::try_from(of).unwrap_or(u32::MAX)
}

/// A word whatever the case of its ASCII letters.
fn hash(text: &str, term: &Term) -> u64 {
    let mut hasher = FxHasher::default();
    let bytes = text.as_bytes().get(term.start..term.end);
    for chunk in bytes.unwrap_or_default().chunks(8) {
        let mut word = [0; 8];
        for (into, byte) in word.iter_mut().zip(chunk) {
            *into = byte.to_ascii_lowercase();
        }
        hasher.write_u64(u64::from_le_bytes(word));
    }
    hasher.finish()
}

/// Whether `text`, whose byte `anchor` is the byte `at` of `whole`, stands there. One stretch of
/// white space is like another.
fn stands_at(whole: &str, at: usize, text: &str, anchor: usize) -> bool {
    let behind = forward(&whole[at..], &text[anchor..]);
    let before = backward(&whole[..at], &text[..anchor]);
    match (before, behind) {
        (Some(before), Some(behind)) => terms::is_whole(whole, at - before, at + behind),
        _ => false,
    }
}

/// How many bytes of `whole` the text takes from its start.
fn forward(whole: &str, text: &str) -> Option<usize> {
    let mut rest = whole;
    let mut wanted = text;
    while !wanted.is_empty() {
        let word = wanted.find(char::is_whitespace).unwrap_or(wanted.len());
        rest = rest.strip_prefix(&wanted[..word])?;
        wanted = wanted[word..].trim_start();
        if word < text.len() && !wanted.is_empty() {
            let bare = rest.trim_start();
            if bare.len() == rest.len() {
                return None;
            }
            rest = bare;
        }
    }
    Some(whole.len() - rest.len())
}

/// How many bytes of `whole` the text takes from its end.
fn backward(whole: &str, text: &str) -> Option<usize> {
    let mut rest = whole;
    let mut wanted = text;
    while !wanted.is_empty() {
        let bare = wanted.trim_end();
        if bare.len() < wanted.len() {
            let without = rest.trim_end();
            if without.len() == rest.len() {
                return None;
            }
            rest = without;
            wanted = bare;
            continue;
        }
        let last = wanted.char_indices().rev().find(|(_, c)| c.is_whitespace());
        let word = last.map_or(0, |(at, c)| at + c.len_utf8());
        rest = rest.strip_suffix(&wanted[word..])?;
        wanted = &wanted[..word];
    }
    Some(whole.len() - rest.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_stand_where_words_end() {
        assert!(stands_at("a never  run\nit b", 9, "never run it", 6));
        assert!(!stands_at("a never run its b", 8, "never run it", 6));
        assert!(!stands_at("a neverrun it", 7, "never run it", 6));
        assert!(stands_at("(src/a.rs)", 5, "src/a.rs", 4));
        assert!(!stands_at("mysrc/a.rs", 6, "src/a.rs", 4));
    }
}
