//! Files that look like skills or commands and lie where the client looks for none (fact C1.6).

use super::sources::folders;
use super::{EntryKind, entry};
use crate::document::keys_and_body;
use crate::host::{Kind, files_below};
use crate::limits;
use crate::path::AbsPath;
use crate::record::Scope;
use crate::session::{Session, World};

/// Why a file is no skill or command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Misplacement {
    /// A skill is a folder with a `SKILL.md`; this is a file beside such folders.
    NoFolder,
    /// It lies more than one folder below `skills`.
    TooDeep,
    /// Its name is `SKILL.md` in other letters.
    NameCase,
    /// Its name ends in `.md` in other letters.
    ExtensionCase,
}

/// A file that looks like a skill or command and is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misplaced {
    /// What it looks like.
    pub kind: EntryKind,
    /// Whose it is.
    pub scope: Scope,
    /// The file.
    pub path: AbsPath,
    /// Why it is none.
    pub why: Misplacement,
}

impl Session<'_> {
    /// The files that look like skills or commands and are none.
    #[must_use]
    pub fn misplaced(&self) -> Vec<Misplaced> {
        let world = self.world();
        let mut found = Vec::new();
        for folder in folders(world) {
            let mut add = |kind, path, why| {
                found.push(Misplaced {
                    kind,
                    scope: folder.scope,
                    path,
                    why,
                });
            };
            for (path, why) in skills(world, &folder.path.child("skills")) {
                add(EntryKind::Skill, path, why);
            }
            for file in files_below(world.host, &folder.path.child("commands")) {
                let name = file.path.file_name();
                let folded = name.to_ascii_lowercase();
                if folded.ends_with(".md") && !name.ends_with(".md") {
                    add(EntryKind::Command, file.path, Misplacement::ExtensionCase);
                }
            }
        }
        found
    }
}

fn skills(world: &World<'_>, root: &AbsPath) -> Vec<(AbsPath, Misplacement)> {
    let mut found = Vec::new();
    for (name, kind) in entries(world, root) {
        let path = root.child(&name);
        if kind == Kind::File {
            if name == "SKILL.md" || name.ends_with(".md") && is_described(world, &path) {
                found.push((path, Misplacement::NoFolder));
            }
            continue;
        }
        let is_skill = |folder: &AbsPath| {
            let file = folder.child("SKILL.md");
            let meta = world.host.metadata(&file);
            meta.is_ok_and(|meta| meta.kind == Kind::File)
        };
        if kind != Kind::Directory || is_skill(&path) {
            continue;
        }
        for (name, kind) in entries(world, &path) {
            let below = path.child(&name);
            if kind == Kind::File && name.eq_ignore_ascii_case("SKILL.md") {
                found.push((below, Misplacement::NameCase));
            } else if kind == Kind::Directory && is_skill(&below) {
                found.push((below.child("SKILL.md"), Misplacement::TooDeep));
            }
        }
    }
    found
}

/// The entries of a folder by name, links as what they lead to.
fn entries(world: &World<'_>, folder: &AbsPath) -> Vec<(String, Kind)> {
    let mut entries = world.host.read_dir(folder).unwrap_or_default();
    entries.sort_unstable_by(|a, b| a.name.cmp(&b.name));
    let kinds = entries.into_iter().filter(|entry| entry.utf8);
    let kinds = kinds.filter_map(|entry| {
        let kind = match entry.kind {
            Some(kind) => kind,
            None => world.host.metadata(&folder.child(&entry.name)).ok()?.kind,
        };
        Some((entry.name, kind))
    });
    kinds.collect()
}

/// Whether front matter describes a skill; other files are documents.
fn is_described(world: &World<'_>, file: &AbsPath) -> bool {
    let Ok(bytes) = world.host.read(file, limits::FILE_BYTES) else {
        return false;
    };
    let source = String::from_utf8_lossy(&bytes);
    let (keys, _) = keys_and_body(&source, &world.behaviour);
    let description = keys.get("description").and_then(entry::plain);
    description.is_some_and(|description| !description.is_empty())
}
