//! `simulate` for people.

use std::io::Write as _;

use anyhow::Result;
use outcrop_compactor::boundary::{Compacted, FileOutcome, SkillOutcome};
use outcrop_compactor::chain::{Chain, ChainFaultKind, Refusal};
use outcrop_compactor::conversation::{Block, Role};
use outcrop_compactor::loss::{InstructionFate, Loss};
use outcrop_compactor::pipeline::{Action, Anchor, Context, PipelineResult, StageTrace};
use outcrop_compactor::transcript::{Index, record};
use outcrop_compactor::window::{Floor, Mode, Next, Room, Window};
use outcrop_loader::record::Evidence;
use serde_json::{Value, json};

use super::names::{cut, number, wrapped};
use super::{Output, loss, style};

/// What was simulated.
pub(crate) struct Simulated<'a> {
    pub(crate) session: &'a str,
    pub(crate) window: &'a Window,
    pub(crate) next: Next,
    pub(crate) chain: &'a Chain,
    pub(crate) index: &'a Index,
    pub(crate) compacted: Option<&'a Compacted>,
    /// How it is known what a compaction by the client does.
    pub(crate) evidence: Evidence,
    /// The recorded usage from which the tokens before are counted.
    pub(crate) anchor: Option<Anchor>,
    /// What is sent beside the messages, by the recorded usage.
    pub(crate) beside: Option<u64>,
    /// What no compaction takes away.
    pub(crate) floor: Floor,
    /// What is lost, where a stage fired.
    pub(crate) loss: Option<&'a Loss>,
    /// What becomes of the instruction files in a compaction.
    pub(crate) fates: Option<Vec<InstructionFate>>,
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

    /// The record from which the session goes on.
    pub(crate) fn leaf(&self) -> Option<Value> {
        let entry = &self.index.entries()[self.chain.leaf?];
        Some(json!({
            "uuid": entry.uuid.map(|uuid| self.index.text(uuid)),
            "line": entry.place.line,
            "why": self.chain.reason.phrase(),
        }))
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
        let remarks = self.window.remarks.iter().map(|remark| json!(remark));
        bytes.chain(links).chain(remarks).collect()
    }

    /// How many of these there are.
    fn remarks(&self) -> usize {
        self.index.faults().len() + self.chain.faults.len() + self.window.remarks.len()
    }
}

/// How many answers a context holds.
pub(crate) fn answers(context: &Context<'_>) -> usize {
    let roles = context.messages.iter();
    roles
        .filter(|message| message.role == Role::Assistant)
        .count()
}

pub(crate) fn write(
    output: &mut Output,
    view: &Simulated<'_>,
    result: &PipelineResult<'_>,
) -> Result<()> {
    let (bold, dim, warning) = (style::HEADING, style::DIM, style::WARNING);
    let window = view.window;
    writeln!(
        output,
        "{bold}Session {}{bold:#}\n{dim}client {}, {}{dim:#}\n",
        view.session, window.client, window.model.name
    )?;
    if let Some(refusal) = view.refusal() {
        writeln!(output, "{warning}not resumed{warning:#}: {refusal}")?;
    }
    write_limits(output, view, result)?;
    if !result.stages.is_empty() {
        write_stages(output, result)?;
    }
    if view.evidence == Evidence::Assumed {
        writeln!(
            output,
            "{dim}which messages stay after a refusal is assumed{dim:#}"
        )?;
    }
    if let Some(compacted) = view.compacted {
        write_put_back(output, compacted)?;
    }
    if let Some(fates) = &view.fates {
        loss::write_instructions(output, fates)?;
    }
    if let Some(lost) = view.loss {
        loss::write(output, lost)?;
    }
    write_context(output, view, result)?;
    for pin in &result.missing_pins {
        writeln!(output, "{warning}lost pin{warning:#}: {pin}")?;
    }
    let count = view.remarks();
    if count > 0 {
        writeln!(
            output,
            "\n{count} remarks on the transcript and its settings: `--json`, or `outcrop doctor {}`",
            view.session
        )?;
    }
    Ok(())
}

