//! The keys of front matter with their places, line by line: also where the YAML cannot be read.

use std::ops::Range;

use crate::document::{Document, FrontMatter};

/// A key at the left edge of front matter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key {
    /// Its name, without quotes.
    pub name: String,
    /// The bytes of the name in the file, quotes included.
    pub name_range: Range<usize>,
    /// The bytes of what follows the colon, with the indented lines below, white space at the ends
    /// left out; empty where nothing follows.
    pub value_range: Range<usize>,
}

/// The keys of a document's front matter, in order; none where it has none.
#[must_use]
pub fn keys(document: &Document) -> Vec<Key> {
    let front = document.front_matter.as_ref();
    front.map_or_else(Vec::new, |front| keys_in(&document.source, front))
}

/// The same for any text with its front matter.
#[must_use]
pub fn keys_in(source: &str, front: &FrontMatter) -> Vec<Key> {
    let mut keys: Vec<Key> = Vec::new();
    let mut at = front.yaml.start;
    for line in source[front.yaml.clone()].split_inclusive('\n') {
        let start = at;
        at += line.len();
        let text = line.trim_end();
        let belongs = text.starts_with([' ', '\t', '-', '#']) || text.is_empty();
        if let Some((name, value)) = text.split_once(':').filter(|_| !belongs) {
            let bare = name.trim_end().trim_matches(['"', '\'']);
            let own = value.trim_start();
            let value_start = start + text.len() - own.len();
            keys.push(Key {
                name: bare.to_owned(),
                name_range: start..start + name.trim_end().len(),
                value_range: value_start..start + text.len(),
            });
        } else if let Some(key) = keys.last_mut().filter(|_| !text.is_empty()) {
            let indent = text.len() - text.trim_start().len();
            if key.value_range.is_empty() {
                key.value_range.start = start + indent;
            }
            key.value_range.end = start + text.len();
        }
    }
    keys
}

/// The key of this name, the last where it is repeated, as the client takes it.
#[must_use]
pub fn key(document: &Document, name: &str) -> Option<Key> {
    keys(document).into_iter().rfind(|key| key.name == name)
}

/// One text of a key's value: the whole value, or an item of its list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// The text, without quotes and comments.
    pub text: String,
    /// Its bytes in the file, quotes included.
    pub range: Range<usize>,
    /// How it is written.
    pub style: Style,
    /// It is an item of a list.
    pub in_list: bool,
}

/// How a text is written in YAML.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Without quotes.
    Plain,
    /// In quotes.
    Quoted,
    /// In lines below a `|` or `>`.
    Block,
}

impl Item {
    /// Where the text itself stands; nothing where it is written in another way than it reads.
    #[must_use]
    pub fn inner(&self, source: &str) -> Option<Range<usize>> {
        let quote = usize::from(self.style == Style::Quoted);
        let inner = self.range.start + quote..self.range.end.checked_sub(quote)?;
        (source.get(inner.clone())? == self.text).then_some(inner)
    }
}

/// The texts of a key's value, as their author seems to mean them: also where the YAML cannot be read.
#[must_use]
pub fn items(document: &Document, key: &Key) -> Vec<Item> {
    let source = &*document.source;
    let value = &source[key.value_range.clone()];
    let mut found = Vec::new();
    match value.chars().next() {
        None => {}
        Some('[') => flow(source, key.value_range.clone(), &mut found),
        Some('|' | '>') => block(source, key.value_range.clone(), &mut found),
        Some(_) => lines(source, key.value_range.clone(), &mut found),
    }
    found.retain(|item| item.style == Style::Quoted || !item.text.is_empty());
    found
}

/// A value in one line, or a list with an item a line.
fn lines(source: &str, value: Range<usize>, found: &mut Vec<Item>) {
    let mut at = value.start;
    for line in source[value].split_inclusive('\n') {
        let start = at + (line.len() - line.trim_start().len());
        at += line.len();
        let text = line.trim();
        let dash = text == "-" || text.starts_with("- ") || text.starts_with("-\t");
        if text.starts_with('#') || text.is_empty() {
            continue;
        }
        if !dash {
            match found.last_mut() {
                // A value that goes on in the next line.
                Some(last) if last.style == Style::Plain => {
                    let more = without_comment(text);
                    last.text = format!("{} {more}", last.text);
                    last.range.end = start + more.len();
                }
                Some(_) => {}
                None => found.push(item(source, start..start + text.len(), false)),
            }
            continue;
        }
        let own = text[1..].trim_start();
        let own_start = start + text.len() - own.len();
        if own.starts_with('[') {
            flow(source, own_start..own_start + own.len(), found);
        } else {
            found.push(item(source, own_start..own_start + own.len(), true));
        }
    }
}

/// A list in brackets, over several lines or in one. Brackets and braces within its texts stay whole.
fn flow(source: &str, value: Range<usize>, found: &mut Vec<Item>) {
    let text = &source[value.clone()];
    let (mut depth, mut quote, mut start) = (0_i32, None, 1);
    for (at, c) in text.char_indices().skip(1) {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (Some(_), _) => continue,
            (None, '"' | '\'') if text[start..at].trim().is_empty() => quote = Some(c),
            (None, '[' | '{') => depth += 1,
            (None, '}') => depth -= 1,
            (None, ']') if depth > 0 => depth -= 1,
            (None, ',') if depth <= 0 => {
                flow_item(source, value.start, &text[start..at], start, found);
                start = at + 1;
            }
            (None, ']') => {
                flow_item(source, value.start, &text[start..at], start, found);
                return;
            }
            _ => {}
        }
    }
    flow_item(source, value.start, &text[start..], start, found);
}

