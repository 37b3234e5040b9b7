//! `outcrop permissions`.

use anyhow::Result;
use outcrop_loader::host::DiskHost;
use outcrop_loader::permissions::{Decision, Outcome, call_of};

use crate::args::{Events, Global, Permissions};
use crate::commands::{DONE, FOUND};
use crate::render::{Output, permissions, permissions_json};
use crate::start::Place;

pub(crate) fn run(global: &Global, args: &Permissions, output: &mut Output) -> Result<u8> {
    let calls = args
        .calls
        .iter()
        .map(|text| Ok((text.as_str(), call_of(text)?)));
    let calls = calls.collect::<Result<Vec<_>>>()?;
    let place = Place::new(global)?;
    let host = DiskHost::new();
    output.stand_in(&place.base(&host));
    let events = Events::default();
    let session = place.session(&host, global, &args.client, &args.from, &events)?;
    output.diagnostics(session.diagnostics())?;
    let found = session.permissions();
    let decided: Vec<(&str, Decision)> = calls
        .iter()
        .map(|(text, call)| (*text, found.decide(call)))
        .collect();
    if global.json {
        permissions_json::write(output, &session, &found, &calls, &decided)?;
    } else if decided.is_empty() {
        permissions::write_rules(output, &session, &found)?;
    } else {
        permissions::write_decisions(output, &session, &found, &decided)?;
    }
    let runs = |(_, decision): &(&str, Decision)| decision.outcome == Outcome::Runs;
    Ok(if decided.iter().all(runs) {
        DONE
    } else {
        FOUND
    })
}