/// What it holds, and how far it is from the limits.
fn write_limits(
    output: &mut Output,
    view: &Simulated<'_>,
    result: &PipelineResult<'_>,
) -> Result<()> {
    let window = view.window;
    let tokens = result.tokens_before;
    let anchor = match view.anchor {
        Some(anchor) => format!("{} of them recorded", number(anchor.usage)),
        None => "estimated".to_owned(),
    };
    writeln!(
        output,
        "A resume sends {} messages, {} tokens ({anchor}).",
        result.messages_before,
        number(tokens)
    )?;
    let limit = match &window.mode {
        Mode::AtTrigger { .. } => format!("compaction at {}", number(window.trigger)),
        Mode::OnRefusal => "no compaction before the service refuses".to_owned(),
        Mode::Off { .. } => format!(
            "compaction is off, no request from {}",
            number(window.block)
        ),
    };
    let next = match view.next {
        Next::Request => match window.mode {
            Mode::AtTrigger { .. } => {
                format!("{} left", number(window.trigger.saturating_sub(tokens)))
            }
            _ => "the next request is sent".to_owned(),
        },
        Next::Compaction => "the next request compacts".to_owned(),
        Next::TooLong => "the next turn ends: the prompt is too long".to_owned(),
    };
    writeln!(
        output,
        "Window {}: {limit}; {next}.",
        number(window.window.value)
    )?;
    write_floor(output, &view.floor)
}

/// A warning where compaction can hardly help.
fn write_floor(output: &mut Output, floor: &Floor) -> Result<()> {
    let what = match floor.room {
        Room::Enough => return Ok(()),
        Room::Little => "a few turns fill it again",
        Room::None => "it compacts after every answer, and that cannot help",
    };
    let warning = style::WARNING;
    let told = format!(
        "no compaction brings it below {} of {} tokens: {what}.",
        number(floor.tokens),
        number(floor.trigger)
    );
    let lines = wrapped(&told, output.columns.saturating_sub(9)).join("\n         ");
    writeln!(output, "{warning}warning{warning:#}: {lines}")?;
    for part in &floor.largest {
        writeln!(output, "  {:>9}  {}", number(part.tokens), part.name)?;
    }
    Ok(())
}

fn write_stages(output: &mut Output, result: &PipelineResult<'_>) -> Result<()> {
    let (bold, dim) = (style::HEADING, style::DIM);
    writeln!(
        output,
        "\n{bold}{:<14}{:>11}{:>11}{:>11}  what{bold:#}",
        "stage", "before", "after", "freed"
    )?;
    for trace in &result.stages {
        let what = what(trace);
        let line = format!(
            "{:<14}{:>11}{:>11}{:>11}  {what}",
            trace.stage.name(),
            number(trace.tokens_before),
            number(trace.tokens_after),
            number(trace.tokens_freed()),
        );
        if trace.fired {
            writeln!(output, "{line}")?;
        } else {
            writeln!(output, "{dim}{line}{dim:#}")?;
        }
    }
    if !result.fits {
        let warning = style::WARNING;
        writeln!(output, "{warning}Even so it does not fit.{warning:#}")?;
    }
    if output.verbose {
        write_changes(output, &result.stages)?;
    }
    Ok(())
}

/// What a stage did, in a few words.
fn what(trace: &StageTrace) -> String {
    if !trace.enabled {
        return "off".to_owned();
    }
    if !trace.fired {
        return "nothing to do".to_owned();
    }
    let actions = [
        (Action::Trimmed, "cut"),
        (Action::Cleared, "cleared"),
        (Action::Folded, "folded"),
        (Action::Summarised, "summarised"),
        (Action::Dropped, "dropped"),
        (Action::Kept, "kept"),
    ];
    let counts = actions.iter().filter_map(|(action, word)| {
        let count = trace.count(*action);
        (count > 0).then(|| format!("{count} {word}"))
    });
    counts.collect::<Vec<_>>().join(", ")
}

fn write_changes(output: &mut Output, stages: &[StageTrace]) -> Result<()> {
    for trace in stages {
        for change in &trace.changes {
            let line = change
                .line
                .map_or(String::new(), |line| format!("line {line}"));
            let action = json!(change.action);
            let why = json!(change.why);
            writeln!(
                output,
                "  {:<13} {:<10} {:>9} -> {:<9} {line:<12} {}",
                trace.stage.name(),
                action.as_str().unwrap_or_default(),
                number(change.tokens_before),
                number(change.tokens_after),
                why.as_str().unwrap_or_default()
            )?;
        }
    }
    Ok(())
}

