//! `schemas/lint.schema.json` is what `outcrop lint --json` prints: what is printed is valid by it and has no
//! other keys, and each key that it names is printed. docs/json.md names them all.
#![expect(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

mod logs;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use logs::{Validator, logs, refuses};
use serde_json::{Value, json};

fn read(name: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    fs::read_to_string(root.join(name)).unwrap()
}

fn schema() -> Value {
    serde_json::from_str(&read("schemas/lint.schema.json")).unwrap()
}

/// Later versions may print more keys, so the schema lets others be; here none may be.
fn close(schema: &mut Value) {
    if schema.get("properties").is_some() {
        schema["additionalProperties"] = json!(false);
    }
    let definitions = schema.get_mut("definitions").and_then(Value::as_object_mut);
    definitions
        .into_iter()
        .flatten()
        .for_each(|(_, schema)| close(schema));
}

/// The keys of all objects in a value.
fn keys(value: &Value, to: &mut BTreeSet<String>) {
    match value {
        Value::Object(object) => {
            to.extend(object.keys().cloned());
            object.values().for_each(|value| keys(value, to));
        }
        Value::Array(list) => list.iter().for_each(|value| keys(value, to)),
        _ => {}
    }
}

#[test]
fn schema_is_what_is_printed() {
    let mut schema = schema();
    close(&mut schema);
    let validator = Validator::of(schema.clone());
    let mut printed = BTreeSet::new();
    let logs = logs("json");
    for (name, log) in &logs {
        assert_eq!(validator.wrong(log), None, "{name}");
        keys(log, &mut printed);
    }
    let page = read("docs/json.md");
    let page = page
        .split("\n## ")
        .find(|part| part.contains("`outcrop/lint@1`"));
    let page = page.unwrap();
    let of = |schema: &Value| schema["properties"].as_object().cloned().unwrap();
    let mut named: BTreeSet<String> = of(&schema).keys().cloned().collect();
    for definition in schema["definitions"].as_object().unwrap().values() {
        named.extend(of(definition).keys().cloned());
    }
    assert_eq!(named, printed);
    // The keys of a mention are those of `show`.
    for name in named
        .iter()
        .filter(|name| !["by", "reference", "schema"].contains(&name.as_str()))
    {
        assert!(page.contains(&format!("`{name}`")), "{name}");
    }
}

#[test]
fn broken_documents_are_refused() {
    let logs = logs("json");
    let (_, good) = logs.iter().find(|(name, _)| *name == "fixes").unwrap();
    let findings = good["findings"].as_array().unwrap();
    let with_fix = findings
        .iter()
        .position(|finding| !finding["fix"].is_null());
    let finding = format!("/findings/{}", with_fix.unwrap());
    let fix = format!("{finding}/fix");
    let edit = format!("{fix}/edits/0");
    refuses(
        &Validator::of(schema()),
        good,
        &[
            ("", "schema", json!("outcrop/lint@2")),
            ("", "gone", Value::Null),
            ("", "files", json!(-1)),
            (&finding, "severity", json!("note")),
            (&finding, "line", json!(0)),
            (&finding, "help", json!(3)),
            (&finding, "chain", Value::Null),
            (&fix, "edits", json!([])),
            (&edit, "end", Value::Null),
        ],
    );
}
