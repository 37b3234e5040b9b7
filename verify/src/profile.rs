//! What a client adds of its own, learned from what it sends.
//!
//! The client's sentences cannot be shipped. One run in a world made for it shows them; they are
//! kept for this user, and what they cost can then be told for every other directory.

mod learn;

use std::hash::{DefaultHasher, Hash, Hasher};

use outcrop_loader::client::Version;
use outcrop_loader::memory::folder_name;
use outcrop_loader::record::{Delivery, Layer, Scope};
use outcrop_loader::session::Session;
use serde::{Deserialize, Serialize};

use crate::sent::{Framing, Section};

pub use learn::{LearnError, learn, without_dates, without_git_state};

/// The form of the kept file.
pub const SCHEMA: &str = "outcrop/client@1";

/// What stands for the working directory in learned texts.
pub const CWD: &str = "{cwd}";
/// What stands for the project, which is the main checkout or else the working directory, named
/// as its folder is ([`folder_name`], fact 6.1).
pub const PROJECT: &str = "{project}";
/// What stands for the home folder.
pub const HOME: &str = "{home}";
/// What stands for a date, `YYYY-MM-DD`; as long as one.
pub const DATE: &str = "YYYY-MM-DD";

/// What a block of the first message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BlockKind {
    /// The instruction texts; a block of a profile holds none, since they are the user's.
    Instructions,
    /// The state of the repository, sent only inside one; it differs from hour to hour.
    Git,
    /// Another text of the client's own.
    Client,
    /// What the user typed.
    Prompt,
}

/// A block of the first message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Block {
    /// What it is.
    pub kind: BlockKind,
    /// Who is said to speak: `user`, or `system` for what follows the prompt.
    pub role: String,
    /// Its text where it is the client's own, else empty.
    pub text: String,
}

/// A tool as it is offered to the model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tool {
    /// Its name.
    pub name: String,
    /// Its description and schema, as JSON.
    pub text: String,
}

/// Texts of a session that differ inside and outside a repository.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Own {
    /// The blocks of the first message and of the one behind the prompt, in order.
    pub blocks: Vec<Block>,
    /// The blocks of the system prompt, without the state of the repository.
    pub system: Vec<String>,
}

/// The client's notice behind one cut memory index. It names sizes and quotes a line, so it is
/// known only of an index that was seen (fact 6.5).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CutNotice {
    /// The index.
    pub path: String,
    /// A digest of its text, so that a notice is not used for another text.
    pub digest: u64,
    /// The notice.
    pub text: String,
}

/// How many notices are kept; the oldest go.
const NOTICES: usize = 50;

/// What a client adds of its own, in print mode with an API key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Profile {
    /// [`SCHEMA`].
    pub schema: String,
    /// The client's version.
    pub client: String,
    /// The model that it asks for by default.
    pub model: String,
    /// What stands around the instruction texts.
    pub framing: Framing,
    /// Texts of a session inside a repository.
    pub repository: Own,
    /// Texts of a session outside any.
    pub elsewhere: Own,
    /// The tools.
    pub tools: Vec<Tool>,
    /// Notices behind memory indexes.
    #[serde(default)]
    pub notices: Vec<CutNotice>,
}

/// A place where a session starts, as far as the client's own texts name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place<'p> {
    /// The working directory.
    pub cwd: &'p str,
    /// The root of the main checkout, where there is a repository.
    pub checkout: Option<&'p str>,
    /// The home folder.
    pub home: &'p str,
}

impl<'p> Place<'p> {
    /// The place of a session.
    #[must_use]
    pub fn of(session: &'p Session<'_>) -> Self {
        Self {
            cwd: session.cwd().as_str(),
            checkout: session.git().map(|git| git.main_checkout.as_str()),
            home: session.origin().home.as_str(),
        }
    }

    /// A learned text as it is sent here.
    #[must_use]
    pub fn fill(&self, text: &str) -> String {
        let project = folder_name(self.checkout.unwrap_or(self.cwd));
        let text = text.replace(PROJECT, &project);
        text.replace(CWD, self.cwd).replace(HOME, self.home)
    }
}

/// Sizes of what a client adds, for one working directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Sizes {
    /// The system prompt.
    pub system: usize,
    /// All tools, as JSON.
    pub tools: usize,
    /// The client's own blocks of the first message and behind the prompt, without the state of
    /// the repository and without the framing of the instruction texts.
    pub message: usize,
}

