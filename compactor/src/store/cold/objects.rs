//! Chunks on the disk, by the digests of their bytes.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use zstd::bulk::{Compressor, Decompressor};

use super::super::{StoreError, files};
use super::{entries, folders, make_folder};
use crate::cold::{CHUNK, Chunk};

/// How hard is compressed; beyond it a little is won for much time (docs/performance.md).
const LEVEL: i32 = 3;

thread_local! {
    /// Their tables are large, so each thread keeps one of each.
    static COMPRESSOR: RefCell<Option<Compressor<'static>>> = const { RefCell::new(None) };
    static DECOMPRESSOR: RefCell<Option<Decompressor<'static>>> = const { RefCell::new(None) };
}

/// The folder of chunks.
#[derive(Debug)]
pub(super) struct Objects {
    root: PathBuf,
    /// Folders whose new names are not sure to last yet.
    unsettled: RefCell<BTreeSet<PathBuf>>,
}

impl Objects {
    pub(super) fn in_folder(root: PathBuf) -> Self {
        Self {
            root,
            unsettled: RefCell::default(),
        }
    }

    /// Its folders, each with the chunks whose digests begin alike.
    pub(super) fn folders(&self) -> Result<Vec<PathBuf>, StoreError> {
        folders(&self.root)
    }

    /// The names and sizes of all chunks.
    pub(super) fn all(&self) -> Result<Vec<(String, u64)>, StoreError> {
        let mut all = Vec::new();
        for folder in self.folders()? {
            for entry in entries(&folder)? {
                let name = entry.file_name();
                let digest = name.to_str().and_then(|name| name.strip_suffix(".zst"));
                let Some(digest) = digest else { continue };
                let path = entry.path();
                let length = entry.metadata().map_err(StoreError::io(&path))?.len();
                all.push((digest.to_owned(), length));
            }
        }
        Ok(all)
    }

    pub(super) fn path(&self, digest: &str) -> PathBuf {
        let start = digest.get(..2).unwrap_or_default();
        self.root.join(start).join(format!("{digest}.zst"))
    }

    /// Keeps a chunk whose digest is known, and gives the bytes that this took: 0 where a sound
    /// one is there. It lasts from [`settle`](Self::settle) on. One that is there and damaged is replaced.
    pub(super) fn put(&self, bytes: &[u8], digest: &str) -> Result<u64, StoreError> {
        let path = self.path(digest);
        let chunk = Chunk {
            digest: digest.to_owned(),
            bytes: bytes.len() as u64,
        };
        if let Some(folder) = path.parent() {
            make_folder(folder)?;
            self.unsettled.borrow_mut().insert(folder.to_owned());
        }
        let is_there = path.is_file();
        if is_there && self.get(&chunk, &mut Vec::new()).is_ok() {
            return Ok(0);
        }
        let packed = compressed(bytes).map_err(StoreError::io(&path))?;
        if is_there {
            files::replace(&path, &packed)?;
            return Ok(packed.len() as u64);
        }
        let content = |out: &mut dyn io::Write| {
            out.write_all(&packed)?;
            Ok(packed.len() as u64)
        };
        match files::write_new_unlisted(&path, content, |_| Ok(())) {
            // Another thread had the same bytes.
            Err(StoreError::Exists(_)) => Ok(0),
            written => written,
        }
    }

    /// Makes all that was put last: only then may a manifest name it.
    pub(super) fn settle(&self) -> Result<(), StoreError> {
        for folder in self.unsettled.take() {
            files::sync_folder(&folder).map_err(StoreError::io(&folder))?;
        }
        Ok(())
    }

    /// Reads a chunk into `bytes`, which are replaced, and checks it.
    pub(super) fn get(&self, chunk: &Chunk, bytes: &mut Vec<u8>) -> Result<(), StoreError> {
        let path = self.path(&chunk.digest);
        let damaged = |reason: &str| StoreError::Damaged {
            path: path.clone(),
            reason: reason.to_owned(),
        };
        let packed = match packed(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(damaged("it is missing"));
            }
            packed => packed.map_err(StoreError::io(&path))?,
        };
        let length = usize::try_from(chunk.bytes).unwrap_or(CHUNK).min(CHUNK);
        bytes.clear();
        bytes.reserve(length);
        decompressed(&packed, bytes).map_err(|error| damaged(&error.to_string()))?;
        if bytes.len() != length {
            return Err(damaged("its length is another"));
        }
        match *blake3::hash(bytes).to_hex() == *chunk.digest {
            true => Ok(()),
            false => Err(damaged("its digest is another")),
        }
    }
}

/// The bytes of an object's file, but never more than a chunk can take.
fn packed(path: &Path) -> io::Result<Vec<u8>> {
    let most = zstd::zstd_safe::compress_bound(CHUNK) as u64 + 1;
    let mut bytes = Vec::new();
    File::open(path)?.take(most).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn compressed(bytes: &[u8]) -> io::Result<Vec<u8>> {
    COMPRESSOR.with_borrow_mut(|kept| {
        let compressor = match kept {
            Some(compressor) => compressor,
            None => {
                let mut compressor = Compressor::new(LEVEL)?;
                // So that any program that reads such a frame notices damage.
                compressor.include_checksum(true)?;
                kept.insert(compressor)
            }
        };
        compressor.compress(bytes)
    })
}

/// Unpacks into the room that `bytes` has.
fn decompressed(packed: &[u8], bytes: &mut Vec<u8>) -> io::Result<()> {
    DECOMPRESSOR.with_borrow_mut(|kept| {
        let decompressor = match kept {
            Some(decompressor) => decompressor,
            None => kept.insert(Decompressor::new()?),
        };
        decompressor.decompress_to_buffer(packed, bytes).map(|_| ())
    })
}
