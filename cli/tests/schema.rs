//! The schema of `outcrop.toml` is what the table of its keys gives. `UPDATE_DOCS=1` writes it anew.

use std::fs;
use std::path::Path;

use serde_json::Value;

#[test]
fn schema_is_up_to_date() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../schemas/outcrop.schema.json");
    let schema = outcrop_loader::lint::config::schema();
    let text = serde_json::to_string_pretty(&schema).unwrap() + "\n";
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, &text).unwrap();
    }
    let kept = fs::read_to_string(&file).unwrap_or_default();
    assert!(kept == text, "run this test with UPDATE_DOCS=1");
}

/// docs/configuration.md names each key and each budget.
#[test]
fn page_names_each_key() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/configuration.md");
    let page = fs::read_to_string(page).unwrap();
    let schema = outcrop_loader::lint::config::schema();
    let of = |value: &Value| -> Vec<String> {
        value["properties"]
            .as_object()
            .unwrap()
            .keys()
            .cloned()
            .collect()
    };
    let lint = &schema["properties"]["lint"];
    let budgets = &lint["properties"]["budgets"];
    let overrides = &lint["properties"]["overrides"]["items"];
    let names = [&schema, lint, budgets, overrides].map(of).concat();
    assert!(names.len() > 15, "{names:?}");
    for name in names {
        assert!(page.contains(&format!("`{name}`")), "{name}");
    }
}
