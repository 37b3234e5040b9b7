//! What the client makes of front matter, beside what its author wrote.

use std::ops::Range;

use serde_json::Value;

use super::finding::Report;
use super::front_keys::{self, Item, Key, Style};
use super::subject::{File, Subject};
use crate::client::Behaviour;
use crate::document::{Document, Reading, RulePaths, mapping, reading};

/// Front matter of a rule.
#[derive(Debug)]
pub(crate) struct Front<'f> {
    /// The rule.
    pub(crate) file: &'f File,
    pub(crate) read: &'f Read,
}

impl std::ops::Deref for Front<'_> {
    type Target = Read;

    fn deref(&self) -> &Read {
        self.read
    }
}

/// What was read of front matter, once for all rules.
#[derive(Debug)]
pub(crate) struct Read {
    /// The place of its file among those of the subject.
    at: usize,
    /// How its YAML is read.
    pub(crate) reading: Reading,
    /// The value of `paths`, as it is read.
    pub(crate) paths: Option<Value>,
    /// `paths` as it is written.
    pub(crate) key: Option<Key>,
    /// The bytes of the YAML.
    pub(crate) yaml: Range<usize>,
}

impl Read {
    fn of(at: usize, file: &File, behaviour: &Behaviour) -> Option<Self> {
        let yaml = file.document.front_matter.as_ref()?.yaml.clone();
        let (reading, keys) = reading(&file.document.source[yaml.clone()], behaviour);
        Some(Self {
            at,
            reading,
            paths: keys.and_then(|mut keys| keys.remove("paths")),
            key: front_keys::key(&file.document, "paths"),
            yaml,
        })
    }
}

impl Front<'_> {
    /// The texts of `paths`, as they are written.
    pub(crate) fn items(&self) -> Vec<Item> {
        let key = self.key.as_ref();
        key.map_or_else(Vec::new, |key| front_keys::items(&self.file.document, key))
    }

    /// The texts of `paths` that need quotes and have none, where quotes mend the front matter, and
    /// what the rule then waits for.
    pub(crate) fn unquoted(&self, behaviour: &Behaviour) -> Option<Unquoted> {
        let source = &*self.file.document.source;
        let key = self.key.as_ref()?;
        let in_brackets = source[key.value_range.clone()].starts_with('[');
        let mut items = self.items();
        items.retain(|item| item.style == Style::Plain && needs_quotes(item, in_brackets));
        let first = items.first()?;
        let is_mapping = |item: &Item| item.text.starts_with('{') && item.text.contains(": ");
        if is_mapping(first) || (self.reading == Reading::Plain && self.says(first)) {
            return None;
        }
        let mut mended = source.to_owned();
        for item in items.iter().rev() {
            mended.replace_range(item.range.clone(), &quoted(&item.text));
        }
        let mended = Document::from_text(mended.into(), behaviour).rule_paths(behaviour);
        let RulePaths::Matching(_) = &mended else {
            return None;
        };
        Some(Unquoted {
            items,
            mended,
            read: self.file.document.rule_paths(behaviour),
        })
    }

    /// Whether the client reads an item as it is written.
    fn says(&self, item: &Item) -> bool {
        let is_it = |value: &Value| value.as_str() == Some(item.text.as_str());
        match &self.paths {
            Some(Value::Array(values)) => values.iter().any(is_it),
            Some(value) => is_it(value),
            None => false,
        }
    }
}

/// Patterns that lack quotes.
#[derive(Debug)]
pub(crate) struct Unquoted {
    /// Where they stand.
    pub(crate) items: Vec<Item>,
    /// What the client reads with quotes.
    pub(crate) mended: RulePaths,
    /// What it reads now.
    pub(crate) read: RulePaths,
}

/// Calls `check` for the front matter of each rule.
pub(crate) fn each<'s, 'r, 'p>(
    subject: &'s Subject<'_, '_>,
    report: &mut Report<'r, 'p>,
    mut check: impl FnMut(&Front<'s>, &Behaviour, &mut Report<'r, 'p>),
) {
    let behaviour = &subject.session.world().behaviour;
    let all = subject.fronts.get_or_init(|| {
        let files = subject.files.iter().enumerate();
        let rules = files.filter(|(_, file)| file.is_rule());
        rules
            .filter_map(|(at, file)| Read::of(at, file, behaviour))
            .collect()
    });
    for read in all {
        let file = &subject.files[read.at];
        check(&Front { file, read }, behaviour, report);
    }
}

/// Whether YAML takes a plain text for something else.
fn needs_quotes(item: &Item, in_brackets: bool) -> bool {
    let text = &item.text;
    text.starts_with(['*', '&', '!', '{', '@', '`', '%'])
        || in_brackets && text.contains(['{', '['])
}

/// A text in quotes that YAML reads as it is.
pub(crate) fn quoted(text: &str) -> String {
    if text.contains(['"', '\\']) {
        format!("'{}'", text.replace('\'', "''"))
    } else {
        format!("\"{text}\"")
    }
}

/// What a plain item is to YAML, where that is no text; nothing where it is one, or nothing at all.
pub(crate) fn kind_of(item: &Item, behaviour: &Behaviour) -> Option<&'static str> {
    if item.style != Style::Plain {
        return None;
    }
    let value = mapping(&format!("x:\n  {}", item.text), behaviour)?.remove("x")?;
    kind(&value)
}

/// What a value is, where that is neither a text, a list nor nothing.
pub(crate) fn kind(value: &Value) -> Option<&'static str> {
    match value {
        Value::Bool(_) => Some("a boolean"),
        Value::Number(_) => Some("a number"),
        Value::Object(_) => Some("a mapping"),
        Value::Null | Value::String(_) | Value::Array(_) => None,
    }
}

/// The line of front matter up to which its YAML can be read, and which cannot; bytes of the file.
pub(crate) fn first_bad_line(front: &Front<'_>, behaviour: &Behaviour) -> Range<usize> {
    let text = &front.file.document.source[front.yaml.clone()];
    let reads = |end: usize| reading(&text[..end], behaviour).0 == Reading::Plain;
    let ends: Vec<usize> = memchr::memchr_iter(b'\n', text.as_bytes())
        .map(|end| end + 1)
        .take(64)
        .collect();
    let good = ends.iter().rev().find(|end| reads(**end));
    let start = good.copied().unwrap_or(0);
    let rest = &text[start..];
    let blank = rest.len() - rest.trim_start().len();
    let line = rest.trim_start().lines().next().unwrap_or_default();
    let begin = front.yaml.start + start + blank;
    begin..begin + line.trim_end().len()
}
