//! A memory folder looked over: what of the index is cut, where it leads, what lacks its reason.
//!
//! The decisions of rules L304, L601 and L602 are used here, not made again.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use serde::Serialize;

use super::{cut, index_file, links, unnamed};
use crate::document::{Document, StretchKind, line_at, outline};
use crate::host::Kind;
use crate::javascript;
use crate::limits::FILE_BYTES;
use crate::path::AbsPath;
use crate::session::Session;

/// What a memory folder holds and lacks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Audit {
    /// Where the index is or would be.
    pub index: AbsPath,
    /// Whether sessions get it: memory is on.
    pub is_on: bool,
    /// Whether there is an index.
    pub has_index: bool,
    /// Lines of what is delivered of it, before the cut.
    pub lines: usize,
    /// UTF-16 units of the same.
    pub characters: usize,
    /// Bytes of the file.
    pub bytes: usize,
    /// The first line of the file behind the cut, from 1; none where all is delivered.
    pub cut_at: Option<u32>,
    /// Entries behind the cut.
    pub lost: Vec<Entry>,
    /// Topic files, sorted.
    pub topics: Vec<String>,
    /// Those to which the index does not lead.
    pub unlinked: Vec<String>,
    /// Links of the index to files that are not there.
    pub broken: Vec<Broken>,
    /// Notes that do not say why.
    pub no_why: Vec<NoWhy>,
    /// What stands there twice.
    pub copies: Vec<Copy>,
    /// The text of the index, as it is in the file.
    #[serde(skip)]
    pub source: Arc<str>,
}

/// An entry of an index.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Entry {
    /// Its line in the file, from 1.
    pub line: u32,
    /// Its first line.
    pub text: String,
}

/// A link that leads nowhere.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Broken {
    /// Its line, from 1.
    pub line: u32,
    /// What it names.
    pub target: String,
}

/// A note without its reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct NoWhy {
    /// The file, by its name in the folder.
    pub file: String,
    /// The line where the note begins, from 1.
    pub line: u32,
    /// Its first line.
    pub text: String,
}

/// What stands in two places.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Copy {
    /// The file and line of the first.
    pub first: (String, u32),
    /// The file and line of the other.
    pub again: (String, u32),
    /// The first line of it.
    pub text: String,
}

/// Looks over the memory folder of a session.
#[must_use]
pub fn audit(session: &Session<'_>) -> Audit {
    let world = session.world();
    let project = world.git.as_ref().map(|git| &git.main_checkout);
    let index = index_file(
        &world.origin,
        &world.settings,
        project.unwrap_or(&world.cwd),
    );
    let folder = index.parent().unwrap_or_else(|| index.clone());
    let read = |path: &AbsPath| {
        let bytes = world.host.read(path, FILE_BYTES).ok()?;
        Some(Arc::<str>::from(String::from_utf8_lossy(&bytes)))
    };
    let entries = world.host.read_dir(&folder).unwrap_or_default();
    let mut topics: Vec<String> = entries
        .into_iter()
        .filter(|entry| entry.utf8 && entry.kind != Some(Kind::Directory))
        .map(|entry| entry.name)
        .filter(|name| name.ends_with(".md") && name != index.file_name())
        .collect();
    topics.sort_unstable();
    let source = read(&index);
    let unlinked = match &source {
        Some(_) => unnamed(&topics, &index, read),
        None => topics.iter().map(String::as_str).collect(),
    };
    let unlinked = unlinked.into_iter().map(str::to_owned).collect();
    let has_index = source.is_some();
    let source = source.unwrap_or_default();
    let texts: Vec<(String, Arc<str>)> = topics
        .iter()
        .filter_map(|name| Some((name.clone(), read(&folder.child(name))?)))
        .collect();
    let behaviour = &world.origin.client.behaviour;
    let document = Document::from_text(source.clone(), behaviour);
    let switches = &world.switches;
    let mut audit = Audit {
        is_on: switches.memory_off.is_none() && switches.instructions_off.is_none(),
        has_index,
        lines: 0,
        characters: 0,
        bytes: source.len(),
        cut_at: None,
        lost: Vec::new(),
        unlinked,
        broken: Vec::new(),
        no_why: Vec::new(),
        copies: Vec::new(),
        source,
        topics,
        index,
    };
    audit.measure(&document);
    let root = session.git().map(|git| &git.root);
    let is_there = |name: &str| {
        if let Some(below) = name.strip_prefix("~/") {
            return world.is_file(&world.origin.home.join(below));
        }
        if let Some(path) = AbsPath::new(name) {
            return world.is_file(&path);
        }
        let mut bases = [Some(&folder), Some(&world.cwd), root]
            .into_iter()
            .flatten();
        bases.any(|base| world.is_file(&base.join(name)))
    };
    for range in links(&document.text) {
        let target = document.text[range.clone()].replace("%20", " ");
        if !is_there(&target) {
            let line = document.line_of(document.map.source_offset(range.start));
            audit.broken.push(Broken { line, target });
        }
    }
    let name = audit.index.file_name().to_owned();
    audit.no_why = no_why(&name, &audit.source, &texts);
    audit.copies = copies(&name, &audit.source, &texts);
    audit
}

