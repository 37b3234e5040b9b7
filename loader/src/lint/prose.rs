//! What a document says, with places: its stretches of prose, code spans, code blocks, links and HTML.
//!
//! The loader's own reader follows the client and knows of comments and imports alone. What rules
//! on contents look at is Markdown as its author sees it, tables included, so it is read with a
//! CommonMark parser. All places are bytes of the source; front matter and comments are left out.

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, LinkType, Options, Parser, Tag, TagEnd};

use crate::document::Document;

/// What a document says.
#[derive(Clone, Debug, Default)]
pub struct Prose {
    /// Paragraphs, headings, list items' texts and table cells, in order.
    pub blocks: Vec<Block>,
    /// Code spans, in order.
    pub spans: Vec<Span>,
    /// Fenced and indented code.
    pub code: Vec<Code>,
    /// Links, not images.
    pub links: Vec<Link>,
    /// Blocks of HTML.
    pub html: Vec<Range<usize>>,
}

/// What a stretch of prose is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockKind {
    /// A paragraph.
    Paragraph,
    /// A heading of this level.
    Heading(u8),
    /// The text of a list item, without lists in it.
    Item,
    /// A cell of a table.
    Cell,
}

/// A stretch of prose, with its markup.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// What it is.
    pub kind: BlockKind,
    /// Its bytes, without the marker of a heading or an item.
    pub range: Range<usize>,
    /// Which list it belongs to, where it is an item: items of one list share the number.
    pub list: Option<usize>,
}

/// A code span.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    /// The bytes between its back-ticks.
    pub range: Range<usize>,
    /// The block that holds it, as a place in [`Prose::blocks`].
    pub block: usize,
    /// It stands in the text of a link.
    pub in_link: bool,
}

/// A code block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Code {
    /// The language, in lower case; empty where none is named.
    pub language: String,
    /// The bytes of its lines, fences left out.
    pub range: Range<usize>,
}

/// A link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// The bytes of the whole link.
    pub range: Range<usize>,
    /// Where it leads, as written.
    pub target: String,
    /// The block that holds it, as a place in [`Prose::blocks`].
    pub block: usize,
}

impl Prose {
    /// Reads a document.
    #[must_use]
    pub fn of(document: &Document) -> Self {
        let source: &str = &document.source;
        let start = document
            .front_matter
            .as_ref()
            .map_or(0, |front| front.block.end);
        let mut reader = Reader {
            start,
            ..Reader::default()
        };
        let parser = Parser::new_ext(&source[start..], Options::ENABLE_TABLES);
        for (event, range) in parser.into_offset_iter() {
            reader.event(source, event, start + range.start..start + range.end);
        }
        reader.close();
        reader.prose
    }

    /// The headings above a block, the nearest first.
    pub fn headings_above(&self, block: usize) -> impl Iterator<Item = &Block> {
        let mut level = u8::MAX;
        let before = self.blocks[..block.min(self.blocks.len())].iter().rev();
        before.filter(move |block| match block.kind {
            BlockKind::Heading(own) if own < level => {
                level = own;
                true
            }
            _ => false,
        })
    }
}

#[derive(Default)]
struct Reader {
    prose: Prose,
    start: usize,
    /// The block that is being read.
    open: Option<Block>,
    /// The lists around, by number.
    lists: Vec<usize>,
    met: usize,
    in_item: bool,
    in_link: bool,
    code: Option<Code>,
}

impl Reader {
    fn event(&mut self, source: &str, event: Event<'_>, range: Range<usize>) {
        match event {
            Event::Start(tag) => self.start(tag, range),
            Event::End(tag) => self.end(tag),
            Event::Text(_) if self.code.is_some() => {
                if let Some(code) = &mut self.code {
                    if code.range.is_empty() {
                        code.range.start = range.start;
                    }
                    code.range.end = range.end;
                }
            }
            Event::Code(_) => {
                self.grow(&range);
                let ticks = source[range.clone()]
                    .bytes()
                    .take_while(|byte| *byte == b'`')
                    .count();
                self.prose.spans.push(Span {
                    range: range.start + ticks..range.end - ticks,
                    block: self.prose.blocks.len(),
                    in_link: self.in_link,
                });
            }
            Event::Text(_) | Event::SoftBreak | Event::HardBreak => self.grow(&range),
            _ => {}
        }
    }

