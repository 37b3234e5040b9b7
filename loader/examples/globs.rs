#![allow(clippy::disallowed_methods, clippy::print_stdout, clippy::unwrap_used)]
//! scratch
use outcrop_loader::{
    client::Client,
    document::{Document, RulePaths},
    glob::RulePatterns,
};
fn main() {
    let text = std::fs::read_to_string(std::env::args().nth(1).unwrap()).unwrap();
    let (mut n, mut bad) = (0, 0);
    for line in text.lines() {
        let row: serde_json::Value = serde_json::from_str(line).unwrap();
        let ver = row["client"].as_str().unwrap_or("2.1.332");
        let ver = if ver.starts_with('2') {
            ver.to_owned()
        } else {
            format!("2.1.{ver}")
        };
        let client = Client::of(ver.parse().unwrap()).unwrap();
        let doc = Document::from_text(
            format!("---\npaths: {}\n---\nX", row["paths"]).into(),
            &client.behaviour,
        );
        let got = doc.rule_paths(&client.behaviour);
        n += 1;
        let uncond = got == RulePaths::Always;
        if uncond != row["unconditional"].as_bool().unwrap() {
            bad += 1;
            println!(
                "{ver} {} unconditional: want {} got {got:?}",
                row["paths"], row["unconditional"]
            );
            continue;
        }
        let RulePaths::Matching(p) = got else {
            continue;
        };
        let pats = RulePatterns::new(&p);
        let want: Vec<&str> = row["matches"]
            .as_array()
            .unwrap()
            .iter()
            .map(|v| v.as_str().unwrap())
            .collect();
        let got: Vec<&str> = row["targets"]
            .as_array()
            .unwrap()
            .iter()
            .map(|v| v.as_str().unwrap())
            .filter(|t| pats.is_match(t))
            .collect();
        if want != got {
            bad += 1;
            let extra: Vec<_> = got.iter().filter(|t| !want.contains(t)).collect();
            let miss: Vec<_> = want.iter().filter(|t| !got.contains(t)).collect();
            println!("{ver} {} extra {extra:?} missing {miss:?}", row["paths"]);
        }
    }
    println!("{n} rows, {bad} differ");
}
