//! A text in runs, with marks where words begin and end.

use super::case;
use super::characters::Class;
use super::runs::{Run, Runs};
use super::tiling::{BEGIN, END, Tiler};

/// What an apostrophe binds to the word before it.
const CONTRACTIONS: [&str; 7] = ["s", "t", "d", "m", "ll", "re", "ve"];

/// Writes marks and tiles the parts between them.
#[derive(Clone, Debug)]
pub(super) struct Marker {
    pub(super) tiler: Tiler,
    knows_caps: bool,
    /// A part that is not complete.
    part: Vec<u8>,
    /// The cost of the complete ones.
    cost: u32,
    /// The last part ended with a mark.
    ended: bool,
    /// A single space behind such a mark, which one before the next part absorbs.
    held: bool,
    /// Words whose cost is known, by their slot.
    words: Vec<Known>,
}

/// How many words are kept: together less than the second cache of a core.
const WORDS: usize = 4096;

/// A word of at most 15 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Key(u128);

#[derive(Clone, Copy, Debug)]
struct Known {
    key: Key,
    cost: u32,
}

impl Key {
    const NONE: Self = Self(0);

    fn of(word: &str) -> Option<Self> {
        let mut bytes = [0; 16];
        bytes[..15]
            .get_mut(..word.len())?
            .copy_from_slice(word.as_bytes());
        // No two words of different lengths are alike.
        bytes[15] = word.len() as u8;
        Some(Self(u128::from_le_bytes(bytes)))
    }

    fn slot(self) -> usize {
        const MIX: u64 = 0x9E37_79B9_7F4A_7C15;
        let folded = (self.0 as u64) ^ ((self.0 >> 64) as u64).rotate_left(23).wrapping_mul(MIX);
        (folded.wrapping_mul(MIX) >> 52) as usize
    }
}

impl Marker {
    pub(super) fn new(tiler: Tiler, knows_caps: bool) -> Self {
        Self {
            tiler,
            knows_caps,
            part: Vec::new(),
            cost: 0,
            ended: false,
            held: false,
            words: vec![
                Known {
                    key: Key::NONE,
                    cost: 0
                };
                WORDS
            ],
        }
    }

    /// The cost of a normalised text. `begins_word`: what stands before it is as a space.
    pub(super) fn cost(&mut self, text: &str, begins_word: bool) -> u32 {
        (self.cost, self.ended, self.held) = (0, false, false);
        let mut runs = Runs::new(text);
        let mut around = Around {
            before_last: None,
            last: None,
            next: runs.next(),
            begins_word,
        };
        self.head(&mut runs.clone(), &around);
        while let Some(run) = around.next {
            around.next = runs.next();
            self.run(&run, &around);
            around.before_last = around.last.replace(run);
        }
        self.complete();
        self.release();
        self.cost
    }

    /// The mark with which the frame ends, where the first run does not take it.
    fn head(&mut self, rest: &mut Runs<'_>, around: &Around<'_>) {
        if !around.begins_word {
            return;
        }
        let Some(first) = around.next else {
            return self.part.push(BEGIN);
        };
        if first.text == "'" && rest.next().is_some_and(|next| is_word(&next)) {
            self.cost += 1;
            return;
        }
        let own = match first.class {
            Class::Wordy | Class::Punct | Class::Stray => true,
            Class::Space => first.text.starts_with(' '),
            Class::Hard | Class::Digit => first.symbol_begins() || first.number_begins(),
        };
        if !own {
            self.part.push(BEGIN);
        }
    }

    fn run(&mut self, run: &Run<'_>, around: &Around<'_>) {
        match run.class {
            Class::Wordy if around.follows_stray() => {
                self.part.extend_from_slice(run.text.as_bytes());
                self.end();
            }
            Class::Wordy if around.is_contraction(run) => {
                self.part.extend_from_slice(run.text.as_bytes());
                self.end();
            }
            Class::Wordy => {
                self.begin();
                self.cost += self.word(run.text);
                self.ended = true;
            }
            Class::Stray => {
                self.begin();
                self.part.push(BEGIN);
                self.part.extend_from_slice(run.text.as_bytes());
                // A letter behind it is the rest of the same word.
                if !around.next.is_some_and(|next| next.class == Class::Wordy) {
                    self.end();
                }
            }
            Class::Space if run.text == " " && self.ended => {
                self.complete();
                (self.held, self.ended) = (true, false);
            }
            Class::Space => {
                self.complete();
                self.cost += self.tiler.cost(run.text.as_bytes());
                self.ended = false;
            }
            Class::Punct | Class::Hard | Class::Digit => self.other(run, around),
        }
    }

