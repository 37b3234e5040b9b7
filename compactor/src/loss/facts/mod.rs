//! Facts: what a summary must not get wrong, since it cannot be said in other words.

mod numbers;
mod scan;
mod tokens;

use rustc_hash::FxHashMap;
use serde::Serialize;

use super::Compared;
use super::finding::{Finding, State};
use super::talk::{Passage, Voice};

/// How many lost facts of a class are listed.
const LISTED: usize = 20;
/// The longest command that is one fact, in bytes; of a longer one its first line.
const COMMAND: usize = 300;

/// The class of a fact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum FactClass {
    /// A file or folder.
    Path,
    /// An address with a scheme.
    Url,
    /// A command line.
    Command,
    /// A name in code, a flag, a hash, a uuid.
    Identifier,
    /// A number with its unit, or a version.
    Number,
    /// The code of an error, a status or an exit.
    ErrorCode,
    /// A text in quotation marks or in code marks.
    Quoted,
}

impl FactClass {
    /// All classes, in the order of reports.
    pub const ALL: [Self; 7] = [
        Self::Path,
        Self::Url,
        Self::Command,
        Self::Identifier,
        Self::Number,
        Self::ErrorCode,
        Self::Quoted,
    ];
}

/// How many facts became what. Each fact counts once.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// Still there word for word.
    pub kept: usize,
    /// Still there in part: of a path its file name, of commands and quotations most words.
    pub part: usize,
    /// Gone.
    pub lost: usize,
}

impl Counts {
    fn add(&mut self, state: &State) {
        match state {
            State::Kept { .. } => self.kept += 1,
            State::Part(_) => self.part += 1,
            State::Lost => self.lost += 1,
        }
    }
}

/// One fact.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Fact {
    /// As it is written.
    pub text: String,
    /// How often it was mentioned.
    pub mentions: u32,
    /// How often user or model named it; the others stood in results, files and notes only.
    pub named: u32,
}

/// The facts of one class.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Facts {
    /// The class.
    pub class: FactClass,
    /// Those that user or model named.
    pub named: Counts,
    /// Those that stood in results, files and notes only.
    pub seen: Counts,
    /// Those that are not kept: what was named before what was only seen, most mentioned first.
    pub gone: Vec<Finding<Fact>>,
    /// How many more are not kept.
    pub more: usize,
}

#[derive(Debug, Clone, Copy)]
struct Mentions {
    all: u32,
    named: u32,
    spot: usize,
}

/// The facts of each class that occurs. That its words are found is the most that can be told of
/// a fact: whether a model still knows it is another matter.
pub(super) fn of(compared: &Compared<'_>) -> Vec<Facts> {
    let mut all: [FxHashMap<&str, Mentions>; 7] = Default::default();
    for passage in &compared.before.passages {
        let names = is_named(passage);
        let is_prose = matches!(passage.voice, Voice::User | Voice::Assistant);
        let mut add = |class: FactClass, text| {
            let mentions = all[class as usize].entry(text).or_insert(Mentions {
                all: 0,
                named: 0,
                spot: passage.spot,
            });
            if names && mentions.named == 0 {
                mentions.spot = passage.spot;
            }
            mentions.all += 1;
            mentions.named += u32::from(names);
        };
        if passage.voice == Voice::Call && passage.key == "command" {
            let command = command(&passage.text);
            if command.chars().any(char::is_alphanumeric) {
                add(FactClass::Command, command);
            }
        }
        scan::each(&passage.text, is_prose, &mut add);
    }
    let classes = FactClass::ALL.into_iter().zip(all);
    let facts = classes.filter(|(_, facts)| !facts.is_empty());
    facts
        .map(|(class, facts)| judge(compared, class, facts))
        .collect()
}

/// Whether user or model chose these words: of a call, those that say what it is about.
fn is_named(passage: &Passage<'_>) -> bool {
    const ABOUT: [&str; 10] = [
        "command",
        "file_path",
        "notebook_path",
        "path",
        "pattern",
        "url",
        "query",
        "prompt",
        "description",
        "subject",
    ];
    passage.voice.names() && (passage.voice != Voice::Call || ABOUT.contains(&&*passage.key))
}

fn command(text: &str) -> &str {
    let text = text.trim();
    match text.len() {
        0..=COMMAND => text,
        _ => text.lines().next().unwrap_or_default(),
    }
}

fn judge(compared: &Compared<'_>, class: FactClass, facts: FxHashMap<&str, Mentions>) -> Facts {
    let mut judged = Facts {
        class,
        named: Counts::default(),
        seen: Counts::default(),
        gone: Vec::new(),
        more: 0,
    };
    let mut gone = Vec::new();
    for (text, mentions) in facts {
        let state = state(compared, class, text, mentions.named > 0);
        let counts = match mentions.named {
            0 => &mut judged.seen,
            _ => &mut judged.named,
        };
        counts.add(&state);
        if !matches!(state, State::Kept { .. }) {
            gone.push((text, mentions, state));
        }
    }
    let rank = |(text, mentions, _): &(&str, Mentions, State)| {
        let most = std::cmp::Reverse((mentions.named, mentions.all));
        (most, mentions.spot, (*text).to_owned())
    };
    if gone.len() > LISTED {
        gone.select_nth_unstable_by_key(LISTED, rank);
        judged.more = gone.len() - LISTED;
        gone.truncate(LISTED);
    }
    gone.sort_by_key(rank);
    judged.gone = gone
        .into_iter()
        .map(|(text, mentions, state)| Finding {
            what: Fact {
                text: text.to_owned(),
                mentions: mentions.all,
                named: mentions.named,
            },
            place: compared.place(mentions.spot),
            state,
        })
        .collect();
    judged
}

fn state(compared: &Compared<'_>, class: FactClass, text: &str, is_named: bool) -> State {
    let remains = &compared.after;
    if let Some(passage) = remains.find(text) {
        return remains.kept(passage);
    }
    match class {
        FactClass::Path => remains.file_name(text).map_or(State::Lost, State::Part),
        FactClass::Command | FactClass::Quoted if is_named => {
            remains.part(text).map_or(State::Lost, State::Part)
        }
        _ => State::Lost,
    }
}
