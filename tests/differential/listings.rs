//! Random worlds of skills, commands and agents: what the client lists must be what is predicted.

use outcrop_loader::client::Version;
use outcrop_loader::testing::{World, listings};
use outcrop_tests::case::{Case, Step};
use outcrop_tests::disk;
use outcrop_tests::live::{self, LiveClient};
use outcrop_verify::sandbox::Namespace;
use outcrop_verify::sent::lists;
use proptest::strategy::{Strategy, ValueTree};
use serde_json::json;

use crate::options::Options;
use crate::random::{each, runner, smallest};
use crate::report::{Found, Report};

pub(crate) fn run(options: &Options, clients: &[LiveClient], report: &mut Report) {
    if options.only.is_some() {
        return;
    }
    let (name, count) = ("differential, random listings", options.listings);
    each(options, clients, report, name, count, &compare);
}

fn compare(options: &Options, number: u64, client: &LiveClient) -> Found {
    let managed = Namespace::available().is_ok();
    let mut runner = runner(options.seed, number);
    let mut tree = listings(managed).new_tree(&mut runner).unwrap();
    let name = format!("listing-{}-{number}-{}", options.seed, client.version);
    let has_plugin = tree.current().args.iter().any(|arg| arg == "--plugin-dir");
    if has_plugin && client.version < Version::NEWEST {
        return Found::LeftOut("old clients send the list before they have read plugins");
    }
    let case = |world: &World| case(&name, world);
    let Some(how) = differs(&case(&tree.current()), client) else {
        return Found::Equal;
    };
    // On a busy machine the client now and then leaves out what it had no time to find, such as
    // a plugin.
    if differs(&case(&tree.current()), client).is_none() {
        return Found::LeftOut("the client's lists differ from run to run");
    }
    smallest(options, &mut tree, how, &case, &|case| {
        differs(case, client)
    })
}

/// The world with two more calls, in which a list that comes late arrives.
fn case(name: &str, world: &World) -> Case {
    let mut case = Case::of_world(name, world);
    let idle = Step {
        tool: "Bash".to_owned(),
        input: json!({ "command": "ls", "description": "d" }),
    };
    case.steps.extend([idle.clone(), idle]);
    case
}

fn differs(case: &Case, client: &LiveClient) -> Option<String> {
    let world = disk::World::build(case);
    let recording = match live::recording(&world, case, client) {
        Ok(recording) => recording,
        Err(error) => return Some(error),
    };
    let sent = lists::skills(&recording);
    let agents = lists::agents(&recording);
    let found = live::in_session(&world, case, client.version, |session| {
        let listed = lists::differ(&session.catalog(), &session.announced(), &sent);
        listed.or_else(|| lists::agents_differ(&session.agents(), agents.as_deref()))
    });
    found.map(|text| text.replace(&world.root(), "{root}"))
}
