//! Findings as JSON: `outcrop/lint@1` (docs/json.md).

use anyhow::Result;
use outcrop_loader::lint::finding::{Cost, Finding};
use outcrop_loader::lint::fix::{Applicability, Fix};
use outcrop_loader::lint::{Severity, Span};
use serde_json::{Value, json};

use crate::render::Output;
use crate::start::fixing::Fixed;
use crate::start::linting::Linted;

pub(crate) fn write(output: &mut Output, linted: &Linted, fixed: &Fixed) -> Result<()> {
    let changed = fixed.files.iter().flat_map(|(path, file)| {
        let fixes = file.fixes.iter();
        fixes.map(move |(rule, title)| json!({"path": path, "rule": rule, "title": title}))
    });
    let changed: Vec<Value> = changed.collect();
    let findings: Vec<Value> = linted.findings.iter().map(finding).collect();
    output.json(&json!({
        "schema": "outcrop/lint@1",
        "client": linted.client.version.to_string(),
        "files": linted.files,
        "errors": linted.count(Severity::Error),
        "warnings": linted.count(Severity::Warning),
        "infos": linted.count(Severity::Info),
        "known": linted.known.hidden,
        "gone": linted.known.gone,
        "fixed": changed,
        "findings": findings,
    }))
}

/// One finding.
pub(crate) fn finding(finding: &Finding) -> Value {
    let also = finding.also.iter().map(|(place, what)| {
        let mut value = span(place);
        value["what"] = json!(what);
        value
    });
    let cost = finding.cost.map(|cost| match cost {
        Cost::Start(tokens) => json!({"kind": "start", "tokens": tokens}),
        Cost::Read(tokens) => json!({"kind": "read", "tokens": tokens}),
        Cost::Lost(tokens) => json!({"kind": "lost", "tokens": tokens}),
    });
    let mut value = json!({
        "rule": finding.rule.id,
        "name": finding.rule.name,
        "severity": finding.severity,
        "message": finding.message,
        "also": also.collect::<Vec<_>>(),
        "chain": finding.chain,
        "cost": cost,
        "help": finding.help,
        "fix": finding.fix.as_ref().map(fix),
        "evidence": finding.evidence,
    });
    for (key, part) in span(&finding.span).as_object().into_iter().flatten() {
        value[key] = part.clone();
    }
    value
}

fn span(span: &Span) -> Value {
    json!({
        "path": span.path,
        "line": span.line,
        "column": span.column,
        "end_line": span.end_line,
        "end_column": span.end_column,
        "whole_file": span.is_file,
    })
}

fn fix(fix: &Fix) -> Value {
    let edits = fix.edits.iter().map(|edit| {
        json!({
            "path": edit.path,
            "start": edit.range.start,
            "end": edit.range.end,
            "text": edit.text,
        })
    });
    json!({
        "title": fix.title,
        "applicability": match fix.applicability {
            Applicability::Safe => "safe",
            Applicability::Unsafe => "unsafe",
        },
        "edits": edits.collect::<Vec<_>>(),
    })
}
