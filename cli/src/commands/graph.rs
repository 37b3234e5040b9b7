//! `outcrop graph`.

use anyhow::Result;
use outcrop_loader::graph::ImportGraph;
use outcrop_loader::host::DiskHost;

use crate::args::{Global, Graph, GraphFormat};
use crate::commands::DONE;
use crate::render::{Output, graph_chart, graph_text};
use crate::start::{Place, Sizes, model_of};

pub(crate) fn run(global: &Global, args: &Graph, output: &mut Output) -> Result<u8> {
    let place = Place::new(global)?;
    let host = DiskHost::new();
    output.stand_in(&place.base(&host));
    let mut session = place.session(&host, global, &args.client, &args.dir, &args.events)?;
    output.diagnostics(session.diagnostics())?;
    let model = model_of(global, &args.counting, &session, output)?;
    let sizes = Sizes::of_layers(global, model, &mut session);
    let graph = ImportGraph::of(&session);
    let format = if global.json {
        GraphFormat::Json
    } else {
        args.format
    };
    match format {
        GraphFormat::Text => graph_text::write(output, &session, &graph, &sizes)?,
        GraphFormat::Dot => graph_chart::write_dot(output, &session, &graph, &sizes)?,
        GraphFormat::Mermaid => graph_chart::write_mermaid(output, &session, &graph, &sizes)?,
        GraphFormat::Json => graph_text::write_json(output, &session, &graph, &sizes)?,
    }
    Ok(DONE)
}
