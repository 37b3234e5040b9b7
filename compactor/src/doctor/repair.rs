//! A new file without what is wrong.

use std::io;

use outcrop_loader::client::Client;
use rustc_hash::FxHashSet;

use super::action::{Action, ActionKind};
use super::cure::Cure;
use super::lines::{self, LineEdit, Unread};
use super::plan::{self, Care, Plan};
use super::{About, Examination, Finding, examine};
use crate::chain::Chain;
use crate::transcript::write::{Edit, Patched};
use crate::transcript::{FaultKind, Index, Source, Transcript};

/// What a repair may do.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Options {
    /// Records whose parent is not there get another one.
    pub relink: bool,
    /// What was thought before the last answer goes.
    pub strip_thinking: bool,
}

/// A planned new file.
#[derive(Debug)]
pub struct Repair<S> {
    /// What is done, in the order of the old file.
    pub actions: Vec<Action>,
    /// What the new file is like.
    pub after: Examination,
    patched: Patched<S>,
}

impl<S: Source> Repair<S> {
    /// Whether the new file is the old one.
    #[must_use]
    pub fn is_unchanged(&self) -> bool {
        self.patched.is_unchanged()
    }

    /// Whether a finding of the old file is none of the new one.
    #[must_use]
    pub fn mends(&self, finding: &Finding) -> bool {
        let is_left = |left: &Finding| {
            left.about == finding.about && left.record == finding.record && left.id == finding.id
        };
        !matches!(finding.cure, Cure::None) && !self.after.findings.iter().any(is_left)
    }

    /// How many bytes the new file has.
    #[must_use]
    pub fn length(&self) -> u64 {
        self.patched.length()
    }

    /// The new file, to be read.
    #[must_use]
    pub fn source(&self) -> &Patched<S> {
        &self.patched
    }

    /// Writes the new file, and tells how many bytes it has.
    ///
    /// # Errors
    ///
    /// When the source cannot be read, or `out` not be written to.
    pub fn write(&self, out: &mut dyn io::Write) -> io::Result<u64> {
        self.patched.copy_to(out)
    }
}

/// A repair can show more that is wrong; so many times it is looked for again.
const ROUNDS: usize = 32;

/// Plans a new file in which what is wrong with `transcript` is mended. Whatever a resume of the
/// old one reaches is reached in the new one, too, but for what is dropped.
///
/// # Errors
///
/// When the source cannot be read.
pub fn repair<'a, S: Source>(
    transcript: &'a Transcript<S>,
    before: &Examination,
    client: &Client,
    options: &Options,
) -> io::Result<Repair<&'a S>> {
    let mut state = State {
        source: transcript.index(),
        index: transcript.index().clone(),
        client,
        patched: Patched::of(transcript.source()),
        current: before.clone(),
        actions: Vec::new(),
    };
    state.clean(transcript)?;
    for _ in 0..ROUNDS {
        if !state.round(options)? {
            break;
        }
    }
    state.actions.sort_by_key(|action| action.line);
    Ok(Repair {
        actions: state.actions,
        after: state.current,
        patched: state.patched,
    })
}

struct State<'a, 'c, S> {
    /// The index of the old file.
    source: &'a Index,
    client: &'c Client,
    patched: Patched<&'a S>,
    /// Its index.
    index: Index,
    /// What the new file is like by now.
    current: Examination,
    actions: Vec<Action>,
}

impl<S: Source> State<'_, '_, S> {
    /// Takes edits if whatever is reached stays so.
    fn try_edits(&mut self, edits: Vec<Edit>, dropped: &[String]) -> io::Result<bool> {
        let patched = self.patched.clone().edited(edits);
        let transcript = Transcript::read(&patched)?;
        let after = examine(&transcript, self.client)?;
        let index = transcript.into_index();
        let dropped: FxHashSet<&String> = dropped.iter().collect();
        let was = &self.current;
        let stays = was
            .reached
            .iter()
            .all(|uuid| after.reached.contains(uuid) || dropped.contains(uuid));
        let is_accepted = stays && (after.refused.is_none() || was.refused.is_some());
        if is_accepted {
            self.patched = patched;
            self.index = index;
            self.current = after;
        }
        Ok(is_accepted)
    }

    /// First the bytes: records that the client does not read for what stands before them come
    /// back, unless it would then go on elsewhere.
    fn clean(&mut self, transcript: &Transcript<S>) -> io::Result<()> {
        for unread in [Unread::Split, Unread::Drop] {
            let (edits, told) = lines::clean(transcript, unread)?;
            if edits.is_empty() {
                return Ok(());
            }
            if self.try_edits(edits, &[])? {
                self.tell_lines(told);
                return Ok(());
            }
        }
        Ok(())
    }

    fn tell_lines(&mut self, told: Vec<LineEdit>) {
        let faults = self.source.faults();
        for edit in told {
            let from = faults.partition_point(|fault| fault.line < edit.line);
            let mut on_line = faults[from..]
                .iter()
                .take_while(|fault| fault.line == edit.line);
            let returns = on_line
                .clone()
                .all(|fault| fault.kind == FaultKind::CarriageReturns);
            let kind = match edit.records {
                _ if returns => ActionKind::DropReturns,
                0 => ActionKind::DropLine,
                records => ActionKind::RewriteLine {
                    records,
                    dropped: edit.dropped,
                },
            };
            self.actions.push(Action {
                kind,
                line: edit.line,
                record: None,
                about: on_line.next().map(|fault| About::of_bytes(&fault.kind)),
            });
        }
    }

    /// One round; tells whether anything changed.
    fn round(&mut self, options: &Options) -> io::Result<bool> {
        let cares = [
            Care::Free,
            Care::KeepRecords,
            Care::KeepBoundaries,
            Care::KeepLinks,
        ];
        for care in cares {
            let patched = self.patched.clone();
            let transcript = Transcript::of(&patched, std::mem::take(&mut self.index));
            let live = match options.strip_thinking {
                true => Chain::of(&transcript, &self.client.behaviour.resume)?.records,
                false => Vec::new(),
            };
            let plan = plan::of(&transcript, &self.current, &live, options, care)?;
            self.index = transcript.into_index();
            let Plan {
                edits,
                actions,
                dropped,
            } = plan;
            if edits.is_empty() {
                return Ok(false);
            }
            let actions: Vec<Action> = actions
                .into_iter()
                .map(|(offset, action)| Action {
                    line: line_of(self.source, self.patched.origin(offset)),
                    ..action
                })
                .collect();
            if self.try_edits(edits, &dropped)? {
                self.actions.extend(actions);
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// The line of the old file in which an offset lies.
fn line_of(index: &Index, offset: u64) -> u32 {
    let entries = index.entries();
    let ends_before =
        |place: crate::transcript::Place| place.offset + u64::from(place.length) <= offset;
    let number = entries.partition_point(|entry| ends_before(entry.place));
    entries
        .get(number)
        .map_or(index.lines(), |entry| entry.place.line)
}
