//! What `lint` prints of several set-ups for programs, and what a JSON schema says of it.
#![expect(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

#[path = "../fixture/mod.rs"]
mod fixture;
#[path = "../support/mod.rs"]
mod support;

use std::fs;
use std::path::Path;

use boon::{Compiler, SchemaIndex, Schemas};
use serde_json::Value;

/// Stands in two files, so that one is told beside the other.
const TWICE: &str = "Prices are kept in cents, as whole numbers. Never use floating point for them, not even in tests. \
    Round at the very end, half to even, and say in the commit which of the two prices changed and who asked.\n";

/// Paths with blanks, other letters, and what means something in URIs, patterns and other systems' paths.
const ODD: &[(&str, &str)] = &[
    (".git/HEAD", "ref: refs/heads/main\n"),
    ("docs/a #1.md", "Indent by two.\n"),
    ("docs/b.md", "Run @docs/more.md first.\n"),
    ("päck %41/.claude/settings.json", "{}"),
    ("päck %41/日本/CLAUDE.md", "See @../gone.md here.\n"),
    #[cfg(unix)]
    (
        ".claude/rules/C:\\rules\\[x]?.md",
        "---\nglobs: \"*.ts\"\n---\nUse types.\n",
    ),
];

/// The logs of all set-ups in one form, each with its name.
pub(crate) fn logs(form: &str) -> Vec<(&'static str, Value)> {
    let sample = |folder: &str, start: &str| {
        let copy = fixture::copy(folder).unwrap();
        log(copy.path(), form, &[start])
    };
    let mut logs = vec![
        ("fixes", sample("lint-ignores.in", "repo")),
        ("chains", sample("lint.in", "shop")),
        ("configured", sample("lint-config.in", "repo")),
    ];
    let folder = tempfile::tempdir().unwrap();
    let quiet = folder.path().join("quiet");
    fs::create_dir(&quiet).unwrap();
    logs.push(("nothing", log(&quiet, form, &[])));
    let odd = folder.path().join("ein Ördner");
    let own = [
        (
            "CLAUDE.md",
            format!("{TWICE}\nSee @docs/b.md, and @docs/gone.md now.\n"),
        ),
        (
            "päck %41/CLAUDE.md",
            format!("Of @../docs/b.md here.\n\n{TWICE}"),
        ),
    ];
    let odd_files = ODD.iter().map(|(path, text)| (*path, (*text).to_owned()));
    for (path, text) in odd_files.chain(own) {
        let path = odd.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    logs.push(("odd paths", log(&odd, form, &[])));
    logs.push(("all", log(&odd, form, &["--all"])));
    logs.push(("outside of the root", log(&odd.join("päck %41"), form, &[])));
    log(&odd, "concise", &["--write-baseline", "known.json"]);
    logs.push(("known", log(&odd, form, &["--baseline", "known.json"])));
    let fixed = log(&odd, form, &["--fix", "--unsafe-fixes"]);
    logs.push(("fixed", fixed));
    logs
}

/// What one run prints; null where that is no JSON.
fn log(at: &Path, form: &str, args: &[&str]) -> Value {
    let mut command = support::outcrop(at);
    command.arg("lint").args(args);
    command.args(["--format", form, "--client", "2.1.332"]);
    command.args(["--home", "home", "--managed", "managed"]);
    let output = command.output().unwrap();
    assert!(matches!(output.status.code(), Some(0 | 1)), "{output:?}");
    serde_json::from_slice(&output.stdout).unwrap_or_default()
}

/// A compiled schema. Nothing is looked up elsewhere.
pub(crate) struct Validator {
    schemas: Schemas,
    index: SchemaIndex,
}

impl Validator {
    pub(crate) fn of(schema: Value) -> Self {
        let mut schemas = Schemas::new();
        let mut compiler = Compiler::new();
        compiler.enable_format_assertions();
        compiler.add_resource("schema.json", schema).unwrap();
        let index = compiler.compile("schema.json", &mut schemas).unwrap();
        Self { schemas, index }
    }

    /// What is wrong with a document.
    pub(crate) fn wrong(&self, document: &Value) -> Option<String> {
        let error = self.schemas.validate(document, self.index).err()?;
        Some(format!("{error:#}"))
    }
}

/// Changes a good document in one place after another, and wants each refused.
pub(crate) fn refuses(validator: &Validator, good: &Value, changes: &[(&str, &str, Value)]) {
    assert_eq!(validator.wrong(good), None);
    for (at, key, value) in changes {
        let mut bad = good.clone();
        let object = bad.pointer_mut(at).and_then(Value::as_object_mut).unwrap();
        // Null takes a key away.
        match value {
            Value::Null => assert!(object.remove(*key).is_some(), "{at} has no {key}"),
            value => {
                object.insert((*key).to_owned(), value.clone());
            }
        }
        assert!(validator.wrong(&bad).is_some(), "{at}/{key}: {value}");
    }
}