fn flow_item(source: &str, base: usize, text: &str, start: usize, found: &mut Vec<Item>) {
    let begin = base + start + (text.len() - text.trim_start().len());
    let text = text.trim();
    if !text.is_empty() {
        found.push(item(source, begin..begin + text.len(), true));
    }
}

/// The lines below `|` or `>` as one text.
fn block(source: &str, value: Range<usize>, found: &mut Vec<Item>) {
    let text = &source[value.clone()];
    let folded = text.starts_with('>');
    let Some((_, below)) = text.split_once('\n') else {
        return;
    };
    let start = value.end - below.trim_start().len();
    let lines: Vec<&str> = below.lines().map(str::trim).collect();
    let glue = if folded { " " } else { "\n" };
    found.push(Item {
        text: lines.join(glue).trim().to_owned(),
        range: start..value.end,
        style: Style::Block,
        in_list: false,
    });
}

/// The text at the beginning of `range`.
fn item(source: &str, range: Range<usize>, in_list: bool) -> Item {
    let text = &source[range.clone()];
    let quote = text.chars().next().filter(|c| matches!(c, '"' | '\''));
    if let Some(quote) = quote
        && let Some(end) = end_of_quoted(text, quote)
    {
        let inner = &text[1..end];
        let text = match quote {
            '"' => inner.replace("\\\"", "\"").replace("\\\\", "\\"),
            _ => inner.replace("''", "'"),
        };
        return Item {
            text,
            range: range.start..range.start + end + 1,
            style: Style::Quoted,
            in_list,
        };
    }
    let text = without_comment(text);
    Item {
        text: text.to_owned(),
        range: range.start..range.start + text.len(),
        style: Style::Plain,
        in_list,
    }
}

/// Where the quote closes that `text` begins with.
fn end_of_quoted(text: &str, quote: char) -> Option<usize> {
    let mut chars = text.char_indices().skip(1).peekable();
    while let Some((at, c)) = chars.next() {
        let escapes = if quote == '"' { c == '\\' } else { c == quote };
        let doubled = quote == '\'' && chars.peek().is_some_and(|(_, next)| *next == quote);
        if escapes && (quote == '"' || doubled) {
            chars.next();
        } else if c == quote {
            return Some(at);
        }
    }
    None
}

/// A plain text without the comment behind it.
fn without_comment(text: &str) -> &str {
    let end = text.find(" #").unwrap_or(text.len());
    text[..end].trim_end()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::Client;

    #[test]
    fn keys_have_their_values() {
        let text = "---\n\"name\": x\npaths:\n\n  - \"a\" # one\n- b\ndescription:\n---\nT: no\n";
        let document = Document::from_text(text.into(), &Client::newest().behaviour);
        let found = keys(&document);
        let found: Vec<(&str, &str, &str)> = found
            .iter()
            .map(|key| {
                let part = |range: &Range<usize>| &text[range.clone()];
                (
                    key.name.as_str(),
                    part(&key.name_range),
                    part(&key.value_range),
                )
            })
            .collect();
        let wanted = [
            ("name", "\"name\"", "x"),
            ("paths", "paths", "- \"a\" # one\n- b"),
            ("description", "description", ""),
        ];
        assert_eq!(found, wanted);
    }

    fn texts(front: &str) -> Vec<(String, String, Style, bool)> {
        let text = format!("---\n{front}---\nT\n");
        let document = Document::from_text(text.as_str().into(), &Client::newest().behaviour);
        let found = items(&document, &key(&document, "paths").unwrap());
        let found = found.into_iter().map(|item| {
            let written = text[item.range.clone()].to_owned();
            (item.text, written, item.style, item.in_list)
        });
        found.collect()
    }

    fn only(front: &str) -> Vec<String> {
        texts(front).into_iter().map(|(text, ..)| text).collect()
    }

    #[test]
    fn texts_have_their_places() {
        let found = texts("paths:\n  - \"a/**\" # one\n  # none\n\n  - b # two\n  -\n");
        let wanted = [
            ("a/**", "\"a/**\"", Style::Quoted, true),
            ("b", "b", Style::Plain, true),
        ];
        let wanted = wanted.map(|(text, written, style, in_list)| {
            (text.to_owned(), written.to_owned(), style, in_list)
        });
        assert_eq!(found, wanted);
    }

    #[test]
    fn every_form_of_a_list_is_read() {
        assert_eq!(only("paths: a, {b,c}\n"), ["a, {b,c}"]);
        assert_eq!(
            only("paths: [a, \"b,]\", *.{ts,tsx}, [xy].c]\n"),
            ["a", "b,]", "*.{ts,tsx}", "[xy].c"]
        );
        assert_eq!(only("paths: [\n  'a',\n  b\n]\n"), ["a", "b"]);
        assert_eq!(only("paths:\n  [a,\n   b]\n"), ["a", "b"]);
        assert_eq!(only("paths: |\n  a\n  b\n"), ["a\nb"]);
        assert_eq!(only("paths: >-\n  a\n  b\n"), ["a b"]);
        assert_eq!(only("paths: a\n  b\n"), ["a b"]);
        assert_eq!(
            only("paths: \r\n- \"a\\\\b\"\r\n- 'it''s'\r\n"),
            ["a\\b", "it's"]
        );
        assert_eq!(only("paths: # none\n"), [""; 0]);
        assert_eq!(only("paths: \"\"\n"), [""]);
        assert_eq!(only("paths: [*.ts, **/*.{a,b}\n"), ["*.ts", "**/*.{a,b}"]);
    }
}
