//! `simulate` for people.

use std::io::Write as _;

use anyhow::Result;
use outcrop_compactor::chain::{Chain, ChainFaultKind, Refusal};
use outcrop_compactor::pipeline::PipelineResult;
use outcrop_compactor::transcript::Index;
use outcrop_loader::client::Client;
use serde_json::{Value, json};

use super::{Output, style};

/// What was simulated.
pub(crate) struct Simulated<'a> {
    pub(crate) session: &'a str,
    pub(crate) client: &'a Client,
    pub(crate) index: &'a Index,
    pub(crate) chain: &'a Chain,
    pub(crate) window: Option<u64>,
    pub(crate) threshold: Option<u64>,
    pub(crate) result: &'a PipelineResult<'a>,
}

impl Simulated<'_> {
    /// Why the client does not resume the session.
    pub(crate) fn refusal(&self) -> Option<String> {
        Some(match self.chain.refused? {
            Refusal::NoConversation => "the client finds no conversation in it".to_owned(),
            Refusal::BrokenRecord(record) => format!(
                "the client ends with an error: line {} lacks what it relies on",
                self.index.entries()[record].place.line
            ),
            Refusal::BrokenLine(line) => {
                format!("the client ends with an error: line {line} is no record")
            }
        })
    }

    /// What is wrong with the transcript.
    pub(crate) fn diagnostics(&self) -> Vec<Value> {
        let bytes = self.index.faults().iter().map(|fault| json!(fault));
        let links = self.chain.faults.iter().map(|fault| {
            let entry = &self.index.entries()[fault.record];
            let uuid = entry.uuid.map(|uuid| self.index.text(uuid));
            let about = match &fault.kind {
                ChainFaultKind::MissingParent { .. } => "missing-parent",
                ChainFaultKind::Cycle { .. } => "cycle",
                ChainFaultKind::KeptMessagesMissing { .. } => "kept-messages-missing",
            };
            json!({"line": entry.place.line, "uuid": uuid, "about": about})
        });
        bytes.chain(links).collect()
    }
}

pub(crate) fn write(output: &mut Output, simulated: &Simulated<'_>) -> Result<()> {
    let (bold, dim) = (style::HEADING, style::DIM);
    let session = simulated.session;
    writeln!(
        output,
        "{bold}Session {session}{bold:#}  {dim}client {}{dim:#}",
        simulated.client.version
    )?;
    if let Some(refusal) = simulated.refusal() {
        writeln!(output, "not resumed: {refusal}")?;
    }
    for trace in &simulated.result.stages {
        writeln!(
            output,
            "{:<14}{:>10}{:>10}",
            trace.stage.name(),
            trace.tokens_before,
            trace.tokens_after
        )?;
    }
    Ok(())
}
