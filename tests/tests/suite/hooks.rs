//! The client's own events as a second witness of what loads, and why (facts 9.1, 9.2).

use std::collections::BTreeMap;

use outcrop_loader::client::{Client, Version};
use outcrop_loader::document::{Document, RulePaths};
use outcrop_loader::path::AbsPath;
use outcrop_loader::record::{Cause, Layer, Scope, Trigger};
use outcrop_loader::session::Session;
use outcrop_tests::case::{Case, HookEvent};
use outcrop_tests::report::Tally;
use outcrop_tests::{case, memory};

/// The event that a layer should have sent. `AGENTS.md` with its imports, the managed setting
/// and the memory index send none.
fn event(session: &Session<'_>, layer: &Layer, trigger: &Trigger) -> Option<HookEvent> {
    if layer.title.is_some() || layer.scope == Scope::AutoMemory || from_agents(session, layer) {
        return None;
    }
    let name = |path: &AbsPath| memory::relative(path.as_str(), memory::ROOT);
    let read = match trigger {
        Trigger::Tool { paths, .. } => paths.first().map(name),
        _ => None,
    };
    let (reason, parent) = match &layer.cause {
        Cause::Startup { .. } => ("session_start", None),
        Cause::Import(mention) => ("include", Some(name(&mention.by))),
        Cause::PathRule { .. } => ("path_glob_match", None),
        Cause::Nested { .. } => ("nested_traversal", None),
    };
    let mut scope = layer.scope.to_string();
    scope[..1].make_ascii_uppercase();
    Some(HookEvent {
        file_path: name(&layer.path),
        memory_type: scope,
        load_reason: reason.to_owned(),
        globs: Vec::new(),
        trigger_file_path: read,
        parent_file_path: parent,
    })
}

fn from_agents(session: &Session<'_>, layer: &Layer) -> bool {
    if layer.path.file_name() == "AGENTS.md" {
        return !matches!(layer.cause, Cause::Import(_));
    }
    let Cause::Import(mention) = &layer.cause else {
        return false;
    };
    let mut layers = session
        .deliveries()
        .iter()
        .flat_map(|delivery| &delivery.layers);
    let importer = layers.find(|other| other.path == mention.by);
    importer.is_some_and(|importer| from_agents(session, importer))
}

fn compare(case: &Case, recorded: &[HookEvent]) -> Option<String> {
    let behaviour = Client::newest().behaviour;
    let host = memory::host(case);
    let session = memory::run(case, &host, Version::NEWEST);
    let mut predicted = Vec::new();
    for delivery in session.deliveries() {
        let layers = delivery.layers.iter();
        predicted.extend(layers.filter_map(|layer| event(&session, layer, &delivery.trigger)));
    }
    let mut recorded: Vec<HookEvent> = recorded.to_vec();
    let mut globs = BTreeMap::new();
    for event in &mut recorded {
        globs.insert(event.file_path.clone(), std::mem::take(&mut event.globs));
    }
    predicted.sort();
    recorded.sort();
    if predicted != recorded {
        return Some(format!("recorded {recorded:#?}\npredicted {predicted:#?}"));
    }
    // The client names all patterns of a rule, split as it reads them.
    for delivery in session.deliveries() {
        for layer in &delivery.layers {
            if let Cause::PathRule { pattern, .. } = &layer.cause {
                let path = memory::relative(layer.path.as_str(), memory::ROOT);
                let document = Document::from_text(layer.source.clone(), &behaviour);
                let patterns = RulePaths::Matching(globs[&path].clone());
                let same = document.rule_paths(&behaviour) == patterns;
                if !same || !globs[&path].contains(pattern) {
                    return Some(format!("{path}: {pattern} of {:?}", globs[&path]));
                }
            }
        }
    }
    None
}

#[test]
fn events_of_the_client() {
    let mut tally = Tally::default();
    for case in case::load("load").iter().chain(&case::load("recorded")) {
        if let Some(recorded) = &case.hook_events {
            tally.add(&case.name, compare(case, recorded));
        }
    }
    tally.finish("events of the client");
}
