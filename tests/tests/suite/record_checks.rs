//! What must hold of a session's record, whatever the world.

use std::collections::{BTreeMap, BTreeSet};

use outcrop_loader::client::Client;
use outcrop_loader::document::Document;
use outcrop_loader::host::{Host, MemoryHost};
use outcrop_loader::path::AbsPath;
use outcrop_loader::record::{Cause, Delivery, Layer, Mention, Scope, Trigger};
use outcrop_loader::session::{Session, Verdict};
use proptest::prelude::*;

use crate::exclude_oracle;

/// What must hold of a session's record, whatever the world.
pub(crate) type Check = fn(&MemoryHost, &Session<'_>) -> Result<(), TestCaseError>;

/// By name.
pub(crate) const CHECKS: [(&str, Check); 9] = [
    ("no file comes twice", no_file_comes_twice),
    ("each reference ends once", each_reference_ends_once),
    (
        "a waiting rule has its references followed",
        waiting_rules_import,
    ),
    ("importers come first", importers_come_first),
    ("outer directories come first", outer_directories_come_first),
    ("an excluded file is never delivered", no_excluded_file),
    ("calls outside bring nothing", calls_outside_bring_nothing),
    ("explanations agree with the record", explanations_agree),
    (
        "delivered lines stand in the file",
        delivered_lines_stand_in_the_file,
    ),
];

pub(crate) fn all<'s>(session: &'s Session<'_>) -> impl Iterator<Item = &'s Layer> {
    let deliveries = session.deliveries().iter();
    deliveries.flat_map(|delivery| &delivery.layers)
}

/// Whether a layer is a file that may import.
fn is_file(layer: &Layer) -> bool {
    layer.title.is_none() && layer.scope != Scope::AutoMemory
}

/// The real file that holds a reference, its line and column, and how it is written: the text of
/// a list item is searched twice, so that two references may begin at one place (case
/// import-list-raw).
type Place = (AbsPath, u32, u32, String);

fn place(host: &MemoryHost, mention: &Mention) -> Place {
    let by = host.canonicalize(&mention.by).unwrap();
    (by, mention.line, mention.column, mention.reference.clone())
}

/// How often each reference ended, as a layer or a skip.
fn ends(host: &MemoryHost, delivery: &Delivery) -> BTreeMap<Place, usize> {
    let layers = delivery
        .layers
        .iter()
        .filter_map(|layer| match &layer.cause {
            Cause::Import(mention) => Some(mention),
            _ => None,
        });
    let skips = delivery
        .skipped
        .iter()
        .filter_map(|skip| skip.mention.as_ref());
    let mut counts = BTreeMap::new();
    for mention in layers.chain(skips) {
        *counts.entry(place(host, mention)).or_default() += 1;
    }
    counts
}

/// The references of a file as it stands.
fn references(host: &MemoryHost, path: &AbsPath) -> Vec<Place> {
    let bytes = host.read(path, u64::MAX).unwrap();
    let document = Document::read(&bytes, &Client::newest().behaviour);
    let mention = |range| place(host, &Mention::new(path, &document, range));
    document
        .imports
        .iter()
        .map(|found| mention(&found.range))
        .collect()
}

/// The targets of a tool call that brought something.
pub(crate) fn targets(delivery: &Delivery) -> &[AbsPath] {
    match &delivery.trigger {
        Trigger::Tool { paths, .. } | Trigger::Prompt { paths } => paths,
        _ => &[],
    }
}

/// At the start a file comes once, whatever its names; later it comes once under each name.
fn no_file_comes_twice(host: &MemoryHost, session: &Session<'_>) -> Result<(), TestCaseError> {
    let mut real = BTreeSet::new();
    for layer in session.deliveries()[0]
        .layers
        .iter()
        .filter(|layer| is_file(layer))
    {
        let file = host.canonicalize(&layer.path).unwrap();
        prop_assert!(real.insert(file), "{} twice", layer.path);
    }
    // The first prompt does not know the start (cases mention-repeats-*).
    let after_start = match session.deliveries().get(1).map(|one| &one.trigger) {
        Some(Trigger::Prompt { .. }) => &session.deliveries()[1..],
        _ => session.deliveries(),
    };
    let mut names = BTreeSet::new();
    let layers = after_start.iter().flat_map(|one| &one.layers);
    for layer in layers.filter(|layer| is_file(layer)) {
        prop_assert!(names.insert(layer.path.clone()), "{} twice", layer.path);
    }
    Ok(())
}

fn each_reference_ends_once(host: &MemoryHost, session: &Session<'_>) -> Result<(), TestCaseError> {
    let ends: Vec<_> = session
        .deliveries()
        .iter()
        .map(|one| ends(host, one))
        .collect();
    for counts in &ends {
        for (place, count) in counts {
            prop_assert_eq!(*count, 1, "{:?}", place);
        }
    }
    for layer in session.deliveries()[0]
        .layers
        .iter()
        .filter(|layer| is_file(layer))
    {
        for place in references(host, &layer.path) {
            prop_assert!(
                ends[0].contains_key(&place),
                "{:?} of {} is lost",
                place,
                layer.path
            );
        }
    }
    for layer in all(session).filter(|layer| is_file(layer)) {
        for place in references(host, &layer.path) {
            let ended = ends.iter().any(|counts| counts.contains_key(&place));
            prop_assert!(ended, "{:?} of {} is lost", place, layer.path);
        }
    }
    Ok(())
}

fn waiting_rules_import(host: &MemoryHost, session: &Session<'_>) -> Result<(), TestCaseError> {
    let ends = ends(host, &session.deliveries()[0]);
    let skips = &session.deliveries()[0].skipped;
    for (rule, _) in session.conditional_rules() {
        if skips
            .iter()
            .any(|skip| skip.path == rule && skip.mention.is_none())
        {
            continue;
        }
        for place in references(host, &rule) {
            prop_assert!(ends.contains_key(&place), "{:?} is lost", place);
        }
    }
    Ok(())
}

fn importers_come_first(_: &MemoryHost, session: &Session<'_>) -> Result<(), TestCaseError> {
    for delivery in session.deliveries() {
        for (at, layer) in delivery.layers.iter().enumerate() {
            let Cause::Import(mention) = &layer.cause else {
                continue;
            };
            let by = delivery
                .layers
                .iter()
                .position(|other| other.path == mention.by);
            // A rule that waits has its imports delivered where it is met, and comes itself after
            // all files that do not wait (facts 3.22, 5.14, case lazy-nested-rule-import).
            let by = by.filter(|by| !matches!(delivery.layers[*by].cause, Cause::PathRule { .. }));
            prop_assert!(
                by.is_none_or(|by| by < at),
                "{} before {}",
                layer.path,
                mention.by
            );
        }
    }
    Ok(())
}

fn outer_directories_come_first(
    _: &MemoryHost,
    session: &Session<'_>,
) -> Result<(), TestCaseError> {
    let mut deepest = 0;
    for layer in &session.deliveries()[0].layers {
        if let (
            Scope::Project | Scope::Local,
            Cause::Startup {
                directory: Some(directory),
            },
        ) = (layer.scope, &layer.cause)
            && session.cwd().is_within(directory)
        {
            let depth = directory.ancestors().count();
            prop_assert!(depth >= deepest, "{} after a deeper one", layer.path);
            deepest = depth;
        }
    }
    Ok(())
}

/// Told without the library's own patterns.
fn no_excluded_file(_: &MemoryHost, session: &Session<'_>) -> Result<(), TestCaseError> {
    for layer in all(session).filter(|layer| is_file(layer) && layer.owner != Scope::Managed) {
        for exclude in session.settings().excludes.iter().map(|set| &set.value) {
            let hit = exclude_oracle::excludes(exclude, layer.path.as_str());
            prop_assert!(!hit, "{} by {exclude}", layer.path);
        }
    }
    Ok(())
}

fn calls_outside_bring_nothing(_: &MemoryHost, session: &Session<'_>) -> Result<(), TestCaseError> {
    for delivery in session.deliveries()[1..]
        .iter()
        .filter(|one| !one.layers.is_empty())
    {
        let inside = targets(delivery)
            .iter()
            .any(|path| path.is_within(session.cwd()));
        prop_assert!(inside, "{:?}", delivery.trigger);
    }
    Ok(())
}

fn explanations_agree(_: &MemoryHost, session: &Session<'_>) -> Result<(), TestCaseError> {
    for (at, delivery) in session.deliveries().iter().enumerate() {
        for layer in delivery.layers.iter().filter(|layer| layer.title.is_none()) {
            let verdict = session.explain(&layer.path).verdict;
            prop_assert!(matches!(
                verdict,
                Verdict::Delivered | Verdict::DeliveredOnRead
            ));
            prop_assert!(at > 0 || verdict == Verdict::Delivered || session.deliveries().len() > 1);
        }
        for skip in &delivery.skipped {
            let explanation = session.explain(&skip.path);
            prop_assert_ne!(explanation.verdict, Verdict::NotConsidered, "{}", skip.path);
            prop_assert!(!explanation.findings.is_empty());
        }
    }
    Ok(())
}

fn delivered_lines_stand_in_the_file(
    _: &MemoryHost,
    session: &Session<'_>,
) -> Result<(), TestCaseError> {
    for layer in all(session) {
        let source: Vec<&str> = layer.source.split('\n').collect();
        let document = Document::from_text(layer.source.clone(), &Client::newest().behaviour);
        let cut: BTreeSet<u32> = document
            .comments
            .iter()
            .flat_map(|gap| document.line_of(gap.start)..=document.line_of(gap.end))
            .collect();
        let lines = layer.source_lines();
        prop_assert_eq!(lines.len(), layer.text.split_inclusive('\n').count());
        prop_assert!(lines.is_sorted());
        for (text, line) in layer.text.split_inclusive('\n').zip(lines) {
            let there = source[usize::try_from(line).unwrap() - 1];
            // A text that a read loads has the client's own tags escaped.
            let text = text.trim_end_matches(['\n', '\r']).replace("<\\", "<");
            let found = there.contains(&text) || cut.contains(&line);
            prop_assert!(found, "{}:{line}: {text:?} is not in {there:?}", layer.path);
        }
    }
    Ok(())
}
