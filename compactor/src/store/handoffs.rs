//! The folder of handoffs: any number of processes write, list, take and clean at once.

use std::fs::{self, File};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

use super::StoreError;
use super::files::{folder_of, sync_folder, temporary};
use super::renamed::{Renamed, rename_new};
use crate::handoff::{Head, Name};

/// The largest file that is taken for a handoff, in bytes.
pub const LARGEST: u64 = 1 << 20;
/// How much of a file is read for its title and session, in bytes.
const HEAD: u64 = 16 << 10;
/// How many names are tried before it is looked anew which numbers are free.
const TRIES: u32 = 256;
/// How many names are tried at all: no folder holds so many of one second.
const MOST: u32 = 1_000_000;

/// Where handoffs are.
#[derive(Debug, Clone)]
pub struct Handoffs {
    folder: PathBuf,
    single: Option<PathBuf>,
    zone: TimeZone,
}

/// One handoff as a list shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Handoff {
    /// Its name.
    pub name: Name,
    /// Its file.
    pub path: PathBuf,
    /// Its size in bytes.
    pub bytes: u64,
    /// When it was written: by its name, else by the file.
    pub at: Timestamp,
    /// When the file was changed last; of a consumed one, when it was taken.
    pub modified: Timestamp,
    /// What its first lines tell.
    pub head: Head,
    /// It is the single file of older set-ups, not one of the folder.
    pub is_single: bool,
}

/// A handoff that was taken by this process and no other.
#[derive(Debug, Clone)]
pub struct Taken {
    /// As it was listed.
    pub handoff: Handoff,
    /// Its text. Bytes that are no UTF-8 are replaced; the file has them still.
    pub text: String,
    /// Whether some were.
    pub is_lossy: bool,
    /// Where it is now.
    pub path: PathBuf,
}

/// Why a handoff was not taken.
#[derive(Debug)]
pub enum Left {
    /// Another process took it.
    Gone,
    /// There is no text in it, perhaps not yet.
    Empty,
    /// It is too large for a handoff, in bytes.
    Large(u64),
    /// It cannot be read or renamed.
    Failed(StoreError),
}

impl Handoffs {
    /// Those of a folder, and the single file that older set-ups write, which need not be there.
    /// Times in names are of `zone`.
    #[must_use]
    pub fn new(folder: PathBuf, single: Option<PathBuf>, zone: TimeZone) -> Self {
        Self {
            folder,
            single,
            zone,
        }
    }

    /// Their folder.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// All of them, the oldest first; of one second by when their files were changed, then by
    /// their names. What is no file is left out.
    ///
    /// # Errors
    ///
    /// When the folder is there and cannot be read.
    pub fn list(&self) -> Result<Vec<Handoff>, StoreError> {
        self.found(|_| true)
    }

    /// Those that were not taken, in the same order. The others are not looked at, for there may be
    /// many.
    ///
    /// # Errors
    ///
    /// When the folder is there and cannot be read.
    pub fn waiting(&self) -> Result<Vec<Handoff>, StoreError> {
        self.found(|name| !name.is_done())
    }

    fn found(&self, wanted: impl Fn(&Name) -> bool) -> Result<Vec<Handoff>, StoreError> {
        let mut found = Vec::new();
        let entries = match fs::read_dir(&self.folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            entries => Some(entries.map_err(StoreError::io(&self.folder))?),
        };
        for entry in entries.into_iter().flatten() {
            let entry = entry.map_err(StoreError::io(&self.folder))?;
            let name = entry.file_name().to_str().and_then(Name::of);
            if name.is_some_and(|name| wanted(&name)) {
                found.extend(self.look(entry.path(), false));
            }
        }
        if let Some(single) = &self.single {
            found.extend(self.look(single.clone(), true));
            found.extend(self.consumed_singles(single));
        }
        found.retain(|one| wanted(&one.name));
        found.sort_by(|a, b| {
            let order = (a.at, a.modified, &a.name, &a.path);
            order.cmp(&(b.at, b.modified, &b.name, &b.path))
        });
        Ok(found)
    }

