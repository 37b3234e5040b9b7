//! Findings in the links between records.

use std::collections::BTreeMap;
use std::io;

use rustc_hash::FxHashMap;

use super::Scene;
use super::cure::Cure;
use super::finding::{About, Finding, Level};
use crate::chain::{ChainFault, ChainFaultKind};
use crate::transcript::write::Json;
use crate::transcript::{Entry, Id, Index, Kind, Source, Transcript};

/// What is wrong with the links.
pub(super) fn find<S: Source>(
    transcript: &Transcript<S>,
    scene: &Scene<'_>,
) -> io::Result<Vec<Finding>> {
    let mut findings = Vec::new();
    let passed_over = match scene.chain.faults.is_empty() {
        true => FxHashMap::default(),
        false => passed_over(scene.index),
    };
    for fault in &scene.chain.faults {
        findings.extend(of_chain(scene, fault, &passed_over));
    }
    findings.extend(off_chain(scene));
    findings.extend(root(scene));
    boundary(transcript, scene, &mut findings)?;
    copies(transcript, scene, &mut findings)?;
    findings.extend(strangers(scene));
    Ok(findings)
}

fn of_chain(
    scene: &Scene<'_>,
    fault: &ChainFault,
    passed_over: &FxHashMap<&str, u32>,
) -> Option<Finding> {
    let record = fault.record;
    let (about, goes_on) = match &fault.kind {
        ChainFaultKind::MissingParent { parent, goes_on } => {
            if scene.unread.contains(parent.as_str()) {
                // It is there, on a line that is told of by itself.
                return None;
            }
            let mut finding = gap(scene, About::MissingParent, record, *goes_on);
            finding.parent = Some(parent.clone());
            if let Some(line) = passed_over.get(parent.as_str()) {
                let detail = format!("line {line} has it, and is of a type that is not chained");
                finding.detail = Some(detail);
            }
            return Some(finding);
        }
        ChainFaultKind::Cycle { to, goes_on } if *to == record => (About::SelfParent, *goes_on),
        ChainFaultKind::Cycle { goes_on, .. } => (About::Cycle, *goes_on),
        // Told of with the boundary.
        ChainFaultKind::KeptMessagesMissing { .. } => return None,
    };
    Some(gap(scene, about, record, goes_on))
}

/// A link that leads nowhere, in the chain.
fn gap(scene: &Scene<'_>, about: About, record: usize, goes_on: Option<usize>) -> Finding {
    let level = if goes_on.is_some() {
        Level::Warning
    } else {
        Level::Error
    };
    let to = before(scene, record, goes_on);
    let mut finding = scene.finding(about, level, record);
    if let Some(goes_on) = goes_on {
        let line = scene.index.entries()[goes_on].place.line;
        finding.detail = Some(format!("the client goes on at line {line}"));
    }
    finding.with(Cure::Relink { record, to })
}

/// The lines of records that are never part of a chain, by their uuids; of several the first.
fn passed_over(index: &Index) -> FxHashMap<&str, u32> {
    let mut lines = FxHashMap::default();
    let entries = index.entries().iter();
    for entry in entries.filter(|entry| entry.kind == Kind::Other) {
        if let Some(uuid) = entry.uuid {
            lines.entry(index.text(uuid)).or_insert(entry.place.line);
        }
    }
    lines
}

/// Where a record that lost its parent can hang: the record of the session before it in the file,
/// or where the client goes on, whichever has more behind it. Time tells nothing of branches.
fn before(scene: &Scene<'_>, record: usize, goes_on: Option<usize>) -> Option<usize> {
    let in_file = (0..record).rev().find(|number| {
        scene.is_main(*number) && !scene.is_below(*number, record) && scene.index.counts(*number)
    });
    let reach = |number: usize| scene.ancestors(number).count();
    match (in_file, goes_on.filter(|at| !scene.is_below(*at, record))) {
        (Some(in_file), Some(goes_on)) if reach(goes_on) > reach(in_file) => Some(goes_on),
        (Some(in_file), _) => Some(in_file),
        (None, goes_on) => goes_on,
    }
}

/// Parents that are missing where a resume does not come by.
fn off_chain(scene: &Scene<'_>) -> Vec<Finding> {
    let index = scene.index;
    let entries = index.entries().iter().enumerate();
    let missing = entries.filter_map(|(number, entry)| {
        let parent = entry.parent?;
        let is_lost = scene.is_main(number)
            && !scene.walked[number]
            && !scene.behind[number]
            && index.by_uuid(parent).is_none()
            && index.progress(parent).is_none()
            && !scene.unread.contains(index.text(parent));
        if !is_lost {
            return None;
        }
        let mut finding = scene.finding(About::MissingParent, Level::Notice, number);
        finding.parent = Some(index.text(parent).to_owned());
        Some(finding.detail("on a branch that is not resumed"))
    });
    missing.collect()
}

