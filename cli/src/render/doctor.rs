//! `doctor` for people.

use std::io::Write as _;
use std::path::Path;

use anyhow::Result;
use outcrop_compactor::chain::Refusal;
use outcrop_compactor::doctor::{
    Action, ActionKind, Examination, Finding, Level, Options, Reach, Repair,
};
use outcrop_compactor::poison::Poison;
use outcrop_loader::client::Client;

use super::names::{count, number, padded, wrapped};
use super::{Output, poison, style};
use crate::start::transcripts::FileSource;

/// What was checked.
pub(crate) struct Checked<'a> {
    pub(crate) session: &'a str,
    pub(crate) client: &'a Client,
    pub(crate) examination: &'a Examination,
    pub(crate) repair: &'a Repair<&'a FileSource>,
    pub(crate) poison: &'a Poison,
    pub(crate) options: Options,
    pub(crate) written: Option<Written<'a>>,
}

/// A new file that was written.
pub(crate) struct Written<'a> {
    pub(crate) path: &'a Path,
    pub(crate) bytes: u64,
    /// What was appended to the source meanwhile, in bytes.
    pub(crate) appended: u64,
}

impl Written<'_> {
    /// The session's id in the new file: the client goes by its name.
    pub(crate) fn session(&self) -> &str {
        let stem = self.path.file_stem().and_then(|stem| stem.to_str());
        stem.unwrap_or_default()
    }
}

/// Findings of one kind and actions are shown up to so many, unless all are asked for.
const SHOWN: usize = 6;
const ACTIONS: usize = 20;

pub(crate) fn write(output: &mut Output, checked: &Checked<'_>) -> Result<()> {
    let examination = checked.examination;
    let (bold, dim) = (style::HEADING, style::DIM);
    let version = checked.client.version;
    writeln!(
        output,
        "{bold}{}{bold:#}  {dim}client {version}{dim:#}",
        headline(examination)
    )?;
    if let Some((leaf, reason)) = &examination.leaf {
        let branches = match examination.branches.len() {
            0 => String::new(),
            branches => format!("; {} beside it", count(branches, "branch", "branches")),
        };
        let text = format!(
            "It goes on behind line {}: {}{branches}.",
            number(leaf.line as usize),
            reason.phrase()
        );
        for line in wrapped(&text, output.columns) {
            writeln!(output, "{line}")?;
        }
    }
    for level in [Level::Error, Level::Warning, Level::Notice] {
        findings(output, examination, level)?;
    }
    poison::write(output, checked.session, checked.poison)?;
    if !examination.findings.is_empty() || !checked.repair.actions.is_empty() {
        if examination.reach.records > 0 {
            reach(output, checked)?;
        }
        plan(output, checked)?;
    }
    if let Some(written) = &checked.written {
        let bytes = number(written.bytes);
        writeln!(output, "\nWrote {} ({bytes} bytes)", written.path.display())?;
        match written.session() {
            kept if kept == checked.session => writeln!(output, "The session keeps its id.")?,
            new => writeln!(output, "The session's id is new: {new}")?,
        }
        if written.appended > 0 {
            let appended = number(written.appended);
            writeln!(
                output,
                "Not in it: {appended} bytes that were appended meanwhile."
            )?;
        }
    }
    Ok(())
}

/// The answer.
pub(crate) fn headline(examination: &Examination) -> String {
    let reach = &examination.reach;
    if let Some(refusal) = examination.refused {
        let why = match refusal {
            Refusal::NoConversation => "the client finds no conversation in it".to_owned(),
            Refusal::BrokenRecord(_) => "the client ends with an error".to_owned(),
            Refusal::BrokenLine(line) => format!("the client ends with an error at line {line}"),
        };
        return format!("Not resumed: {why}");
    }
    if reach.lost > 0 {
        let (lost, all) = (number(reach.lost), number(reach.records));
        return format!("Resumes, but {lost} of {all} records are out of reach");
    }
    let errors = errors(examination);
    match (reach.gaps, errors) {
        (0, 0) => "Resumes whole".to_owned(),
        (0, errors) => format!("Resumes, with {}", count(errors, "error", "errors")),
        (gaps, 0) => format!(
            "Resumes whole, over {} that the client bridges by time",
            count(gaps, "gap", "gaps")
        ),
        (gaps, errors) => format!(
            "Resumes over {}, with {}",
            count(gaps, "gap", "gaps"),
            count(errors, "error", "errors")
        ),
    }
}

