//! Token counts of the texts that a command prints, made at once and on all cores.

use std::fs;
use std::path::PathBuf;

use outcrop_loader::record::Diagnostic;
use outcrop_loader::tokens::{Counter, Family, Kind, Model, Tokens};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use super::cache;
use crate::args::Global;

/// Below so many bytes Claude's counts are made sooner than the cache is read.
const SMALL: usize = 1024 * 1024;
/// Below so many bytes one core is done sooner than others are started.
const ALONE: usize = 128 * 1024;
/// The file of counts in the cache folder; its form is part of the name.
const FILE: &str = "tokens-1";
/// An entry of it: 16 bytes of the text's hash, family, kind, 6 bytes of the count.
const ENTRY: usize = 24;
/// How many entries are kept: 1.5 MB. The oldest go first.
const ENTRIES: usize = 65_536;

type Hash = [u8; 16];

/// The tokenizer of this name, or of the model of this name; of a model that is not known that of
/// the newest models, with a note.
pub(crate) fn tokenizer(name: &str) -> (Model, Option<Diagnostic>) {
    if let Ok(family) = name.parse::<Family>() {
        return (Model::plain(family), None);
    }
    let model = Model::of(name);
    let note = (!model.is_known).then(|| {
        let names: Vec<&str> = Family::ALL.iter().map(|family| family.name()).collect();
        let message = format!(
            "the model `{name}` is not known, so its tokens are counted as {}, as those of the \
             newest models; tokenizers are {}",
            model.family,
            names.join(", ")
        );
        Diagnostic::warning(message).as_note()
    });
    (model, note)
}

/// Counts texts as they stand within a message, with what is kept from before.
pub(crate) fn tally<'t>(
    global: &Global,
    model: Model,
    texts: impl IntoIterator<Item = &'t str>,
) -> FxHashMap<&'t str, Tokens> {
    let texts: FxHashSet<&str> = texts.into_iter().collect();
    let size = |texts: &FxHashSet<&str>| texts.iter().map(|text| text.len()).sum::<usize>();
    let is_slow = model.family.kind() == Kind::Exact;
    let file = cache::folder(global).map(|folder| (folder.clone(), folder.join(FILE)));
    let file = file.filter(|_| is_slow || size(&texts) > SMALL);
    let mut store = file.map(Store::read);
    let kept = texts.iter().filter_map(|text| {
        let store = store.as_ref()?;
        Some((*text, store.get(&hash(text), model.family)?))
    });
    let mut counts: FxHashMap<&str, Tokens> = kept.collect();
    let missing = texts.into_iter().filter(|text| !counts.contains_key(text));
    let missing: FxHashSet<&str> = missing.collect();
    let count = |counter: &mut Counter, text: &'t str| (text, counter.part(text));
    let new: Vec<(&str, Tokens)> = if size(&missing) < ALONE {
        let mut counter = model.counter();
        let each = missing.into_iter();
        each.map(|text| count(&mut counter, text)).collect()
    } else {
        let each = missing.into_par_iter();
        each.map_init(|| model.counter(), count).collect()
    };
    if let Some(store) = &mut store {
        // A cache that cannot be written costs time, and nothing else.
        let _ = store.add(model.family, &new);
    }
    counts.extend(new);
    counts
}

fn hash(text: &str) -> Hash {
    let mut hash = Hash::default();
    hash.copy_from_slice(&blake3::hash(text.as_bytes()).as_bytes()[..16]);
    hash
}

/// The file of counts.
struct Store {
    folder: PathBuf,
    file: PathBuf,
    bytes: Vec<u8>,
    entries: FxHashMap<(Hash, u8), Tokens>,
}

impl Store {
    fn read((folder, file): (PathBuf, PathBuf)) -> Self {
        let mut bytes = fs::read(&file).unwrap_or_default();
        if bytes.len() % ENTRY != 0 {
            bytes.clear();
        }
        let entries = bytes.chunks_exact(ENTRY).take(ENTRIES).filter_map(entry);
        Self {
            entries: entries.collect(),
            folder,
            file,
            bytes,
        }
    }

    fn get(&self, hash: &Hash, family: Family) -> Option<Tokens> {
        self.entries.get(&(*hash, number(family))).copied()
    }

    fn add(&mut self, family: Family, new: &[(&str, Tokens)]) -> std::io::Result<()> {
        if new.is_empty() {
            return Ok(());
        }
        for (text, tokens) in new {
            let kind = u8::from(tokens.kind == Kind::Estimate);
            self.bytes.extend_from_slice(&hash(text));
            self.bytes.extend([number(family), kind]);
            self.bytes
                .extend_from_slice(&tokens.count.to_le_bytes()[..6]);
        }
        let over = self.bytes.len().saturating_sub(ENTRIES * ENTRY);
        let first = over.div_ceil(ENTRY) * ENTRY;
        cache::write(
            &self.folder,
            &self.file,
            &self.bytes[first.min(self.bytes.len())..],
        )
    }
}

fn entry(bytes: &[u8]) -> Option<((Hash, u8), Tokens)> {
    let hash: Hash = bytes.get(..16)?.try_into().ok()?;
    let family = Family::ALL
        .iter()
        .find(|family| number(**family) == bytes[16])?;
    let mut count = [0; 8];
    count[..6].copy_from_slice(bytes.get(18..24)?);
    let kind = match bytes[17] {
        0 => family.kind(),
        _ => Kind::Estimate,
    };
    let count = u64::from_le_bytes(count);
    Some(((hash, bytes[16]), Tokens { count, kind }))
}

/// A number for each family, which is kept in files.
fn number(family: Family) -> u8 {
    match family {
        Family::ClaudeV3 => 1,
        Family::ClaudeV4_7 => 2,
        Family::ClaudeV4_8 => 3,
        Family::O200k => 4,
        Family::Cl100k => 5,
        Family::Estimate => 6,
    }
}
