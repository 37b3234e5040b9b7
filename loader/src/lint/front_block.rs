//! Text that looks like front matter and is none, or ends elsewhere than it seems to.

use std::ops::Range;

use crate::document::Document;

/// How many lines front matter may have to be told from text between two rules of dashes.
const LINES: usize = 40;

/// What is wrong with the lines of dashes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// The block does not begin at the first character of the file.
    Late,
    /// Four dashes or more open it.
    Dashes,
    /// Another line than one of dashes closes it, such as `...`.
    Closer,
    /// Nothing closes it.
    Open,
}

/// A block of keys that is text to the client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Block {
    /// What is wrong.
    pub(crate) fault: Fault,
    /// The bytes before it.
    pub(crate) before: Range<usize>,
    /// The bytes of the line that opens it, without its end.
    pub(crate) opener: Range<usize>,
    /// The bytes from its opener to its last line.
    pub(crate) whole: Range<usize>,
    /// The names of its keys.
    pub(crate) keys: Vec<String>,
}

impl Block {
    /// Whether a key has this name.
    pub(crate) fn has(&self, key: &str) -> bool {
        self.keys.iter().any(|name| name == key)
    }
}

/// The block of a document without front matter, if it begins with what looks like one: nothing but
/// headings and blank lines stands before it.
pub(crate) fn block(document: &Document) -> Option<Block> {
    if document.front_matter.is_some() {
        return None;
    }
    let source = &*document.source;
    let mut lines = lines(source);
    let (opener, dashes) = lines.by_ref().find_map(|(start, line)| {
        let text = line.trim_start_matches('\u{FEFF}');
        let start = start + (line.len() - text.len());
        let bare = text.trim();
        if bare.is_empty() || bare.starts_with("# ") {
            return None;
        }
        let is_dashes = bare.len() >= 3 && bare.bytes().all(|byte| byte == b'-');
        // A list item or a text ends the search.
        Some(is_dashes.then(|| (start..start + text.trim_end().len(), bare.len())))
    })??;
    let mut block = Block {
        fault: Fault::Open,
        before: 0..opener.start,
        whole: opener.clone(),
        opener,
        keys: Vec::new(),
    };
    let at_start = block.before.is_empty();
    for (start, line) in lines.take(LINES) {
        let text = line.trim_end();
        if !text.is_empty() && text.bytes().all(|byte| byte == b'-') && text.len() >= 3 {
            block.whole.end = start + text.len();
            block.fault = match (at_start, dashes) {
                (false, _) => Fault::Late,
                (true, 3) => Fault::Open,
                (true, _) => Fault::Dashes,
            };
            break;
        }
        if text == "..." || text == "```" || text == "+++" {
            block.whole.end = start + text.len();
            block.fault = Fault::Closer;
            break;
        }
        let belongs = text.starts_with([' ', '\t', '-', '#']) || text.is_empty();
        match text.split_once(':') {
            Some((name, _)) if !belongs && is_name(name) => {
                block
                    .keys
                    .push(name.trim().trim_matches(['"', '\'']).to_owned());
                block.whole.end = start + text.len();
            }
            _ if !belongs => break,
            // Lines of a value, but for blank lines and headings, which may be the body.
            _ if text.starts_with([' ', '\t', '-']) => block.whole.end = start + text.len(),
            _ => {}
        }
    }
    // Lines of text between two rules of dashes, or below one.
    (!block.keys.is_empty()).then_some(block)
}

/// Where front matter ends within a line: the bytes of that line, where dashes do not stand alone.
pub(crate) fn end_within_line(document: &Document) -> Option<Range<usize>> {
    let front = document.front_matter.as_ref()?;
    let source = &*document.source;
    let close = front.yaml.end;
    let start = source[..close].rfind('\n').map_or(0, |end| end + 1);
    let end = source[close..]
        .find('\n')
        .map_or(source.len(), |end| close + end);
    let line = source[start..end].trim_end();
    let alone = line.bytes().all(|byte| byte == b'-');
    (!alone).then(|| start..start + line.len())
}

fn is_name(name: &str) -> bool {
    let name = name.trim().trim_matches(['"', '\'']);
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    !name.is_empty() && name.chars().all(plain)
}

/// Each line with its offset, its end included.
fn lines(source: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    source.split_inclusive('\n').map(move |line| {
        let start = at;
        at += line.len();
        (start, line)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::Client;

    fn read(text: &str) -> Document {
        Document::from_text(text.into(), &Client::newest().behaviour)
    }

    fn fault(text: &str) -> Option<Fault> {
        block(&read(text)).map(|block| block.fault)
    }

    #[test]
    fn forms_that_are_none_are_told() {
        assert_eq!(fault("\n---\npaths: a\n---\nT\n"), Some(Fault::Late));
        assert_eq!(fault("# T\n\n---\npaths: a\n---\nT\n"), Some(Fault::Late));
        assert_eq!(fault("----\npaths: a\n----\nT\n"), Some(Fault::Dashes));
        assert_eq!(fault("---\npaths: a\n...\nT\n"), Some(Fault::Closer));
        assert_eq!(fault("---\npaths:\n  - a\n\nText.\n"), Some(Fault::Open));
    }

    #[test]
    fn texts_and_front_matter_are_no_such_block() {
        assert_eq!(fault("---\npaths: a\n---\nT\n"), None);
        assert_eq!(fault("T\n\n---\npaths: a\n---\nT\n"), None);
        assert_eq!(fault("# T\n\n---\n\nText.\n\n---\n"), None);
        assert_eq!(fault("---\n\nText of a file: none.\n"), None);
    }

    #[test]
    fn dashes_in_a_line_end_front_matter() {
        let text = "---\npaths: a\n\n| a |\n|---|\n";
        let line = end_within_line(&read(text)).unwrap();
        assert_eq!(&text[line], "|---|");
        assert_eq!(end_within_line(&read("---\na: b\n---  \nT\n")), None);
    }
}
