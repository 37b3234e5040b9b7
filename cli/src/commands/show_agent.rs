//! `outcrop show --agent`.

use anyhow::Result;
use outcrop_loader::session::Session;

use crate::args::{Global, Show};
use crate::commands::DONE;
use crate::render::{Output, show_agent, show_agent_json};
use crate::start::{Sizes, model_of, tally};

pub(super) fn run(
    global: &Global,
    show: &Show,
    name: &str,
    session: &mut Session<'_>,
    output: &mut Output,
) -> Result<u8> {
    let model = model_of(global, &show.counting, session, output)?;
    let subagent = session.subagent(name, None)?;
    let texts = subagent
        .parts
        .iter()
        .filter_map(|part| part.text.as_deref());
    let counts = tally(global, model, texts);
    let sizes = Sizes::of_layers(global, model, session);
    let shown = show_agent::Shown {
        session,
        subagent: &subagent,
        counts: &counts,
        layers: sizes.layers(0),
        model,
    };
    if global.json {
        show_agent_json::write(output, &shown)?;
    } else {
        show_agent::write(output, &shown)?;
    }
    Ok(DONE)
}
