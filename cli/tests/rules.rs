//! The pages of rules are what `outcrop rule` prints. `UPDATE_DOCS=1` writes them anew.
#![expect(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

mod support;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/rules")
}

fn printed(args: &[&str]) -> String {
    let mut command = support::outcrop(Path::new(env!("CARGO_MANIFEST_DIR")));
    let output = command.arg("rule").args(args).output().unwrap();
    assert!(output.status.success(), "{args:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn pages_are_up_to_date() {
    let list = printed(&["--list"]);
    let rules: Vec<(String, String)> = list
        .lines()
        .filter_map(|line| {
            let mut words = line.split_whitespace();
            let (id, name) = (words.next()?, words.next()?);
            id.starts_with('L')
                .then(|| (id.to_owned(), name.to_owned()))
        })
        .collect();
    let pages = rules
        .iter()
        .map(|(id, _)| (format!("{id}.md"), printed(&[id])));
    let mut pages: Vec<(String, String)> = pages.collect();
    pages.push(("README.md".to_owned(), index(&list)));
    if std::env::var_os("UPDATE_DOCS").is_some() {
        let _ = fs::remove_dir_all(folder());
        fs::create_dir_all(folder()).unwrap();
        for (name, text) in &pages {
            fs::write(folder().join(name), text).unwrap();
        }
    }
    for (name, text) in &pages {
        let kept = fs::read_to_string(folder().join(name)).unwrap_or_default();
        assert_eq!(&kept, text, "{name}: run this test with UPDATE_DOCS=1");
    }
    let names = fs::read_dir(folder()).unwrap();
    let names = names.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let wanted: BTreeSet<String> = pages.into_iter().map(|(name, _)| name).collect();
    assert_eq!(names.collect::<BTreeSet<_>>(), wanted);
}

fn index(list: &str) -> String {
    let mut text = "# Rules\n\nMade by `outcrop rule`; each has its page there, too.\n".to_owned();
    for line in list.lines().filter(|line| !line.is_empty()) {
        let mut words = line.splitn(2, char::is_whitespace);
        let id = words.next().unwrap();
        let is_rule = id.starts_with('L') && id.len() == 4;
        if !is_rule {
            text.push_str(&format!(
                "\n## {line}\n\n| rule | name | severity | what is wrong |\n| --- | --- | --- | --- |\n"
            ));
            continue;
        }
        let rest = words.next().unwrap().trim_start();
        let (name, rest) = rest.split_once(char::is_whitespace).unwrap();
        let (severity, summary) = rest.trim_start().split_once(char::is_whitespace).unwrap();
        let summary = summary.trim_start();
        text.push_str(&format!(
            "| [{id}]({id}.md) | {name} | {severity} | {summary} |\n"
        ));
    }
    text
}
