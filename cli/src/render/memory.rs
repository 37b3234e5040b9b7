//! `memory` for people: figures, what is wrong, a proposal as a diff.

use std::io::Write as _;
use std::path::Path;

use anyhow::Result;
use outcrop_compactor::redact::redact;
use outcrop_loader::memory::{Audit, CHARACTERS, LINES, Proposal};
use outcrop_loader::session::Session;
use similar::TextDiff;

use super::names::{bytes, count, number};
use super::{Output, style};

/// A memory that was looked over.
pub(crate) struct Looked<'a> {
    pub(crate) session: &'a Session<'a>,
    pub(crate) audit: &'a Audit,
    pub(crate) proposal: Option<&'a Proposal>,
    /// Where the proposal was written.
    pub(crate) written: Option<&'a Path>,
}

/// How much of each list is shown without `--verbose`.
const SHOWN: usize = 10;

pub(crate) fn write(output: &mut Output, looked: &Looked<'_>) -> Result<()> {
    if let Some(proposal) = looked.proposal {
        return propose(output, looked, proposal);
    }
    let audit = looked.audit;
    output.title(
        &format!("Memory of {}", looked.session.cwd()),
        looked.session,
    )?;
    writeln!(output, "  index  {}", audit.index)?;
    if !audit.is_on {
        writeln!(output, "  memory is off, so that no session gets it")?;
    }
    if audit.has_index {
        writeln!(
            output,
            "  size   {} of {} lines, {} of {} characters ({})",
            number(audit.lines),
            number(LINES),
            number(audit.characters),
            number(CHARACTERS),
            bytes(audit.bytes as u64)
        )?;
    } else {
        writeln!(output, "  there is none")?;
    }
    writeln!(
        output,
        "  {}",
        count(audit.topics.len(), "topic file", "topic files")
    )?;
    if let Some(line) = audit.cut_at {
        let title = format!("Cut at line {line}: what follows reaches no session");
        let lost = audit.lost.iter();
        list(
            output,
            &title,
            lost.map(|entry| place("", entry.line, &entry.text)),
            audit.lost.len(),
        )?;
    }
    list(
        output,
        "Links that lead nowhere",
        audit
            .broken
            .iter()
            .map(|link| place("", link.line, &link.target)),
        audit.broken.len(),
    )?;
    list(
        output,
        "Topic files to which the index does not lead",
        audit.unlinked.iter().cloned(),
        audit.unlinked.len(),
    )?;
    list(
        output,
        "Notes that do not say why",
        audit
            .no_why
            .iter()
            .map(|note| place(&note.file, note.line, &note.text)),
        audit.no_why.len(),
    )?;
    list(
        output,
        "What stands there twice",
        audit.copies.iter().map(|copy| {
            let (file, line) = &copy.first;
            let text = format!("{} (as in {file}:{line})", copy.text);
            place(&copy.again.0, copy.again.1, &text)
        }),
        audit.copies.len(),
    )?;
    if audit.is_wrong() || !audit.no_why.is_empty() && audit.has_index {
        writeln!(
            output,
            "\n`outcrop memory --split` proposes a thinner index."
        )?;
    }
    Ok(())
}

fn place(file: &str, line: u32, text: &str) -> String {
    let text = redact(text).text;
    match file {
        "" => format!("{line:>5}  {text}"),
        file => format!("{file}:{line}  {text}"),
    }
}

fn list(
    output: &mut Output,
    title: &str,
    lines: impl Iterator<Item = String>,
    all: usize,
) -> Result<()> {
    if all == 0 {
        return Ok(());
    }
    let (bold, dim) = (style::HEADING, style::DIM);
    writeln!(output, "\n{bold}{title}{bold:#}  {dim}{all}{dim:#}")?;
    let shown = if output.verbose { all } else { SHOWN };
    for line in lines.take(shown) {
        writeln!(output, "  {line}")?;
    }
    if all > shown {
        writeln!(output, "  {dim}… {} more; -v shows all{dim:#}", all - shown)?;
    }
    Ok(())
}

/// The proposal as a unified diff, secrets hidden.
fn propose(output: &mut Output, looked: &Looked<'_>, proposal: &Proposal) -> Result<()> {
    if let Some(folder) = looked.written {
        writeln!(
            output,
            "Wrote MEMORY.md and {} to {}",
            count(proposal.topics.len(), "topic file", "topic files"),
            folder.display()
        )?;
        writeln!(output, "The memory itself is as it was.")?;
        return Ok(());
    }
    if proposal.topics.is_empty() {
        writeln!(output, "The index is thin already; nothing is proposed.")?;
        return Ok(());
    }
    let mut text = String::new();
    let old = &*looked.audit.source;
    for (name, before, after) in std::iter::once(("MEMORY.md", old, proposal.index.as_str())).chain(
        proposal
            .topics
            .iter()
            .map(|topic| (topic.name.as_str(), "", topic.text.as_str())),
    ) {
        let from = match before {
            "" => "/dev/null".to_owned(),
            _ => format!("a/{name}"),
        };
        let diff = TextDiff::from_lines(before, after);
        let to = format!("b/{name}");
        text.push_str(&diff.unified_diff().header(&from, &to).to_string());
    }
    output.raw(redact(&text).text.as_bytes())?;
    if !proposal.fits {
        writeln!(
            output,
            "\nThe new index would still be cut: it has too many headings."
        )?;
    }
    Ok(())
}