impl Audit {
    fn measure(&mut self, document: &Document) {
        let text = &document.text;
        let whole = javascript::trim(text);
        let start = text.len() - text.trim_start_matches(javascript::is_space).len();
        self.lines = match whole {
            "" => 0,
            whole => memchr::memchr_iter(b'\n', whole.as_bytes()).count() + 1,
        };
        self.characters = javascript::len(whole);
        let (kept, notice) = cut(whole);
        if notice.is_none() {
            return;
        }
        let line_of = |at: usize| document.line_of(document.map.source_offset(start + at));
        let behind = &whole[kept.len()..];
        let lost = behind.trim_start_matches(['\n', '\r']);
        let at = kept.len() + (behind.len() - lost.len());
        self.cut_at = Some(line_of(at));
        for stretch in outline(lost) {
            if stretch.kind == StretchKind::Item {
                self.lost.push(Entry {
                    line: line_of(at + stretch.range.start),
                    text: first_line(&lost[stretch.range]),
                });
            }
        }
    }

    /// Whether the client does not deliver what the index seems to say.
    #[must_use]
    pub fn is_wrong(&self) -> bool {
        self.cut_at.is_some() || !self.broken.is_empty()
    }
}

/// The longest line that is shown, in characters.
const SHOWN: usize = 120;

fn first_line(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default().trim();
    match line.char_indices().nth(SHOWN) {
        Some((at, _)) => format!("{}…", line[..at].trim_end()),
        None => line.to_owned(),
    }
}

/// Words by which a reason is given, in scripts without word boundaries.
const WHY: [&str; 5] = ["为什么", "原因", "因为", "由于", "缘由"];

/// Whether a text gives a reason: `Why` as a label or heading, or a word that begins one.
fn says_why(text: &str) -> bool {
    text.lines().any(|line| {
        let line = line.to_lowercase();
        let is_label = |rest: &str| {
            let rest = rest.trim_start_matches(['*', '_', ' ']);
            rest.is_empty() || rest.starts_with([':', '：', '?', '？'])
        };
        let is_word = |at: usize| {
            let before = line[..at].chars().next_back();
            before.is_none_or(|c| !c.is_alphanumeric())
        };
        let mut labels = line.match_indices("why");
        labels.any(|(at, word)| is_word(at) && is_label(&line[at + word.len()..]))
            || line.match_indices("because").any(|(at, _)| is_word(at))
            || WHY.iter().any(|word| line.contains(word))
    })
}

/// Whether an item is an entry that leads to a file, so that the file says why.
fn leads(item: &str) -> bool {
    item.contains("](") || item.contains(".md") || item.contains("[[")
}

fn no_why(index: &str, source: &str, texts: &[(String, Arc<str>)]) -> Vec<NoWhy> {
    let mut found = Vec::new();
    for stretch in outline(source) {
        let own = &source[stretch.range.clone()];
        if stretch.kind == StretchKind::Item && !leads(own) && !says_why(own) {
            found.push(NoWhy {
                file: index.to_owned(),
                line: line_at(source, stretch.range.start),
                text: first_line(own),
            });
        }
    }
    for (name, text) in texts {
        if says_why(text) || text.trim().is_empty() {
            continue;
        }
        let body = body(text);
        let first = outline(&text[body..]).into_iter().next();
        let start = first.map_or(body, |stretch| body + stretch.range.start);
        found.push(NoWhy {
            file: name.clone(),
            line: line_at(text, start),
            text: first_line(&text[start..]),
        });
    }
    found
}

/// Where the text behind the front matter begins.
fn body(text: &str) -> usize {
    let front = crate::document::FrontMatter::find(text, true);
    front.map_or(0, |front| front.block.end)
}

