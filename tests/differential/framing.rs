//! What was learned of a client is what it sends: the first message whole, and its sizes.

use std::collections::BTreeMap;
use std::time::Duration;

use outcrop_loader::javascript;
use outcrop_tests::case::{self, Case};
use outcrop_tests::disk::World;
use outcrop_tests::live::{self, LiveClient};
use outcrop_verify::profile::{self, Place, without_dates, without_git_state};
use outcrop_verify::sandbox::Namespace;
use outcrop_verify::{Profile, Sent};
use serde_json::Value;

use crate::options::Options;
use crate::report::{Found, Report};

const LIMIT: Duration = Duration::from_secs(60);
/// Cases with layers of each scope, with a cut memory index, and with nothing to deliver.
const CASES: [&str; 5] = [
    "order-all-layers",
    "memory-basic",
    "memory-200-lines",
    "import-order",
    "bare",
];

pub(crate) fn run(options: &Options, clients: &[LiveClient], report: &mut Report) {
    if options.only.is_some() {
        return;
    }
    let cases: Vec<Case> = case::load("load")
        .into_iter()
        .filter(|case| CASES.contains(&case.name.as_str()))
        .collect();
    let name = "differential, whole first message";
    report.part(name, options.jobs, clients.len(), |index| {
        let client = &clients[index];
        let env = BTreeMap::from([("PATH".to_owned(), "/usr/local/bin:/usr/bin:/bin".to_owned())]);
        let profile = match profile::learn(&client.program, &env, LIMIT) {
            Ok(profile) => profile,
            Err(error) => return vec![Found::Differs(format!("{}: {error}", client.version))],
        };
        let of_case = |case: &Case| compare(case, client, profile.clone());
        cases.iter().map(of_case).collect()
    });
}

fn compare(case: &Case, client: &LiveClient, mut profile: Profile) -> Found {
    if live::has_managed_files(case) && Namespace::available().is_err() {
        return Found::LeftOut("managed files need a private mount namespace");
    }
    let name = format!("{} {}", case.name, client.version);
    let world = World::build(case);
    let start = live::deliveries(&world, case, client.version).remove(0);
    let recording = match live::recording(&world, case, client) {
        Ok(recording) => recording,
        Err(error) => return Found::Differs(format!("{name}: {error}")),
    };
    let sent = Sent::of(&recording).unwrap();
    // Notices behind a cut index are known only of an index that was seen.
    profile.learn_notices(&start, &sent.startup);
    let body = &recording.turns().next().unwrap().body;
    let first = &body["messages"][0]["content"];
    let blocks = first.as_array().into_iter().flatten();
    let texts: Vec<String> = blocks
        .filter_map(|block| block["text"].as_str())
        .map(without_dates)
        .collect();
    let Some(wanted) = profile.instructions(&start) else {
        return Found::Differs(format!("{name}: nothing is known of a label or notice"));
    };
    if !wanted.is_empty() && !texts.contains(&wanted) {
        let sent = texts.first().cloned().unwrap_or_default();
        return Found::Differs(format!("{name}:\nlearned {wanted:?}\nsent    {sent:?}"));
    }
    if case.args.iter().any(|arg| arg == "--bare") {
        return Found::Equal;
    }
    let sizes = live::in_session(&world, case, client.version, |session| {
        profile.sizes(&Place::of(session), javascript::len)
    });
    let tools: usize = body["tools"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|tool| javascript::len(&tool.to_string()))
        .sum();
    let system = system_size(&body["system"]);
    if (sizes.tools, sizes.system) != (tools, system) {
        let learned = (sizes.tools, sizes.system);
        return Found::Differs(format!(
            "{name}: learned {learned:?}, sent {:?}",
            (tools, system)
        ));
    }
    Found::Equal
}

/// The size of the system prompt without the state of the repository.
fn system_size(system: &Value) -> usize {
    let blocks = system.as_array().into_iter().flatten();
    let texts = blocks.filter_map(|block| block["text"].as_str());
    texts
        .map(|text| javascript::len(without_git_state(text)))
        .sum()
}
