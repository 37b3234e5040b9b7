//! Comparing an answer with the recorded one, and counting.

use std::fmt::Write as _;

use crate::case::{Case, Content, Entry};

/// How a comparison is done.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rules {
    /// Rules of one folder may come in any order: another disk lists them otherwise.
    pub any_rule_order: bool,
}

/// The first difference between what was recorded and what was predicted.
#[must_use]
pub fn difference(
    case: &Case,
    root: &str,
    want: &(Vec<Entry>, Vec<Vec<Entry>>),
    got: &(Vec<Entry>, Vec<Vec<Entry>>),
    rules: Rules,
) -> Option<String> {
    if let Some(difference) = delivery("startup", root, &want.0, &got.0, rules, false) {
        return Some(difference);
    }
    let steps = want.1.len().max(got.1.len());
    for step in 0..steps {
        let (want, got) = (want.1.get(step), got.1.get(step));
        let (want, got) = (
            want.cloned().unwrap_or_default(),
            got.cloned().unwrap_or_default(),
        );
        let name = format!("step {step}");
        let found = delivery(&name, root, &want, &got, rules, case.unordered);
        if found.is_some() {
            return found;
        }
    }
    None
}

fn delivery(
    name: &str,
    root: &str,
    want: &[Entry],
    got: &[Entry],
    rules: Rules,
    unordered: bool,
) -> Option<String> {
    let (mut want, mut got) = (want.to_vec(), got.to_vec());
    for entry in &mut want {
        if let Content::Text(text) = &mut entry.content {
            *text = crate::case::fill(text, root);
        }
    }
    if unordered {
        want.sort();
        got.sort();
    }
    if rules.any_rule_order {
        sort_rules(&mut want);
        sort_rules(&mut got);
    }
    let same = want.len() == got.len() && want.iter().zip(&got).all(|(want, got)| equal(want, got));
    if same {
        return None;
    }
    let mut text = format!("{name}:\n");
    for (title, entries) in [("recorded", &want), ("predicted", &got)] {
        let _ = writeln!(text, "  {title}:");
        for entry in entries.iter() {
            let _ = writeln!(
                text,
                "    {} {} {:?}",
                entry.kind, entry.path, entry.content
            );
        }
    }
    Some(text)
}

/// Sorts each run of entries that come from rules folders.
fn sort_rules(entries: &mut [Entry]) {
    let is_rule = |entry: &Entry| entry.path.contains("/rules/");
    let mut start = 0;
    while start < entries.len() {
        let run = entries[start..]
            .iter()
            .take_while(|entry| is_rule(entry))
            .count();
        entries[start..start + run].sort();
        start += run.max(1);
    }
}

fn equal(want: &Entry, got: &Entry) -> bool {
    let Content::Text(text) = &got.content else {
        return false;
    };
    let same_text = match &want.content {
        Content::Text(want) => want == text,
        Content::Measures { chars, head, tail } => {
            text.chars().count() == *chars && text.starts_with(head) && text.ends_with(tail)
        }
    };
    same_text && want.path == got.path && want.kind == got.kind
}

/// Cases that passed and failed, for the closing line of a suite.
#[derive(Debug, Default)]
pub struct Tally {
    passed: usize,
    failures: Vec<String>,
}

impl Tally {
    /// Notes one comparison.
    pub fn add(&mut self, name: &str, difference: Option<String>) {
        match difference {
            None => self.passed += 1,
            Some(text) => self.failures.push(format!("{name}: {text}")),
        }
    }

    /// Prints the count and fails if anything differed or nothing was compared.
    ///
    /// # Panics
    /// When a comparison failed.
    #[expect(clippy::print_stdout, reason = "the report of a suite")]
    pub fn finish(&self, suite: &str) {
        let failed = self.failures.len();
        println!("{suite}: {} passed, {failed} failed", self.passed);
        assert!(self.passed + failed > 0, "{suite} compared nothing");
        let all = self.failures.join("\n");
        assert!(
            failed == 0,
            "{suite}: {failed} of {} differ\n{all}",
            self.passed + failed
        );
    }
}