    /// What became of earlier single files.
    fn consumed_singles(&self, single: &Path) -> Vec<Handoff> {
        let name = single.file_name().and_then(|name| name.to_str());
        let (Some(folder), Some(name)) = (single.parent(), name.and_then(Name::of)) else {
            return Vec::new();
        };
        let numbers = 1..TRIES;
        let done = numbers.map(|number| folder.join(name.done(number).file()));
        let there = done.take_while(|path| fs::symlink_metadata(path).is_ok());
        there.filter_map(|path| self.look(path, true)).collect()
    }

    fn look(&self, path: PathBuf, is_single: bool) -> Option<Handoff> {
        let name = Name::of(path.file_name()?.to_str()?)?;
        // A pipe would be waited for.
        let metadata = fs::metadata(&path).ok().filter(fs::Metadata::is_file)?;
        let modified = Timestamp::try_from(metadata.modified().ok()?).ok()?;
        let at = name.at().and_then(|at| self.zone.to_timestamp(at).ok());
        Some(Handoff {
            at: at.unwrap_or(modified),
            head: head(&path),
            name,
            path,
            bytes: metadata.len(),
            modified,
            is_single,
        })
    }

    /// Writes a new one and gives its path. It appears whole, under a name that no other had.
    ///
    /// # Errors
    ///
    /// When it cannot be written; nothing is left then.
    pub fn write(&self, at: DateTime, title: &str, text: &str) -> Result<PathBuf, StoreError> {
        let folder = &self.folder;
        fs::create_dir_all(folder).map_err(StoreError::io(folder))?;
        let mut file = temporary(folder).map_err(StoreError::io(folder))?;
        file.write_all(text.as_bytes())
            .and_then(|()| file.as_file().sync_all())
            .map_err(StoreError::io(folder))?;
        let mut number = 1;
        let mut tries = 0;
        loop {
            let path = folder.join(Name::new(at, title, number).file());
            match file.persist_noclobber(&path) {
                Ok(_) => {
                    sync_folder(folder).map_err(StoreError::io(folder))?;
                    return Ok(path);
                }
                Err(failed) if failed.error.kind() == io::ErrorKind::AlreadyExists => {
                    if tries >= MOST {
                        return Err(StoreError::Exists(path));
                    }
                    file = failed.file;
                    number = match tries % TRIES {
                        0 => self.free_number(at, title),
                        _ => number + 1,
                    };
                    tries += 1;
                }
                Err(failed) => return Err(StoreError::io(&path)(failed.error)),
            }
        }
    }

    /// A number that is larger than those of this second and title.
    fn free_number(&self, at: DateTime, title: &str) -> u32 {
        let first = Name::new(at, title, 1);
        let stem = first.file().strip_suffix(".md").unwrap_or_default();
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let numbers = entries.filter_map(|entry| {
            let name = entry.file_name();
            let rest = name.to_str()?.strip_prefix(stem)?.strip_prefix('-')?;
            let digits = rest.find(|c: char| !c.is_ascii_digit())?;
            rest[..digits].parse::<u32>().ok()
        });
        numbers.max().unwrap_or(1).clamp(1, MOST) + 1
    }

    /// Reads one and leaves it as it is.
    ///
    /// # Errors
    ///
    /// Why it is left.
    pub fn peek(&self, handoff: Handoff) -> Result<Taken, Left> {
        let bytes = read(&handoff.path)?;
        let text = String::from_utf8_lossy(&bytes);
        if text.trim().is_empty() {
            return Err(Left::Empty);
        }
        Ok(Taken {
            is_lossy: matches!(text, std::borrow::Cow::Owned(_)),
            text: text.into_owned(),
            path: handoff.path.clone(),
            handoff,
        })
    }

