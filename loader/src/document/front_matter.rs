//! Front matter: where it is (fact 4.1), and the patterns of a conditional rule (facts 5.1–5.4).

use std::ops::Range;

use serde_json::{Map, Value};

use super::yaml;
use crate::client::{Behaviour, TabbedYaml};
use crate::glob;
use crate::javascript;

/// The front matter of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FrontMatter {
    /// Bytes of the source that are removed: from the first dash, or a mark before it, to the
    /// first character of the body.
    pub block: Range<usize>,
    /// Bytes of the source between the lines of dashes.
    pub yaml: Range<usize>,
}

impl FrontMatter {
    /// Finds front matter at the start of a file. The closing dashes need not stand alone.
    #[must_use]
    pub fn find(source: &str, behind_bom: bool) -> Option<Self> {
        let start = match source.strip_prefix('\u{FEFF}') {
            Some(_) if behind_bom => '\u{FEFF}'.len_utf8(),
            _ => 0,
        };
        let open = source[start..].strip_prefix("---")?;
        let blank = open.len() - open.trim_start_matches(javascript::is_space).len();
        let line_end = open[..blank].rfind('\n')?;
        let yaml = start + 3 + line_end + 1;
        let close = yaml + memchr::memmem::find(&source.as_bytes()[yaml..], b"---")?;
        let rest = &source[close + 3..];
        let body = source.len() - rest.trim_start_matches(javascript::is_space).len();
        Some(Self {
            block: 0..body,
            yaml: yaml..close,
        })
    }
}

/// The keys of a file's front matter, none where it has none, and the text behind it.
pub(crate) fn keys_and_body<'s>(
    source: &'s str,
    behaviour: &Behaviour,
) -> (Map<String, Value>, &'s str) {
    match FrontMatter::find(source, behaviour.front_matter_behind_bom) {
        Some(front) => {
            let keys = mapping(&source[front.yaml], behaviour);
            (keys.unwrap_or_default(), &source[front.block.end..])
        }
        None => (Map::new(), source),
    }
}

/// When a rule is delivered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RulePaths {
    /// At startup: no `paths`, or none that restricts anything.
    Always,
    /// When a file that matches is read.
    Matching(Vec<String>),
}

/// Reads the `paths` of a rule's front matter.
#[must_use]
pub(super) fn read_paths(yaml_text: &str, behaviour: &Behaviour) -> RulePaths {
    let value = mapping(yaml_text, behaviour).and_then(|mut keys| keys.remove("paths"));
    paths_of(value, behaviour)
}

/// The patterns that a value of `paths` holds.
pub(crate) fn paths_of(value: Option<Value>, behaviour: &Behaviour) -> RulePaths {
    let Some(value) = value else {
        return RulePaths::Always;
    };
    let mut patterns = Vec::new();
    match &value {
        Value::String(text) => split(text, &mut patterns),
        // Older readers gave a list as one pattern, which matched nothing (versions.md 27b).
        Value::Array(items) if !behaviour.path_lists && filled(items) > 1 => {
            let joined: Vec<_> = items.iter().map(plain_text).collect();
            return RulePaths::Matching(vec![joined.join(",")]);
        }
        Value::Array(items) => split_items(items, &mut patterns),
        _ => return RulePaths::Always,
    }
    let patterns: Vec<String> = patterns
        .iter()
        .flat_map(|pattern| glob::expand_braces_once(pattern))
        .map(|pattern| {
            pattern
                .strip_suffix("/**")
                .map(str::to_owned)
                .unwrap_or(pattern)
        })
        .filter(|pattern| !pattern.is_empty())
        .collect();
    if patterns.iter().all(|pattern| pattern == "**") {
        return RulePaths::Always;
    }
    RulePaths::Matching(patterns)
}

/// How many patterns a list holds, empty items left out.
fn filled(items: &[Value]) -> usize {
    let parts = |item: &Value| item.as_str().map_or(1, |text| text.split(',').count());
    let filled = items.iter().filter(|item| item.as_str() != Some(""));
    filled.map(parts).sum()
}

/// Lists within the list are flattened; what is no text counts for nothing.
fn split_items(items: &[Value], patterns: &mut Vec<String>) {
    for item in items {
        match item {
            Value::String(text) => split(text, patterns),
            Value::Array(items) => split_items(items, patterns),
            _ => {}
        }
    }
}

