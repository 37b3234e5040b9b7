//! `audit` as JSON (docs/json.md).

use anyhow::Result;
use outcrop_compactor::audit::Text;
use serde_json::{Map, Value, json};

use super::Output;
use crate::commands::audit::{Audited, Basis};

/// The schema of both forms.
const SCHEMA: &str = "outcrop/audit@1";

pub(crate) fn write(output: &mut Output, audited: &Audited) -> Result<()> {
    let mut value = head(audited);
    value["schema"] = json!(SCHEMA);
    let texts = audited.comparison.texts.iter();
    value["texts"] = texts.map(|one| text(audited, one)).collect();
    output.json(&value)
}

pub(crate) fn write_all(output: &mut Output, rows: &[Audited]) -> Result<()> {
    let sessions: Vec<Value> = rows.iter().map(head).collect();
    output.json(&json!({ "schema": SCHEMA, "sessions": sessions }))
}

/// What is told of a session as a whole.
fn head(audited: &Audited) -> Value {
    let receipt = &audited.receipt;
    let sums = audited.sums();
    let twice = audited
        .comparison
        .texts
        .iter()
        .filter(|text| !text.repeats.is_empty());
    json!({
        "session": audited.listed.id,
        "transcript": audited.listed.path.to_string_lossy(),
        "client": audited.client.version,
        "cwd": receipt.cwd,
        "started": receipt.started.map(rfc3339),
        "compactions": receipt.compactions,
        "verdict": verdict(audited),
        "evidence": receipt.evidence,
        "compared_with": compared_with(audited),
        "counts": counts(audited),
        "twice": twice.count(),
        "tokenizer": { "name": audited.family, "kind": audited.family.kind() },
        "tokens": {
            "received": sums.received,
            "stale": sums.stale,
            "extra": sums.extra,
            "twice": sums.twice,
            "missing": sums.missing,
        },
        "log": audited.log.as_ref().map(|log| json!({
            "events": log.events,
            "not_logged": log.not_logged,
            "only_logged": log.only_logged,
        })),
        "diagnostics": audited.diagnostics,
    })
}

fn verdict(audited: &Audited) -> &'static str {
    if audited.receipt.evidence.is_none() {
        "no-evidence"
    } else if audited.comparison.differs() {
        "differs"
    } else if matches!(audited.basis, Basis::Nothing(_)) {
        "not-compared"
    } else {
        "equal"
    }
}

fn counts(audited: &Audited) -> Value {
    let mut counts = Map::new();
    for text in &audited.comparison.texts {
        let name = text.verdict.name();
        let before = counts.get(name).and_then(Value::as_u64).unwrap_or(0);
        counts.insert(name.to_owned(), json!(before + 1));
    }
    Value::Object(counts)
}

fn compared_with(audited: &Audited) -> Value {
    match &audited.basis {
        Basis::Today => json!({ "kind": "today" }),
        Basis::Commit {
            commit,
            committed,
            branch,
        } => json!({
            "kind": "commit",
            "commit": commit,
            "committed": committed,
            "branch": branch,
            "session_branch": audited.receipt.branch,
            "was_clean": audited.receipt.was_clean,
        }),
        Basis::Nothing(why) => json!({ "kind": "nothing", "why": why }),
    }
}

fn rfc3339(millis: i64) -> String {
    jiff::Timestamp::from_millisecond(millis)
        .unwrap_or_default()
        .to_string()
}

fn text(audited: &Audited, text: &Text) -> Value {
    let received = text.received.iter().map(|at| {
        let one = &audited.receipt.texts[*at];
        json!({
            "line": audited.lines[*at],
            "turn": one.turn,
            "compactions": one.compactions,
            "moment": one.moment,
            "form": one.form,
            "abandoned": one.abandoned,
            "twice": text.repeats.contains(at),
            "request": one.request,
            "tokens": audited.received_tokens[*at].count,
            "text": one.text,
        })
    });
    let predicted = text.predicted.map(|at| {
        let one = &audited.predicted[at];
        json!({
            "cause": one.cause,
            "tokens": audited.predicted_tokens[at].count,
            "text": one.text,
        })
    });
    let gone = audited
        .receipt
        .withdrawn
        .iter()
        .filter(|gone| gone.path == text.path);
    let gone: Vec<usize> = gone.map(|gone| gone.turn).collect();
    json!({
        "path": text.path,
        "scope": text.scope,
        "verdict": text.verdict,
        "received": received.collect::<Vec<_>>(),
        "withdrawn_in_turns": gone,
        "predicted": predicted,
        "logged": text.logged,
    })
}
