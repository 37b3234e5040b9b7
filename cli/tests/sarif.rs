//! What `--format sarif` prints has every property that SARIF 2.1.0 requires, and no other than it has.
//! The official schema is third-party text, so it is not kept here; with `OUTCROP_SARIF_SCHEMA` and a
//! Python that has `jsonschema` it is asked, too.
#![expect(clippy::panic, reason = "helpers of tests may fail as tests do")]

mod fixture;
mod support;

use std::process::Command;

use serde_json::Value;

/// For each object by the key that holds it: what it must have, and what it may have besides.
const SHAPES: &[(&str, &[&str], &[&str])] = &[
    ("", &["version", "runs"], &["$schema"]),
    (
        "runs",
        &["tool"],
        &["results", "originalUriBaseIds", "columnKind"],
    ),
    ("tool", &["driver"], &[]),
    ("driver", &["name"], &["semanticVersion", "rules"]),
    (
        "rules",
        &["id"],
        &[
            "name",
            "shortDescription",
            "fullDescription",
            "help",
            "defaultConfiguration",
        ],
    ),
    (
        "results",
        &["message"],
        &[
            "ruleId",
            "ruleIndex",
            "level",
            "locations",
            "relatedLocations",
            "fixes",
        ],
    ),
    ("locations", &[], &["physicalLocation", "message"]),
    ("relatedLocations", &[], &["physicalLocation", "message"]),
    ("physicalLocation", &["artifactLocation"], &["region"]),
    ("artifactLocation", &[], &["uri", "uriBaseId"]),
    (
        "region",
        &[],
        &["startLine", "startColumn", "endLine", "endColumn"],
    ),
    (
        "deletedRegion",
        &[],
        &["startLine", "startColumn", "endLine", "endColumn"],
    ),
    ("fixes", &["artifactChanges"], &["description"]),
    (
        "artifactChanges",
        &["artifactLocation", "replacements"],
        &[],
    ),
    ("replacements", &["deletedRegion"], &["insertedContent"]),
    ("insertedContent", &[], &["text"]),
    ("message", &["text"], &[]),
    ("description", &["text"], &[]),
    ("shortDescription", &["text"], &[]),
    ("fullDescription", &["text"], &[]),
    ("help", &["text"], &[]),
    ("defaultConfiguration", &[], &["level"]),
    ("originalUriBaseIds", &[], &["ROOT"]),
    ("ROOT", &[], &["uri"]),
];

fn check(key: &str, value: &Value) {
    match value {
        Value::Array(list) => list.iter().for_each(|value| check(key, value)),
        Value::Object(object) => {
            let shape = SHAPES.iter().find(|(name, ..)| *name == key);
            let (_, required, allowed) = shape.unwrap_or_else(|| panic!("{key} is no object"));
            for name in *required {
                assert!(object.contains_key(*name), "{key} has no {name}");
            }
            for (name, value) in object {
                let known = required.contains(&name.as_str()) || allowed.contains(&name.as_str());
                assert!(known, "{key} has {name}");
                check(name, value);
            }
        }
        _ => {}
    }
}

#[test]
fn logs_are_well_formed() {
    let folder = fixture::copy("lint-ignores.in").unwrap();
    let mut command = support::outcrop(folder.path());
    command.args([
        "lint",
        "repo",
        "--format",
        "sarif",
        "--home",
        "home",
        "--managed",
        "managed",
        "--client",
        "2.1.332",
    ]);
    let printed = command.output().unwrap().stdout;
    let log: Value = serde_json::from_slice(&printed).unwrap();
    check("", &log);
    assert_eq!(log["version"], "2.1.0");
    let run = &log["runs"][0];
    let results = run["results"].as_array().unwrap();
    assert!(results.iter().any(|result| result.get("fixes").is_some()));
    for result in results {
        let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
        assert_eq!(
            run["tool"]["driver"]["rules"][index]["id"],
            result["ruleId"]
        );
    }
    if let Some(schema) = std::env::var_os("OUTCROP_SARIF_SCHEMA") {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("log.json");
        std::fs::write(&file, &printed).unwrap();
        let script = "import json, sys, jsonschema\n\
                      log, schema = [json.load(open(f, encoding='utf-8-sig')) for f in sys.argv[1:]]\n\
                      jsonschema.validate(log, schema)\n";
        let mut python = Command::new("python3");
        let asked = python.args(["-c", script]).arg(&file).arg(schema);
        assert!(asked.status().unwrap().success());
    }
}
