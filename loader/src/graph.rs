//! Imports as a graph: a view of what the session decided.
//!
//! The order of visits and the depth limit are the client's and were applied when the session
//! loaded; the graph only shows who names whom, and which files form a cycle.

use petgraph::algo::tarjan_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::EdgeRef;
use rustc_hash::FxHashMap;
use serde::Serialize;

use crate::path::AbsPath;
use crate::record::{Cause, Mention, Reason, Scope};
use crate::session::Session;

/// What became of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fate {
    /// Delivered.
    Delivered,
    /// Waits for a read; what it imports does not.
    Waiting,
    /// Left out.
    LeftOut,
}

/// A file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Node {
    /// Its path.
    pub path: AbsPath,
    /// Its scope.
    pub scope: Scope,
    /// What became of it.
    pub fate: Fate,
    /// The number of the cycle that it is part of, from 1.
    pub cycle: Option<usize>,
    /// Whether it was found by itself and not only named.
    pub root: bool,
}

/// A reference from one file to another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Edge {
    /// Where it stands.
    #[serde(flatten)]
    pub mention: Mention,
    /// Why it brought nothing; `None` when it delivered its target.
    pub left_out: Option<Reason>,
}

/// The imports of a session.
#[derive(Clone, Debug, Default)]
pub struct ImportGraph {
    graph: DiGraph<Node, Edge>,
    places: FxHashMap<AbsPath, NodeIndex>,
    cycles: usize,
}

impl ImportGraph {
    /// The graph of everything that a session considered so far.
    #[must_use]
    pub fn of(session: &Session<'_>) -> Self {
        let mut this = Self::default();
        for waiting in session.conditional_rules() {
            let node = this.node(&waiting.0, waiting.1, Fate::Waiting);
            this.graph[node].root = true;
        }
        for delivery in session.deliveries() {
            for layer in delivery.layers.iter().filter(|layer| layer.title.is_none()) {
                let node = this.node(&layer.path, layer.scope, Fate::Delivered);
                match &layer.cause {
                    Cause::Import(mention) => this.edge(mention, node, None),
                    _ => this.graph[node].root = true,
                }
            }
            for skip in &delivery.skipped {
                let node = this.node(&skip.path, skip.scope, Fate::LeftOut);
                match &skip.mention {
                    Some(mention) => this.edge(mention, node, Some(skip.reason)),
                    None => this.graph[node].root = true,
                }
            }
        }
        this.mark_cycles();
        this
    }

    fn node(&mut self, path: &AbsPath, scope: Scope, fate: Fate) -> NodeIndex {
        if let Some(place) = self.places.get(path) {
            let node = &mut self.graph[*place];
            if fate == Fate::Delivered || node.fate == Fate::LeftOut {
                node.fate = fate;
                node.scope = scope;
            }
            return *place;
        }
        let place = self.graph.add_node(Node {
            path: path.clone(),
            scope,
            fate,
            cycle: None,
            root: false,
        });
        self.places.insert(path.clone(), place);
        place
    }

    fn edge(&mut self, mention: &Mention, to: NodeIndex, left_out: Option<Reason>) {
        let scope = self.graph[to].scope;
        let from = self.node(&mention.by, scope, Fate::LeftOut);
        let edge = Edge {
            mention: mention.clone(),
            left_out,
        };
        // A file that a second read meets again says nothing new.
        let known = self
            .graph
            .edges_connecting(from, to)
            .any(|known| known.weight().mention == edge.mention);
        if !known {
            self.graph.add_edge(from, to, edge);
        }
    }

    /// Numbers the strongly connected components that hold a cycle.
    fn mark_cycles(&mut self) {
        let mut components = tarjan_scc(&self.graph);
        components.iter_mut().for_each(|nodes| nodes.sort());
        components.sort();
        for nodes in components {
            let loops = |node: NodeIndex| self.graph.find_edge(node, node).is_some();
            if nodes.len() < 2 && !nodes.iter().any(|node| loops(*node)) {
                continue;
            }
            self.cycles += 1;
            for node in nodes {
                self.graph[node].cycle = Some(self.cycles);
            }
        }
    }

    /// How many cycles there are.
    #[must_use]
    pub fn cycles(&self) -> usize {
        self.cycles
    }

    /// The files, in the order in which they were met.
    pub fn nodes(&self) -> impl Iterator<Item = &Node> {
        self.graph.node_weights()
    }

    /// The references, as (from, reference, to), in the order in which they were met.
    pub fn edges(&self) -> impl Iterator<Item = (&Node, &Edge, &Node)> {
        self.graph.edge_references().map(|edge| {
            let (from, to) = (&self.graph[edge.source()], &self.graph[edge.target()]);
            (from, edge.weight(), to)
        })
    }

    /// The references of one file in text order, with their targets.
    #[must_use]
    pub fn references(&self, path: &AbsPath) -> Vec<(&Edge, &Node)> {
        let Some(place) = self.places.get(path) else {
            return Vec::new();
        };
        let edges = self.graph.edges(*place);
        let mut found: Vec<_> = edges
            .map(|edge| (edge.weight(), &self.graph[edge.target()]))
            .collect();
        found.sort_by_key(|(edge, _)| (edge.mention.line, edge.mention.column));
        found
    }
}
