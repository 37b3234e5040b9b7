//! A random world on disk, through the command, gives what the library gives in memory.
#![cfg(unix)]

use std::path::PathBuf;
use std::sync::LazyLock;

use outcrop_loader::client::Version;
use outcrop_loader::host::{DiskHost, Host, Kind};
use outcrop_loader::path::AbsPath;
use outcrop_loader::record::{Delivery, Layer, Skip};
use outcrop_tests::case::{self, Case};
use outcrop_tests::disk::{self, World};
use outcrop_tests::memory::{self, ROOT};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::hostile::abs;
use crate::worlds::{config, world};

static PROGRAM: LazyLock<PathBuf> = LazyLock::new(disk::program);

/// Notes the raw order of every folder, which the tree in memory must have too.
fn note_order(case: &mut Case, root: &AbsPath, folder: &AbsPath) {
    let entries = DiskHost::new().read_dir(folder).unwrap();
    for entry in &entries {
        if entry.kind == Some(Kind::Directory) && entry.name != ".git" {
            note_order(case, root, &folder.child(&entry.name));
        }
    }
    let names = entries.into_iter().map(|entry| entry.name).collect();
    let relative = folder.below(root).unwrap().to_owned();
    case.dir_listing.insert(relative, names);
}

/// A layer as the command shows it, but for what depends on the length of the root.
fn layer(layer: &Layer) -> Value {
    json!({
        "path": layer.name(),
        "scope": layer.scope,
        "cause": layer.cause,
        "lines": layer.lines(),
        "text": layer.text,
        "notice": layer.notice,
    })
}

fn skip(skip: &Skip) -> Value {
    json!({
        "path": skip.path,
        "scope": skip.scope,
        "reason": skip.reason,
        "case": skip.case,
        "by": skip.mention.as_ref().map(|mention| &mention.by),
        "line": skip.mention.as_ref().map(|mention| mention.line),
        "reference": skip.mention.as_ref().map(|mention| &mention.reference),
        "detail": skip.detail,
    })
}

fn delivery(delivery: &Delivery) -> Value {
    let layers: Vec<Value> = delivery.layers.iter().map(layer).collect();
    let skipped: Vec<Value> = delivery.skipped.iter().map(skip).collect();
    json!({ "layers": layers, "skipped": skipped })
}

/// The same fields of what was printed.
fn shown(printed: &Value) -> Value {
    let pick = |list: &Value, keys: &[&str]| -> Vec<Value> {
        let one = |item: &Value| keys.iter().map(|key| (*key, item[*key].clone())).collect();
        let items = list.as_array().unwrap().iter();
        items.map(one).collect()
    };
    json!({
        "layers": pick(&printed["layers"], &["path", "scope", "cause", "lines", "text", "notice"]),
        "skipped": pick(
            &printed["skipped"],
            &["path", "scope", "reason", "case", "by", "line", "reference", "detail"],
        ),
    })
}

/// Whether a text is a path that does not lie below the root.
fn is_above(text: &str, root: &str) -> bool {
    let path = AbsPath::new(text);
    path.is_some_and(|path| !path.is_within(&abs(root)))
}

/// Columns move with the length of the root, and the root itself differs.
fn without_root(value: &Value, root: &str) -> Value {
    match value {
        // A folder that holds the root has another name there.
        Value::String(text)
            if AbsPath::new(text).is_some_and(|path| abs(root).is_within(&path)) =>
        {
            json!(abs(text).relative_to(&abs(root)))
        }
        // Elsewhere above the root only the name is the same.
        Value::String(text) if is_above(text, root) => {
            json!(text.rsplit('/').next())
        }
        Value::String(text) => {
            let text = text.replace(root, "{root}");
            json!(text.replace(&case::encoded(root), "{rootenc}"))
        }
        Value::Array(items) => items.iter().map(|item| without_root(item, root)).collect(),
        Value::Object(map) => {
            let kept = map
                .iter()
                .filter(|(key, _)| *key != "column" && *key != "characters");
            kept.map(|(key, value)| (key.clone(), without_root(value, root)))
                .collect()
        }
        other => other.clone(),
    }
}

proptest! {
    #![proptest_config(config(128))]

    #[test]
    fn disk_and_memory_agree(mut case in world()) {
        let on_disk = World::build(&case);
        let printed = on_disk.show(&PROGRAM, &case, &Version::NEWEST.to_string());
        let root = abs(&on_disk.root());
        note_order(&mut case, &root, &root);
        let host = memory::host(&case);
        let session = memory::run(&case, &host, Version::NEWEST);
        let printed = printed["deliveries"].as_array().unwrap().clone();
        prop_assert_eq!(printed.len(), session.deliveries().len());
        for (printed, predicted) in printed.iter().zip(session.deliveries()) {
            let printed = without_root(&shown(printed), root.as_str());
            let predicted = without_root(&delivery(predicted), ROOT);
            for list in ["layers", "skipped"] {
                let items = |value: &Value| value[list].as_array().unwrap().clone();
                let (printed, predicted) = (items(&printed), items(&predicted));
                for (printed, predicted) in printed.iter().zip(&predicted) {
                    prop_assert_eq!(printed, predicted);
                }
                prop_assert_eq!(printed.len(), predicted.len());
            }
        }
    }
}
