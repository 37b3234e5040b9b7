//! Which instruction texts the sessions of the samples received, and public reports about it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use outcrop_compactor::audit::{
    Comparison, Form, Loaded, Moment, Predicted, Receipt, Verdict, Witness, compare, file_hash,
    of_log, predicted,
};
use outcrop_compactor::transcript::Transcript;
use outcrop_loader::client::{Client, Version};
use outcrop_loader::host::MemoryHost;
use outcrop_loader::origin::Origin;
use outcrop_loader::path::AbsPath;
use outcrop_loader::session::Session;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::worlds::config;

fn cases(name: &str) -> String {
    format!("{}/cases/{name}", env!("CARGO_MANIFEST_DIR"))
}

fn json_of(path: &str) -> Value {
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

fn receipt(bytes: &[u8], client: Version) -> Receipt {
    let client = Client::of(client).unwrap();
    let transcript = Transcript::read(bytes.to_vec()).unwrap();
    Receipt::of(&transcript, &client.behaviour.resume).unwrap()
}

/// Line, path and text of what the records of a file tell, read without any of our code.
fn told(bytes: &[u8]) -> BTreeSet<(String, String, String)> {
    let mut told = BTreeSet::new();
    for line in String::from_utf8_lossy(bytes).lines() {
        let Ok(record) = serde_json::from_str::<Value>(line) else {
            continue;
        };
        let uuid = record["uuid"].as_str().unwrap_or_default().to_owned();
        let attachment = &record["attachment"];
        let files: Vec<&Value> = match attachment["type"].as_str() {
            Some("instructions") => attachment["files"].as_array().unwrap().iter().collect(),
            Some("nested_memory") => vec![&attachment["content"]],
            _ => continue,
        };
        for file in files {
            let text = |key: &str| file[key].as_str().unwrap().to_owned();
            told.insert((uuid.clone(), text("path"), text("content")));
        }
    }
    told
}

/// What the start of each sample brought, by our marks: none told, nothing, or these.
const STARTS: &[(&str, Option<&[&str]>)] = &[
    ("01-plain-v197", None),
    ("01-plain-v332", Some(&["M_ROOT"])),
    ("02-tools-v332", Some(&[])),
    ("07-manual-compact-v197", None),
    ("08-auto-compact-midturn-v332", Some(&["M_ROOT"])),
    ("12-forked-v332", Some(&[])),
    ("i09-branch-v332", Some(&["M_ROOT project text"])),
];

#[test]
fn samples_tell_their_instruction_sets() {
    let folder = cases("transcripts");
    let index = json_of(&format!("{folder}/INDEX.json"));
    let (mut samples, mut texts, mut none, mut in_requests) = (0, 0, 0, 0);
    let mut starts: BTreeMap<String, Option<Vec<String>>> = BTreeMap::new();
    for (name, sample) in index.as_object().unwrap() {
        let session = sample["session"].as_str().unwrap();
        let bytes = fs::read(format!("{folder}/{name}/{session}.jsonl")).unwrap();
        let client: Version = sample["client"].as_str().unwrap().parse().unwrap();
        let receipt = receipt(&bytes, client);
        let transcript = Transcript::read(bytes.clone()).unwrap();
        let entries = transcript.index().entries();
        let uuid = |record: usize| {
            transcript
                .index()
                .text(entries[record].uuid.unwrap())
                .to_owned()
        };
        let instructions = receipt
            .texts
            .iter()
            .filter(|text| text.form == Form::Instruction);
        let got: BTreeSet<_> = instructions
            .clone()
            .map(|text| (uuid(text.record), text.path.clone(), text.text.clone()))
            .collect();
        assert_eq!(got, told(&bytes), "{name}");
        // Older clients do not write down what the start brought; the newer one always does.
        let is_newer = client == Version::NEWEST;
        assert_eq!(
            receipt.evidence.start == Witness::Records,
            is_newer,
            "{name}"
        );
        let nothing = receipt.evidence.is_none();
        assert_eq!(nothing, !is_newer && got.is_empty(), "{name}");
        if is_newer {
            let sent = instructions
                .clone()
                .filter(|text| text.request.is_some())
                .count();
            in_requests += sent;
            let start: Vec<String> = instructions
                .filter(|text| text.moment == Moment::Start)
                .map(|text| text.text.clone())
                .collect();
            starts.insert(name.clone(), Some(start));
        } else {
            starts.insert(name.clone(), None);
        }
        samples += 1;
        texts += got.len();
        none += usize::from(nothing);
    }
    for (name, want) in STARTS {
        let want = want.map(|texts| texts.iter().map(|text| (*text).to_owned()).collect());
        assert_eq!(starts[*name], want, "{name}");
    }
    println!(
        "{samples} samples: {texts} texts received, {in_requests} of them found in a logged \
         request, {none} samples without evidence"
    );
    assert!(
        texts > 20 && in_requests > 15,
        "{texts} texts, {in_requests} in requests"
    );
}

/// The session of a public report, and what is told and predicted of it.
struct Report {
    receipt: Receipt,
    predicted: Vec<Predicted>,
    comparison: Comparison,
}

fn report(entry: &Value) -> Report {
    let mut host = MemoryHost::new();
    let mut transcript = None;
    for (path, text) in entry["files"].as_object().unwrap() {
        let text = text.as_str().unwrap();
        match path.ends_with(".jsonl") {
            true => transcript = Some(text.as_bytes().to_vec()),
            false => host.file(&AbsPath::new(path).unwrap(), text.as_bytes().to_vec()),
        }
    }
    let cwd = entry["cwd"].as_str().unwrap();
    let first = receipt(transcript.as_deref().unwrap(), Version::NEWEST);
    assert_eq!(first.cwd.as_deref(), Some(cwd));
    let version: Version = first.version.as_deref().unwrap().parse().unwrap();
    let receipt = receipt(transcript.as_deref().unwrap(), version);
    let home = AbsPath::new("/home/dev").unwrap();
    let mut origin = Origin::new(AbsPath::new(cwd).unwrap(), home);
    origin.client = Client::of(version).unwrap();
    let mut session = Session::start(&host, origin);
    receipt.replay(&mut session);
    let predicted = predicted(&session);
    let comparison = compare(&receipt, Some(&predicted));
    Report {
        receipt,
        predicted,
        comparison,
    }
}

/// The answer of `audit` in the words of the reports.
fn verdicts(report: &Report) -> Value {
    if report.receipt.evidence.is_none() {
        return json!("no-evidence");
    }
    let texts = report.comparison.texts.iter();
    let differing = texts.filter(|text| text.verdict != Verdict::Equal);
    differing
        .map(|text| (text.path.clone(), json!(text.verdict)))
        .collect()
}

#[test]
fn public_reports() {
    let entries = json_of(&cases("audit-reports.json"));
    let mut checked = 0;
    for entry in entries.as_array().unwrap() {
        let report = report(entry);
        let id = entry["id"].as_str().unwrap();
        for (key, want) in entry["check"].as_object().unwrap() {
            checked += 1;
            match key.as_str() {
                "verify" => assert_eq!(verdicts(&report), *want, "{id}"),
                "after_compact_content" => {
                    let texts = report.receipt.texts.iter();
                    let after = texts.filter(|text| text.moment == Moment::Compaction);
                    let after: Value = after
                        .map(|text| (text.path.clone(), json!(text.text)))
                        .collect();
                    assert_eq!(after, *want, "{id}");
                }
                "differs_from_disk" => {
                    let texts = report.comparison.texts.iter();
                    let differs = texts.filter(|text| text.verdict == Verdict::OtherContent);
                    let differs: Value = differs.map(|text| json!(text.path)).collect();
                    assert_eq!(differs, *want, "{id}");
                }
                other => panic!("{id}: unknown check {other}"),
            }
        }
        if report.receipt.evidence.is_none() {
            // Nothing is claimed of any text.
            let texts = &report.comparison.texts;
            assert!(
                texts.iter().all(|text| text.verdict == Verdict::NoEvidence),
                "{id}"
            );
            assert!(
                !report.comparison.differs() && !report.predicted.is_empty(),
                "{id}"
            );
        }
    }
    println!("{checked} checks of public reports");
    assert_eq!(checked, 4);
}

#[test]
fn a_log_of_events_stands_in_for_records() {
    let entries = json_of(&cases("audit-reports.json"));
    let mut entry = entries[1].clone();
    assert_eq!(entry["id"], "B149");
    entry["files"]["/home/dev/shop/.claude/rules/a.md"] = json!("A.\n");
    entry["files"]["/home/dev/shop/CLAUDE.local.md"] = json!("Mine.\n");
    let Report {
        mut receipt,
        predicted,
        mut comparison,
    } = report(&entry);
    let event = |path: &str, bytes: Option<&[u8]>| {
        let event = json!({
            "hook_event_name": "InstructionsLoaded", "session_id": "s", "file_path": path,
            "memory_type": "Project", "load_reason": "session_start",
        });
        let mut loaded = Loaded::of_event(&event.to_string(), 1).unwrap();
        loaded.hash = bytes.map(file_hash);
        loaded
    };
    let events = [
        event("/home/dev/shop/CLAUDE.md", Some(b"Use npm.\n")),
        event("/home/dev/shop/.claude/rules/a.md", Some(b"A.\n")),
        event("/home/dev/shop/.claude/rules/gone.md", None),
        Loaded {
            agent: Some("a1".to_owned()),
            ..event("/home/dev/shop/CLAUDE.local.md", None)
        },
    ];
    let events: Vec<&Loaded> = events.iter().collect();
    let finding = of_log(&mut comparison, &mut receipt, Some(&predicted), &events);
    let texts = comparison.texts.iter();
    let got: BTreeMap<&str, Verdict> = texts
        .map(|text| (text.path.rsplit('/').next().unwrap(), text.verdict))
        .collect();
    let want = [
        ("CLAUDE.md", Verdict::OtherContent),
        ("a.md", Verdict::Equal),
        ("gone.md", Verdict::Extra),
        ("CLAUDE.local.md", Verdict::Missing),
    ];
    assert_eq!(got, BTreeMap::from(want));
    assert_eq!(receipt.evidence.start, Witness::Events);
    assert_eq!((finding.events, finding.differs()), (3, false));
}

/// What each text of a session is, and what brought its copies.
fn outline(receipt: &Receipt, comparison: &Comparison) -> Vec<String> {
    let texts = comparison.texts.iter();
    texts
        .map(|text| {
            let copies = text.received.iter().map(|at| {
                let copy = &receipt.texts[*at];
                let moment = match &copy.moment {
                    Moment::Call { tool, .. } => tool.clone(),
                    other => json!(other)["kind"].as_str().unwrap().to_owned(),
                };
                let form = if copy.form == Form::File { " file" } else { "" };
                format!("{moment}{form}")
            });
            let copies: Vec<String> = copies.collect();
            let name = text.path.strip_prefix("/w/").unwrap_or(&text.path);
            format!("{name}: {}: {}", text.verdict.name(), copies.join(", "))
        })
        .collect()
}

const TOLD_TWICE: &str = "start, compaction";

#[test]
fn recorded_sessions() {
    let start = |name: &str, verdict: &str, copies: &str| format!("{name}: {verdict}: {copies}");
    let memory = "home/.claude/projects/-w-W-proj/memory/MEMORY.md";
    let starts = |copies: &str, verdict: &str| -> Vec<String> {
        let names = [
            "home/.claude/CLAUDE.md",
            "home/.claude/rules/u.md",
            "W/CLAUDE.md",
            "W/proj/CLAUDE.md",
            "W/proj/docs/imp.md",
            "W/proj/.claude/rules/a.md",
            memory,
        ];
        names.map(|name| start(name, verdict, copies)).into()
    };
    let reads = |copies: &str| -> Vec<String> {
        let names = ["sub/CLAUDE.md", "sub/imp2.md", ".claude/rules/py.md"];
        names
            .map(|name| start(&format!("W/proj/{name}"), "equal", copies))
            .into()
    };
    let mut changed = vec![
        start("/etc/claude-code/CLAUDE.md", "equal", TOLD_TWICE),
        start("<managed-settings>", "equal", TOLD_TWICE),
    ];
    changed.extend(starts(TOLD_TWICE, "equal"));
    changed[5] = start("W/proj/CLAUDE.md", "equal", "start, reread, compaction");
    changed.insert(8, start("W/proj/CLAUDE.local.md", "withdrawn", "start"));
    changed.extend(reads("Read, Read"));
    changed[10] = start("W/proj/sub/CLAUDE.md", "equal", "Read, Read, Read");
    changed.push(start(
        "W/proj/.claude/rules/b.md",
        "equal",
        "reread, compaction",
    ));
    let mut compacted = starts("start", "equal");
    compacted.extend(reads("Read, compaction file"));
    let mut older = reads("Read, compaction file");
    older.extend(starts("", "no-evidence"));
    let wanted = [
        ("changed-and-compacted-332", changed),
        ("compacted-332", compacted),
        ("compacted-197", older),
    ];
    for (name, want) in wanted {
        let case = json_of(&cases(&format!("audit/{name}.json")));
        let mut host = MemoryHost::new();
        for (path, text) in case["files"].as_object().unwrap() {
            let path = AbsPath::new(path).unwrap();
            host.file(&path, text.as_str().unwrap().as_bytes().to_vec());
        }
        let lines: Vec<&str> = case["lines"]
            .as_array()
            .unwrap()
            .iter()
            .map(|line| line.as_str().unwrap())
            .collect();
        let client: Version = case["client"].as_str().unwrap().parse().unwrap();
        let receipt = receipt(lines.join("\n").as_bytes(), client);
        let cwd = AbsPath::new(receipt.cwd.as_deref().unwrap()).unwrap();
        let mut origin = Origin::new(cwd, AbsPath::new("/w/home").unwrap());
        origin.client = Client::of(client).unwrap();
        let mut session = Session::start(&host, origin);
        receipt.replay(&mut session);
        let comparison = compare(&receipt, Some(&predicted(&session)));
        assert_eq!(outline(&receipt, &comparison), want, "{name}");
        assert!(!comparison.differs(), "{name}");
    }
}

/// The bytes of a sample with one thing done to them.
fn damaged(mut bytes: Vec<u8>, how: u8, at: usize) -> Vec<u8> {
    let at = at % bytes.len();
    match how {
        0 => bytes.truncate(at),
        1 => bytes[at] = b'"',
        2 => bytes[at] ^= 0x80,
        _ => {
            let end = bytes[at..].iter().position(|byte| *byte == b'\n');
            let start = bytes[..at].iter().rposition(|byte| *byte == b'\n');
            let end = end.map_or(bytes.len(), |end| at + end);
            bytes.drain(start.map_or(0, |start| start + 1)..end);
        }
    }
    bytes
}

proptest! {
    #![proptest_config(config(200))]

    /// Whatever happens to a transcript, no text is told of that it does not hold, and what is
    /// taken away takes away.
    #[test]
    fn damage_adds_no_text(sample in 0_usize..40, how in 0_u8..4, at in any::<usize>()) {
        let folder = cases("transcripts");
        let index = json_of(&format!("{folder}/INDEX.json"));
        let samples = index.as_object().unwrap();
        let (name, sample) = samples.iter().nth(sample % samples.len()).unwrap();
        let session = sample["session"].as_str().unwrap();
        let bytes = fs::read(format!("{folder}/{name}/{session}.jsonl")).unwrap();
        let client: Version = sample["client"].as_str().unwrap().parse().unwrap();
        let texts = |receipt: &Receipt| -> BTreeSet<(String, String)> {
            let texts = receipt.texts.iter();
            texts.map(|text| (text.path.clone(), text.text.clone())).collect()
        };
        let whole = receipt(&bytes, client);
        let after = receipt(&damaged(bytes, how, at), client);
        prop_assert!(after.texts.len() <= whole.texts.len());
        if how != 1 && how != 2 {
            prop_assert!(texts(&after).is_subset(&texts(&whole)));
        }
        let comparison = compare(&after, None);
        let copies: usize = comparison.texts.iter().map(|text| text.received.len()).sum();
        prop_assert!(copies <= after.texts.len());
        prop_assert!(!comparison.texts.iter().any(|text| text.verdict != Verdict::Received));
    }
}
