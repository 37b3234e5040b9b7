//! L129: what one client in use receives and another does not.

use std::collections::BTreeMap;

use super::prelude::*;
use crate::client::{Client, Version};
use crate::lint::Options;
use crate::lint::subject::When;
use crate::path::AbsPath;
use crate::session::Session;

pub(in crate::lint) static RULE: Rule = Rule {
    id: "L129",
    name: "client-differs",
    severity: Severity::Info,
    summary: "Clients that are in use here receive different instructions.",
    page: Page {
        what: "Starts a session of each version in `clients` of `outcrop.toml`, and compares what \
               they receive: at the start, and when files are read. Without that key it does nothing.",
        why: "Who works with one version follows instructions that another never sees.",
        instead: "Write it so that each version receives it, such as by an import of `AGENTS.md` in \
                  `CLAUDE.md`, or move to one version.",
        drawbacks: "It compares what Outcrop knows of versions, which is what was recorded of them.",
        evidence: "What differs between versions is listed in docs/client-versions.md.",
        since: "0.1.0",
    },
    bad: &[Example {
        title: "an older client reads no AGENTS.md",
        files: &[
            ("AGENTS.md", "Use pnpm.\n"),
            (
                "outcrop.toml",
                "[lint]\nclients = [\"2.1.197\", \"2.1.332\"]\n",
            ),
        ],
        fixed: &[],
    }],
    good: &[
        Example {
            title: "a file that both read",
            files: &[
                ("CLAUDE.md", "Use pnpm.\n"),
                (
                    "outcrop.toml",
                    "[lint]\nclients = [\"2.1.197\", \"2.1.332\"]\n",
                ),
            ],
            fixed: &[],
        },
        Example {
            title: "one version in use",
            files: &[
                ("AGENTS.md", "Use pnpm.\n"),
                ("outcrop.toml", "[lint]\nclients = [\"2.1.332\"]\n"),
            ],
            fixed: &[],
        },
    ],
    check,
};

/// What one client receives of a file: whether with its start, and the text.
type Received = (bool, String);

fn check(subject: &Subject<'_, '_>, report: &mut Report<'_, '_>) {
    let mut versions = subject.config().clients.clone();
    versions.sort_unstable();
    versions.dedup();
    if versions.len() < 2 {
        return;
    }
    let mut files: BTreeMap<AbsPath, Vec<(Version, Received)>> = BTreeMap::new();
    for version in &versions {
        let Ok(client) = Client::of(*version) else {
            continue;
        };
        let mut origin = subject.session.origin().clone();
        origin.client = client;
        let mut session = Session::start(subject.session.world().host, origin);
        let other = Subject::of(&mut session, &Options::default());
        for file in &other.files {
            let received = (file.when == When::Start, file.text.trim().to_owned());
            let by = files.entry(file.path.clone()).or_default();
            by.push((*version, received));
        }
    }
    for (path, received) in &files {
        let Some((message, is_lost)) = told(&versions, received) else {
            continue;
        };
        let draft = report.at(Place::File(path.clone()), message);
        match received.first() {
            Some((_, (_, text))) if is_lost => {
                draft.costs(Cost::Lost(subject.tokens(text))).report();
            }
            _ => draft.report(),
        }
    }
}

/// What differs, and whether some receive nothing.
fn told(versions: &[Version], received: &[(Version, Received)]) -> Option<(String, bool)> {
    let named = |versions: &mut dyn Iterator<Item = Version>| {
        let versions: Vec<String> = versions.map(|version| version.to_string()).collect();
        versions.join(", ")
    };
    let with = named(&mut received.iter().map(|(version, _)| *version));
    let mut without = versions.iter().copied();
    let without = named(
        &mut without
            .by_ref()
            .filter(|version| !received.iter().any(|(other, _)| other == version)),
    );
    if !without.is_empty() {
        let message = format!("the clients {with} receive it, and {without} do not");
        let one = format!("client {with} receives it, and {without} does not");
        let is_one = received.len() == 1 && versions.len() == 2;
        return Some((if is_one { one } else { message }, true));
    }
    let (first, (at_start, text)) = received.first()?;
    let other = |differs: &dyn Fn(&Received) -> bool| {
        let mut others = received.iter();
        others
            .find(|(_, received)| differs(received))
            .map(|(version, _)| *version)
    };
    if let Some(version) = other(&|(start, _)| start != at_start) {
        let (early, late) = if *at_start {
            (*first, version)
        } else {
            (version, *first)
        };
        let message =
            format!("client {early} receives it with its start, and {late} when a file is read");
        return Some((message, false));
    }
    let version = other(&|(_, other)| other != text)?;
    let message = format!("the clients {first} and {version} receive different texts of it");
    Some((message, false))
}
