//! `tokens`: a table, or JSON.

use std::io::Write;
use std::ops::Range;

use anyhow::Result;
use outcrop_loader::tokens::{Kind, Model, Tokens};
use pulldown_cmark::{Event, Options, Parser, Tag};
use serde_json::{Map, Value, json};
use unicode_width::UnicodeWidthStr;

use super::names::{number, padded};
use super::{Output, style};
use crate::start::total;

/// A text and its counts, one for each tokenizer.
pub(crate) struct Counted {
    pub(crate) name: String,
    pub(crate) bytes: usize,
    /// UTF-16 units.
    pub(crate) characters: usize,
    pub(crate) tokens: Vec<Tokens>,
    pub(crate) sections: Vec<Section>,
}

/// A heading with the text to the next one, of whatever level.
pub(crate) struct Section {
    /// From 1; 0 is what stands before the first heading.
    level: usize,
    title: String,
    /// From 1.
    line: usize,
    pub(crate) range: Range<usize>,
    pub(crate) tokens: Vec<Tokens>,
}

impl Section {
    /// The sections of a Markdown text, which they make up without gaps.
    pub(crate) fn all(text: &str) -> Vec<Self> {
        let mut starts = vec![(0, 0, String::new())];
        let mut within = false;
        for (event, range) in
            Parser::new_ext(text, Options::ENABLE_YAML_STYLE_METADATA_BLOCKS).into_offset_iter()
        {
            match event {
                Event::Start(Tag::Heading { level, .. }) => {
                    let start = text[..range.start].rfind('\n').map_or(0, |at| at + 1);
                    starts.push((start, level as usize, String::new()));
                    within = true;
                }
                Event::End(pulldown_cmark::TagEnd::Heading(_)) => within = false,
                Event::Text(part) | Event::Code(part) if within => {
                    if let Some((_, _, title)) = starts.last_mut() {
                        title.push_str(&part);
                    }
                }
                _ => {}
            }
        }
        let ends = starts.iter().skip(1).map(|(start, ..)| *start);
        let ends: Vec<usize> = ends.chain([text.len()]).collect();
        let sections = starts.into_iter().zip(ends);
        let sections = sections.map(|((start, level, title), end)| Self {
            level,
            title,
            line: text[..start].matches('\n').count() + 1,
            range: start..end,
            tokens: Vec::new(),
        });
        sections
            .filter(|section| section.level > 0 || !section.range.is_empty())
            .collect()
    }
}

/// A count as people read it; `~` marks an estimate.
pub(crate) fn tokens(tokens: Tokens) -> String {
    let count = number(tokens.count);
    match tokens.kind {
        Kind::Estimate => format!("~{count}"),
        Kind::Exact | Kind::Reconstructed => count,
    }
}

pub(crate) fn write_table(output: &mut Output, models: &[Model], all: &[Counted]) -> Result<()> {
    let indented = |section: &Section| {
        let indent = " ".repeat(2 * section.level.max(1));
        match section.level {
            0 => format!("{indent}(before the first heading)"),
            _ => format!("{indent}{}", section.title),
        }
    };
    let names = all.iter().flat_map(|counted| {
        let sections = counted.sections.iter().map(indented);
        std::iter::once(counted.name.clone()).chain(sections)
    });
    let width = names
        .map(|name| name.width())
        .max()
        .unwrap_or(0)
        .clamp(4, 60);
    let columns: Vec<usize> = models
        .iter()
        .map(|model| model.family.name().len().max(9))
        .collect();
    let (dim, bold) = (style::DIM, style::HEADING);
    write!(output, "{dim}{}  {:>10}", padded("", width), "chars")?;
    for (model, column) in models.iter().zip(&columns) {
        write!(output, "  {:>column$}", model.family.name())?;
    }
    writeln!(output, "{dim:#}")?;
    let mut row = |style: anstyle::Style, name: &str, characters: String, counts: &[Tokens]| {
        write!(
            output,
            "{style}{}{style:#}  {characters:>10}",
            padded(name, width)
        )?;
        for (count, column) in counts.iter().zip(&columns) {
            write!(output, "  {:>column$}", tokens(*count))?;
        }
        writeln!(output)
    };
    for counted in all {
        row(
            bold,
            &counted.name,
            number(counted.characters),
            &counted.tokens,
        )?;
        for section in &counted.sections {
            row(
                style::PLAIN,
                &indented(section),
                String::new(),
                &section.tokens,
            )?;
        }
    }
    if all.len() > 1 {
        let column = |index| total(all.iter().map(|counted| counted.tokens[index]));
        let totals: Vec<Tokens> = (0..models.len()).map(column).collect();
        let characters: usize = all.iter().map(|counted| counted.characters).sum();
        row(dim, "total", number(characters), &totals)?;
    }
    let frames = models.iter().filter(|model| model.family.frame() > 0);
    let frames: Vec<String> = frames
        .map(|model| format!("{} {}", model.family, model.family.frame()))
        .collect();
    if !frames.is_empty() {
        let frames = frames.join(", ");
        writeln!(
            output,
            "{dim}a message costs more by its frame: {frames}{dim:#}"
        )?;
    }
    Ok(())
}

pub(crate) fn write_json(output: &mut Output, models: &[Model], all: &[Counted]) -> Result<()> {
    let tokenizers = models.iter().map(|model| {
        json!({
            "name": model.family,
            "kind": model.family.kind(),
            "frame": model.family.frame(),
        })
    });
    let files = all.iter().map(|counted| {
        let mut file = json!({
            "file": counted.name,
            "bytes": counted.bytes,
            "characters": counted.characters,
            "tokens": by_name(models, &counted.tokens),
        });
        if !counted.sections.is_empty() {
            let sections = counted.sections.iter().map(|section| {
                json!({
                    "level": section.level,
                    "title": section.title,
                    "line": section.line,
                    "bytes": section.range.len(),
                    "tokens": by_name(models, &section.tokens),
                })
            });
            file["sections"] = sections.collect();
        }
        file
    });
    output.json(&json!({
        "schema": "outcrop/tokens@1",
        "tokenizers": tokenizers.collect::<Vec<_>>(),
        "files": files.collect::<Vec<_>>(),
    }))
}

fn by_name(models: &[Model], tokens: &[Tokens]) -> Value {
    let counts = models.iter().zip(tokens);
    let counts = counts.map(|(model, tokens)| (model.family.name().to_owned(), json!(tokens)));
    Value::Object(counts.collect::<Map<_, _>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_make_up_the_text() {
        let text = "intro\n\n# One `x`\na\n```\n# no\n```\n\nTwo\n---\nb\n";
        let sections = Section::all(text);
        let found: Vec<(usize, &str, usize)> = sections
            .iter()
            .map(|section| (section.level, section.title.as_str(), section.line))
            .collect();
        assert_eq!(found, [(0, "", 1), (1, "One x", 3), (2, "Two", 9)]);
        let whole: String = sections
            .iter()
            .map(|section| &text[section.range.clone()])
            .collect();
        assert_eq!(whole, text);
    }
}
