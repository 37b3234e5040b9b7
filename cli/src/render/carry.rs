//! `carry` for people.

use std::io::Write as _;
use std::path::PathBuf;

use anyhow::Result;
use outcrop_compactor::carry::{Fate, Identity, Plan, Verdict};
use outcrop_compactor::chain::Chain;
use outcrop_compactor::poison::Poison;
use outcrop_compactor::store::Good;
use outcrop_compactor::transcript::Transcript;
use outcrop_loader::client::Client;
use outcrop_loader::tokens::Family;
use serde_json::json;

use super::names::{bytes, count, number, padded, wrapped};
use super::{Output, poison, style};
use crate::start::transcripts::{FileSource, Listed};

/// A carry-over that was planned, and perhaps written.
pub(crate) struct Carried<'a> {
    pub(crate) source: &'a Listed,
    pub(crate) transcript: &'a Transcript<FileSource>,
    pub(crate) chain: &'a Chain,
    pub(crate) client: &'a Client,
    pub(crate) poison: &'a Poison,
    pub(crate) plan: &'a Plan,
    pub(crate) identity: &'a Identity,
    pub(crate) family: Family,
    /// The messages are shown.
    pub(crate) shows: bool,
    pub(crate) written: Option<Written>,
}

/// A session that is not carried over, since it is poisoned.
pub(crate) struct Refused<'a> {
    pub(crate) source: &'a Listed,
    pub(crate) client: &'a Client,
    pub(crate) poison: &'a Poison,
}

/// What was written.
#[derive(Debug)]
pub(crate) struct Written {
    pub(crate) path: PathBuf,
    pub(crate) bytes: u64,
    /// What was appended to the old session meanwhile, in bytes.
    pub(crate) appended: u64,
}

impl Carried<'_> {
    /// What the last request of the old session held, as the service counted it.
    pub(crate) fn tokens_before(&self) -> Option<u64> {
        let entries = self.transcript.index().entries();
        let mut records = self.chain.records.iter().rev();
        let usage = records.find_map(|record| entries[*record].usage.as_ref());
        usage.map(|usage| usage.total()).filter(|total| *total > 0)
    }

    /// How the new session is gone on with.
    pub(crate) fn command(&self) -> String {
        resume(self.identity.cwd.as_deref(), &self.identity.session)
    }
}

fn resume(directory: Option<&str>, session: &str) -> String {
    match directory {
        Some(directory) => format!("cd {} && claude --resume {session}", quoted(directory)),
        None => format!("claude --resume {session}"),
    }
}

/// A word for a shell.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '/' | '.' | '_' | '-' | '+' | '@');
    match word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

/// A fate's name in output.
pub(crate) fn fate(fate: Fate) -> &'static str {
    match fate {
        Fate::Kept => "kept",
        Fate::Part => "part",
        Fate::Dropped => "dropped",
    }
}

pub(crate) fn write(output: &mut Output, carried: &Carried<'_>) -> Result<()> {
    let (bold, dim) = (style::HEADING, style::DIM);
    let plan = carried.plan;
    let (session, version) = (&carried.source.id, carried.client.version);
    writeln!(
        output,
        "{bold}Carry-over of {session}{bold:#}  {dim}client {version}{dim:#}"
    )?;
    let records = count(carried.chain.records.len(), "record", "records");
    let before = carried.tokens_before().map_or(String::new(), |tokens| {
        format!("; its last request held {} tokens", number(tokens))
    });
    writeln!(output, "  from  {records}{before}")?;
    writeln!(
        output,
        "  to    {}, {} of {} tokens ({}), {}",
        count(plan.messages.len(), "message", "messages"),
        number(plan.tokens),
        number(plan.target),
        carried.family,
        match plan.tail {
            0 => "with no turn but the last request".to_owned(),
            1 => "with the last turn".to_owned(),
            turns => format!("with the last {turns} turns"),
        },
    )?;
    for (kind, times) in &plan.redacted {
        writeln!(output, "  taken out: {times} × {kind}")?;
    }
    writeln!(output)?;
    if output.verbose {
        for verdict in &plan.verdicts {
            line(output, verdict)?;
        }
    } else {
        for ((how, reason), times) in plan.counts() {
            let (how, times) = (padded(fate(how), 8), number(times));
            writeln!(output, "  {how}{times:>7}  {}", reason.name())?;
        }
    }
    poison::write(output, &carried.source.id, carried.poison)?;
    if carried.shows {
        messages(output, plan)?;
    }
    questions(output, carried)?;
    match &carried.written {
        Some(written) => {
            let size = bytes(written.bytes);
            writeln!(output, "\nWrote {} ({size})", written.path.display())?;
            if written.appended > 0 {
                let more = number(written.appended);
                writeln!(
                    output,
                    "Not in it: {more} bytes that were appended meanwhile."
                )?;
            }
            writeln!(output, "Go on with: {}", carried.command())?;
            writeln!(
                output,
                "If an answer lacks something: `outcrop carry --rollback`; the old session is as it was."
            )?;
        }
        None => writeln!(
            output,
            "\nNothing is written; --write makes the session, --show prints it, -v tells each record."
        )?,
    }
    Ok(())
}