/// A start where something stands before it.
fn root(scene: &Scene<'_>) -> Option<Finding> {
    let index = scene.index;
    let root = *scene.chain.walk.first()?;
    let entry = &index.entries()[root];
    let is_faulty = scene.chain.faults.iter().any(|fault| fault.record == root);
    if entry.parent.is_some() || is_faulty || Some(root) == scene.chain.boundary {
        return None;
    }
    let earlier = (0..root)
        .filter(|number| scene.is_main(*number) && index.counts(*number))
        .filter(|number| !scene.walked[*number] && !scene.behind[*number])
        .count();
    if earlier == 0 {
        return None;
    }
    let (about, level) = match entry.kind {
        Kind::Assistant => (About::RootInTheMiddle, Level::Error),
        Kind::User if is_result(index, entry) => (About::RootInTheMiddle, Level::Error),
        _ => (About::SecondRoot, Level::Notice),
    };
    let mut finding = scene.finding(about, level, root);
    finding.count = Some(earlier);
    if about == About::RootInTheMiddle {
        let to = before(scene, root, None);
        finding = finding.with(Cure::Relink { record: root, to });
    }
    Some(finding)
}

/// Whether a record holds a tool's result.
pub(super) fn is_result(index: &Index, entry: &Entry) -> bool {
    let mut pieces = index.pieces(entry).iter();
    pieces.any(|piece| index.is(piece.kind, "tool_result"))
}

