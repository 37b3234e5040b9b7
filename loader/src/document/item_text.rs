//! Which stretches of a Markdown text are the text of a list item.

use std::ops::Range;

use pulldown_cmark::{Event, Tag, TagEnd};

/// The text of a list item, without the blocks inside the item.
pub(super) struct ItemText {
    /// Its bytes, from the first inline part to the last.
    pub(super) range: Range<usize>,
    /// How many imports had been found when it began.
    pub(super) imports_before: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Block {
    Item,
    /// Anything that keeps its text from being an item's.
    Other,
}

/// Follows a parser's events.
#[derive(Default)]
pub(super) struct Blocks {
    open: Vec<Block>,
    text: Option<ItemText>,
}

impl Blocks {
    /// Takes an event, and gives the item text that it ends.
    pub(super) fn step(
        &mut self,
        event: &Event<'_>,
        range: &Range<usize>,
        imports: usize,
    ) -> Option<ItemText> {
        match event {
            Event::Start(Tag::Paragraph) | Event::End(TagEnd::Paragraph) => self.text.take(),
            Event::Start(tag) if is_block(tag) => {
                let item = matches!(tag, Tag::Item);
                self.open
                    .push(if item { Block::Item } else { Block::Other });
                self.text.take()
            }
            Event::End(tag) if is_block_end(*tag) => {
                self.open.pop();
                self.text.take()
            }
            Event::Html(_) | Event::Rule => self.text.take(),
            _ => {
                if let Some(text) = &mut self.text {
                    text.range.end = text.range.end.max(range.end);
                } else if self.open.last() == Some(&Block::Item) {
                    self.text = Some(ItemText {
                        range: range.clone(),
                        imports_before: imports,
                    });
                }
                None
            }
        }
    }
}

fn is_block(tag: &Tag<'_>) -> bool {
    matches!(
        tag,
        Tag::Item
            | Tag::List(_)
            | Tag::BlockQuote(_)
            | Tag::Heading { .. }
            | Tag::CodeBlock(_)
            | Tag::HtmlBlock
    )
}

fn is_block_end(tag: TagEnd) -> bool {
    matches!(
        tag,
        TagEnd::Item
            | TagEnd::List(_)
            | TagEnd::BlockQuote(_)
            | TagEnd::Heading(_)
            | TagEnd::CodeBlock
            | TagEnd::HtmlBlock
    )
}
