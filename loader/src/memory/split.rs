//! A thinner index: notes move into topic files, and a line with a link stays for each.
//!
//! Lines move whole. Each line of the old index stands in the new one or in one topic file.

use std::collections::BTreeSet;

use super::{CHARACTERS, LINES};
use crate::document::{FrontMatter, StretchKind, outline};
use crate::javascript;

/// What is proposed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proposal {
    /// The new index.
    pub index: String,
    /// New topic files, in the order of the index.
    pub topics: Vec<Topic>,
    /// Whether the new index is delivered whole.
    pub fits: bool,
}

/// A new topic file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Topic {
    /// Its name in the folder.
    pub name: String,
    /// Its text: lines of the old index.
    pub text: String,
}

/// The most characters of an entry that stays.
const ENTRY: usize = 300;
/// The most characters of the summary behind a link.
const SUMMARY: usize = 100;

/// Proposes a thin index. `taken` are the names of files that are there; no topic takes one.
#[must_use]
pub fn split(source: &str, taken: &[String]) -> Proposal {
    let sections = sections(source);
    let mut moved: Vec<bool> = vec![false; sections.len()];
    // While the index does not fit, entries of whole sections move too, those of the largest first.
    loop {
        let proposal = propose(&sections, &moved, taken);
        let movable = (0..sections.len()).filter(|number| {
            let entries = &sections[*number].lines;
            !moved[*number]
                && entries
                    .iter()
                    .filter(|line| line.fate == Fate::Entry)
                    .count()
                    > 1
        });
        let largest = movable.max_by_key(|number| {
            let lines = sections[*number].lines.iter();
            let entries = lines.filter(|line| line.fate == Fate::Entry).count();
            (entries, std::cmp::Reverse(*number))
        });
        match largest {
            Some(largest) if !proposal.fits => moved[largest] = true,
            _ => return proposal,
        }
    }
}

/// What becomes of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fate {
    /// It stays: a heading, a comment, front matter.
    Stays,
    /// A thin entry: it stays while there is room.
    Entry,
    /// A note: it moves.
    Note,
    /// Nothing stands in it.
    Blank,
}

#[derive(Debug)]
struct Line<'t> {
    /// With its end.
    text: &'t str,
    fate: Fate,
}

/// A heading with what stands below it.
#[derive(Debug, Default)]
struct Section<'t> {
    title: &'t str,
    lines: Vec<Line<'t>>,
}

fn sections(source: &str) -> Vec<Section<'_>> {
    let body = FrontMatter::find(source, true).map_or(0, |front| front.block.end);
    // What no stretch covers stays: front matter, rules. A comment stays whole.
    let mut fates: Vec<(usize, usize, Fate, Option<&str>)> = Vec::new();
    for stretch in outline(&source[body..]) {
        let (start, end) = (body + stretch.range.start, body + stretch.range.end);
        let own = &source[start..end];
        let (fate, title) = match stretch.kind {
            StretchKind::Heading(_) => {
                let title = own.lines().next().unwrap_or_default();
                (Fate::Stays, Some(title.trim_matches(['#', ' ', '\t'])))
            }
            // A comment behind an entry is no part of it.
            StretchKind::Item if is_entry(own.split("<!--").next().unwrap_or(own).trim_end()) => {
                (Fate::Entry, None)
            }
            _ => (Fate::Note, None),
        };
        fates.push((start, end, fate, title));
    }
    let comments = comments(source);
    let mut sections = vec![Section::default()];
    let mut fates = fates.into_iter().peekable();
    let mut at = 0;
    for text in source.split_inclusive('\n') {
        let (start, end) = (at, at + text.len());
        at = end;
        while fates.next_if(|(_, last, ..)| *last <= start).is_some() {}
        let own = fates.peek().filter(|(first, ..)| *first < end).copied();
        // One within a note, a paragraph or a block of code, goes with it.
        let is_within = |comment: &(usize, usize)| {
            matches!(own, Some((first, last, Fate::Note, _))
                if first < comment.0 && comment.1 <= last)
        };
        let is_comment = comments
            .iter()
            .any(|comment| comment.0 < end && start < comment.1 && !is_within(comment));
        let mut fate = match own {
            _ if text.trim().is_empty() => Fate::Blank,
            Some((_, _, fate, _)) if !is_comment => fate,
            _ => Fate::Stays,
        };
        // A blank line within a block of code belongs to it.
        if let (Fate::Blank, Some((first, last, Fate::Note, _))) = (fate, own)
            && first < start
            && end < last
        {
            fate = Fate::Note;
        }
        if let Some((first, _, _, Some(title))) = own
            && first >= start
            && !is_comment
        {
            sections.push(Section {
                title,
                ..Section::default()
            });
        }
        if let Some(section) = sections.last_mut() {
            section.lines.push(Line { text, fate });
        }
    }
    sections
}

