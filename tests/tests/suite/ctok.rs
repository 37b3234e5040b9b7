//! The same counts as ctok, where it is installed: `scripts/ctok` installs it, and `OUTCROP_CTOK`
//! names its Python. Else the test says that it did not run.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use outcrop_loader::tokens::{Counter, Family};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use serde_json::json;

use crate::tokens::text;

const GENERATED: usize = 10_000;
/// Files of the repository that are texts of ours.
const KINDS: [&str; 6] = ["md", "rs", "toml", "py", "yml", "stdout"];

#[test]
fn counts_are_those_of_ctok() {
    let Ok(python) = std::env::var("OUTCROP_CTOK") else {
        println!("ctok: not run, OUTCROP_CTOK names no Python");
        return;
    };
    let mut texts = Vec::new();
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[4; 32]);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    for _ in 0..GENERATED {
        texts.push(text().new_tree(&mut runner).unwrap().current());
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    files_below(root, &mut texts);
    let files = texts.len() - GENERATED;
    let mut child = Command::new(python)
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("count_with_ctok.py"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("ctok's Python");
    let mut input = child.stdin.take().unwrap();
    let lines: Vec<String> = texts
        .iter()
        .map(|text| format!("{}\n", json!({ "text": text })))
        .collect();
    let writer = std::thread::spawn(move || {
        for line in lines {
            input.write_all(line.as_bytes()).expect("ctok reads");
        }
    });
    let mut counters = [Family::ClaudeV3, Family::ClaudeV4_7, Family::ClaudeV4_8].map(Counter::new);
    let answers = BufReader::new(child.stdout.take().unwrap()).lines();
    let (mut compared, mut differ) = (0, Vec::new());
    for (text, answer) in texts.iter().zip(answers) {
        let wanted: Vec<u64> = serde_json::from_str(&answer.unwrap()).unwrap();
        let got: Vec<u64> = counters
            .iter_mut()
            .map(|counter| counter.message(text).count)
            .collect();
        compared += 1;
        if got != wanted {
            differ.push(format!(
                "{got:?}, not {wanted:?}: {:.200}",
                format!("{text:?}")
            ));
        }
    }
    writer.join().unwrap();
    assert!(child.wait().unwrap().success(), "ctok ends well");
    println!(
        "ctok: {compared} texts, {files} of them files, {} differ",
        differ.len()
    );
    assert_eq!(compared, texts.len());
    assert!(differ.is_empty(), "{}", differ.join("\n"));
}

fn files_below(folder: &Path, texts: &mut Vec<String>) {
    let mut entries: Vec<_> = fs::read_dir(folder).unwrap().map(Result::unwrap).collect();
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let (path, name) = (entry.path(), entry.file_name());
        let is_ours = !name.to_string_lossy().starts_with('.') && name != "target";
        if path.is_dir() && is_ours {
            files_below(&path, texts);
        } else if path
            .extension()
            .is_some_and(|kind| KINDS.iter().any(|known| kind == *known))
        {
            texts.extend(fs::read_to_string(&path));
        }
    }
}
