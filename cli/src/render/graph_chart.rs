//! `graph` for Graphviz and Mermaid.

use std::collections::HashMap;
use std::io::Write;

use anyhow::Result;
use outcrop_loader::graph::{Edge, Fate, ImportGraph, Node};
use outcrop_loader::path::AbsPath;
use outcrop_loader::session::Session;

use super::Output;
use super::names::short;
use super::tokens::tokens;
use crate::start::Sizes;

fn numbers(graph: &ImportGraph) -> HashMap<AbsPath, usize> {
    let numbered = graph.nodes().enumerate();
    numbered
        .map(|(number, node)| (node.path.clone(), number))
        .collect()
}

/// The tokens of a file, below its name.
fn size_of(session: &Session<'_>, sizes: &Sizes, node: &Node, line_end: &str) -> String {
    let size = sizes.of_file(session, &node.path);
    size.map_or_else(String::new, |size| {
        format!("{line_end}{} tokens", tokens(size))
    })
}

fn label(edge: &Edge) -> String {
    let line = format!("line {}", edge.mention.line);
    match edge.left_out {
        Some(reason) => format!("{line}: {}", reason.name()),
        None => line,
    }
}

pub(crate) fn write_dot(
    output: &mut Output,
    session: &Session<'_>,
    graph: &ImportGraph,
    sizes: &Sizes,
) -> Result<()> {
    let numbers = numbers(graph);
    writeln!(output, "digraph imports {{")?;
    writeln!(
        output,
        "  rankdir=LR;\n  node [shape=box, fontname=monospace];"
    )?;
    for node in graph.nodes() {
        let name = short(session, &node.path)
            .replace('\\', "\\\\")
            .replace('"', "\\\"");
        let size = size_of(session, sizes, node, "\\n");
        let look = match node.fate {
            Fate::Delivered => "solid",
            Fate::Waiting => "dotted",
            Fate::LeftOut => "dashed",
        };
        let cycle = if node.cycle.is_some() {
            ", color=red"
        } else {
            ""
        };
        writeln!(
            output,
            "  n{} [label=\"{name}{size}\", style={look}{cycle}];",
            numbers[&node.path]
        )?;
    }
    for (from, edge, to) in graph.edges() {
        let (a, b) = (numbers[&from.path], numbers[&to.path]);
        let look = if edge.left_out.is_some() {
            "dashed"
        } else {
            "solid"
        };
        let cycle = if in_one_cycle(from, to) {
            ", color=red"
        } else {
            ""
        };
        writeln!(
            output,
            "  n{a} -> n{b} [label=\"{}\", style={look}{cycle}];",
            label(edge)
        )?;
    }
    writeln!(output, "}}")?;
    Ok(())
}

pub(crate) fn write_mermaid(
    output: &mut Output,
    session: &Session<'_>,
    graph: &ImportGraph,
    sizes: &Sizes,
) -> Result<()> {
    let numbers = numbers(graph);
    writeln!(output, "flowchart LR")?;
    for node in graph.nodes() {
        let name = short(session, &node.path).replace('"', "#quot;");
        let name = name + &size_of(session, sizes, node, "<br>");
        let number = numbers[&node.path];
        match node.fate {
            Fate::Delivered => writeln!(output, "  n{number}[\"{name}\"]")?,
            Fate::Waiting => writeln!(output, "  n{number}([\"{name}\"])")?,
            Fate::LeftOut => writeln!(output, "  n{number}[\"{name}\"]:::out")?,
        }
    }
    for (from, edge, to) in graph.edges() {
        let (a, b) = (numbers[&from.path], numbers[&to.path]);
        let arrow = if edge.left_out.is_some() {
            "-.->"
        } else {
            "-->"
        };
        writeln!(output, "  n{a} {arrow}|{}| n{b}", label(edge))?;
    }
    let cyclic: Vec<String> = graph
        .nodes()
        .filter(|node| node.cycle.is_some())
        .map(|node| format!("n{}", numbers[&node.path]))
        .collect();
    writeln!(output, "  classDef out stroke-dasharray: 4 4")?;
    if !cyclic.is_empty() {
        writeln!(
            output,
            "  classDef cycle stroke:#c00\n  class {} cycle",
            cyclic.join(",")
        )?;
    }
    Ok(())
}

fn in_one_cycle(from: &Node, to: &Node) -> bool {
    from.cycle.is_some() && from.cycle == to.cycle
}
