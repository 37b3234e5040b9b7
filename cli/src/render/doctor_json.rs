//! `doctor` as JSON (docs/json.md).

use anyhow::Result;
use serde_json::{Value, json};

use super::doctor::{Checked, headline};
use super::{Output, poison};
use outcrop_compactor::doctor::Finding;

pub(crate) fn write(output: &mut Output, checked: &Checked<'_>) -> Result<()> {
    let examination = checked.examination;
    let repair = checked.repair;
    let leaf = examination.leaf.as_ref().map(|(mark, reason)| {
        json!({"record": mark.record, "line": mark.line, "reason": reason.phrase()})
    });
    let written = checked.written.as_ref().map(|written| {
        json!({
            "path": written.path.display().to_string(),
            "session": written.session(),
            "bytes": written.bytes,
            "appended": written.appended,
        })
    });
    let left = repair.after.findings.iter().map(finding);
    let findings = examination.findings.iter().map(|found| {
        let mut value = finding(found);
        value["mended"] = json!(repair.mends(found));
        value
    });
    output.json(&json!({
        "schema": "outcrop/doctor@1",
        "session": checked.session,
        "client": checked.client.version,
        "answer": headline(examination),
        "resumes": examination.refused.is_none(),
        "level": examination.level(),
        "records": examination.records,
        "largest": examination.largest,
        "leaf": leaf,
        "boundary": examination.boundary,
        "branches": examination.branches,
        "reach": {"now": examination.reach, "repaired": repair.after.reach},
        "findings": findings.collect::<Vec<_>>(),
        "poison": poison::json(checked.session, checked.poison),
        "repair": {
            "relink": checked.options.relink,
            "strip_thinking": checked.options.strip_thinking,
            "actions": repair.actions,
            "left": left.collect::<Vec<_>>(),
            "written": written,
        },
    }))
}

fn finding(finding: &Finding) -> Value {
    let mut value = json!(finding);
    value["what"] = json!(finding.about.what());
    value["client"] = json!(finding.about.client());
    value
}
