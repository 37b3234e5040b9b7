//! `audit` for people: each text as it was received, against the prediction.

use std::io::Write as _;

use anstyle::Style;
use anyhow::Result;
use outcrop_compactor::audit::{
    Evidence, Form, LogFinding, Moment, Received, Text, Verdict, Witness,
};
use outcrop_loader::path::AbsPath;
use outcrop_loader::record::Cause;

use super::names::{count, number, padded, wrapped};
use super::verify_text::write_hunks;
use super::{Output, style};
use crate::commands::audit::{Audited, Basis};

/// Where what is told of a text begins.
const DETAIL: usize = 15;

pub(crate) fn write(output: &mut Output, audited: &Audited) -> Result<()> {
    let (bold, dim) = (style::HEADING, style::DIM);
    let receipt = &audited.receipt;
    let cwd = receipt.cwd.as_deref().unwrap_or("an unknown directory");
    let title = format!("What session {} received", audited.listed.id);
    let version = format!("client {}", audited.client.version);
    let gap = output
        .columns
        .saturating_sub(title.len() + version.len())
        .max(2);
    writeln!(
        output,
        "{bold}{title}{bold:#}{:gap$}{dim}{version}{dim:#}",
        ""
    )?;
    let started = receipt.started.map(time);
    let started = started.map_or_else(String::new, |time| format!(", started {time}"));
    write_lines(output, &format!("in {cwd}{started}"))?;
    write_basis(output, audited)?;
    write_answer(output, audited)?;
    write_evidence(output, receipt.evidence)?;
    let is_told = !receipt.evidence.is_none() || output.verbose;
    let texts = audited.comparison.texts.iter().filter(|_| is_told);
    for (number, text) in texts.enumerate() {
        if number == 0 {
            writeln!(output)?;
        }
        write_text(output, audited, text)?;
    }
    write_log(output, audited)
}

/// A note in lines that are no wider than the output.
fn write_lines(output: &mut Output, text: &str) -> Result<()> {
    let dim = style::DIM;
    for line in wrapped(text, output.columns) {
        writeln!(output, "{dim}{line}{dim:#}")?;
    }
    Ok(())
}

fn write_basis(output: &mut Output, audited: &Audited) -> Result<()> {
    let mut lines = Vec::new();
    match &audited.basis {
        Basis::Today => lines.push("compared with the files of today".to_owned()),
        Basis::Commit {
            commit,
            committed,
            branch,
        } => {
            let commit = commit.get(..10).unwrap_or(commit);
            lines.push(format!(
                "compared with commit {commit} of {committed} on {branch}"
            ));
            let started_on = audited.receipt.branch.as_ref();
            let other = started_on.filter(|started_on| *started_on != branch);
            lines.extend(
                other.map(|other| format!("the session started on another branch: {other}")),
            );
            lines.push(match audited.receipt.was_clean {
                Some(true) => "git had no changes to tell when the session started".to_owned(),
                Some(false) => {
                    "there were uncommitted changes when the session started: what it received \
                     may differ from the commit for that reason"
                        .to_owned()
                }
                None => "whether there were uncommitted changes then is not known".to_owned(),
            });
        }
        Basis::Nothing(why) => lines.push(format!("compared with nothing: {why}")),
    }
    for line in &lines {
        write_lines(output, line)?;
    }
    Ok(())
}