/// Shorter texts say the same by chance, in letters.
const SAME: usize = 16;

/// Items and paragraphs whose letters are those of an earlier one.
fn copies(index: &str, source: &str, texts: &[(String, Arc<str>)]) -> Vec<Copy> {
    let mut seen: FxHashMap<String, (String, u32)> = FxHashMap::default();
    let mut copies = Vec::new();
    let all = std::iter::once((index, source));
    let all = all.chain(texts.iter().map(|(name, text)| (name.as_str(), &**text)));
    for (name, text) in all {
        let body = body(text);
        for stretch in outline(&text[body..]) {
            if !matches!(stretch.kind, StretchKind::Item | StretchKind::Text) {
                continue;
            }
            let own = &text[body + stretch.range.start..body + stretch.range.end];
            let letters = own.chars().filter(|c| c.is_alphanumeric());
            let letters: String = letters.flat_map(char::to_lowercase).collect();
            if letters.chars().take(SAME).count() < SAME {
                continue;
            }
            let place = (name.to_owned(), line_at(text, body + stretch.range.start));
            match seen.get(&letters) {
                Some(first) => copies.push(Copy {
                    first: first.clone(),
                    again: place,
                    text: first_line(own),
                }),
                None => {
                    seen.insert(letters, place);
                }
            }
        }
    }
    copies
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::MemoryHost;
    use crate::origin::Origin;

    const FOLDER: &str = "/home/dev/.claude/projects/-srv-mill/memory";

    fn look(files: &[(&str, &str)]) -> Audit {
        let mut host = MemoryHost::new();
        let path = |text: &str| AbsPath::new(text).unwrap();
        host.dir(&path("/srv/mill"));
        for (name, text) in files {
            let file = path(FOLDER).join(name);
            host.file(&file, text.as_bytes().to_vec());
        }
        let origin = Origin::new(path("/srv/mill"), path("/home/dev"));
        audit(&Session::start(&host, origin))
    }

    #[test]
    fn entries_behind_the_cut_are_told_with_their_lines() {
        let mut index = "---\nname: index\n---\n# Days\n".to_owned();
        for day in 1..=202 {
            index.push_str(&format!("- [Day {day}](days.md): rain\n"));
        }
        let audit = look(&[("MEMORY.md", &index), ("days.md", "Why: it rained\n")]);
        assert_eq!((audit.lines, audit.cut_at), (203, Some(204)));
        let lost: Vec<(u32, &str)> = audit.lost.iter().map(|e| (e.line, &*e.text)).collect();
        assert_eq!(
            lost,
            [
                (204, "- [Day 200](days.md): rain"),
                (205, "- [Day 201](days.md): rain"),
                (206, "- [Day 202](days.md): rain"),
            ]
        );
        assert!(audit.is_wrong() && audit.no_why.is_empty() && audit.unlinked.is_empty());
    }

    #[test]
    fn links_and_reasons_and_copies() {
        let audit = look(&[
            (
                "MEMORY.md",
                "- [Scale](scale.md): grams\n- [Gone](gone.md)\n- The belt of the mill is red.\n\
                 - Oil the hinge, because it squeaks.\n",
            ),
            (
                "scale.md",
                "---\ntype: project\n---\nThe scale reads grams.\n",
            ),
            (
                "oiling.md",
                "Oil it.\n\n**Why:** it squeaked on a Monday.\n",
            ),
            (
                "band.md",
                "The belt of the mill is RED!\n\n原因：旧的断了。\n",
            ),
        ]);
        assert_eq!(
            audit.broken,
            [Broken {
                line: 2,
                target: "gone.md".to_owned()
            }]
        );
        assert_eq!(audit.unlinked, ["band.md", "oiling.md"]);
        let no_why: Vec<(&str, u32)> = audit.no_why.iter().map(|n| (&*n.file, n.line)).collect();
        assert_eq!(no_why, [("MEMORY.md", 3), ("scale.md", 4)]);
        assert_eq!(audit.copies.len(), 1);
        assert_eq!(audit.copies[0].first, ("MEMORY.md".to_owned(), 3));
        assert_eq!(audit.copies[0].again, ("band.md".to_owned(), 1));
    }

    #[test]
    fn without_an_index_nothing_leads_anywhere() {
        let audit = look(&[("scale.md", "Why: grams\n")]);
        assert!(!audit.has_index && !audit.is_wrong());
        assert_eq!(audit.unlinked, ["scale.md"]);
    }
}
