//! `show --tree`: layers under the layers that import them.

use std::io::Write;

use anyhow::Result;
use outcrop_loader::graph::{Edge, Fate, ImportGraph, Node};
use outcrop_loader::path::AbsPath;
use outcrop_loader::record::{Cause, Layer, Reason, Trigger};
use outcrop_loader::session::Session;
use outcrop_loader::tokens::Tokens;

use super::names::short;
use super::show_table::why;
use super::tokens::tokens;
use super::{Output, style};
use crate::start::Sizes;

pub(crate) fn write(output: &mut Output, session: &Session<'_>, sizes: &Sizes) -> Result<()> {
    let graph = ImportGraph::of(session);
    let bold = style::HEADING;
    let all: Vec<&Layer> = session
        .deliveries()
        .iter()
        .flat_map(|delivery| &delivery.layers)
        .collect();
    for (index, delivery) in session.deliveries().iter().enumerate() {
        let sizes = sizes.layers(index);
        let title = match &delivery.trigger {
            Trigger::Startup => format!("start in {}", output.place(session.cwd())),
            Trigger::Read { path } => format!("read {}", short(session, path)),
            Trigger::Tool { tool, .. } => format!("call {tool}"),
            Trigger::Prompt { .. } => "prompt".to_owned(),
        };
        writeln!(output, "{bold}{title}{bold:#}")?;
        let is_root = |layer: &&Layer| match &layer.cause {
            // A waiting rule imports at once, so its imports have no layer above them.
            Cause::Import(mention) => !all.iter().any(|other| other.path == mention.by),
            _ => true,
        };
        let layers = delivery.layers.iter().zip(sizes);
        let roots: Vec<(&Layer, &Tokens)> = layers.filter(|(layer, _)| is_root(layer)).collect();
        for (index, (layer, size)) in roots.iter().enumerate() {
            let last = index + 1 == roots.len();
            let (branch, stem) = if last {
                ("└─ ", "   ")
            } else {
                ("├─ ", "│  ")
            };
            let dim = style::DIM;
            let name = layer
                .title
                .map_or_else(|| short(session, &layer.path), str::to_owned);
            let scope = style::of_scope(layer.scope);
            writeln!(
                output,
                "{branch}{scope}{name}{scope:#} {dim}{} tokens, {}{dim:#}",
                tokens(**size),
                why(session, layer, &all)
            )?;
            let mut above = vec![layer.path.clone()];
            write_below(output, session, &graph, &mut above, stem)?;
        }
    }
    Ok(())
}

/// The references of the innermost file of `above`, which is the way down to it.
fn write_below(
    output: &mut Output,
    session: &Session<'_>,
    graph: &ImportGraph,
    above: &mut Vec<AbsPath>,
    indent: &str,
) -> Result<()> {
    let Some(path) = above.last() else {
        return Ok(());
    };
    let references = graph.references(path);
    for (index, (edge, node)) in references.iter().enumerate() {
        let last = index + 1 == references.len();
        let (branch, stem) = if last {
            ("└─ ", "   ")
        } else {
            ("├─ ", "│  ")
        };
        let name = short(session, &node.path);
        let (colour, note) = note(edge, node);
        writeln!(output, "{indent}{branch}{colour}{name}{colour:#}{note}")?;
        if edge.left_out.is_none() && !above.contains(&node.path) {
            above.push(node.path.clone());
            write_below(output, session, graph, above, &format!("{indent}{stem}"))?;
            above.pop();
        }
    }
    Ok(())
}

/// How a reference is shown: its colour, and what became of it.
pub(crate) fn note(edge: &Edge, node: &Node) -> (anstyle::Style, String) {
    let line = edge.mention.line;
    match edge.left_out {
        None => (style::of_scope(node.scope), format!("  line {line}")),
        Some(reason @ (Reason::Cycle | Reason::Duplicate)) => {
            (style::DIM, format!("  line {line}, {}", reason.name()))
        }
        Some(reason) if node.fate == Fate::Delivered => {
            (style::DIM, format!("  line {line}, {}", reason.name()))
        }
        Some(reason) => (style::LOST, format!("  line {line}, {}", reason.name())),
    }
}