fn errors(examination: &Examination) -> usize {
    let findings = examination.findings.iter();
    findings
        .filter(|finding| finding.level == Level::Error)
        .count()
}

/// The findings of one level, kind by kind.
fn findings(output: &mut Output, examination: &Examination, level: Level) -> Result<()> {
    let of_level = |finding: &&Finding| finding.level == level;
    let mut found: Vec<&Finding> = examination.findings.iter().filter(of_level).collect();
    if found.is_empty() {
        return Ok(());
    }
    found.sort_by_key(|finding| finding.about);
    let (heading, colour) = match level {
        Level::Error => ("Errors", style::LOST),
        Level::Warning => ("Warnings", style::WARNING),
        Level::Notice => ("Notices", style::NOTE),
    };
    let dim = style::DIM;
    writeln!(output, "\n{colour}{heading}{colour:#}")?;
    for group in found.chunk_by(|one, other| one.about == other.about) {
        let Some(first) = group.first() else {
            continue;
        };
        let about = first.about;
        let bold = style::HEADING;
        let width = output.columns.saturating_sub(about.name().len() + 4);
        let mut what = wrapped(about.what(), width.max(24)).into_iter();
        let line = what.next().unwrap_or_default();
        writeln!(output, "  {bold}{}{bold:#}  {line}", about.name())?;
        for line in what {
            writeln!(
                output,
                "{:>indent$}{line}",
                "",
                indent = about.name().len() + 4
            )?;
        }
        for line in wrapped(about.client(), output.columns - 4) {
            writeln!(output, "    {dim}{line}{dim:#}")?;
        }
        let shown = if output.verbose { group.len() } else { SHOWN };
        for finding in group.iter().take(shown) {
            let evidence = evidence(finding);
            let mut lines = wrapped(&evidence, output.columns - 6).into_iter();
            writeln!(output, "    {}", lines.next().unwrap_or_default())?;
            for line in lines {
                writeln!(output, "      {line}")?;
            }
        }
        if group.len() > shown {
            let more = number(group.len() - shown);
            writeln!(
                output,
                "    {dim}… and {more} more (--verbose shows them){dim:#}"
            )?;
        }
    }
    Ok(())
}

/// Where a finding is, in one line.
fn evidence(finding: &Finding) -> String {
    let mut text = format!(
        "line {}, byte {}",
        number(finding.line as usize),
        number(finding.offset)
    );
    let mut add = |part: String| {
        text.push_str(", ");
        text.push_str(&part);
    };
    if let Some(record) = &finding.record {
        add(record.clone());
    }
    if let Some(block) = finding.block {
        add(format!("block {block}"));
    }
    if let Some(id) = &finding.id {
        add(format!("call {id}"));
    }
    if let Some(parent) = &finding.parent {
        add(format!("parent {parent}"));
    }
    if let Some(bytes) = finding.bytes {
        let bytes = number(bytes);
        add(format!("{bytes} bytes"));
    }
    if let Some(records) = finding.count {
        add(count(records, "record", "records"));
    }
    if let Some(detail) = &finding.detail {
        text.push_str("; ");
        text.push_str(detail);
    }
    text
}