fn comments(source: &str) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(start) = source[at..].find("<!--").map(|start| at + start) {
        let end = source[start..].find("-->");
        // One that is not closed is none.
        let Some(end) = end.map(|end| start + end + 3) else {
            break;
        };
        found.push((start, end));
        at = end;
    }
    found
}

/// Whether an item is an entry of an index: one line with a link or the name of a file.
pub(crate) fn is_entry(item: &str) -> bool {
    let is_line = !item.contains('\n') && item.chars().count() <= ENTRY;
    is_line && (item.contains("](") || item.contains(".md") || item.contains("[["))
}

fn propose(sections: &[Section<'_>], moved: &[bool], taken: &[String]) -> Proposal {
    let mut names: BTreeSet<String> = taken.iter().map(|name| name.to_lowercase()).collect();
    names.insert("memory.md".to_owned());
    let mut index = String::new();
    let mut topics = Vec::new();
    for (section, moves) in sections.iter().zip(moved) {
        let goes = |line: &Line<'_>| line.fate == Fate::Note || *moves && line.fate == Fate::Entry;
        if !section.lines.iter().any(goes) {
            section
                .lines
                .iter()
                .for_each(|line| index.push_str(line.text));
            continue;
        }
        let mut text = String::new();
        let mut goes_on = false;
        let name = name_of(section.title, &mut names);
        for line in &section.lines {
            if goes(line) {
                if text.is_empty() {
                    index_line(&mut index, &section.title_or(&name), &name, section, &goes);
                }
                text.push_str(line.text);
                goes_on = true;
            } else if line.fate != Fate::Blank {
                end_line(&mut index);
                index.push_str(line.text);
                goes_on = false;
            } else if goes_on {
                text.push_str(line.text);
            } else if !ends_blank(&index) {
                index.push_str(line.text);
            }
        }
        // What stood between two sections stands there still.
        let last = section.lines.last();
        if last.is_some_and(|line| line.fate == Fate::Blank) && !ends_blank(&index) {
            index.push('\n');
        }
        let text = match text.strip_suffix('\n') {
            Some(whole) => format!("{}\n", whole.trim_end_matches(['\n', '\r'])),
            None => format!("{text}\n"),
        };
        topics.push(Topic { name, text });
    }
    Proposal {
        fits: fits(&index),
        index,
        topics,
    }
}

impl Section<'_> {
    fn title_or(&self, name: &str) -> String {
        match self.title {
            "" => name.trim_end_matches(".md").to_owned(),
            title => title.replace(['[', ']'], ""),
        }
    }
}

fn ends_blank(text: &str) -> bool {
    text.ends_with("\n\n") || text.ends_with("\n\r\n")
}

fn end_line(text: &mut String) {
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
}

