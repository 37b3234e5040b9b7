//! The one place that knows the YAML crate.

use std::borrow::Cow;

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
    if text.lines().any(has_odd_tag) {
        return Err("the name of a tag begins with a letter".to_owned());
    }
    let policy = if repeated_keys {
        serde_saphyr::options::DuplicateKeyPolicy::LastWins
    } else {
        serde_saphyr::options::DuplicateKeyPolicy::Error
    };
    let options = serde_saphyr::options! {
        duplicate_keys: policy,
        strict_booleans: true,
    };
    let text = &tags_apart(text);
    let value: Value =
        serde_saphyr::from_str_with_options(text, options).map_err(|error| error.to_string())?;
    match value {
        Value::Object(mut map) => Ok(map.remove(key)),
        _ => Ok(None),
    }
}

/// Whether the value or item of a line begins with a tag whose name does not begin with a
/// letter, a digit or `-`, such as `!(a).rs` or `!.hid/*`: the client's reader refuses it, and
/// takes other unknown tags (cases paths-odd-tag*).
fn has_odd_tag(line: &str) -> bool {
    let line = line.trim_start();
    let value = match line.strip_prefix("- ") {
        Some(item) => item,
        None => line.split_once(": ").map_or("", |(_, value)| value),
    };
    let Some(tag) = value.trim_start().strip_prefix('!') else {
        return false;
    };
    let begins_well = |c: char| c.is_ascii_alphanumeric() || "-<! \t".contains(c);
    tag.chars().next().is_some_and(|c| !begins_well(c))
}

/// The text with tags as this reader takes them. To the client's reader a tag ends where a
/// collection begins at once, as in `!src/*.{ts,tsx}`, and may hold a few more characters.
fn tags_apart(text: &str) -> Cow<'_, str> {
    if !text.contains('!') {
        return Cow::Borrowed(text);
    }
    let apart = |line: &str| {
        let value = line.find(": ").map_or(0, |at| at + 2);
        let begin = line[value..].trim_start_matches([' ', '-']);
        let start = line.len() - begin.len();
        if !begin.starts_with('!') || begin.starts_with("!<") {
            return line.to_owned();
        }
        let end = begin.find([' ', '\t', '"', '\'', '{', '[']);
        let (tag, rest) = begin.split_at(end.unwrap_or(begin.len()));
        let tag = tag.replace([',', '^', '<', '\\'], "x");
        let gap = if rest.starts_with(['{', '[']) {
            " "
        } else {
            ""
        };
        format!("{}{tag}{gap}{rest}", &line[..start])
    };
    let lines: Vec<String> = text.split('\n').map(apart).collect();
    Cow::Owned(lines.join("\n"))
}