    /// Takes one: reads it, and renames it so that no other process takes it too. A kill before
    /// the renaming leaves it as it was; one behind it leaves a consumed file whose text is whole.
    ///
    /// # Errors
    ///
    /// Why it is left.
    pub fn take(&self, handoff: Handoff) -> Result<Taken, Left> {
        let mut taken = self.peek(handoff)?;
        let folder = folder_of(&taken.handoff.path).map_err(Left::Failed)?;
        let mut number = 1;
        let path = loop {
            let path = folder.join(taken.handoff.name.done(number).file());
            match rename_new(&taken.handoff.path, &path) {
                Ok(Renamed::Done) => break path,
                Ok(Renamed::Gone) => return Err(Left::Gone),
                Ok(Renamed::Exists) if number < MOST => number += 1,
                Ok(Renamed::Exists) => return Err(Left::Failed(StoreError::Exists(path))),
                Err(error) => return Err(Left::Failed(StoreError::io(&path)(error))),
            }
        };
        // What an editor saved between reading and renaming is what was taken.
        if let Ok(now) = read(&path)
            && !now.is_empty()
        {
            let text = String::from_utf8_lossy(&now);
            taken.is_lossy = matches!(text, std::borrow::Cow::Owned(_));
            taken.text = text.into_owned();
        }
        touch(&path);
        taken.path = path;
        Ok(taken)
    }

    /// Makes takings last, where the system can be told to.
    ///
    /// # Errors
    ///
    /// When it cannot be told.
    pub fn settle(&self) -> Result<(), StoreError> {
        match self.folder.is_dir() {
            true => sync_folder(&self.folder).map_err(StoreError::io(&self.folder)),
            false => Ok(()),
        }
    }

    /// Gives one back whose text reached nobody: it has its old name again, or a new one where
    /// another file has that now.
    ///
    /// # Errors
    ///
    /// When it cannot be renamed.
    pub fn give_back(&self, taken: &Taken) -> Result<(), StoreError> {
        let old = &taken.handoff.path;
        match rename_new(&taken.path, old) {
            Ok(Renamed::Exists) => {
                let now = self.zone.to_datetime(Timestamp::now());
                self.write(now, &taken.handoff.name.subject(), &taken.text)?;
                Ok(())
            }
            Ok(_) => Ok(()),
            Err(error) => Err(StoreError::io(old)(error)),
        }
    }

    /// Removes a consumed one, if it is still there and was not changed after `before`. One that
    /// was not consumed is never removed.
    ///
    /// # Errors
    ///
    /// When it cannot be removed.
    pub fn remove(&self, handoff: &Handoff, before: Timestamp) -> Result<bool, StoreError> {
        let now = self.look(handoff.path.clone(), handoff.is_single);
        if !now.is_some_and(|now| now.is_older(before)) {
            return Ok(false);
        }
        match fs::remove_file(&handoff.path) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(StoreError::io(&handoff.path)(error)),
        }
    }
}

impl Handoff {
    /// How long ago it was written; never less than nothing.
    #[must_use]
    pub fn age(&self, now: Timestamp) -> SignedDuration {
        now.duration_since(self.at).max(SignedDuration::ZERO)
    }

    /// Whether it was consumed, and its file not changed since a time.
    #[must_use]
    pub fn is_older(&self, before: Timestamp) -> bool {
        self.name.is_done() && self.modified < before
    }

    /// What it is about.
    #[must_use]
    pub fn title(&self) -> String {
        let title = self.head.title.clone();
        title.unwrap_or_else(|| self.name.subject())
    }
}

/// The time of a consumed file is that of its taking: from then on it is kept for some days. Where
/// that is refused, it is kept from when it was written.
fn touch(path: &Path) {
    let is_link = fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_symlink());
    if is_link {
        return;
    }
    if let Ok(file) = File::options().write(true).open(path) {
        let _ = file.set_modified(SystemTime::now());
    }
}

fn read(path: &Path) -> Result<Vec<u8>, Left> {
    let failed = |error: io::Error| match error.kind() {
        io::ErrorKind::NotFound => Left::Gone,
        _ => Left::Failed(StoreError::io(path)(error)),
    };
    let file = File::open(path).map_err(failed)?;
    let length = file.metadata().map_err(failed)?.len();
    if length > LARGEST {
        return Err(Left::Large(length));
    }
    let mut bytes = Vec::new();
    file.take(LARGEST + 1)
        .read_to_end(&mut bytes)
        .map_err(failed)?;
    let length = bytes.len() as u64;
    match length > LARGEST {
        true => Err(Left::Large(length)),
        false => Ok(bytes),
    }
}

fn head(path: &Path) -> Head {
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| file.take(HEAD).read_to_end(&mut bytes));
    match read {
        Ok(_) => Head::of(&String::from_utf8_lossy(&bytes)),
        Err(_) => Head::default(),
    }
}
