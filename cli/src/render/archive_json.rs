//! `archive` as JSON (docs/json.md).

use anyhow::Result;
use outcrop_compactor::store::StoreError;
use outcrop_compactor::store::cold::{Became, Cold, Current, FileDone, Verified};
use serde_json::{Value, json};

use super::Output;
use super::archive::{Archived, Listed, Outlook, became};

fn document(action: &str, cold: &Cold, more: Value) -> Value {
    let mut document = json!({
        "schema": "outcrop/archive@1",
        "action": action,
        "archive": cold.root().to_string_lossy(),
    });
    if let (Some(document), Value::Object(more)) = (document.as_object_mut(), more) {
        document.extend(more);
    }
    document
}

pub(crate) fn archived(output: &mut Output, archived: &Archived<'_>) -> Result<()> {
    let sessions = archived.candidates.iter().zip(archived.done);
    let sessions = sessions.map(|(candidate, done)| {
        let name = &candidate.source.name;
        let left_out = candidate.source.left_out.iter();
        let left_out = left_out
            .map(|left| json!({"path": left.path.to_string_lossy(), "reason": left.reason}));
        let left_out: Vec<Value> = left_out.collect();
        match done {
            Err(error) => json!({
                "id": name.session, "project": name.project, "became": null,
                "error": error.to_string(), "left_out": left_out,
            }),
            Ok(done) => json!({
                "id": name.session,
                "project": name.project,
                "became": became(done),
                "generation": done.generation,
                "bytes": done.bytes,
                "added": done.added,
                "stored": done.stored,
                "files": done.files.iter().map(file).collect::<Vec<_>>(),
                "left_out": left_out,
                "set_aside": done.set_aside.as_ref().map(|(path, damage)| {
                    json!({"path": path.to_string_lossy(), "error": damage.to_string()})
                }),
                "error": null,
            }),
        }
    });
    let more = json!({"dry_run": archived.dry, "sessions": sessions.collect::<Vec<_>>()});
    output.json(&document("archive", archived.cold, more))
}

fn file(file: &FileDone) -> Value {
    let became = file.became.as_ref().ok().map(|became| match became {
        Became::New => "new",
        Became::Grown => "grown",
        Became::Changed => "changed",
        Became::Same => "same",
        Became::Gone => "gone",
    });
    let error = file.became.as_ref().err().map(StoreError::to_string);
    json!({"path": file.path, "became": became, "error": error})
}

pub(crate) fn outlook(output: &mut Output, outlook: &Outlook<'_>) -> Result<()> {
    let leaving = outlook.leaving.iter().map(|leaving| {
        json!({
            "id": leaving.candidate.source.name.session,
            "project": leaving.candidate.source.name.project,
            "deleted_in_days": leaving.left,
            "kept": kept(leaving.current),
        })
    });
    let more = json!({
        "retention": outlook.retention,
        "within_days": outlook.soon,
        "sessions": outlook.sessions,
        "kept": outlook.kept,
        "kept_in_part": outlook.behind,
        "leaving": leaving.collect::<Vec<_>>(),
    });
    output.json(&document("outlook", outlook.cold, more))
}

fn kept(current: Current) -> &'static str {
    match current {
        Current::Missing => "no",
        Current::Behind => "in-part",
        Current::Kept => "yes",
    }
}

pub(crate) fn listed(output: &mut Output, listed: &Listed<'_>) -> Result<()> {
    let sessions = listed.kept.iter().map(|(manifest, is_there)| {
        let files = manifest.at_generation(None).map(|recall| {
            json!({
                "path": recall.path,
                "bytes": recall.state.bytes,
                "digest": recall.state.digest,
                "modified": recall.state.modified,
            })
        });
        json!({
            "id": manifest.session,
            "project": manifest.project,
            "generation": manifest.generation,
            "archived": manifest.at,
            "modified": manifest.modified(),
            "bytes": manifest.bytes(),
            "files": files.collect::<Vec<_>>(),
            "client_has_it": is_there,
        })
    });
    let damaged = listed.damaged.iter().map(|(name, error)| {
        json!({"id": name.session, "project": name.project, "error": error.to_string()})
    });
    let more = json!({
        "sessions": sessions.collect::<Vec<_>>(),
        "damaged": damaged.collect::<Vec<_>>(),
    });
    output.json(&document("list", listed.cold, more))
}

pub(crate) fn verified(output: &mut Output, cold: &Cold, verified: &Verified) -> Result<()> {
    let problems = verified.problems.iter().map(|problem| {
        json!({
            "id": problem.name.session,
            "project": problem.name.project,
            "path": problem.path,
            "error": problem.error.to_string(),
        })
    });
    let more = json!({
        "sessions": verified.sessions,
        "files": verified.files,
        "chunks": verified.objects,
        "bytes": verified.bytes,
        "stored": verified.stored,
        "damaged": problems.collect::<Vec<_>>(),
        "unnamed": {"chunks": verified.unnamed.0, "stored": verified.unnamed.1},
    });
    output.json(&document("verify", cold, more))
}