/// What is wrong with the last boundary.
fn boundary<S: Source>(
    transcript: &Transcript<S>,
    scene: &Scene<'_>,
    findings: &mut Vec<Finding>,
) -> io::Result<()> {
    let index = scene.index;
    let is_boundary = |number: &usize| {
        let entry = &index.entries()[*number];
        entry.kind == Kind::System
            && index.is(entry.detail, "compact_boundary")
            && index.counts(*number)
    };
    let Some(last) = (0..index.entries().len()).rev().find(is_boundary) else {
        return Ok(());
    };
    let entry = &index.entries()[last];
    let known = |uuid: Id| index.by_uuid(uuid).is_some() || index.progress(uuid).is_some();
    if let Some(before) = entry.logical_parent.filter(|uuid| !known(*uuid)) {
        let mut finding = scene.finding(About::LogicalParentMissing, Level::Notice, last);
        finding.parent = Some(index.text(before).to_owned());
        findings.push(finding);
    }
    if !entry.flags.metadata {
        let tokens = tokens_before(index, last);
        let cure = Cure::Set {
            record: last,
            path: &["compactMetadata"],
            value: format!(r#"{{"trigger":"manual","preTokens":{tokens}}}"#),
        };
        let finding = scene.finding(About::BoundaryWithoutMetadata, Level::Notice, last);
        findings.push(finding.with(cure));
        return Ok(());
    }
    let json = Json::new(transcript.json(entry)?);
    for key in ["preservedSegment", "preservedMessages"] {
        if json.value(&["compactMetadata", key]) == Some("null") {
            findings.push(scene.finding(About::BoundaryWithoutAnchors, Level::Notice, last));
        }
    }
    findings.extend(kept(scene, last, &json));
    Ok(())
}

/// What is wrong with the messages that the last boundary keeps.
fn kept(scene: &Scene<'_>, boundary: usize, json: &Json) -> Option<Finding> {
    let faults = &mut scene.chain.faults.iter();
    let uuid = faults.find_map(|fault| match &fault.kind {
        ChainFaultKind::KeptMessagesMissing { uuid } => Some(uuid),
        _ => None,
    })?;
    let level = scene.level(boundary, Level::Error);
    if uuid.is_empty() {
        let finding = scene.finding(About::BoundaryWithoutAnchors, level, boundary);
        let lacks_list = json
            .value(&["compactMetadata", "preservedMessages"])
            .is_some()
            && json.items(KEPT).is_empty();
        return Some(match lacks_list {
            true => finding.with(Cure::Set {
                record: boundary,
                path: &["compactMetadata", "preservedMessages"],
                value: "null".to_owned(),
            }),
            false => finding,
        });
    }
    let finding = scene.finding(About::KeptMessagesMissing, level, boundary);
    let finding = finding.detail(format!("the first that leads nowhere is {uuid}"));
    let known: Vec<&str> = json
        .items(KEPT)
        .into_iter()
        .filter(|item| {
            let uuid = serde_json::from_str::<String>(item).unwrap_or_default();
            let uuid = scene.index.find(&uuid);
            uuid.is_some_and(|uuid| scene.index.by_uuid(uuid).is_some())
        })
        .collect();
    Some(match known.is_empty() {
        true => finding,
        false => finding.with(Cure::Set {
            record: boundary,
            path: KEPT,
            value: format!("[{}]", known.join(",")),
        }),
    })
}

/// Where a boundary names the messages that it keeps.
const KEPT: &[&str] = &["compactMetadata", "preservedMessages", "uuids"];

/// The tokens of the last request before a boundary, as the service counted them.
fn tokens_before(index: &Index, boundary: usize) -> u64 {
    let before = index.entries()[..boundary].iter().rev();
    let mut usages = before.filter(|entry| !entry.flags.sidechain && !entry.flags.api_error);
    usages
        .find_map(|entry| entry.usage)
        .map_or(0, |usage| usage.total())
}

/// Uuids that stand on several records.
fn copies<S: Source>(
    transcript: &Transcript<S>,
    scene: &Scene<'_>,
    findings: &mut Vec<Finding>,
) -> io::Result<()> {
    let index = scene.index;
    let mut nameless: Vec<usize> = Vec::new();
    for (number, entry) in index.entries().iter().enumerate() {
        if entry.kind == Kind::Other || !entry.flags.readable {
            continue;
        }
        let Some(uuid) = entry.uuid else {
            continue;
        };
        if index.text(uuid).is_empty() {
            nameless.push(number);
            continue;
        }
        let Some(last) = index.by_uuid(uuid).filter(|last| *last != number) else {
            continue;
        };
        let line = index.entries()[last].place.line;
        let is_same = {
            let (one, other) = (
                transcript.bytes(entry)?,
                transcript.bytes(&index.entries()[last])?,
            );
            one == other || content(one) == content(other)
        };
        let finding = if is_same {
            let finding = scene.finding(About::RepeatedRecord, Level::Notice, number);
            finding.with(Cure::DropCopy { record: number })
        } else {
            let level = match scene.walked[last] {
                true => Level::Error,
                false => Level::Notice,
            };
            scene.finding(About::DuplicateUuid, level, number)
        };
        findings.push(finding.detail(format!("the last one is on line {line}")));
    }
    if let Some(first) = nameless.first() {
        let level = match nameless.len() {
            1 => Level::Notice,
            _ => Level::Error,
        };
        let mut finding = scene.finding(About::MissingUuid, level, *first);
        finding.count = Some(nameless.len());
        findings.push(finding);
    }
    Ok(())
}

/// What of a record can be sent, and where it hangs.
fn content(bytes: Vec<u8>) -> Vec<Option<String>> {
    let json = Json::new(String::from_utf8_lossy(&bytes).into_owned());
    [
        "type",
        "parentUuid",
        "isSidechain",
        "message",
        "attachment",
        "content",
        "rendered",
    ]
    .iter()
    .map(|key| json.value(&[*key]).map(str::to_owned))
    .collect()
}

/// Records of sub-agents and of other sessions.
fn strangers(scene: &Scene<'_>) -> Vec<Finding> {
    let index = scene.index;
    let mut findings = Vec::new();
    let Some(leaf) = scene.chain.leaf else {
        return findings;
    };
    let side = |number: &usize| index.entries()[*number].flags.sidechain;
    let linked = |number: &usize| index.entries()[*number].kind != Kind::Other;
    let sides: Vec<usize> = (0..index.entries().len())
        .filter(linked)
        .filter(side)
        .collect();
    if let Some(first) = sides.first() {
        let mut finding = scene.finding(About::SidechainInMain, Level::Notice, *first);
        finding.count = Some(sides.len());
        findings.push(finding);
    }
    if let Some(first) = scene.chain.walk.iter().find(|number| side(number)) {
        findings.push(scene.finding(About::SidechainInChain, Level::Warning, *first));
    }
    let own = index.entries()[leaf].session;
    let mut others: FxHashMap<Id, (usize, usize)> = FxHashMap::default();
    for (number, entry) in index.entries().iter().enumerate() {
        if scene.is_main(number)
            && let (Some(session), Some(own)) = (entry.session, own)
            && session != own
        {
            others.entry(session).or_insert((number, 0)).1 += 1;
        }
    }
    let others: BTreeMap<usize, (Id, usize)> = others
        .into_iter()
        .map(|(session, (first, count))| (first, (session, count)))
        .collect();
    for (first, (session, count)) in others {
        let mut finding = scene.finding(About::OtherSession, Level::Notice, first);
        finding.count = Some(count);
        findings.push(finding.detail(index.text(session)));
    }
    findings
}
