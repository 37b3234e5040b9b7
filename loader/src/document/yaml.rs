//! The one place that knows the YAML crate.

use serde_json::Value;

/// The value of `key` at the top of a YAML mapping. `Ok(None)` where the mapping lacks it or
/// the document is no mapping; of a repeated key the last counts.
///
/// # Errors
/// The reader's message when `text` is no YAML.
pub(super) fn value_of(
    text: &str,
    key: &str,
    repeated_keys: bool,
) -> Result<Option<Value>, String> {
    let policy = if repeated_keys {
        serde_saphyr::options::DuplicateKeyPolicy::LastWins
    } else {
        serde_saphyr::options::DuplicateKeyPolicy::Error
    };
    let options = serde_saphyr::options! {
        duplicate_keys: policy,
        strict_booleans: true,
    };
    let value: Value =
        serde_saphyr::from_str_with_options(text, options).map_err(|error| error.to_string())?;
    match value {
        Value::Object(mut map) => Ok(map.remove(key)),
        _ => Ok(None),
    }
}
