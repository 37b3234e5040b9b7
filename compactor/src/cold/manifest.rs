//! What is kept of one session.

use std::borrow::Cow;

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// The form of a manifest.
pub const SCHEMA: &str = "outcrop/cold-session@1";

/// The most bytes of a chunk: what is held in memory at once.
pub const CHUNK: usize = 4 << 20;

/// A file that was changed so shortly before it was read may have been changed once more within
/// the resolution of its time.
const UNSETTLED: SignedDuration = SignedDuration::from_secs(2);

/// All that is kept of a session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// Its id.
    pub session: String,
    /// The folder of its project below `projects`.
    pub project: String,
    /// How often something of it was archived; the first time is 1.
    pub generation: u64,
    /// When the last time was, as RFC 3339 in UTC.
    pub at: String,
    /// Its files, by path.
    pub files: Vec<Kept>,
}

/// A file of a session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kept {
    /// Where it is below the client's configuration folder, with `/`.
    pub path: String,
    /// What it held, the newest last. A file that only grew has one version.
    pub versions: Vec<Version>,
}

/// The bytes of a file, as far as it only grew.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Version {
    /// The bytes, in order.
    pub chunks: Vec<Chunk>,
    /// How far they went each time they were archived, the newest last, which is all of them.
    pub states: Vec<State>,
}

/// A piece of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chunk {
    /// The BLAKE3 digest of its bytes, in hexadecimal; its name in the store.
    pub digest: String,
    /// Its bytes; at most [`CHUNK`].
    pub bytes: u64,
}

/// A file as it was when it was archived.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    /// The generation of the session.
    pub generation: u64,
    /// When it was read, as RFC 3339 in UTC.
    pub at: String,
    /// Its bytes; a chunk ends there.
    pub bytes: u64,
    /// The BLAKE3 digest of all of them.
    pub digest: String,
    /// When it was changed last, as RFC 3339 in UTC.
    pub modified: Option<String>,
    /// Its permission bits.
    pub mode: Option<u32>,
}

/// What a restoration writes: a version as far as it went at a generation.
#[derive(Debug, Clone, Copy)]
pub struct Recall<'a> {
    /// The file.
    pub path: &'a str,
    /// Its chunks, of which those of the state count.
    pub version: &'a Version,
    /// Which state.
    pub state: &'a State,
}

impl Manifest {
    /// Of a session of which nothing is kept yet.
    #[must_use]
    pub fn new(project: &str, session: &str) -> Self {
        Self {
            session: session.to_owned(),
            project: project.to_owned(),
            generation: 0,
            at: String::new(),
            files: Vec::new(),
        }
    }

    /// A file of it.
    #[must_use]
    pub fn file(&self, path: &str) -> Option<&Kept> {
        let at = self.place(path).ok()?;
        self.files.get(at)
    }

    fn place(&self, path: &str) -> Result<usize, usize> {
        self.files.binary_search_by(|kept| (*kept.path).cmp(path))
    }

    /// A file of it, which is added where it is not there.
    pub fn file_mut(&mut self, path: &str) -> &mut Kept {
        let at = match self.place(path) {
            Ok(at) => at,
            Err(at) => {
                let kept = Kept {
                    path: path.to_owned(),
                    versions: Vec::new(),
                };
                self.files.insert(at, kept);
                at
            }
        };
        &mut self.files[at]
    }

