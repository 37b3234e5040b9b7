//! What `--format sarif` prints is SARIF 2.1.0, by the official schema. That is third-party text, so it is
//! not kept here: the crate `serde-sarif` carries it, and nothing else of that crate is used.
#![expect(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]
#![expect(clippy::panic, reason = "helpers of tests may fail as tests do")]

mod logs;

use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::Command;

use logs::{Validator, logs, refuses};
use serde_json::{Value, json};

/// The official schema, from where cargo keeps the crate.
fn schema() -> Value {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo"));
    let ask = |args: &[&str]| {
        let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
        let mut command = Command::new(&cargo);
        command.args(args).arg("--manifest-path").arg(manifest);
        command.output().unwrap()
    };
    let version = Command::new(&cargo).arg("-vV").output().unwrap();
    let version = String::from_utf8(version.stdout).unwrap();
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    let metadata = ["metadata", "--format-version", "1", "--locked"];
    let of_host = [&metadata[..], &["--filter-platform", host.unwrap()]].concat();
    let offline = ask(&[&of_host[..], &["--offline"]].concat());
    // Where only this package was built, crates of the others may not be there yet.
    let asked = match offline.status.success() {
        true => offline,
        false => ask(&of_host),
    };
    let told = String::from_utf8_lossy(&asked.stderr);
    assert!(asked.status.success(), "cargo metadata: {told}");
    let metadata: Value = serde_json::from_slice(&asked.stdout).unwrap();
    let mut packages = metadata["packages"].as_array().unwrap().iter();
    let package = packages.find(|package| package["name"] == "serde-sarif");
    let package = package.unwrap_or_else(|| panic!("serde-sarif is no dependency"));
    let manifest = Path::new(package["manifest_path"].as_str().unwrap());
    let schema = fs::read(manifest.with_file_name("src").join("schema.json")).unwrap();
    serde_json::from_slice(&schema).unwrap()
}

#[test]
fn logs_are_valid() {
    let schema = schema();
    assert_eq!(schema["properties"]["version"]["enum"], json!(["2.1.0"]));
    let validator = Validator::of(schema);
    let logs = logs("sarif");
    for (name, log) in &logs {
        assert_eq!(validator.wrong(log), None, "{name}");
        assert_eq!(log["version"], "2.1.0", "{name}");
        let run = &log["runs"][0];
        for result in results(log) {
            let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
            let rule = &run["tool"]["driver"]["rules"][index];
            assert_eq!(rule["id"], result["ruleId"], "{name}");
        }
    }
    // Each part that a log may have is in one of them.
    let named = |name: &str| &logs.iter().find(|(own, _)| *own == name).unwrap().1;
    let has = |name: &str, at: &str| {
        let mut results = results(named(name)).iter();
        results.any(|result| result.pointer(at).is_some())
    };
    let replacements = "/fixes/0/artifactChanges/0/replacements/0";
    assert!(has("fixes", &format!("{replacements}/deletedRegion")));
    assert!(has("chains", &format!("{replacements}/insertedContent")));
    assert!(has("chains", "/relatedLocations/0/physicalLocation/region"));
    assert!(has("odd paths", "/relatedLocations/0/message"));
    let place = "/locations/0/physicalLocation";
    let all = results(named("all")).iter();
    let uris = all.filter_map(|result| result.pointer(place)?["artifactLocation"]["uri"].as_str());
    let uris: Vec<&str> = uris.collect();
    assert!(
        uris.contains(&"p%C3%A4ck%20%2541/%E6%97%A5%E6%9C%AC/CLAUDE.md"),
        "{uris:?}"
    );
    #[cfg(unix)]
    assert!(
        uris.contains(&".claude/rules/C%3A%5Crules%5C%5Bx%5D%3F.md"),
        "{uris:?}"
    );
    for quiet in ["nothing", "known"] {
        assert_eq!(results(named(quiet)), &[] as &[Value]);
    }
}

fn results(log: &Value) -> &[Value] {
    log["runs"][0]["results"].as_array().unwrap()
}

/// The validator sees what is wrong.
#[test]
fn broken_logs_are_refused() {
    let logs = logs("sarif");
    let (_, good) = logs.iter().find(|(name, _)| *name == "fixes").unwrap();
    let with_fix = results(good)
        .iter()
        .position(|result| result.get("fixes").is_some());
    let result = format!("/runs/0/results/{}", with_fix.unwrap());
    let below = |rest: &str| format!("{result}{rest}");
    let physical = below("/locations/0/physicalLocation");
    let artifact = format!("{physical}/artifactLocation");
    let change = below("/fixes/0/artifactChanges/0");
    let replacement = format!("{change}/replacements/0");
    let deleted = format!("{replacement}/deletedRegion");
    refuses(
        &Validator::of(schema()),
        good,
        &[
            ("", "version", json!("2.0.0")),
            ("", "runs", Value::Null),
            ("", "tool", json!({})),
            ("/runs/0", "tool", Value::Null),
            ("/runs/0", "columnKind", json!("bytes")),
            ("/runs/0/tool/driver", "name", Value::Null),
            ("/runs/0/tool/driver/rules/0", "id", json!(7)),
            (&result, "message", Value::Null),
            (&result, "level", json!("info")),
            (&result, "place", json!("here")),
            (&artifact, "uri", json!("a b")),
            (&deleted, "startLine", json!(0)),
            (&change, "replacements", json!([])),
            (&replacement, "deletedRegion", Value::Null),
        ],
    );
}
