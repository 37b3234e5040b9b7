//! Findings of `lint`, in each of its forms.

pub(crate) mod changes;
pub(crate) mod concise;
pub(crate) mod github;
pub(crate) mod human;
pub(crate) mod json;
mod places;
pub(crate) mod sarif;

use outcrop_loader::lint::Severity;
use outcrop_loader::lint::finding::Cost;

use super::names::{count, number};
use crate::start::linting::Linted;

/// What a finding costs, in words.
pub(crate) fn cost(cost: Cost) -> String {
    match cost {
        Cost::Start(tokens) => format!("{} tokens in every session", number(tokens)),
        Cost::Read(tokens) => format!("{} tokens when it is read", number(tokens)),
        Cost::Lost(tokens) => format!("{} tokens of instructions are lost", number(tokens)),
    }
}

/// The last line: how many findings there are, and of what.
fn summary(linted: &Linted) -> String {
    let files = count(linted.files, "file", "files");
    let kinds = [
        (Severity::Error, "error", "errors"),
        (Severity::Warning, "warning", "warnings"),
        (Severity::Info, "hint", "hints"),
    ];
    let kinds = kinds.into_iter().filter_map(|(severity, one, many)| {
        let number = linted.count(severity);
        (number > 0).then(|| count(number, one, many))
    });
    let kinds: Vec<String> = kinds.collect();
    let mut known = String::new();
    if linted.known.hidden > 0 {
        let number = count(
            linted.known.hidden,
            "known finding is",
            "known findings are",
        );
        known.push_str(&format!("\n{number} not told"));
    }
    if linted.known.gone > 0 {
        let number = count(linted.known.gone, "known finding is", "known findings are");
        known.push_str(&format!("\n{number} gone: `--write-baseline` forgets them"));
    }
    match kinds.is_empty() {
        true if linted.known.hidden > 0 => format!("nothing new is wrong in {files}{known}"),
        true => format!("nothing is wrong in {files}{known}"),
        false => {
            let offered = changes::offered(&linted.findings);
            let offered = offered.map_or_else(String::new, |offered| format!("\n{offered}"));
            format!("{} in {files}{known}{offered}", kinds.join(", "))
        }
    }
}