fn write_text(output: &mut Output, audited: &Audited, text: &Text) -> Result<()> {
    let dim = style::DIM;
    let colour = colour(text.verdict);
    let verdict = padded(text.verdict.name(), 13);
    let scope = padded(text.scope.map_or("", |scope| scope.name()), 11);
    let scope_style = text.scope.map_or(Style::new(), style::of_scope);
    let tokens = audited.tokens_of(text).map_or_else(String::new, number);
    let name = name(audited, &text.path);
    writeln!(
        output,
        "{colour}{verdict}{colour:#}  {scope_style}{scope}{scope_style:#}  {tokens:>6}  {name}"
    )?;
    let is_plain = |at: &usize| {
        let one = &audited.receipt.texts[*at];
        !one.abandoned
            && one.form == Form::Instruction
            && matches!(one.moment, Moment::Start | Moment::Compaction)
    };
    // What comes with the start and after each compaction goes without saying.
    let is_usual = matches!(text.verdict, Verdict::Equal | Verdict::NoEvidence)
        && text.received.iter().all(is_plain);
    if is_usual && !output.verbose {
        return Ok(());
    }
    let mut details = Vec::new();
    if !text.received.is_empty() {
        let moments = text.received.iter().map(|at| {
            let copy = when(audited, &audited.receipt.texts[*at]);
            if text.repeats.contains(at) {
                format!("{copy} (the same text twice)")
            } else {
                copy
            }
        });
        let moments: Vec<String> = moments.collect();
        details.push(format!("received {}", moments.join("; ")));
    }
    let gone = audited
        .receipt
        .withdrawn
        .iter()
        .filter(|gone| gone.path == text.path);
    details.extend(gone.map(|gone| format!("told as gone in turn {}", gone.turn)));
    if text.received.is_empty()
        && let Some(predicted) = text.predicted
    {
        let cause = &audited.predicted[predicted].cause;
        details.push(format!("predicted {}", why(audited, cause)));
    }
    if text.logged == Some(true) && text.received.is_empty() {
        details.push("named by the client's own event".to_owned());
    }
    let width = output.columns.saturating_sub(DETAIL);
    for line in details.iter().flat_map(|detail| wrapped(detail, width)) {
        writeln!(output, "{:DETAIL$}{dim}{line}{dim:#}", "")?;
    }
    if text.verdict == Verdict::OtherContent
        && let (Some(predicted), Some(last)) = (text.predicted, text.last)
    {
        let received = &audited.receipt.texts[last];
        let predicted = &audited.predicted[predicted];
        let wanted = match received.form {
            Form::File => &*predicted.source,
            Form::Instruction => &*predicted.text,
        };
        let lines = |text: &str| format!("{}\n", text.trim());
        write_hunks(
            output,
            ("received", &lines(&received.text)),
            ("predicted", &lines(wanted)),
        )?;
    }
    Ok(())
}

fn write_evidence(output: &mut Output, evidence: Evidence) -> Result<()> {
    let note = style::NOTE;
    let text = match (evidence.start, evidence.reads) {
        (Witness::None, Witness::None) => {
            "this transcript does not tell which instruction texts the session received. That is \
             no sign that there were none: clients before 2.1.268 keep no record of what the \
             start brings"
        }
        (Witness::None, _) => {
            "this transcript tells what reads brought, and not what the start brought: clients \
             before 2.1.268 keep no record of that"
        }
        (Witness::Requests, _) => "what the start brought is told by the log of requests alone",
        (Witness::Events, _) => "what the start brought is told by the client's own events alone",
        (Witness::Records, _) => return Ok(()),
    };
    let heading = match evidence.is_none() {
        true => "no evidence",
        false => "evidence",
    };
    let text = format!("{heading}: {text}.");
    writeln!(output)?;
    for (number, line) in wrapped(&text, output.columns).iter().enumerate() {
        match line.strip_prefix(heading).filter(|_| number == 0) {
            Some(rest) => writeln!(output, "{note}{heading}{note:#}{rest}")?,
            None => writeln!(output, "{line}")?,
        }
    }
    Ok(())
}

fn write_log(output: &mut Output, audited: &Audited) -> Result<()> {
    let Some(log) = &audited.log else {
        return Ok(());
    };
    if log.events == 0 {
        writeln!(output, "\nlog: it holds no event of this session.")?;
        return Ok(());
    }
    let events = count(log.events, "event", "events");
    let bad = style::LOST;
    if !log.differs() {
        writeln!(
            output,
            "\nlog: {events} of this session; they agree with the transcript."
        )?;
        return Ok(());
    }
    writeln!(
        output,
        "\nlog: {events} of this session; {bad}they differ{bad:#}."
    )?;
    for (what, paths) in differences(log) {
        for path in paths {
            writeln!(output, "   {what}: {}", name(audited, path))?;
        }
    }
    Ok(())
}