/// The line that stays: the section's title as a link, and the beginning of what moved.
fn index_line(
    index: &mut String,
    title: &str,
    name: &str,
    section: &Section<'_>,
    goes: &dyn Fn(&Line<'_>) -> bool,
) {
    end_line(index);
    let bare = |line: &str| {
        let line = line
            .trim()
            .trim_start_matches(['-', '*', '+', '>', '|', ' ']);
        line.replace(['[', ']', '`'], "")
    };
    let mut lines = section.lines.iter().filter(|line| goes(line));
    let first = lines.by_ref().map(|line| bare(line.text));
    let first = first.filter(|line| line.chars().any(char::is_alphanumeric));
    let summary = first.take(1).next().unwrap_or_default();
    let summary = match summary.char_indices().nth(SUMMARY) {
        Some((at, _)) => {
            let part = &summary[..at];
            let end = part.rfind(' ').filter(|end| *end > at / 2);
            format!("{}…", part[..end.unwrap_or(at)].trim_end())
        }
        None => summary,
    };
    index.push_str(&match summary.is_empty() {
        true => format!("- [{title}]({name})\n"),
        false => format!("- [{title}]({name}): {summary}\n"),
    });
}

fn fits(index: &str) -> bool {
    let body = FrontMatter::find(index, true).map_or(0, |front| front.block.end);
    let text = javascript::trim(&index[body..]);
    text.lines().count() <= LINES && javascript::len(text) <= CHARACTERS
}

/// The longest name of a topic file, in characters.
const NAME: usize = 48;

/// A name that is free, made of a title's letters.
fn name_of(title: &str, names: &mut BTreeSet<String>) -> String {
    let mut slug = String::new();
    for c in title.chars().flat_map(char::to_lowercase).take(NAME) {
        if c.is_alphanumeric() {
            slug.push(c);
        } else if !slug.ends_with('-') && !slug.is_empty() {
            slug.push('-');
        }
    }
    let slug = slug.trim_end_matches('-');
    let slug = match slug {
        "" | "memory" => "notes",
        slug => slug,
    };
    let mut name = format!("{slug}.md");
    let mut number = 2;
    while !names.insert(name.clone()) {
        name = format!("{slug}-{number}.md");
        number += 1;
    }
    name
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    const INDEX: &str = "---\nname: index\n---\n# Memory\n\n- [Scale](scale.md): grams\n\n\
        ## Doors\n\n- The hinge is oiled on Mondays.\n  It squeaks else.\n\n\
        - [Gate](gate.md): its code\n\nThe door opens inwards.\n\n## Empty\n\n\
        ## Doors\n\n```\nopen --slowly\n\nclose\n```\n";

    #[test]
    fn notes_move_and_a_line_with_a_link_stays() {
        let taken = ["gate.md".to_owned(), "Scale.md".to_owned()];
        let proposal = split(INDEX, &taken);
        assert_eq!(
            proposal.index,
            "---\nname: index\n---\n# Memory\n\n- [Scale](scale.md): grams\n\n\
             ## Doors\n\n- [Doors](doors.md): The hinge is oiled on Mondays.\n\
             - [Gate](gate.md): its code\n\n## Empty\n\n\
             ## Doors\n\n- [Doors](doors-2.md): open --slowly\n"
        );
        let topics: Vec<(&str, &str)> = proposal
            .topics
            .iter()
            .map(|topic| (topic.name.as_str(), topic.text.as_str()))
            .collect();
        assert_eq!(
            topics,
            [
                (
                    "doors.md",
                    "- The hinge is oiled on Mondays.\n  It squeaks else.\n\nThe door opens inwards.\n"
                ),
                ("doors-2.md", "```\nopen --slowly\n\nclose\n```\n"),
            ]
        );
        assert!(proposal.fits);
    }

    /// A comment between notes stays; one within a paragraph or a block of code goes with it.
    #[test]
    fn what_belongs_together_goes_together() {
        let index = "# Memory\n<!-- keep -->\n\nA paragraph <!-- aside --> that goes\non.\n\n\
            ```\na\n<!-- shown -->\nb\n```\n";
        let proposal = split(index, &[]);
        assert!(
            proposal.index.contains("<!-- keep -->"),
            "{}",
            proposal.index
        );
        assert_eq!(
            proposal.topics[0].text,
            "A paragraph <!-- aside --> that goes\non.\n\n```\na\n<!-- shown -->\nb\n```\n"
        );
    }

    #[test]
    fn a_thin_index_stays_as_it_is() {
        let thin = "# Memory\n\n- [Scale](scale.md): grams\n<!-- a\ncomment -->\n";
        let proposal = split(thin, &[]);
        assert_eq!(proposal.index, thin);
        assert_eq!(proposal.topics, []);
    }

    #[test]
    fn entries_move_where_there_are_too_many() {
        let mut index = "# Few\n- [A](a.md): one\n# Days\n".to_owned();
        for day in 0..230 {
            index.push_str(&format!("- [Day {day}](days.md): it rained\n"));
        }
        let proposal = split(&index, &["days.md".to_owned()]);
        assert_eq!(
            proposal.index,
            "# Few\n- [A](a.md): one\n# Days\n- [Days](days-2.md): Day 0(days.md): it rained\n"
        );
        assert_eq!(proposal.topics[0].text.lines().count(), 230);
        assert!(proposal.fits);
    }

    /// A name that the system takes for the index itself is none.
    #[test]
    fn no_topic_takes_the_place_of_the_index_or_a_file() {
        let proposal = split(
            "# Memory\n\nA note.\n# 记忆\n\nB\n",
            &["NOTES.md".to_owned()],
        );
        let names: Vec<&str> = proposal.topics.iter().map(|topic| &*topic.name).collect();
        assert_eq!(names, ["notes-2.md", "记忆.md"]);
    }

    fn line() -> impl Strategy<Value = String> {
        let said = prop::sample::select(vec![
            "# Doors",
            "## Scale [x](y)",
            "- [A](a.md): one",
            "- a note",
            "  that goes on",
            "  - below it",
            "prose",
            "Title",
            "=====",
            "```",
            "~~~",
            "---",
            "",
            " ",
            "<!-- a",
            "-->",
            "| a | b |",
            "> said",
            "\u{FEFF}",
            "文字。",
        ]);
        prop_oneof![6 => said.prop_map(str::to_owned), 1 => "[ -~é文]{0,40}"]
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn no_line_is_lost(lines in vec((line(), 0..30_u16), 0..40), crlf: bool, ends: bool) {
            let end = if crlf { "\r\n" } else { "\n" };
            // Numbers make lines that differ, most of the time.
            let lines: Vec<String> = lines
                .iter()
                .map(|(line, number)| match line.contains(char::is_alphabetic) {
                    true => format!("{line} {number}"),
                    false => line.clone(),
                })
                .collect();
            let mut source = lines.join(end);
            if ends {
                source.push_str(end);
            }
            let proposal = split(&source, &[]);
            prop_assert_eq!(&proposal, &split(&source, &[]));
            let count = |text: &str, line: &str| text.lines().filter(|one| *one == line).count();
            for line in source.lines().filter(|line| !line.trim().is_empty()) {
                let before = count(&source, line);
                let topics = proposal.topics.iter().map(|topic| count(&topic.text, line));
                let (index, topics) = (count(&proposal.index, line), topics.collect::<Vec<_>>());
                let after = index + topics.iter().sum::<usize>();
                prop_assert!(after >= before, "{line:?} is lost");
                if before == 1 {
                    let places = topics.iter().filter(|times| **times > 0).count();
                    prop_assert!(index > 0 || places == 1, "{line:?} is in {places} files");
                }
            }
            let mut names: Vec<&str> = proposal.topics.iter().map(|topic| &*topic.name).collect();
            names.sort_unstable();
            names.dedup();
            prop_assert_eq!(names.len(), proposal.topics.len());
        }
    }
}
