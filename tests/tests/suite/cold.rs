//! The cold store over every recorded session: what comes back is what was there.

use std::fs;
use std::path::{Path, PathBuf};

use outcrop_compactor::store::StoreError;
use outcrop_compactor::store::cold::{Became, Cold, Name, Options, Source, Target};

const PROJECT: &str = "-srv-shop";

fn options() -> Options {
    Options {
        // Long before the files were made, so that each run reads them.
        at: "2020-01-01T00:00:00Z".to_owned(),
        ..Options::default()
    }
}

fn all_below(folder: &Path) -> Vec<PathBuf> {
    let (mut found, mut waiting) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = waiting.pop() {
        for entry in fs::read_dir(folder).unwrap().flatten() {
            match entry.path().is_dir() {
                true => waiting.push(entry.path()),
                false => found.push(entry.path()),
            }
        }
    }
    found.sort();
    found
}

fn copy(from: &Path, to: &Path) {
    for file in all_below(from) {
        let to = to.join(file.strip_prefix(from).unwrap());
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::copy(file, to).unwrap();
    }
}

/// The recorded sessions as a client keeps them, and their ids.
fn world(config: &Path) -> Vec<String> {
    let samples = format!("{}/cases/transcripts", env!("CARGO_MANIFEST_DIR"));
    let mut ids = Vec::new();
    for sample in fs::read_dir(samples).unwrap().flatten() {
        if !sample.path().is_dir() {
            continue;
        }
        for entry in fs::read_dir(sample.path()).unwrap().flatten() {
            let path = entry.path();
            let name = entry.file_name().into_string().unwrap();
            if name == "file-history" {
                copy(&path, &config.join("file-history"));
            } else if path.is_dir() {
                copy(&path, &config.join("projects").join(PROJECT).join(name));
            } else if let Some(id) = name.strip_suffix(".jsonl") {
                let to = config.join("projects").join(PROJECT);
                fs::create_dir_all(&to).unwrap();
                fs::copy(&path, to.join(&name)).unwrap();
                ids.push(id.to_owned());
            }
        }
    }
    ids.sort();
    ids.dedup();
    ids
}

fn source(config: &Path, id: &str) -> Source {
    let name = Name {
        project: PROJECT.to_owned(),
        session: id.to_owned(),
    };
    Source::find(config, name, Vec::new()).unwrap()
}

fn restore(cold: &Cold, id: &str, generation: u64, folder: &Path) -> Result<usize, StoreError> {
    let name = Name {
        project: PROJECT.to_owned(),
        session: id.to_owned(),
    };
    let manifest = cold.manifest(&name)?.unwrap().manifest;
    let target = Target {
        folder,
        generation: Some(generation),
        own_times: true,
        dry: false,
    };
    cold.restore(&manifest, &target).map(|files| files.len())
}

/// Half of each transcript, then all of it: both come back, and the rest is only added.
#[test]
fn every_recorded_session_comes_back() {
    let folder = tempfile::tempdir().unwrap();
    let config = folder.path().join("client");
    let ids = world(&config);
    assert!(ids.len() >= 40, "{}", ids.len());
    let cold = Cold::at(&folder.path().join("archive"));
    let writing = cold.write(std::time::Duration::from_secs(60)).unwrap();
    let mut files = 0;
    for id in &ids {
        let transcript = config
            .join("projects")
            .join(PROJECT)
            .join(format!("{id}.jsonl"));
        let whole = fs::read(&transcript).unwrap();
        let half = whole.len() / 2;
        fs::write(&transcript, &whole[..half]).unwrap();
        writing.archive(&source(&config, id), &options()).unwrap();
        fs::write(&transcript, &whole).unwrap();
        let done = writing.archive(&source(&config, id), &options()).unwrap();
        assert_eq!(done.added, (whole.len() - half) as u64, "{id}");
        let grown = done
            .files
            .iter()
            .filter(|file| matches!(file.became, Ok(Became::Grown)));
        assert_eq!(grown.count(), 1, "{id}");
        files += done.files.len();
        let before = folder.path().join("before");
        restore(&cold, id, 1, &before).unwrap();
        let path = before
            .join("projects")
            .join(PROJECT)
            .join(format!("{id}.jsonl"));
        assert_eq!(fs::read(path).unwrap(), whole[..half], "{id}");
        restore(&cold, id, 2, &folder.path().join("out")).unwrap();
    }
    let verified = cold.verify(|_| true).unwrap();
    assert!(verified.problems.is_empty(), "{:?}", verified.problems);
    assert_eq!((verified.sessions, verified.unnamed), (ids.len(), (0, 0)));
    let out = folder.path().join("out");
    let restored = all_below(&out);
    let there = all_below(&config);
    assert_eq!(restored.len(), files);
    assert_eq!(restored.len(), there.len());
    for (restored, there) in restored.iter().zip(&there) {
        assert_eq!(restored.strip_prefix(&out), there.strip_prefix(&config));
        assert_eq!(
            fs::read(restored).unwrap(),
            fs::read(there).unwrap(),
            "{there:?}"
        );
    }
}

/// Each chunk with one byte flipped, some hundred of them.
#[test]
fn a_flipped_byte_in_any_chunk_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let config = folder.path().join("client");
    let ids = world(&config);
    let root = folder.path().join("archive");
    let cold = Cold::at(&root);
    let writing = cold.write(std::time::Duration::from_secs(60)).unwrap();
    for id in &ids {
        writing.archive(&source(&config, id), &options()).unwrap();
    }
    let objects = all_below(&root.join("objects"));
    assert!(objects.len() >= 40);
    for (number, object) in objects.iter().enumerate() {
        let mut bytes = fs::read(object).unwrap();
        let place = number * 31 % bytes.len();
        bytes[place] ^= 1 << (number % 8);
        fs::write(object, bytes).unwrap();
    }
    let verified = cold.verify(|_| true).unwrap();
    let told: Vec<String> = verified
        .problems
        .iter()
        .map(|problem| problem.error.to_string())
        .collect();
    for object in &objects {
        let name = object.display().to_string();
        assert!(told.iter().any(|told| told.starts_with(&name)), "{name}");
    }
    for id in &ids {
        let out = folder.path().join("out");
        let refused = restore(&cold, id, 1, &out).unwrap_err().to_string();
        assert!(refused.contains(".zst is damaged"), "{refused}");
        assert!(!out.exists(), "nothing of {id} was restored");
    }
}
