//! Pages that are made from the code, and files that must not be forgotten.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use outcrop_loader::client::{CHANGES, Version};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

fn versions_page() -> String {
    let mut page = format!(
        "# Client versions\n\nMade from `loader/src/client/changes/`; \
         `UPDATE_DOCS=1 cargo test -p outcrop-tests` rewrites it.\n\n\
         Newest observed: {}. Recorded cases were run down to {}; below, to {}, only single \
         behaviours were searched.\n\n| from | what changed | note |\n| --- | --- | --- |\n",
        Version::NEWEST,
        Version::OLDEST_OBSERVED,
        Version::OLDEST
    );
    for change in CHANGES {
        let _ = writeln!(
            page,
            "| {} | {} | {} |",
            change.from, change.what, change.fact
        );
    }
    page
}

#[test]
fn the_page_of_versions_is_up_to_date() {
    let file = root().join("docs/client-versions.md");
    let page = versions_page();
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&file, &page).unwrap();
    }
    let found = fs::read_to_string(&file).unwrap_or_default();
    assert!(
        found == page,
        "docs/client-versions.md is stale; run with UPDATE_DOCS=1"
    );
}

#[test]
fn every_suite_is_declared() {
    let folder = root().join("tests/tests/suite");
    let main = fs::read_to_string(folder.join("main.rs")).unwrap();
    for entry in fs::read_dir(folder).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let module = name.trim_end_matches(".rs");
        let declared = module == "main" || main.contains(&format!("mod {module};"));
        assert!(declared, "{name} is not declared in main.rs");
    }
}

#[test]
fn every_reason_is_documented() {
    let page = fs::read_to_string(root().join("docs/json.md")).unwrap();
    let mut checked = 0;
    for folder in ["loader/src/session", "loader/src"] {
        for entry in fs::read_dir(root().join(folder)).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_none_or(|extension| extension != "rs") {
                continue;
            }
            let text = fs::read_to_string(&path).unwrap();
            for (at, _) in text.match_indices("Reason::") {
                // The case of a skip stands behind its reason in the same call or tuple.
                let rest: String = text[at..].chars().take(60).collect();
                let Some(case) = rest
                    .split('"')
                    .nth(1)
                    .filter(|_| rest.matches('"').count() > 1)
                else {
                    continue;
                };
                let known = page.contains(&format!("`{case}`"));
                assert!(
                    known,
                    "{}: docs/json.md lacks the case {case}",
                    path.display()
                );
                checked += 1;
            }
        }
    }
    assert!(checked > 10, "only {checked} cases were found in the code");
}

/// The facts about sessions are numbered without a gap, and every case that they name is there.
#[test]
fn facts_about_sessions_name_cases_that_exist() {
    let page = fs::read_to_string(root().join("docs/facts-sessions.md")).unwrap();
    let numbers = page.lines().filter_map(|line| line.split_once(". "));
    let numbers = numbers.filter_map(|(number, _)| number.parse::<u32>().ok());
    let numbers: Vec<u32> = numbers.collect();
    let wanted: Vec<u32> = (111..).take(numbers.len()).collect();
    assert_eq!(numbers, wanted);

    let folder = root().join("tests/cases/resume");
    let entries = fs::read_dir(folder).unwrap();
    let files = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let cases: Vec<String> = files
        .filter_map(|file| file.strip_suffix(".json").map(str::to_owned))
        .collect();
    let brackets = page
        .split('(')
        .skip(1)
        .filter_map(|rest| rest.split_once(')'));
    let words = brackets.flat_map(|(inside, _)| inside.split([',', ';', ':', ' ', '\n']));
    let is_name = |word: &&str| {
        let mut characters = word.chars();
        word.contains('-')
            && characters.all(|c| matches!(c, 'a'..='z' | '0'..='9' | '-' | '*'))
            && !word.starts_with("claude-")
    };
    let mut checked = 0;
    for name in words.filter(is_name) {
        assert!(
            cases.iter().any(|case| fits(name, case)),
            "docs/facts-sessions.md names {name}, which is no case"
        );
        checked += 1;
    }
    assert!(checked > 200, "only {checked} names were found");
}

/// Whether a name fits one with `*` in it.
fn fits(pattern: &str, name: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == name,
        Some((before, behind)) => name.strip_prefix(before).is_some_and(|rest| {
            let mut ends = rest.char_indices().map(|(at, _)| at).chain([rest.len()]);
            ends.any(|at| fits(behind, &rest[at..]))
        }),
    }
}
