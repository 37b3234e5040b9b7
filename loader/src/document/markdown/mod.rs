//! The body of an instruction file: which comments go, which references are prose.
//!
//! The client's reader is no CommonMark parser: it follows the npm library `marked` (15.0.7,
//! without its GFM extensions), which answers otherwise in about 8 % of some thousand recorded
//! documents, in blocks, lists, HTML, definitions and emphasis alike. Bridging that many
//! differences from a CommonMark parser's events is not reliable, so blocks and inline text are
//! read here by the observed rules: each container's content becomes a new text that knows its
//! places ([`text`]), whose blocks ([`blocks`], [`list`], [`quote`]) give the stretches whose
//! inline parts ([`inline`]) are searched. Numbers M and W are those of the recorded findings.

mod blocks;
mod brackets;
mod emphasis;
mod html;
mod inline;
mod lines;
mod list;
pub(super) mod outline;
mod punctuation;
mod quote;
mod text;

use std::ops::Range;

use rustc_hash::FxHashSet;

use self::blocks::{Blocks, Edit, Level, Part};
use self::inline::References;
use self::text::Text;
use super::reference::{Cover, Reference};
use super::source_map::SourceMap;
use crate::client::{Behaviour, Comments};
use crate::javascript;

/// What a body delivers and names.
pub(super) struct Body {
    pub(super) text: String,
    pub(super) map: SourceMap,
    pub(super) imports: Vec<Reference>,
    pub(super) hidden: Vec<Reference>,
    pub(super) stuck: Vec<Reference>,
    pub(super) comments: Vec<Range<usize>>,
}

/// Reads the body of `source` that begins at byte `start`.
pub(super) fn read(source: &str, start: usize, behaviour: &Behaviour) -> Body {
    let written = &source[start..];
    let mut body = Body {
        text: String::new(),
        map: SourceMap::identity(start),
        imports: Vec::new(),
        hidden: Vec::new(),
        stuck: Vec::new(),
        comments: Vec::new(),
    };
    let has_comment = behaviour.comments != Comments::Kept
        && memchr::memmem::find(written.as_bytes(), b"<!--").is_some();
    if !has_comment && memchr::memchr(b'@', written.as_bytes()).is_none() {
        written.clone_into(&mut body.text);
        return body;
    }
    // CR and CRLF are LF to the reader.
    let text = Text::body(source, start);
    let mut blocks = Blocks::new(&text, behaviour.lazy_lines_are_blocks);
    blocks.read(&text, &mut Level::default());
    let Blocks {
        parts,
        labels,
        edits,
        ..
    } = blocks;
    let mut references = References {
        labels: &labels,
        fragment_cut: behaviour.fragment_cut,
        imports: Vec::new(),
        hidden: Vec::new(),
        stuck: Vec::new(),
        fuel: 100_000 + 64 * text.len(),
    };
    for part in &parts {
        references.part(part, behaviour.comments == Comments::Kept);
    }
    body.imports = references.imports;
    body.hidden = references.hidden;
    body.stuck = references.stuck;
    let rebuilt = if has_comment {
        rebuild(&text, &edits, behaviour.comments, &mut body.comments)
    } else {
        None
    };
    match rebuilt {
        Some(rebuilt) => (body.text, body.map) = rebuilt.into_parts(),
        None => written.clone_into(&mut body.text),
    }
    body
}

