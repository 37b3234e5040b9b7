//! `outcrop agents`.

use anyhow::Result;
use outcrop_loader::host::DiskHost;

use crate::args::{Agents, Events, Global};
use crate::commands::DONE;
use crate::render::{Output, agents_json, agents_table};
use crate::start::{Place, model_of, tally};

pub(crate) fn run(global: &Global, args: &Agents, output: &mut Output) -> Result<u8> {
    let place = Place::new(global)?;
    let host = DiskHost::new();
    output.stand_in(&place.base(&host));
    let events = Events::default();
    let session = place.session(&host, global, &args.client, &args.dir, &events)?;
    output.diagnostics(session.diagnostics())?;
    let model = model_of(global, &args.counting, &session, output)?;
    let agents = session.agents();
    let lines: Vec<Option<String>> = agents.agents.iter().map(|agent| agent.line()).collect();
    let counts = tally(global, model, lines.iter().flatten().map(String::as_str));
    let sizes = lines.iter();
    let sizes = sizes.map(|line| line.as_ref().map(|line| counts[line.as_str()]));
    let sizes: Vec<_> = sizes.collect();
    if global.json {
        agents_json::write(output, &session, &agents, (model.family, &sizes))?;
    } else {
        agents_table::write(output, &session, &agents, (model.family, &sizes))?;
    }
    Ok(DONE)
}