    /// The cost of a whole word. Texts say most words again and again.
    fn word(&mut self, word: &str) -> u32 {
        let Some(key) = Key::of(word) else {
            return self.new_word(word);
        };
        let slot = key.slot();
        if self.words[slot].key == key {
            return self.words[slot].cost;
        }
        let cost = self.new_word(word);
        self.words[slot] = Known { key, cost };
        cost
    }

    fn new_word(&mut self, word: &str) -> u32 {
        case::write(word, self.knows_caps, &mut self.part);
        let cost = self.tiler.cost(&self.part);
        self.part.clear();
        cost
    }

    /// Symbols, digits and all that stands by itself: marked only where they border a space.
    fn other(&mut self, run: &Run<'_>, around: &Around<'_>) {
        let is_symbol = run.class == Class::Punct || run.symbol_begins() || run.symbol_ends();
        let (begins, ends) = if is_symbol {
            let is_punct = run.class == Class::Punct;
            (
                (is_punct || run.symbol_begins()) && !around.opens_word(run),
                is_punct || run.symbol_ends(),
            )
        } else {
            (run.number_begins(), run.number_ends())
        };
        let begins = begins && around.space_before();
        let ends = ends && around.space_behind();
        if begins {
            self.begin();
            self.part.push(BEGIN);
        } else {
            self.release();
        }
        if run.stands_alone() && !begins && !ends && !self.is_head(around) {
            self.complete();
            self.cost += self.tiler.cost(run.text.as_bytes());
            self.ended = false;
            return;
        }
        self.part.extend_from_slice(run.text.as_bytes());
        self.ended = false;
        if ends {
            self.end();
        }
    }

    /// Whether the part under way is the frame's mark.
    fn is_head(&self, around: &Around<'_>) -> bool {
        around.last.is_none() && !self.part.is_empty()
    }

    /// Before a part that begins with a mark, which absorbs a space.
    fn begin(&mut self) {
        self.complete();
        self.held = false;
    }

    /// A space that nothing absorbs.
    fn release(&mut self) {
        if std::mem::take(&mut self.held) {
            self.cost += 1;
        }
    }

    fn end(&mut self) {
        self.part.push(END);
        self.complete();
        self.ended = true;
    }

    fn complete(&mut self) {
        if !self.part.is_empty() {
            self.cost += self.tiler.cost(&self.part);
            self.part.clear();
        }
    }
}

fn is_word(run: &Run<'_>) -> bool {
    matches!(run.class, Class::Wordy | Class::Stray)
}

/// The runs around one.
struct Around<'t> {
    before_last: Option<Run<'t>>,
    last: Option<Run<'t>>,
    next: Option<Run<'t>>,
    begins_word: bool,
}

impl Around<'_> {
    /// The marks before a word were written with a mark that had no letter.
    fn follows_stray(&self) -> bool {
        self.last.is_some_and(|last| last.class == Class::Stray)
    }

    /// Whether an apostrophe binds a word to what stands before that.
    fn is_contraction(&self, run: &Run<'_>) -> bool {
        let follows = self.last.is_some_and(|last| last.text == "'");
        follows
            && CONTRACTIONS.contains(&run.text)
            && !self.before_last.is_some_and(|run| run.takes_right_mark())
    }

    /// Whether a run is an apostrophe that opens the word behind it.
    fn opens_word(&self, run: &Run<'_>) -> bool {
        run.text == "'" && self.next.is_some_and(|next| is_word(&next))
    }

    fn space_before(&self) -> bool {
        match self.last {
            None => self.begins_word,
            Some(last) => last.class == Class::Space && last.text.ends_with(' '),
        }
    }

    /// A single space, or one before another kind of space.
    fn space_behind(&self) -> bool {
        self.next.is_some_and(|next| {
            let is_space = next.class == Class::Space && next.text.starts_with(' ');
            is_space && !next.text.starts_with("  ")
        })
    }
}