    fn start(&mut self, tag: Tag<'_>, range: Range<usize>) {
        match tag {
            Tag::Paragraph if self.in_item => self.open(BlockKind::Item),
            Tag::Paragraph => self.open(BlockKind::Paragraph),
            Tag::Heading { level, .. } => self.open(BlockKind::Heading(level as u8)),
            Tag::TableCell => self.open(BlockKind::Cell),
            Tag::List(_) => {
                self.close();
                self.lists.push(self.met);
                self.met += 1;
            }
            Tag::Item => {
                self.close();
                self.in_item = true;
            }
            Tag::BlockQuote(_) => self.close(),
            Tag::HtmlBlock => {
                self.close();
                self.prose.html.push(range);
            }
            Tag::CodeBlock(kind) => {
                self.close();
                let language = match kind {
                    CodeBlockKind::Fenced(info) => {
                        let first = info.split([' ', ',', '{', '\t']).next();
                        first.unwrap_or_default().to_lowercase()
                    }
                    CodeBlockKind::Indented => String::new(),
                };
                self.code = Some(Code {
                    language,
                    range: range.end..range.end,
                });
            }
            Tag::Link {
                link_type,
                dest_url,
                ..
            } => {
                self.grow(&range);
                self.in_link = true;
                let is_written = !matches!(link_type, LinkType::Autolink | LinkType::Email);
                if is_written {
                    self.prose.links.push(Link {
                        range,
                        target: dest_url.to_string(),
                        block: self.prose.blocks.len(),
                    });
                }
            }
            Tag::Emphasis | Tag::Strong | Tag::Image { .. } => self.grow(&range),
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Paragraph | TagEnd::Heading(_) | TagEnd::TableCell => self.close(),
            TagEnd::Item => {
                self.close();
                self.in_item = false;
            }
            TagEnd::List(_) => {
                self.close();
                self.lists.pop();
                self.in_item = !self.lists.is_empty();
            }
            TagEnd::Link => self.in_link = false,
            TagEnd::CodeBlock => self.prose.code.extend(self.code.take()),
            _ => {}
        }
    }

    fn open(&mut self, kind: BlockKind) {
        self.close();
        self.open = Some(Block {
            kind,
            range: 0..0,
            list: self.lists.last().copied(),
        });
    }

    /// Takes `range` into the block that is being read; a tight item's text begins without a word.
    fn grow(&mut self, range: &Range<usize>) {
        let kind = if self.in_item {
            BlockKind::Item
        } else {
            BlockKind::Paragraph
        };
        let open = self.open.get_or_insert_with(|| Block {
            kind,
            range: 0..0,
            list: self.lists.last().copied(),
        });
        if open.range.is_empty() {
            open.range = range.clone();
        }
        open.range.end = open.range.end.max(range.end);
    }

    fn close(&mut self) {
        let open = self.open.take();
        self.prose.blocks.extend(open.filter(|block| {
            debug_assert!(block.range.is_empty() || block.range.start >= self.start);
            !block.range.is_empty()
        }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::Client;

    fn read(text: &str) -> (Document, Prose) {
        let document = Document::from_text(text.into(), &Client::newest().behaviour);
        let prose = Prose::of(&document);
        (document, prose)
    }

    #[test]
    fn blocks_spans_code_and_links_have_their_places() {
        let text = "---\nname: x\n---\n# The `a` part\n\n<!-- `gone` [x](gone.md) -->\n\
                    Use **pnpm**\nhere.\n\n- one ``b ` c``\n  - two [`d`](docs/d.md#e)\n- three\n\n\
                    ```sh title\nnpm test\nnpm run x\n```\n\n| k | v |\n|---|---|\n| `f` | <https://a.example> |\n";
        let (document, prose) = read(text);
        let at = |range: &Range<usize>| &document.source[range.clone()];
        let blocks: Vec<(BlockKind, &str, Option<usize>)> = prose
            .blocks
            .iter()
            .map(|block| (block.kind, at(&block.range), block.list))
            .collect();
        let wanted = [
            (BlockKind::Heading(1), "The `a` part", None),
            (BlockKind::Paragraph, "Use **pnpm**\nhere.", None),
            (BlockKind::Item, "one ``b ` c``", Some(0)),
            (BlockKind::Item, "two [`d`](docs/d.md#e)", Some(1)),
            (BlockKind::Item, "three", Some(0)),
            (BlockKind::Cell, "k", None),
            (BlockKind::Cell, "v", None),
            (BlockKind::Cell, "`f`", None),
            (BlockKind::Cell, "<https://a.example>", None),
        ];
        assert_eq!(blocks, wanted);
        let spans: Vec<(&str, usize, bool)> = prose
            .spans
            .iter()
            .map(|span| (at(&span.range), span.block, span.in_link))
            .collect();
        assert_eq!(
            spans,
            [
                ("a", 0, false),
                ("b ` c", 2, false),
                ("d", 3, true),
                ("f", 7, false)
            ]
        );
        assert_eq!(prose.code.len(), 1);
        assert_eq!(prose.code[0].language, "sh");
        assert_eq!(at(&prose.code[0].range), "npm test\nnpm run x\n");
        let links: Vec<(&str, &str)> = prose
            .links
            .iter()
            .map(|link| (at(&link.range), link.target.as_str()))
            .collect();
        assert_eq!(links, [("[`d`](docs/d.md#e)", "docs/d.md#e")]);
    }

    #[test]
    fn headings_above_are_found() {
        let (document, prose) = read("# A\n\n## B\n\n### C\n\n## D\n\ntext\n");
        let above: Vec<&str> = prose
            .headings_above(4)
            .map(|block| &document.source[block.range.clone()])
            .collect();
        assert_eq!(above, ["D", "A"]);
    }
}
