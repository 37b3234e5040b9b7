//! Random worlds: what the client delivers must be what is predicted.

use std::fmt::Write as _;
use std::fs;

use outcrop_loader::testing::{World, world_of};
use outcrop_tests::case::Case;
use outcrop_tests::disk;
use outcrop_tests::live::{self, LiveClient};
use outcrop_verify::sandbox::Namespace;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use crate::options::Options;
use crate::report::{Found, Report};

/// How many smaller worlds are tried to make a difference small.
const SMALLER: usize = 80;

/// The source of chance of a seed and a number.
pub(crate) fn runner(seed: u64, number: u64) -> TestRunner {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    bytes[8..16].copy_from_slice(&number.to_le_bytes());
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
    TestRunner::new_with_rng(Config::default(), rng)
}

/// The world of a seed and a number.
fn tree(seed: u64, number: u64) -> impl ValueTree<Value = World> {
    let mut runner = runner(seed, number);
    let options = outcrop_loader::testing::Options {
        managed: Namespace::available().is_ok(),
        ..outcrop_loader::testing::Options::default()
    };
    world_of(&options).new_tree(&mut runner).unwrap()
}

pub(crate) fn run(options: &Options, clients: &[LiveClient], report: &mut Report) {
    if options.only.is_some() {
        return;
    }
    let (name, count) = ("differential, random worlds", options.worlds);
    each(options, clients, report, name, count, &compare);
}

/// Compares so many worlds with each client, or with one of them in turn.
pub(crate) fn each(
    options: &Options,
    clients: &[LiveClient],
    report: &mut Report,
    name: &'static str,
    count: u64,
    compare: &(dyn Fn(&Options, u64, &LiveClient) -> Found + Sync),
) {
    let count = usize::try_from(count).unwrap();
    report.part(name, options.jobs, count, |index| {
        let number = options.first + index as u64;
        let turn = index % clients.len();
        let of_world = if options.in_turn {
            &clients[turn..=turn]
        } else {
            clients
        };
        let of_client = |client| compare(options, number, client);
        of_world.iter().map(of_client).collect()
    });
}

fn compare(options: &Options, number: u64, client: &LiveClient) -> Found {
    let mut tree = tree(options.seed, number);
    let name = format!("world-{}-{number}-{}", options.seed, client.version);
    let case = |world: &World| Case::of_world(&name, world);
    match differs(&case(&tree.current()), client) {
        None => Found::Equal,
        Some(how) => smallest(options, &mut tree, how, &case, &|case| {
            differs(case, client)
        }),
    }
}

/// How the smallest world differs that can be found from this one, which does.
pub(crate) fn smallest(
    options: &Options,
    tree: &mut dyn ValueTree<Value = World>,
    mut how: String,
    case: &dyn Fn(&World) -> Case,
    differs: &dyn Fn(&Case) -> Option<String>,
) -> Found {
    let mut smallest = case(&tree.current());
    for _ in 0..SMALLER {
        let more = match differs(&case(&tree.current())) {
            Some(text) => {
                (smallest, how) = (case(&tree.current()), text);
                tree.simplify()
            }
            None => tree.complicate(),
        };
        if !more {
            break;
        }
    }
    let name = &smallest.name;
    fs::create_dir_all(&options.found).unwrap();
    let file = options.found.join(format!("{name}.json"));
    fs::write(&file, serde_json::to_string_pretty(&smallest).unwrap()).unwrap();
    Found::Differs(format!("{name} ({}): {how}", file.display()))
}

fn differs(case: &Case, client: &LiveClient) -> Option<String> {
    let world = disk::World::build(case);
    let sent = match live::sent(&world, case, client) {
        Ok(sent) => sent,
        Err(error) => return Some(error),
    };
    let comparison = live::compared(&sent, &world, case, client.version);
    let mut text = String::new();
    for moment in comparison
        .moments
        .iter()
        .filter(|moment| !moment.is_equal())
    {
        let _ = writeln!(text, "{:?}", moment.trigger);
        for item in &moment.items {
            let sides = [("predicted", &item.predicted), ("sent", &item.sent)];
            let _ = writeln!(text, "  {:?} {}", item.statuses, item.path);
            for (name, side) in sides.iter().filter(|_| !item.is_equal()) {
                let text_of = side.as_ref().map(|side| &side.text);
                let _ = writeln!(text, "    {name} {text_of:?}");
            }
        }
    }
    (!comparison.is_equal()).then(|| text.replace(&world.root(), "{root}"))
}