fn reach(output: &mut Output, checked: &Checked<'_>) -> Result<()> {
    let bold = style::HEADING;
    writeln!(
        output,
        "\n{bold}{:<10}{:>10}{:>10}{:>10}{:>14}{bold:#}",
        "Reach", "records", "resumed", "safe", "out of reach"
    )?;
    let mut row = |name: &str, reach: &Reach| {
        writeln!(
            output,
            "  {:<8}{:>10}{:>10}{:>10}{:>14}",
            name,
            number(reach.records),
            number(reach.reached),
            number(reach.strict),
            number(reach.lost)
        )
    };
    row("now", &checked.examination.reach)?;
    if !checked.repair.is_unchanged() {
        row("repaired", &checked.repair.after.reach)?;
    }
    Ok(())
}

fn plan(output: &mut Output, checked: &Checked<'_>) -> Result<()> {
    let (bold, dim) = (style::HEADING, style::DIM);
    let actions = &checked.repair.actions;
    if actions.is_empty() {
        writeln!(output, "\nA repair would change nothing.")?;
    } else {
        let title = match checked.written {
            Some(_) => "Repaired",
            None => "A repair into a new file would (--repair OUT)",
        };
        writeln!(output, "\n{bold}{title}{bold:#}")?;
    }
    let shown = if output.verbose {
        actions.len()
    } else {
        ACTIONS
    };
    let width = actions
        .iter()
        .take(shown)
        .map(|action| number(action.line as usize).len())
        .max()
        .unwrap_or_default();
    for action in actions.iter().take(shown) {
        let line = padded(&number(action.line as usize), width);
        let indent = width + 9;
        let mut lines = wrapped(&told(action), output.columns - indent).into_iter();
        writeln!(
            output,
            "  line {line}  {}",
            lines.next().unwrap_or_default()
        )?;
        for line in lines {
            writeln!(output, "{:indent$}{line}", "")?;
        }
    }
    if actions.len() > shown {
        let more = number(actions.len() - shown);
        writeln!(
            output,
            "  {dim}… and {more} more (--verbose shows them){dim:#}"
        )?;
    }
    let left = checked.repair.after.findings.iter();
    let can_relink =
        |finding: &&Finding| finding.is_mended_by_relinking() && !checked.options.relink;
    let links = left.clone().filter(can_relink).count();
    if links > 0 {
        let links = count(links, "missing link", "missing links");
        writeln!(output, "  --relink would mend {links}.")?;
    }
    let stays = left.filter(|finding| finding.level > Level::Notice && !can_relink(finding));
    let stays = stays.count();
    if stays > 0 && !actions.is_empty() {
        let findings = count(stays, "error or warning", "errors and warnings");
        writeln!(output, "  {findings} would stay: nothing can mend that.")?;
    }
    Ok(())
}

/// What an action does.
fn told(action: &Action) -> String {
    let record = action.record.as_deref().unwrap_or("the record");
    let text = match &action.kind {
        ActionKind::DropLine => "drop the line".to_owned(),
        ActionKind::RewriteLine { records, dropped } => {
            let mut text = match records {
                1 => "rewrite the line".to_owned(),
                records => format!("split the line into {records} records"),
            };
            if *dropped > 0 {
                let dropped = count(*dropped, "record", "records");
                text.push_str(&format!(", without {dropped} that would lead elsewhere"));
            }
            text
        }
        ActionKind::DropReturns => "end all lines in LF".to_owned(),
        ActionKind::DropRecord => format!("drop {record}"),
        ActionKind::DropCopy => format!("drop this copy of {record}"),
        ActionKind::DropBlock { block } => format!("drop block {block} of {record}"),
        ActionKind::ReplaceBlock { block, by } => {
            format!("put “{by}” for block {block} of {record}")
        }
        ActionKind::SetInBlock { block, key } => {
            format!("rewrite {key} of block {block} of {record}")
        }
        ActionKind::Set { key } => format!("set {key} of {record}"),
        ActionKind::Relink { to: Some(to) } => format!("link {record} to {to}"),
        ActionKind::Relink { to: None } => format!("make {record} the start"),
    };
    match action.about {
        Some(about) => format!("{text} ({})", about.name()),
        None => text,
    }
}
