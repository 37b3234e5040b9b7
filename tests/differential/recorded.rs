//! Recorded cases again, so that a stale recording is noticed.

use std::fs;
use std::path::Path;

use outcrop_tests::case::{self, Case};
use outcrop_tests::disk::World;
use outcrop_tests::live::{self, LiveClient};
use outcrop_tests::report::{Rules, difference};
use outcrop_verify::sandbox::Namespace;

use crate::options::Options;
use crate::report::{Found, Report};

const FOLDERS: [&str; 2] = ["load", "recorded"];

/// Prints what each client sends for a case of the developer's own, beside the prediction, and
/// writes it as a recorded case where that is asked.
pub(crate) fn show(options: &Options, file: &Path, clients: &[LiveClient]) {
    let text = fs::read_to_string(file).unwrap();
    let case: Case = serde_json::from_str(&text).unwrap();
    let mut answers = Vec::new();
    for client in clients {
        let world = World::build(&case);
        let predicted = live::predicted(&world, &case, client.version);
        println!("client {}", client.version);
        match live::sent(&world, &case, client) {
            Err(error) => println!("  {error}"),
            Ok(sent) => {
                let answer = live::delivered(&sent, &case, &world.root());
                let found = difference(&case, &world.root(), &answer, &predicted, Rules::default());
                let (startup, later) = &answer;
                for (moment, entries) in [startup].into_iter().chain(later).enumerate() {
                    println!("  moment {moment}");
                    for entry in entries {
                        println!("    {} {} {:?}", entry.kind, entry.path, entry.content);
                    }
                }
                println!("  {}", found.as_deref().unwrap_or("as predicted"));
                let comparison = live::compared(&sent, &world, &case, client.version);
                let moments = comparison.moments.iter();
                for moment in moments.filter(|moment| !moment.is_equal()) {
                    println!("  with what a hook adds: {moment:#?}");
                }
                answers.push((client.version, live::unfilled(answer, &world.root())));
            }
        }
    }
    if let Some(file) = &options.record {
        let case = case.recorded(answers, live::rule_folders(&World::build(&case), &case));
        let text = serde_json::to_string_pretty(&case).unwrap();
        fs::write(file, text + "\n").unwrap();
    }
}

/// The cases to run: all of them, or a fixed sample spread over the names.
fn cases(options: &Options) -> Vec<Case> {
    let mut cases: Vec<Case> = FOLDERS.into_iter().flat_map(case::load).collect();
    if let Some(only) = &options.only {
        cases.retain(|case| case.name.contains(only));
        return cases;
    }
    let count = options.cases.unwrap_or(cases.len()).min(cases.len());
    let every = cases.len();
    let chosen = (0..count).map(|index| cases[index * every / count].clone());
    chosen.collect()
}

pub(crate) fn run(options: &Options, clients: &[LiveClient], report: &mut Report) {
    let cases = cases(options);
    report.part(
        "differential, recorded cases",
        options.jobs,
        cases.len(),
        |index| {
            let of_client = |client| compare(&cases[index], client);
            clients.iter().map(of_client).collect()
        },
    );
}

fn compare(case: &Case, client: &LiveClient) -> Found {
    if live::has_managed_files(case) && Namespace::available().is_err() {
        return Found::LeftOut("managed files need a private mount namespace");
    }
    let world = World::build(case);
    let version = client.version.to_string();
    let name = format!("{} {version}", case.name);
    let mut want = case.answer(&version);
    // Which scope a read's text has is known from the client's events only.
    for entry in want.1.iter_mut().flatten() {
        entry.kind = live::guessed(&entry.path).to_owned();
    }
    let rules = Rules {
        any_rule_order: true,
    };
    match live::sent(&world, case, client) {
        Err(error) => Found::Differs(format!("{name}: {error}")),
        Ok(sent) => {
            let got = live::delivered(&sent, case, &world.root());
            match difference(case, &world.root(), &want, &got, rules) {
                None => Found::Equal,
                Some(text) => Found::Differs(format!("{name}: {text}")),
            }
        }
    }
}
