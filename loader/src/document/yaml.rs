//! The one place that knows the YAML crate.

use std::borrow::Cow;

use serde_json::{Map, Value};

/// The mapping at the top of a YAML document; `Ok(None)` where it is none. Of a repeated key the
/// last counts.
///
/// # Errors
/// The reader's message when `text` is no YAML.
pub(super) fn mapping(
    text: &str,
    repeated_keys: bool,
) -> Result<Option<Map<String, Value>>, String> {
    let text = &tags_apart(text)?;
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
        Value::Object(map) => Ok(Some(map)),
        _ => Ok(None),
    }
}

/// The text with tags as this reader takes them. To the client's reader a tag ends where a
/// collection begins at once, as in `!src/*.{ts,tsx}`, and may hold a few more characters.
fn tags_apart(text: &str) -> Result<Cow<'_, str>, String> {
    if !text.contains('!') {
        return Ok(Cow::Borrowed(text));
    }
    let mut apart = String::with_capacity(text.len() + 8);
    // The indentation of a line whose value is the text of the deeper lines below it.
    let mut text_below = None;
    for (number, line) in text.split('\n').enumerate() {
        if number > 0 {
            apart.push('\n');
        }
        let indent = line.len() - line.trim_start().len();
        if text_below.is_some_and(|above| indent > above || line.trim().is_empty()) {
            apart.push_str(line);
            continue;
        }
        text_below = begins_text(line).then_some(indent);
        let mut done = 0;
        for Tag { start, in_list } in tags_of(line) {
            apart.push_str(&line[done..start]);
            let ends =
                |c: char| " \t\r\"{[".contains(c) || !c.is_ascii() || in_list && ",]}".contains(c);
            let tag = line[start..].find(ends).map_or(line.len(), |at| start + at);
            let name = &line[start + 1..tag];
            done = tag;
            if name.starts_with('<') {
                apart.push_str(&line[start..tag]);
                continue;
            }
            let behind = line[tag..].chars().next();
            if is_odd(name, behind.is_some_and(|c| !" \t\r".contains(c))) {
                return Err("the name of a tag begins with a letter".to_owned());
            }
            apart.push('!');
            apart.push_str(&name.replace([',', '^', '<', '\\', '\''], "x"));
            if behind.is_some_and(|c| "{[\"".contains(c) || !c.is_ascii()) {
                apart.push(' ');
            }
        }
        apart.push_str(&line[done..]);
    }
    Ok(Cow::Owned(apart))
}

/// Whether the value of a line is `|` or `>`, with an indicator or two.
fn begins_text(line: &str) -> bool {
    let indicator = |c: char| c.is_ascii_digit() || "+-".contains(c);
    let value = line.trim_end().trim_end_matches(indicator);
    [": |", ": >", "- |", "- >"]
        .iter()
        .any(|end| value.ends_with(end))
}

/// Whether the client's reader refuses a tag of this name, `!` left out: the name does not
/// begin with a letter, a digit or `-`, as in `!(a).rs` or `!.hid/*`, or has a handle that is
/// not known; other unknown tags are taken (cases paths-odd-tag*). A tag without a name is refused
/// where something follows `at_once`.
fn is_odd(name: &str, at_once: bool) -> bool {
    if name == "!" {
        return true;
    }
    let name = name.strip_prefix('!').unwrap_or(name);
    match name.chars().next() {
        None => at_once,
        Some(first) => !(first.is_ascii_alphanumeric() || first == '-') || name.contains('!'),
    }
}

/// A `!` where a value begins.
struct Tag {
    /// Where in the line.
    start: usize,
    /// Within a list or mapping in brackets.
    in_list: bool,
}

/// The tags of a line: at the start of its value, and of the items of a list in brackets.
fn tags_of(line: &str) -> Vec<Tag> {
    let body = line.trim_start();
    let value = match body.strip_prefix("- ") {
        Some(item) => item,
        None => match body.split_once(": ") {
            Some((_, value)) => value,
            // A line of a longer text, where a `!` is a character.
            None => return Vec::new(),
        },
    };
    let (mut tags, mut depth, mut quote, mut begins) = (Vec::new(), 0_usize, None, true);
    for (at, c) in value.char_indices() {
        if quote.is_some() {
            quote = quote.filter(|quote| *quote != c);
            continue;
        }
        match c {
            '!' if begins => tags.push(Tag {
                start: line.len() - value.len() + at,
                in_list: depth > 0,
            }),
            '"' | '\'' if begins => quote = Some(c),
            '[' | '{' if begins || depth > 0 => depth += 1,
            ']' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        begins = match c {
            ' ' | '\t' => begins,
            '[' | '{' | ',' => depth > 0,
            // An item of a list within a list of lines.
            '-' => begins && depth == 0 && value[at + 1..].starts_with(' '),
            _ => false,
        };
    }
    tags
}
