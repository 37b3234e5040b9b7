//! Speed and error of each way to count tokens, by kind of text, as the table that
//! docs/performance.md shows: `cargo run --release -p outcrop-tests --example tokens`.
#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a program that prints what it measured of the files of this checkout"
)]

use std::fs;
use std::path::Path;
use std::time::Instant;

use outcrop_loader::tokens::{Counter, Family};

/// At least so many bytes are counted at a time.
const BYTES: usize = 2_000_000;
const ROUNDS: usize = 5;

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let kinds = [
        ("English", gathered(root, "md", 400_000)),
        ("Rust", gathered(root, "rs", 1_500_000)),
        (
            "JSON",
            gathered(&root.join("tests/cases/recorded"), "json", 400_000),
        ),
        (
            "Chinese",
            vectors(root, |c| ('\u{4e00}'..='\u{9fff}').contains(&c)),
        ),
        (
            "Cyrillic",
            vectors(root, |c| ('\u{400}'..='\u{4ff}').contains(&c)),
        ),
    ];
    println!("| text | tokenizer | MB/s | tokens | against claude-v4.8 | against claude-v3 |");
    println!("| --- | --- | ---: | ---: | ---: | ---: |");
    for (kind, text) in kinds {
        let of = |family| Counter::new(family).content(&text).count as f64;
        let (new, old) = (of(Family::ClaudeV4_8), of(Family::ClaudeV3));
        let row = |name: &str, speed: f64, count: f64| {
            let (by_new, by_old) = (percent(count, new), percent(count, old));
            println!("| {kind} | {name} | {speed:.0} | {count:.0} | {by_new} | {by_old} |");
        };
        for family in Family::ALL {
            let mut counter = Counter::new(*family);
            let (speed, count) = measured(&text, |text| counter.content(text).count);
            row(family.name(), speed, count);
        }
        let quarter = |text: &str| text.chars().count().div_ceil(4) as u64;
        let (speed, count) = measured(&text, quarter);
        row("characters/4", speed, count);
    }
}

fn percent(count: f64, of: f64) -> String {
    format!("{:+.1} %", (count / of - 1.0) * 100.0)
}

/// Megabytes a second, the best of some rounds, and the count.
fn measured(text: &str, mut count: impl FnMut(&str) -> u64) -> (f64, f64) {
    let times = (BYTES / text.len()).max(1);
    let tokens = count(text);
    let mut best = f64::INFINITY;
    for _ in 0..ROUNDS {
        let start = Instant::now();
        for _ in 0..times {
            assert_eq!(count(text), tokens);
        }
        best = best.min(start.elapsed().as_secs_f64());
    }
    ((text.len() * times) as f64 / 1e6 / best, tokens as f64)
}

/// The files of one kind below a folder, up to some bytes.
fn gathered(folder: &Path, kind: &str, most: usize) -> String {
    let mut entries: Vec<_> = fs::read_dir(folder).unwrap().map(Result::unwrap).collect();
    entries.sort_by_key(fs::DirEntry::file_name);
    let mut text = String::new();
    for entry in entries {
        let (path, name) = (entry.path(), entry.file_name());
        if text.len() >= most || name == "target" || name.to_string_lossy().starts_with('.') {
            continue;
        }
        if path.is_dir() {
            text += &gathered(&path, kind, most - text.len());
        } else if path.extension().is_some_and(|found| found == kind) {
            text += &fs::read_to_string(&path).unwrap();
        }
    }
    text
}

/// The recorded texts that are mostly of one script.
fn vectors(root: &Path, is_of_script: impl Fn(char) -> bool) -> String {
    let file = root.join("tests/cases/tokens/vectors.jsonl");
    let lines = fs::read_to_string(file).unwrap();
    let texts = lines.lines().map(|line| {
        let value: serde_json::Value = serde_json::from_str(line).unwrap();
        value["text"].as_str().unwrap().to_owned()
    });
    let of_script = |text: &String| {
        let count = text.chars().filter(|c| is_of_script(*c)).count();
        2 * count > text.chars().count()
    };
    texts.filter(of_script).collect::<Vec<_>>().join("\n")
}
