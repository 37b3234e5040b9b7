//! What speaks against carrying a session on, as text and JSON; `doctor` and `carry` show it.

use std::io::Write as _;

use anyhow::Result;
use outcrop_compactor::poison::{Finding, Poison, Severity};
use serde_json::{Value, json};

use super::names::{number, wrapped};
use super::{Output, style};

/// Findings of one rule are shown up to so many, unless all are asked for.
const SHOWN: usize = 6;

/// The findings, rule by rule, and what helps. Nothing where nothing was found.
pub(crate) fn write(output: &mut Output, session: &str, poison: &Poison) -> Result<()> {
    if poison.findings.is_empty() {
        return Ok(());
    }
    let (bold, dim) = (style::HEADING, style::DIM);
    writeln!(output, "\n{bold}Against carrying it on{bold:#}")?;
    let mut findings: Vec<&Finding> = poison.findings.iter().collect();
    findings.sort_by_key(|finding| finding.rule);
    for group in findings.chunk_by(|one, other| one.rule == other.rule) {
        let Some(first) = group.first() else {
            continue;
        };
        let rule = first.rule;
        writeln!(output, "  {bold}{}{bold:#}  {}", rule.name(), rule.what())?;
        let shown = if output.verbose { group.len() } else { SHOWN };
        for finding in group.iter().take(shown) {
            evidence(output, finding)?;
        }
        if group.len() > shown {
            let more = number(group.len() - shown);
            writeln!(
                output,
                "    {dim}… and {more} more (--verbose shows them){dim:#}"
            )?;
        }
    }
    for line in wrapped(&verdict(poison), output.columns - 2) {
        writeln!(output, "  {line}")?;
    }
    if let Some(remedy) = remedy(session, poison) {
        writeln!(output, "  What helps: {remedy}")?;
    }
    Ok(())
}

fn evidence(output: &mut Output, finding: &Finding) -> Result<()> {
    let (colour, dim) = (
        match finding.severity {
            Severity::Error => style::LOST,
            Severity::Warning => style::WARNING,
            Severity::Notice => style::NOTE,
        },
        style::DIM,
    );
    let mut text = format!("line {}", number(finding.line as usize));
    if let Some(turn) = finding.turn {
        text.push_str(&format!(", turn {}", number(turn)));
    }
    if let Some(record) = &finding.record {
        text.push_str(", ");
        text.push_str(record);
    }
    text.push_str("; ");
    text.push_str(&finding.reason);
    let severity = finding.severity.name();
    let width = output.columns.saturating_sub(severity.len() + 6);
    let mut lines = wrapped(&text, width.max(24)).into_iter();
    let line = lines.next().unwrap_or_default();
    writeln!(output, "    {colour}{severity}{colour:#}  {line}")?;
    for line in lines {
        writeln!(output, "      {line}")?;
    }
    if let Some(excerpt) = &finding.excerpt {
        for line in wrapped(&format!("“{excerpt}”"), output.columns - 6) {
            writeln!(output, "      {dim}{line}{dim:#}")?;
        }
    }
    Ok(())
}

/// Up to where the session is sound, in a sentence.
fn verdict(poison: &Poison) -> String {
    match (poison.is_blocking(), &poison.last_safe) {
        (false, _) => "Nothing of it keeps a carry-over from being made.".to_owned(),
        (true, Some(safe)) => format!(
            "The session is sound up to line {}, the end of turn {}.",
            number(safe.line as usize),
            number(safe.turn)
        ),
        (true, None) => "No complete turn stands before it.".to_owned(),
    }
}

/// The command that leaves it behind, where the session must not be carried on as it is.
pub(crate) fn remedy(session: &str, poison: &Poison) -> Option<String> {
    match &poison.last_safe {
        _ if !poison.is_blocking() && poison.severity() == Some(Severity::Error) => {
            Some(format!("outcrop carry {session}"))
        }
        _ if !poison.is_blocking() => None,
        Some(safe) => Some(format!("outcrop carry {session} --until {}", safe.uuid)),
        None => Some("outcrop boot --forge".to_owned()),
    }
}

/// The same as JSON (docs/json.md).
pub(crate) fn json(session: &str, poison: &Poison) -> Value {
    let findings = poison.findings.iter().map(|finding| {
        let mut value = json!(finding);
        value["what"] = json!(finding.rule.what());
        value["evidence"] = json!(finding.rule.evidence());
        value
    });
    json!({
        "blocking": poison.is_blocking(),
        "severity": poison.severity(),
        "findings": findings.collect::<Vec<_>>(),
        "last_safe": poison.last_safe,
        "remedy": remedy(session, poison),
    })
}
