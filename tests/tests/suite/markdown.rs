//! Recorded readings of small Markdown documents: what was delivered and which imports counted.
//!
//! Each line of `tests/cases/markdown.jsonl` is a document that stood as a rule in a sandbox of
//! the client, with every `kN` after an `@` beside it. `raw` is the text as a read delivered it,
//! untrimmed (null: nothing), `imports` are the names in order; `raw_197` and `imports_197` are
//! those of 2.1.197 where they differ, and `only` names the one client that was asked.

use std::fs;
use std::path::Path;

use outcrop_loader::client::{Client, Version};
use outcrop_loader::document::Document;
use outcrop_loader::javascript;
use serde::Deserialize;
use serde_json::Value;

#[derive(Debug, Deserialize)]
struct Row {
    doc: String,
    class: String,
    imports: Vec<String>,
    raw: Option<String>,
    imports_197: Option<Vec<String>>,
    /// Null is an answer here, so it is kept apart from absence.
    #[serde(default, deserialize_with = "present")]
    raw_197: Option<Value>,
    only: Option<String>,
}

fn present<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(from).map(Some)
}

/// Documents that are read otherwise, each with its reason. One that starts to agree fails the
/// suite.
const EXCEPTIONS: &[(&str, &str, &str)] = &[(
    "2.1.332",
    "> 1. @k1  \n10. \n  === @k2  \n>   <?x @k3\n> @k4  \n ?>\n> <pre>",
    "an item with a lazy line before a declaration: one of 18,000 documents, rule unknown",
)];

#[derive(Debug, PartialEq)]
struct Reading {
    imports: Vec<String>,
    raw: Option<String>,
}

impl Row {
    fn recorded(&self, version: &str) -> Option<Reading> {
        if self.only.as_ref().is_some_and(|only| only != version) {
            return None;
        }
        let old = version == "2.1.197";
        let imports = self.imports_197.as_ref().filter(|_| old);
        let raw = match self.raw_197.as_ref().filter(|_| old) {
            Some(raw) => raw.as_str().map(str::to_owned),
            None => self.raw.clone(),
        };
        // The newer client's reads defuse its own tag, which happens after the reading here.
        let raw = raw.map(|raw| {
            let raw = raw.replace("<\\system-reminder", "<system-reminder");
            raw.replace("<\\/system-reminder", "</system-reminder")
        });
        Some(Reading {
            imports: imports.unwrap_or(&self.imports).clone(),
            raw,
        })
    }

    fn read(&self, version: Version) -> Reading {
        let client = Client::of(version).unwrap();
        let document = Document::from_text(self.doc.as_str().into(), &client.behaviour);
        if document.nul_reference().is_some() {
            // The session drops such a file.
            return Reading {
                imports: Vec::new(),
                raw: None,
            };
        }
        let mut imports: Vec<String> = Vec::new();
        for import in &document.imports {
            let name = import.path.trim_end_matches('/');
            if self.exists(name) && !imports.iter().any(|import| import == name) {
                imports.push(name.to_owned());
            }
        }
        let empty = javascript::trim(&document.text).is_empty();
        Reading {
            imports,
            raw: (!empty).then_some(document.text),
        }
    }

    /// Whether a file of this name stood beside the document.
    fn exists(&self, name: &str) -> bool {
        let number = name.strip_prefix('k').unwrap_or_default();
        let plain = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        let mut known = self.imports.iter().chain(self.imports_197.iter().flatten());
        plain || known.any(|import| import == name)
    }
}

#[test]
fn documents_are_read_as_recorded() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("cases/markdown.jsonl");
    let mut failures = Vec::new();
    let mut compared = 0;
    for line in fs::read_to_string(path).unwrap().lines() {
        let row: Row = serde_json::from_str(line).unwrap();
        for version in ["2.1.332", "2.1.197"] {
            let Some(recorded) = row.recorded(version) else {
                continue;
            };
            compared += 1;
            let read = row.read(version.parse().unwrap());
            let mut exceptions = EXCEPTIONS.iter();
            let exception = exceptions.find(|known| (known.0, known.1) == (version, &*row.doc));
            match (read == recorded, exception) {
                (true, None) | (false, Some(_)) => {}
                (true, Some(_)) => failures.push(format!("{version} {:?} agrees now", row.doc)),
                (false, None) => failures.push(format!(
                    "{version} {} {:?}\n  recorded {recorded:?}\n  read     {read:?}",
                    row.class, row.doc
                )),
            }
        }
    }
    assert!(compared > 2_500, "only {compared} readings were compared");
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