    /// The files as they were at a generation, or as they were last.
    pub fn at_generation(&self, generation: Option<u64>) -> impl Iterator<Item = Recall<'_>> {
        let generation = generation.unwrap_or(u64::MAX);
        self.files.iter().filter_map(move |kept| {
            let versions = kept.versions.iter().rev();
            let mut states = versions.flat_map(|version| {
                let states = version.states.iter().rev();
                states.map(move |state| (version, state))
            });
            let (version, state) = states.find(|(_, state)| state.generation <= generation)?;
            Some(Recall {
                path: &kept.path,
                version,
                state,
            })
        })
    }

    /// The bytes of its files as they were last.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.at_generation(None)
            .map(|recall| recall.state.bytes)
            .sum()
    }

    /// When its transcript, or what is left of the session, was changed last.
    #[must_use]
    pub fn modified(&self) -> Option<&str> {
        let own = format!("projects/{}/{}.jsonl", self.project, self.session);
        let mut all = self.at_generation(None);
        let own = all.find(|recall| recall.path == own);
        match own {
            Some(own) => own.state.modified.as_deref(),
            None => self
                .at_generation(None)
                .filter_map(|recall| recall.state.modified.as_deref())
                .max(),
        }
    }

    /// The text of its file: JSON in which the digest of what counts stands beside it.
    ///
    /// # Errors
    ///
    /// Never: all of it can be written.
    pub fn encode(&self) -> serde_json::Result<String> {
        #[derive(Serialize)]
        struct Whole<'a> {
            schema: &'a str,
            digest: String,
            manifest: &'a RawValue,
        }
        let manifest = serde_json::value::to_raw_value(self)?;
        let whole = Whole {
            schema: SCHEMA,
            digest: digest(manifest.get()),
            manifest: &manifest,
        };
        serde_json::to_string(&whole).map(|text| text + "\n")
    }

    /// Reads the text of its file.
    ///
    /// # Errors
    ///
    /// What is wrong with it, where it is not as it was written.
    pub fn decode(text: &[u8]) -> Result<Self, String> {
        #[derive(Deserialize)]
        struct Whole<'a> {
            #[serde(borrow)]
            schema: Cow<'a, str>,
            #[serde(borrow)]
            digest: Cow<'a, str>,
            #[serde(borrow)]
            manifest: &'a RawValue,
        }
        let whole: Whole<'_> = serde_json::from_slice(text).map_err(|error| error.to_string())?;
        if whole.schema != SCHEMA {
            return Err(format!("its form is `{}`, not `{SCHEMA}`", whole.schema));
        }
        if whole.digest != digest(whole.manifest.get()) {
            return Err("its digest is another".to_owned());
        }
        let manifest: Self =
            serde_json::from_str(whole.manifest.get()).map_err(|error| error.to_string())?;
        manifest.check()?;
        Ok(manifest)
    }

    /// Whether it can be followed: names that stay below a folder, and states that are there.
    fn check(&self) -> Result<(), String> {
        for name in [&self.project, &self.session] {
            if !is_name(name) {
                return Err(format!("`{name}` is no name"));
            }
        }
        for kept in &self.files {
            if !kept.path.split('/').all(is_name) {
                return Err(format!("`{}` is no path below a folder", kept.path));
            }
            kept.versions
                .iter()
                .try_for_each(Version::check)
                .map_err(|wrong| format!("{}: {wrong}", kept.path))?;
        }
        Ok(())
    }
}

impl Version {
    /// The last state.
    #[must_use]
    pub fn last(&self) -> Option<&State> {
        self.states.last()
    }

    /// Whether a file with this length and time is as it was last, so that it need not be read.
    #[must_use]
    pub fn is_settled(&self, bytes: u64, modified: Option<&str>) -> bool {
        let Some(last) = self.last() else {
            return false;
        };
        let parse = |text: &str| text.parse::<Timestamp>().ok();
        let times = (modified.and_then(parse), parse(&last.at));
        last.bytes == bytes
            && last.modified.as_deref() == modified
            && matches!(times, (Some(modified), Some(read)) if read.duration_since(modified) >= UNSETTLED)
    }

    fn check(&self) -> Result<(), String> {
        let mut ends = vec![0];
        for chunk in &self.chunks {
            let is_hex = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
            if chunk.digest.len() != 64 || !chunk.digest.bytes().all(is_hex) {
                return Err(format!("`{}` is no digest", chunk.digest));
            }
            if chunk.bytes == 0 || chunk.bytes > CHUNK as u64 {
                return Err(format!("a chunk of {} bytes", chunk.bytes));
            }
            ends.push(ends[ends.len() - 1] + chunk.bytes);
        }
        let last = self.last().map(|state| state.bytes);
        if last.is_none() || last != ends.last().copied() {
            return Err("its last state is not all of its chunks".to_owned());
        }
        match self.states.iter().all(|state| ends.contains(&state.bytes)) {
            true => Ok(()),
            false => Err("a state ends within a chunk".to_owned()),
        }
    }
}

/// A part of a path that names something in its folder, on every system.
fn is_name(name: impl AsRef<str>) -> bool {
    let name = name.as_ref();
    !matches!(name, "" | "." | "..") && !name.contains(['/', '\\', '\0'])
}

fn digest(text: &str) -> String {
    blake3::hash(text.as_bytes()).to_hex().to_string()
}