fn plain_text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// How the YAML of front matter was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reading {
    /// As it is.
    Plain,
    /// It is none for a tab in its indentation, which the client's reader takes.
    Tabbed,
    /// It is none, and values were put in quotes.
    Repaired,
    /// It is none, and lines that begin with a tab were left out.
    Shortened,
    /// Not at all: no key counts.
    Broken,
}

/// The keys of front matter as the client reads them. `None` where nothing can be read.
pub(crate) fn mapping(text: &str, behaviour: &Behaviour) -> Option<Map<String, Value>> {
    reading(text, behaviour).1
}

/// The keys of front matter as the client reads them, and how: what is no YAML is repaired line by
/// line (fact 5.2).
pub(crate) fn reading(text: &str, behaviour: &Behaviour) -> (Reading, Option<Map<String, Value>>) {
    let read = |text: &str| yaml::mapping(text, behaviour.repeated_keys);
    if let Ok(value) = read(text) {
        return (Reading::Plain, value);
    }
    // The client's reader takes tabs for indentation, which YAML forbids.
    let untabbed = untabbed(text);
    if let Some(value) = untabbed.as_deref().and_then(|text| read(text).ok()) {
        return (Reading::Tabbed, value);
    }
    let repaired = repair(text, |value| read(&format!("paths: {value}")).is_ok());
    if let Ok(value) = read(&repaired) {
        return (Reading::Repaired, value);
    }
    if behaviour.tabbed_yaml == TabbedYaml::Tolerated {
        let kept: Vec<_> = repaired
            .lines()
            .filter(|line| !line.starts_with('\t'))
            .collect();
        if let Ok(value) = read(&kept.join("\n")) {
            return (Reading::Shortened, value);
        }
    }
    (Reading::Broken, None)
}

/// The text with the tabs of its indentation as two spaces each; `None` where there are none.
fn untabbed(text: &str) -> Option<String> {
    if !text.contains("\n\t") && !text.starts_with('\t') && !text.contains(" \t") {
        return None;
    }
    let lines = text.split('\n').map(|line| {
        let body = line.trim_start_matches([' ', '\t']);
        let indent = line[..line.len() - body.len()].replace('\t', "  ");
        format!("{indent}{body}")
    });
    Some(lines.collect::<Vec<_>>().join("\n"))
}

/// Quotes plain values that are no YAML because of a pattern's characters (fact 5.2, as far as
/// it holds: items of a list and files with CRLF are never repaired).
fn repair(text: &str, readable: impl Fn(&str) -> bool) -> String {
    let repaired = text.split('\n').map(|line| {
        repair_line(line, &readable).map_or(std::borrow::Cow::Borrowed(line), Into::into)
    });
    repaired.collect::<Vec<_>>().join("\n")
}

fn repair_line(line: &str, readable: impl Fn(&str) -> bool) -> Option<String> {
    let (key, rest) = line.split_once(':')?;
    let is_key = key
        .chars()
        .all(|c| c.is_ascii_alphabetic() || matches!(c, '_' | '-'));
    let value = rest.trim_start_matches(javascript::is_space);
    let ends_line = |c: char| matches!(c, '\r' | '\u{2028}' | '\u{2029}');
    let plain = !key.is_empty() && is_key && value.len() < rest.len() && !value.is_empty();
    if !plain || value.contains(ends_line) || is_quoted(value) {
        return None;
    }
    let special = value.contains([
        '{', '}', '[', ']', '*', '&', '#', '!', '|', '>', '%', '@', '`',
    ]) || value.contains(": ");
    let is_list = value.starts_with('[') && value.ends_with(']') && readable(value);
    (special && !is_list).then(|| {
        let quoted = value.replace('\\', "\\\\").replace('"', "\\\"");
        format!("{key}: \"{quoted}\"")
    })
}

fn is_quoted(value: &str) -> bool {
    let closed =
        |quote: char| value.len() > 1 && value.starts_with(quote) && value.ends_with(quote);
    closed('"') || closed('\'')
}

/// Splits at commas outside braces and trims the parts; empty ones go.
fn split(text: &str, patterns: &mut Vec<String>) {
    // A `}` too many takes the depth below zero, and commas after it split nothing.
    let mut depth = 0_i64;
    let mut part = String::new();
    for c in text.chars() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if c == ',' && depth == 0 {
            push_part(&part, patterns);
            part.clear();
        } else {
            part.push(c);
        }
    }
    push_part(&part, patterns);
}

fn push_part(part: &str, patterns: &mut Vec<String>) {
    let part = javascript::trim(part);
    if !part.is_empty() {
        patterns.push(part.to_owned());
    }
}