fn differences(log: &LogFinding) -> [(&'static str, &[String]); 2] {
    [
        ("received, without an event", &log.not_logged),
        ("an event, and not in the transcript", &log.only_logged),
    ]
}

/// The answer, and what it costs.
fn write_answer(output: &mut Output, audited: &Audited) -> Result<()> {
    if audited.receipt.evidence.is_none() {
        return Ok(());
    }
    let comparison = &audited.comparison;
    let texts = count(comparison.texts.len(), "text", "texts");
    let parts = summary(audited).join(", ");
    let (bad, good) = (style::LOST, style::GOOD);
    if comparison.texts.is_empty() && audited.receipt.evidence.start == Witness::None {
        return Ok(());
    }
    if comparison.texts.is_empty() {
        writeln!(output, "{good}no instruction text{good:#}")?;
        return Ok(());
    }
    if comparison.differs() {
        let has_difference = comparison
            .texts
            .iter()
            .any(|text| text.verdict.is_difference());
        let word = if has_difference {
            "differs"
        } else {
            "delivered twice"
        };
        writeln!(output, "{bad}{word}{bad:#}: of {texts} {parts}")?;
    } else if matches!(audited.basis, Basis::Nothing(_)) {
        writeln!(output, "{texts}")?;
    } else if comparison.count(Verdict::NoEvidence) > 0 {
        writeln!(output, "{good}no difference{good:#}: of {texts} {parts}")?;
    } else {
        writeln!(output, "{good}equal{good:#}: of {texts} {parts}")?;
    }
    let sums = audited.sums();
    let mut costs = vec![format!(
        "{} tokens received ({})",
        number(sums.received),
        audited.family
    )];
    for (tokens, what) in [
        (sums.stale, "of them in other words than predicted"),
        (sums.extra, "not predicted"),
        (sums.twice, "a second time"),
        (sums.missing, "predicted and not received"),
    ] {
        if tokens > 0 {
            costs.push(format!("{} {what}", number(tokens)));
        }
    }
    for line in wrapped(&costs.join(", "), output.columns) {
        writeln!(output, "{line}")?;
    }
    Ok(())
}

/// How many texts have each verdict, as phrases.
pub(super) fn summary(audited: &Audited) -> Vec<String> {
    let comparison = &audited.comparison;
    let verdicts = [
        Verdict::Equal,
        Verdict::OtherContent,
        Verdict::Missing,
        Verdict::Extra,
        Verdict::Withdrawn,
        Verdict::Loaded,
        Verdict::Received,
        Verdict::NoEvidence,
    ];
    let counts = verdicts
        .iter()
        .map(|verdict| (comparison.count(*verdict), verdict.name()));
    let twice = comparison
        .texts
        .iter()
        .filter(|text| !text.repeats.is_empty());
    let counts = counts.chain([(twice.count(), "twice")]);
    counts
        .filter(|(count, _)| *count > 0)
        .map(|(count, name)| format!("{} {name}", number(count)))
        .collect()
}

pub(super) fn colour(verdict: Verdict) -> Style {
    match verdict {
        Verdict::Equal => style::GOOD,
        Verdict::OtherContent | Verdict::Missing | Verdict::Extra => style::LOST,
        Verdict::Withdrawn | Verdict::Loaded | Verdict::Received | Verdict::NoEvidence => {
            style::PLAIN
        }
    }
}

/// A time as people read it, in UTC.
pub(super) fn time(millis: i64) -> String {
    let time = jiff::Timestamp::from_millisecond(millis).unwrap_or_default();
    time.strftime("%Y-%m-%d %H:%M UTC").to_string()
}

/// A path from the session's directory, from home, or whole.
fn name(audited: &Audited, path: &str) -> String {
    let Some(whole) = AbsPath::new(path) else {
        return path.to_owned();
    };
    let cwd = audited.receipt.cwd.as_deref().and_then(AbsPath::new);
    let below_home = || Some(format!("~/{}", whole.below(&audited.home)?));
    let below_cwd = cwd.as_ref().and_then(|cwd| whole.below(cwd));
    match below_cwd {
        Some(below) if !below.is_empty() => below.to_owned(),
        _ => below_home().unwrap_or_else(|| whole.to_string()),
    }
}

/// When a text was received.
fn when(audited: &Audited, received: &Received) -> String {
    let turn = received.turn;
    let when = match &received.moment {
        Moment::Start => "at the start".to_owned(),
        Moment::Again => format!("with all others again in turn {turn}"),
        Moment::Compaction => format!("after compaction {}", received.compactions),
        Moment::Reread { .. } => format!("as changed when the session went on in turn {turn}"),
        Moment::Prompt => format!("with the prompt of turn {turn}"),
        Moment::Call { tool, target } => {
            let target = target.as_deref().map(|target| name(audited, target));
            let target = target.map_or_else(String::new, |target| {
                let line = target.lines().next().unwrap_or_default();
                format!(" {line}")
            });
            format!("with {tool}{target} in turn {turn}")
        }
    };
    let form = match received.form {
        Form::File => ", as an attached file",
        Form::Instruction => "",
    };
    let abandoned = match received.abandoned {
        true => ", on a branch that was left",
        false => "",
    };
    format!("{when}{form}{abandoned}")
}

/// Why a text is predicted.
fn why(audited: &Audited, cause: &Cause) -> String {
    match cause {
        Cause::Startup { .. } => "at the start".to_owned(),
        Cause::Import(mention) => {
            let by = name(audited, mention.by.as_str());
            format!("as imported by {by}:{}", mention.line)
        }
        Cause::PathRule { pattern, read } => {
            let read = name(audited, read.as_str());
            format!("by its pattern {pattern} with the read of {read}")
        }
        Cause::Nested { read } => format!("with the read of {}", name(audited, read.as_str())),
    }
}
