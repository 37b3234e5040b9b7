//! `graph` as text and as JSON.

use std::io::Write;

use anyhow::Result;
use outcrop_loader::graph::{ImportGraph, Node};
use outcrop_loader::session::Session;
use serde_json::{Value, json};

use super::names::{count, short};
use super::show_tree::note;
use super::tokens::tokens;
use super::{Output, style};
use crate::start::Sizes;

/// Each file that refers to others, with its references.
pub(crate) fn write(
    output: &mut Output,
    session: &Session<'_>,
    graph: &ImportGraph,
    sizes: &Sizes,
) -> Result<()> {
    let (bold, dim, lost) = (style::HEADING, style::DIM, style::LOST);
    let mut files = 0;
    for node in graph.nodes() {
        let references = graph.references(&node.path);
        if references.is_empty() {
            continue;
        }
        if files > 0 {
            writeln!(output)?;
        }
        files += 1;
        let name = short(session, &node.path);
        let size = size_of(session, sizes, node);
        writeln!(output, "{bold}{name}{bold:#}{size}{}", cycle_of(node))?;
        for (edge, target) in references {
            let (colour, note) = note(edge, target);
            let name = short(session, &target.path);
            let size = match edge.left_out {
                None => size_of(session, sizes, target),
                Some(_) => String::new(),
            };
            writeln!(
                output,
                "   {colour}{name}{colour:#}{dim}{note}{dim:#}{size}{}",
                cycle_of(target)
            )?;
        }
    }
    let edges = graph.edges().count();
    if files == 0 {
        writeln!(output, "no file that is delivered imports another")?;
        return Ok(());
    }
    let (nodes, edges) = (
        count(graph.nodes().count(), "file", "files"),
        count(edges, "reference", "references"),
    );
    let cycles = match graph.cycles() {
        0 => "no cycle".to_owned(),
        n => format!("{lost}{}{lost:#}", count(n, "cycle", "cycles")),
    };
    writeln!(output, "\n{nodes}, {edges}, {cycles}")?;
    Ok(())
}

fn size_of(session: &Session<'_>, sizes: &Sizes, node: &Node) -> String {
    let dim = style::DIM;
    let size = sizes.of_file(session, &node.path);
    size.map_or_else(String::new, |size| {
        format!("  {dim}{} tokens{dim:#}", tokens(size))
    })
}

fn cycle_of(node: &Node) -> String {
    let lost = style::LOST;
    node.cycle
        .map_or_else(String::new, |n| format!("  {lost}(cycle {n}){lost:#}"))
}

pub(crate) fn write_json(
    output: &mut Output,
    session: &Session<'_>,
    graph: &ImportGraph,
    sizes: &Sizes,
) -> Result<()> {
    let edges: Vec<Value> = graph
        .edges()
        .map(|(from, edge, to)| {
            json!({
                "from": from.path,
                "to": to.path,
                "line": edge.mention.line,
                "column": edge.mention.column,
                "reference": edge.mention.reference,
                "left_out": edge.left_out,
            })
        })
        .collect();
    let node = |node: &Node| {
        let mut value = json!(node);
        value["tokens"] = json!(sizes.of_file(session, &node.path));
        value
    };
    let nodes: Vec<Value> = graph.nodes().map(node).collect();
    output.json(&json!({
        "schema": "outcrop/graph@1",
        "client": session.client().version,
        "cwd": session.cwd(),
        "tokenizer": sizes.model().family,
        "nodes": nodes,
        "edges": edges,
        "cycles": graph.cycles(),
        "diagnostics": session.diagnostics(),
    }))
}