impl Profile {
    /// The version, if it is one.
    #[must_use]
    pub fn version(&self) -> Option<Version> {
        self.client.parse().ok()
    }

    /// Learns the notices of a session that was sent as predicted; says whether one is new.
    pub fn learn_notices(&mut self, startup: &Delivery, sent: &[Section]) -> bool {
        let before = self.notices.clone();
        for layer in startup.layers.iter().filter(|layer| layer.notice.is_some()) {
            let named = |section: &&Section| section.path == layer.name();
            let notice = sent
                .iter()
                .find(named)
                .and_then(|section| section.notice.clone());
            let Some(text) = notice else { continue };
            let path = layer.path.to_string();
            self.notices.retain(|known| known.path != path);
            self.notices.push(CutNotice {
                path,
                digest: digest(&layer.source),
                text,
            });
        }
        let surplus = self.notices.len().saturating_sub(NOTICES);
        self.notices.drain(..surplus);
        self.notices != before
    }

    /// The block of instruction texts as it is sent, or `None` where a label or the notice of a
    /// cut was not learned.
    /// With nothing to deliver it is empty, unless the client sends its block nonetheless
    /// (facts 0.2, 0.6).
    #[must_use]
    pub fn instructions(&self, startup: &Delivery) -> Option<String> {
        let parts = startup.layers.iter().map(|layer| self.section(layer));
        let parts: Vec<String> = parts.collect::<Option<_>>()?;
        let Framing { before, after, .. } = &self.framing;
        if !parts.is_empty() {
            return Some(format!("{before}{}{after}", parts.join("\n\n")));
        }
        if !after.contains("\n# ") {
            return Some(String::new());
        }
        // The block then holds its first line and what stands behind the texts.
        let lead = before.split_inclusive('\n').take(2).collect::<String>();
        Some(lead + after.trim_start_matches('\n'))
    }

    fn section(&self, layer: &Layer) -> Option<String> {
        let mut labels = self.framing.labels.iter();
        let (_, label) = labels.find(|(scope, _)| *scope == layer.scope)?;
        let (path, text) = (layer.name(), &layer.text);
        let section = format!("Contents of {path} ({label}):\n\n{text}");
        if layer.notice.is_none() {
            return Some(section);
        }
        let digest = digest(&layer.source);
        let mut notices = self.notices.iter();
        let is_this = |notice: &&CutNotice| notice.path == path && notice.digest == digest;
        let notice = notices.find(is_this)?;
        Some(format!("{section}\n\n{}", notice.text))
    }

    /// How much of the block of instruction texts is the client's own, in the unit of `size`, or
    /// `None` where a label or the notice of a cut was not learned. It is what the layers leave
    /// of the whole, so that what joins them counts here.
    #[must_use]
    pub fn framing_of(
        &self,
        startup: &Delivery,
        mut size: impl FnMut(&str) -> usize,
    ) -> Option<usize> {
        let block = size(&self.instructions(startup)?);
        let texts: usize = startup.layers.iter().map(|layer| size(&layer.text)).sum();
        Some(block.saturating_sub(texts))
    }

    /// The scopes whose labels were learned.
    pub fn scopes(&self) -> impl Iterator<Item = Scope> {
        self.framing.labels.iter().map(|(scope, _)| *scope)
    }

    /// The texts of a session in a place.
    #[must_use]
    pub fn own(&self, place: &Place<'_>) -> &Own {
        match place.checkout {
            Some(_) => &self.repository,
            None => &self.elsewhere,
        }
    }

    /// The sizes of all else in the unit of `size`, for a session in a place.
    #[must_use]
    pub fn sizes(&self, place: &Place<'_>, mut size: impl FnMut(&str) -> usize) -> Sizes {
        let own = self.own(place);
        let blocks = own.blocks.iter();
        let blocks = blocks.filter(|block| block.kind == BlockKind::Client);
        Sizes {
            system: own.system.iter().map(|text| size(&place.fill(text))).sum(),
            tools: self.tools.iter().map(|tool| size(&tool.text)).sum(),
            message: blocks.map(|block| size(&place.fill(&block.text))).sum(),
        }
    }
}

fn digest(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests;
