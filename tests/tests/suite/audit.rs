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
use serde_json::{Value, json};

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
