//! `why`: the answer, then each decision with its place.

use std::io::Write;

use anyhow::Result;
use outcrop_loader::record::Evidence;
use outcrop_loader::session::{Explanation, Session, Verdict};
use outcrop_loader::tokens::{Family, Tokens};
use serde_json::json;

use super::names::{short, shortened, wrapped};
use super::tokens::tokens;
use super::{Output, style};

pub(crate) fn write_text(
    output: &mut Output,
    session: &Session<'_>,
    answer: &Explanation,
    (family, size): (Family, Option<Tokens>),
) -> Result<()> {
    let (bold, dim) = (style::HEADING, style::DIM);
    let (colour, verdict) = match answer.verdict {
        Verdict::Delivered => (style::GOOD, "is in the context from the start"),
        Verdict::DeliveredOnRead => (style::GOOD, "enters the context with a read"),
        Verdict::Listed => (style::GOOD, "is announced from the start"),
        Verdict::ListedOnRead => (style::GOOD, "is announced with a read"),
        Verdict::Waiting => (style::WARNING, "is not in the context yet"),
        Verdict::LeftOut => (style::LOST, "is not in the context"),
        Verdict::NotConsidered => (style::LOST, "is not in the context, and no candidate"),
    };
    let name = short(session, &answer.path);
    writeln!(output, "{bold}{name}{bold:#} {colour}{verdict}{colour:#}")?;
    let place = output.place(session.cwd());
    writeln!(
        output,
        "{dim}session in {}, client {}{dim:#}\n",
        place,
        session.client().version
    )?;
    let width = output.columns.saturating_sub(6);
    for (index, finding) in answer.findings.iter().enumerate() {
        for (line, text) in wrapped(&shortened(session, &finding.text), width)
            .iter()
            .enumerate()
        {
            if line == 0 {
                writeln!(output, "{:>3}. {text}", index + 1)?;
            } else {
                writeln!(output, "     {text}")?;
            }
        }
        if let Some(path) = &finding.path {
            let line = finding
                .line
                .map_or_else(String::new, |line| format!(":{line}"));
            writeln!(output, "     {dim}at {}{line}{dim:#}", short(session, path))?;
        }
    }
    if let Some(size) = size {
        writeln!(
            output,
            "\n{dim}It costs {} tokens ({family}).{dim:#}",
            tokens(size)
        )?;
    }
    if let Some(remedy) = &answer.remedy {
        let note = style::NOTE;
        for (line, text) in wrapped(remedy, width).iter().enumerate() {
            if line == 0 {
                writeln!(output, "\n{note}what helps:{note:#} {text}")?;
            } else {
                writeln!(output, "            {text}")?;
            }
        }
    }
    let known = match answer.evidence {
        Evidence::Observed => return Ok(()),
        Evidence::Documented => "documented, not observed",
        Evidence::Assumed => "assumed, not observed",
    };
    writeln!(output, "\n{dim}This answer is {known}.{dim:#}")?;
    Ok(())
}

pub(crate) fn write_json(
    output: &mut Output,
    session: &Session<'_>,
    answer: &Explanation,
    (family, size): (Family, Option<Tokens>),
) -> Result<()> {
    output.json(&json!({
        "schema": "outcrop/why@1",
        "client": session.client().version,
        "cwd": session.cwd(),
        "path": answer.path,
        "verdict": answer.verdict,
        "evidence": answer.evidence,
        "findings": answer.findings,
        "tokenizer": family,
        "tokens": size,
        "remedy": answer.remedy,
        "diagnostics": session.diagnostics(),
    }))
}
