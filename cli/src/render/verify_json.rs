//! `verify --json`: the contract `outcrop/verify@1` (docs/json.md).

use anyhow::Result;
use outcrop_loader::record::Diagnostic;
use outcrop_loader::session::Session;
use outcrop_verify::Plan;
use outcrop_verify::compare::{Item, Moment, Side};
use serde_json::{Value, json};

use super::Output;
use super::verify_text::View;

pub(crate) fn write(output: &mut Output, view: &View<'_>, notes: &[Diagnostic]) -> Result<()> {
    let moments = view.comparison.moments.iter();
    let moments: Vec<Value> = moments.map(|moment| of_moment(view, moment)).collect();
    output.json(&json!({
        "schema": "outcrop/verify@1",
        "client": view.session.client().version,
        "program": view.plan.launch.program,
        "cwd": view.session.cwd(),
        "isolation": view.plan.isolation,
        "equal": view.comparison.is_equal(),
        "deliveries": moments,
        "diagnostics": notes,
    }))
}

fn of_moment(view: &View<'_>, moment: &Moment) -> Value {
    let layers: Vec<Value> = moment
        .items
        .iter()
        .map(|item| of_item(view, item))
        .collect();
    json!({
        "trigger": moment.trigger,
        "equal": moment.is_equal(),
        "layers": layers,
    })
}

fn of_item(view: &View<'_>, item: &Item) -> Value {
    let side = |side: &Side| {
        json!({
            "place": side.place,
            "scope": side.scope,
            "cut": side.cut,
            "text": side.text,
        })
    };
    json!({
        "path": view.plan.real_path(&item.path, view.home),
        "status": item.statuses,
        "predicted": item.predicted.as_ref().map(side),
        "sent": item.sent.as_ref().map(side),
    })
}

pub(crate) fn write_plan(output: &mut Output, session: &Session<'_>, plan: &Plan) -> Result<()> {
    let launch = &plan.launch;
    let url = "http://127.0.0.1:PORT";
    output.json(&json!({
        "schema": "outcrop/verify-plan@1",
        "cwd": session.cwd(),
        "command": launch.command_line(url),
        "environment": launch.variables(url),
        "isolation": plan.isolation,
        "discarded": launch.view.discard,
        "hidden": launch.view.hide,
        "managed": launch.view.managed.as_ref().map(|(folder, _)| folder),
        "notes": plan.notes,
    }))
}
