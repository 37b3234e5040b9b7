//! What the user wants to be there, and what not.

use std::collections::BTreeSet;

use super::CarryError;
use super::select::Session;
use crate::transcript::Source;
use crate::transcript::record::{Block, Content};

/// What must be there.
#[derive(Debug, Clone, Default)]
pub(super) struct Pins {
    pub(super) records: BTreeSet<usize>,
    /// Word for word.
    pub(super) texts: Vec<String>,
}

/// What the user pinned, as it stands in the session.
pub(super) fn pins<S: Source>(session: &Session<'_, S>) -> Result<Pins, CarryError> {
    let mut pins = Pins::default();
    for pin in &session.options.pins {
        if let Some(record) = record(session, pin) {
            let texts = texts_of(session, record)?;
            if !texts.is_empty() {
                pins.records.insert(record);
                pins.texts.extend(texts);
                continue;
            }
        }
        if !stands_in(session, pin)? {
            return Err(CarryError::Unknown {
                what: "--pin",
                text: pin.clone(),
            });
        }
        pins.texts.push(pin.clone());
    }
    Ok(pins)
}

fn record<S: Source>(session: &Session<'_, S>, uuid: &str) -> Option<usize> {
    let index = session.transcript.index();
    index.by_uuid(index.find(uuid)?)
}

/// All texts of a record, results of tools included.
fn texts_of<S: Source>(session: &Session<'_, S>, record: usize) -> Result<Vec<String>, CarryError> {
    fn of(content: Content, texts: &mut Vec<String>) {
        match content {
            Content::Missing => {}
            Content::Text(text) => texts.push(text),
            Content::Blocks(blocks) => {
                for block in blocks {
                    match block {
                        Block::Text(text) => texts.push(text),
                        Block::ToolResult { content, .. } => of(content, texts),
                        _ => {}
                    }
                }
            }
        }
    }
    let entry = &session.transcript.index().entries()[record];
    let mut texts = Vec::new();
    of(session.transcript.record(entry)?.content, &mut texts);
    texts.retain(|text| !text.trim().is_empty());
    Ok(texts)
}

/// Whether a text stands in what was said, or in any record of the chain.
fn stands_in<S: Source>(session: &Session<'_, S>, text: &str) -> Result<bool, CarryError> {
    if text.trim().is_empty() {
        return Ok(false);
    }
    let mut said = session.said.texts.iter();
    if said.any(|other| other.text.contains(text)) {
        return Ok(true);
    }
    for record in &session.chain.records {
        let mut texts = texts_of(session, *record)?.into_iter();
        if texts.any(|other| other.contains(text)) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// What the user wants left out.
#[derive(Debug, Default)]
pub(super) struct Out {
    records: BTreeSet<usize>,
    texts: Vec<String>,
}

impl Out {
    pub(super) fn has(&self, record: usize, text: &str) -> bool {
        self.records.contains(&record) || self.holds(text)
    }

    pub(super) fn holds(&self, text: &str) -> bool {
        self.texts.iter().any(|out| text.contains(out.as_str()))
    }
}

pub(super) fn excluded<S: Source>(
    session: &Session<'_, S>,
    request: usize,
    pins: &Pins,
) -> Result<Out, CarryError> {
    let mut out = Out::default();
    for exclude in &session.options.excludes {
        let found = record(session, exclude);
        match found {
            Some(record) => drop(out.records.insert(record)),
            None if stands_in(session, exclude)? => out.texts.push(exclude.clone()),
            None => {
                return Err(CarryError::Unknown {
                    what: "--exclude",
                    text: exclude.clone(),
                });
            }
        }
        let texts = session.said.texts.iter();
        let mut stay = texts.filter(|text| text.record == request);
        let hits_pin = pins.texts.iter().any(|pin| out.holds(pin))
            || pins.records.iter().any(|pin| out.records.contains(pin));
        if hits_pin || stay.any(|text| out.has(text.record, &text.text)) {
            return Err(CarryError::Excludes(exclude.clone()));
        }
    }
    Ok(out)
}
