//! What a compaction loses: the messages before it against those that are left.
//!
//! ```text
//! messages ─▶ talk (who said what) ─▶ said, facts, files, open, lessons, claims (what counts)
//!                                         │
//! what is left ─▶ remains (its words) ────┴──▶ kept, part, lost
//! ```
//!
//! Everything is told by words: a text that is left word for word is kept, one whose words are left
//! in one sentence is kept in part. That is an upper bound, since a model may overlook what it is
//! given, and a rule in other words may bind less.

mod aside;
mod claims;
mod facts;
mod files;
mod finding;
mod input;
mod instructions;
mod lessons;
mod open;
mod prose;
mod remains;
mod said;
mod spoken;
mod talk;
mod terms;
mod voices;
mod words;

use std::io;

use serde::Serialize;

use aside::Aside;
pub(crate) use aside::prompts_of;
use remains::Remains;
use talk::Talk;

pub use claims::{Claim, Doubt};
pub use facts::{Counts, Fact, FactClass, Facts};
pub use files::{Action, FileUse};
pub use finding::{Finding, Findings, Part, Place, State};
pub use instructions::{Fate, InstructionFate, instructions};
pub use lessons::Lesson;
pub(crate) use open::open_todos;
pub use open::{OpenItem, OpenItems, OpenKind, PermissionMode};
pub(crate) use prose::{fence_mark, sentences as sentence_ranges};
pub(crate) use said::corrections_in;
pub use said::{Constraint, Correction, CorrectionKind, Decision, constraints_in, decisions_in};
pub use spoken::Spoken;
pub(crate) use voices::typed_and_shown;
pub use words::Language;

use crate::conversation::Message;
use crate::transcript::{Index, Source, Transcript};
use crate::turns::Turn;

/// What a compaction loses.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Loss {
    /// Facts by class.
    pub facts: Vec<Facts>,
    /// What the user forbade or demanded.
    pub constraints: Findings<Constraint>,
    /// What either side decided, with the reason.
    pub decisions: Findings<Decision>,
    /// Where the user stepped in.
    pub corrections: Findings<Correction>,
    /// Every file that was read, searched or changed.
    pub files: Findings<FileUse>,
    /// What was still to be done.
    pub open_items: OpenItems,
    /// Failed calls, and what worked instead.
    pub lessons: Findings<Lesson>,
    /// Claims of the model that nothing supports any more, or nothing ever did: first those that
    /// are left.
    pub claims_without_evidence: Vec<Finding<Claim>>,
}

impl Loss {
    /// Compares the messages that a compaction saw with those that the next request holds: summary,
    /// kept tail, attachments. Both are of `transcript`, as far as they stand in one; `turns` are
    /// its turns, by which places are told.
    ///
    /// # Errors
    ///
    /// When the source cannot be read.
    pub fn of<S: Source>(
        transcript: &Transcript<S>,
        turns: &[Turn],
        before: &[impl Spoken],
        after: &[impl Spoken],
    ) -> io::Result<Self> {
        let index = transcript.index();
        let aside = Aside::read(transcript, before, after)?;
        let talk_before = Talk::of(index, turns, &aside, before);
        let talk_after = Talk::of(index, turns, &aside, after);
        let compared = Compared {
            index,
            before: &talk_before,
            after: Remains::of(index, &talk_after),
            left: &talk_after,
        };
        let said = said::of(&compared);
        Ok(Self {
            facts: facts::of(&compared),
            constraints: said.constraints,
            decisions: said.decisions,
            corrections: said.corrections,
            files: files::of(&compared),
            open_items: open::of(&compared, &aside),
            lessons: lessons::of(&compared),
            claims_without_evidence: claims::of(&compared),
        })
    }
}

/// What is open at the end of some messages, for whoever goes on with the session.
///
/// # Errors
///
/// When the source cannot be read.
pub fn open_items<S: Source>(
    transcript: &Transcript<S>,
    turns: &[Turn],
    messages: &[impl Spoken],
) -> io::Result<OpenItems> {
    alone(transcript, turns, messages, open::of)
}

/// The failed calls of messages, and what worked instead, in the order of the talk.
///
/// # Errors
///
/// When the source cannot be read.
pub fn lessons<S: Source>(
    transcript: &Transcript<S>,
    turns: &[Turn],
    messages: &[impl Spoken],
) -> io::Result<Vec<Lesson>> {
    let lessons = alone(transcript, turns, messages, |compared, _| {
        lessons::of(compared)
    })?;
    // Nothing is left, so each of them is lost.
    Ok(lessons.lost.into_iter().map(|found| found.what).collect())
}

/// Looks at messages of which nothing is left.
fn alone<S: Source, T>(
    transcript: &Transcript<S>,
    turns: &[Turn],
    messages: &[impl Spoken],
    find: impl FnOnce(&Compared<'_>, &Aside) -> T,
) -> io::Result<T> {
    let index = transcript.index();
    let nothing: [Message; 0] = [];
    let aside = Aside::read(transcript, messages, &nothing)?;
    let talk = Talk::of(index, turns, &aside, messages);
    let left = Talk::default();
    let compared = Compared {
        index,
        before: &talk,
        after: Remains::of(index, &left),
        left: &left,
    };
    Ok(find(&compared, &aside))
}

/// Both sides of a comparison.
struct Compared<'a> {
    index: &'a Index,
    before: &'a Talk<'a>,
    /// The words that are left.
    after: Remains<'a>,
    /// Who says them.
    left: &'a Talk<'a>,
}

impl Compared<'_> {
    /// A place before the compaction.
    fn place(&self, spot: usize) -> Place {
        self.before.place(self.index, spot)
    }
}
