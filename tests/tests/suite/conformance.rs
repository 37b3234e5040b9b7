//! Every recorded case, for both recorded clients: in memory, and on disk through the command.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use outcrop_tests::case::Case;
use outcrop_tests::disk::{self, World};
use outcrop_tests::report::{Rules, Tally, difference};
use outcrop_tests::{case, memory};

const CLIENTS: [&str; 2] = ["2.1.332", "2.1.197"];
/// Cases of the project's collection, and cases recorded since.
const FOLDERS: [&str; 2] = ["load", "recorded"];

fn cases() -> Vec<Case> {
    FOLDERS.into_iter().flat_map(case::load).collect()
}

#[test]
fn recorded_cases_in_memory() {
    let mut tally = Tally::default();
    for case in cases() {
        for client in CLIENTS {
            let want = case.answer(client);
            let got = memory::answer(&case, client.parse().unwrap());
            let found = difference(&case, memory::ROOT, &want, &got, Rules::default());
            tally.add(&format!("{} {client}", case.name), found);
        }
    }
    tally.finish("recorded cases in memory");
}

/// Another disk lists folders in another order, so rules of one folder are compared as sets.
#[test]
#[cfg(unix)]
fn recorded_cases_through_the_command() {
    let rules = Rules {
        any_rule_order: true,
    };
    let (program, cases) = (disk::program(), cases());
    let (next, tally) = (AtomicUsize::new(0), Mutex::new(Tally::default()));
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let world = World::build(case);
                    for client in CLIENTS {
                        let want = case.answer(client);
                        let got = world.answer(&world.show(&program, case, client));
                        let found = difference(case, &world.root(), &want, &got, rules);
                        let name = format!("{} {client}", case.name);
                        tally.lock().unwrap().add(&name, found);
                    }
                }
            });
        }
    });
    let tally = tally.into_inner().unwrap();
    tally.finish("recorded cases through the command");
}
