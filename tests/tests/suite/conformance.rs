//! Every recorded case, in memory, for both recorded clients.

use outcrop_tests::report::{Rules, Tally, difference};
use outcrop_tests::{case, memory};

const CLIENTS: [&str; 2] = ["2.1.332", "2.1.197"];

#[test]
fn recorded_cases_in_memory() {
    let mut tally = Tally::default();
    for folder in ["load", "recorded"] {
        for case in case::load(folder) {
            for client in CLIENTS {
                let want = case.answer(client);
                let got = memory::answer(&case, client.parse().unwrap());
                let found = difference(&case, memory::ROOT, &want, &got, Rules::default());
                tally.add(&format!("{} {client}", case.name), found);
            }
        }
    }
    tally.finish("recorded cases in memory");
}