/// Why a session is not carried over, and what can be done.
pub(crate) fn refuse(output: &mut Output, refused: &Refused<'_>) -> Result<()> {
    let (bold, dim) = (style::HEADING, style::DIM);
    let (session, version) = (&refused.source.id, refused.client.version);
    writeln!(
        output,
        "{bold}{session} is not carried over: it is poisoned{bold:#}  {dim}client {version}{dim:#}"
    )?;
    poison::write(output, session, refused.poison)?;
    writeln!(output, "\nInstead:")?;
    if let Some(safe) = &refused.poison.last_safe {
        writeln!(
            output,
            "  outcrop carry {session} --until {}\n      what came up to line {}, where all was well",
            safe.uuid, safe.line
        )?;
    }
    writeln!(
        output,
        "  outcrop boot --forge\n      a clean start from memory alone"
    )?;
    writeln!(
        output,
        "  outcrop carry {session} --allow-poison REASON\n      all the same; the reason goes into the journal"
    )?;
    Ok(())
}

fn line(output: &mut Output, verdict: &Verdict) -> Result<()> {
    let reasons = verdict.reasons.iter().map(|reason| reason.name());
    let reasons = reasons.collect::<Vec<_>>().join(", ");
    let how = padded(fate(verdict.fate), 8);
    let uuid = verdict.uuid.as_deref().unwrap_or_default();
    writeln!(
        output,
        "  {how}line {:<7} turn {:<5} {uuid}  {reasons}",
        verdict.line, verdict.turn
    )?;
    Ok(())
}

fn messages(output: &mut Output, plan: &Plan) -> Result<()> {
    let (bold, plain) = (style::HEADING, style::HEADING);
    for message in &plan.messages {
        writeln!(output, "\n{bold}[{}]{plain:#}", message.role.name())?;
        for (number, text) in message.blocks.iter().enumerate() {
            if number > 0 {
                writeln!(output)?;
            }
            writeln!(output, "{text}")?;
        }
    }
    Ok(())
}

fn questions(output: &mut Output, carried: &Carried<'_>) -> Result<()> {
    let dim = style::DIM;
    writeln!(output, "\nAsk the new session, before you rely on it:")?;
    for (place, question) in carried.plan.questions.iter().enumerate() {
        writeln!(output, "  {}. {}", place + 1, question.question)?;
        if question.expected.is_empty() {
            writeln!(output, "     {dim}the old session does not say{dim:#}")?;
        }
        for line in &question.expected {
            let columns = output.columns.saturating_sub(7);
            for (number, part) in wrapped(line, columns).into_iter().enumerate() {
                let mark = if number == 0 { "- " } else { "  " };
                writeln!(output, "     {dim}{mark}{part}{dim:#}")?;
            }
        }
    }
    Ok(())
}

/// The session that counts again.
pub(crate) fn rolled_back(
    output: &mut Output,
    is_json: bool,
    left: &Good,
    good: &Good,
    directory: Option<&str>,
) -> Result<()> {
    let command = resume(directory, &good.session);
    if is_json {
        return output.json(&json!({
            "schema": "outcrop/carry-rollback@1",
            "left": left,
            "good": good,
            "resume": command,
        }));
    }
    writeln!(output, "Back to session {}, of {}", good.session, good.at)?;
    writeln!(output, "{} stays where it is.", left.path.display())?;
    writeln!(output, "Go on with: {command}")?;
    Ok(())
}