/// What a compaction puts back, and what not.
fn write_put_back(output: &mut Output, compacted: &Compacted) -> Result<()> {
    let (bold, lost) = (style::HEADING, style::LOST);
    if !compacted.files.is_empty() {
        writeln!(output, "\n{bold}Files that the session knows{bold:#}")?;
    }
    for file in &compacted.files {
        let outcome = match file.outcome {
            FileOutcome::Attached => "read again and put back",
            FileOutcome::Named => "too large: only named",
            FileOutcome::InTail => "in the kept messages",
            FileOutcome::NoPlace => "lost: five newer files took the places",
            FileOutcome::Gone => "not there any more",
        };
        let tokens = file.tokens.map_or(String::new(), number);
        writeln!(output, "  {tokens:>9}  {}  {outcome}", file.path)?;
    }
    if !compacted.skills.is_empty() {
        writeln!(output, "\n{bold}Skills that were used{bold:#}")?;
    }
    for skill in &compacted.skills {
        let outcome = match skill.outcome {
            SkillOutcome::Kept => "put back".to_owned(),
            SkillOutcome::Cut => "put back without its end".to_owned(),
            SkillOutcome::Dropped => format!("{lost}lost: no room{lost:#}"),
        };
        let tokens = number(skill.tokens);
        writeln!(output, "  {tokens:>9}  {}  {outcome}", skill.name)?;
    }
    Ok(())
}

/// The messages that the next request holds, one line each.
fn write_context(
    output: &mut Output,
    view: &Simulated<'_>,
    result: &PipelineResult<'_>,
) -> Result<()> {
    let (bold, dim) = (style::HEADING, style::DIM);
    let joined = result.context.joined();
    // Behind a summary the client counts the messages only, until an answer tells more (C4.13).
    let beside = view.beside.filter(|_| result.context.boundary.is_some());
    let beside = beside.map_or_else(String::new, |beside| {
        format!(" and some {} beside them", number(beside))
    });
    writeln!(
        output,
        "\n{bold}The next request{bold:#}: {} messages, {} tokens{beside}",
        joined.len(),
        number(result.context.tokens())
    )?;
    let shown = if output.verbose { usize::MAX } else { 12 };
    let hidden = joined.len().saturating_sub(shown);
    if hidden > 0 {
        writeln!(
            output,
            "{dim}  … {hidden} earlier ones: -v shows them{dim:#}"
        )?;
    }
    for (role, blocks) in joined.iter().skip(hidden) {
        let tokens: u64 = blocks.iter().map(|held| held.tokens).sum();
        let mut parts: Vec<String> = blocks.iter().map(|held| part(&held.block)).collect();
        if parts.is_empty() {
            parts.push("(effort)".to_owned());
        }
        let line = format!(
            "  {:>9}  {:<9} {}",
            number(tokens),
            role.name(),
            parts.join(" | ")
        );
        writeln!(output, "{}", cut(&line, output.columns))?;
    }
    Ok(())
}

/// A block in a few words.
fn part(block: &Block) -> String {
    match block {
        Block::Read(block) => match block {
            record::Block::Text(text) => first_line(text),
            record::Block::Thinking { .. } => "thought".to_owned(),
            record::Block::ToolUse { name, .. } => format!("call {name}"),
            record::Block::ToolResult { is_error, .. } => {
                let failed = if *is_error { "failed " } else { "" };
                format!("{failed}result")
            }
            record::Block::Image(_) => "image".to_owned(),
            record::Block::Other { kind, .. } => kind.clone(),
        },
        Block::Framed { text, .. } => first_line(text),
        Block::Client(text) => format!("({})", text.name()),
        Block::ClientResult(_, text) => format!("({})", text.name()),
    }
}

fn first_line(text: &str) -> String {
    let text = text.trim_start_matches("<system-reminder>\n").trim_start();
    let line = text.lines().next().unwrap_or_default();
    cut(line, 60)
}