impl References<'_> {
    fn part(&mut self, part: &Part<'_>, comments_kept: bool) {
        match part {
            Part::Prose(text) => self.inline(text, 0..text.len(), 0),
            Part::ItemText(text) => self.item_text(text),
            Part::Code(text, cover) => self.search(text, 0..text.len(), Some(cover)),
            Part::Html(text) => self.html(text, comments_kept),
        }
    }

    /// The text of a list item is searched as it stands before its inline parts are, so that
    /// code spans, link titles and attributes in it hide nothing behind a blank: `- x ` @k1 ``
    /// imports, and a paragraph of the same text does not (W3, case import-list-raw).
    fn item_text(&mut self, text: &Text<'_>) {
        let (before, hidden_before) = (self.imports.len(), self.hidden.len());
        self.search(text, 0..text.len(), None);
        let searched = self.imports.len();
        self.inline(text, 0..text.len(), 0);
        let inline = self.imports.split_off(searched);
        let found: FxHashSet<Range<usize>> = self.imports[before..]
            .iter()
            .map(|import| import.range.clone())
            .collect();
        let new = |reference: &Reference| !found.contains(&reference.range);
        self.imports.extend(inline.into_iter().filter(new));
        if self.hidden.len() > hidden_before {
            let imports = &self.imports[before..];
            let starts: FxHashSet<usize> =
                imports.iter().map(|import| import.range.start).collect();
            let hidden = self.hidden.split_off(hidden_before);
            let hides = |hidden: &Reference| !starts.contains(&hidden.range.start);
            self.hidden.extend(hidden.into_iter().filter(hides));
        }
    }

    /// HTML that begins with a comment is searched without its complete comments, as it stands
    /// (W2, fact 3.9); all other HTML hides its references.
    fn html(&mut self, text: &Text<'_>, comments_kept: bool) {
        let html = text.as_str();
        let opens = html
            .trim_start_matches(javascript::is_space)
            .starts_with("<!--");
        if !opens || comments_kept {
            self.search(text, 0..text.len(), Some(&Cover::Html));
        } else if html.contains("-->") {
            let left = without_comments(text, 0..text.len()).0;
            self.search(&left, 0..left.len(), None);
        }
    }
}

/// A stretch of HTML without its complete comments, and where those stand in it.
fn without_comments(text: &Text<'_>, range: Range<usize>) -> (Text<'static>, Vec<Range<usize>>) {
    let mut comments = html::comments(&text.as_str()[range.clone()]);
    let mut left = Text::new();
    let mut at = range.start;
    for comment in &mut comments {
        *comment = range.start + comment.start..range.start + comment.end;
        left.push(text, at..comment.start);
        at = comment.end;
    }
    left.push(text, at..range.end);
    (left, comments)
}

/// The delivered text of a body that holds the opener of a comment, if it is not the body as it
/// stands (facts 4.3 and 4.6), and the source ranges of the comments that went.
///
/// A comment goes with its whole block and the line ends behind it if nothing but white space
/// is left of that.
fn rebuild(
    text: &Text<'_>,
    edits: &[Edit<'_>],
    comments: Comments,
    gone: &mut Vec<Range<usize>>,
) -> Option<Text<'static>> {
    let mut out = Text::new();
    let mut at = 0;
    // The place up to which all is gone since a comment's block went.
    let mut gone_to = None;
    // A comment that ends is enough, even if nothing goes since it ends in its opener: `<!-->`.
    let mut has_end = false;
    for edit in edits {
        match edit {
            Edit::Comment { start, end } => {
                let (left, cut) = without_comments(text, *start..*end);
                has_end |= text.as_str()[*start..*end].contains("-->");
                out.push(text, at..*start);
                at = *end;
                if !javascript::trim(left.as_str()).is_empty() {
                    out.push(&left, 0..left.len());
                    gone.extend(cut.iter().map(|cut| text.source_range(cut)));
                } else {
                    gone.push(text.source_range(&(*start..*end)));
                    gone_to = Some(at);
                }
            }
            Edit::Definition { start, end } if comments == Comments::Rebuilt => {
                out.push(text, at..*start);
                gone_to = gone_to.filter(|to| to == start).map(|_| *end);
                at = *end;
            }
            // Belongs to that block.
            Edit::Rewritten { start, end, .. } if gone_to == Some(*start) && end - start == 1 => {
                at = *end;
            }
            Edit::Rewritten {
                start,
                end,
                text: other,
            } => {
                out.push(text, at..*start);
                out.push(other, 0..other.len());
                at = *end;
            }
            Edit::Definition { .. } => {}
        }
    }
    out.push(text, at..text.len());
    (comments == Comments::Rebuilt || has_end).then_some(out)
}

#[cfg(test)]
mod tests;
