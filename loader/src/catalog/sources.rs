//! Which files are skills and commands, and in which groups they are listed.

use super::EntryKind;
use super::order::Order;
use crate::host::{Host, Kind};
use crate::limits;
use crate::path::AbsPath;
use crate::record::Scope;
use crate::session::World;

/// A file found.
pub(super) struct Found {
    pub(super) kind: EntryKind,
    /// Its name by its place.
    pub(super) name: String,
    pub(super) scope: Scope,
    pub(super) path: AbsPath,
    /// The last part of the added directory that it comes from.
    pub(super) added: Option<String>,
}

/// A `.claude` folder that is looked into.
struct Folder {
    path: AbsPath,
    scope: Scope,
    added: Option<String>,
}

/// All skills, folder by folder, then all commands in one sorted run (facts C1.2 to C1.6).
pub(super) fn all(world: &World<'_>) -> Vec<Found> {
    let order = Order::new();
    let folders = folders(world);
    let mut found = Vec::new();
    for folder in &folders {
        let mut skills = skills(world.host, folder);
        skills.sort_by(|a, b| order.compare(&a.name, &b.name));
        found.extend(skills);
    }
    let mut commands = Vec::new();
    for folder in folders
        .iter()
        .filter(|folder| folder.scope != Scope::Managed)
    {
        let root = folder.path.child("commands");
        below(world.host, folder, &root, &mut Vec::new(), &mut commands);
    }
    // The user's come first, and the nearest of the project's.
    commands.sort_by(|a, b| order.compare(&a.name, &b.name));
    found.extend(commands);
    found
}

fn folders(world: &World<'_>) -> Vec<Folder> {
    let origin = &world.origin;
    let mut folders = vec![Folder {
        path: origin.managed.child(".claude"),
        scope: Scope::Managed,
        added: None,
    }];
    let user = origin.config();
    if origin.sources.user {
        folders.push(Folder {
            path: user.clone(),
            scope: Scope::User,
            added: None,
        });
    }
    if !origin.sources.project {
        return folders;
    }
    let project = |path: AbsPath, added: Option<String>| Folder {
        path,
        scope: Scope::Project,
        added,
    };
    for directory in walk(world) {
        let path = directory.child(".claude");
        // The user's own folder is no project's.
        if path != user {
            folders.push(project(path, None));
        }
    }
    for directory in &origin.add_dirs {
        let name = directory.file_name().to_owned();
        folders.push(project(directory.child(".claude"), Some(name)));
    }
    folders
}

/// From the working directory up to the root of its checkout, or without git up to home
/// (fact C1.5).
fn walk(world: &World<'_>) -> Vec<AbsPath> {
    let home = &world.origin.home;
    let mut directories = Vec::new();
    for directory in world.cwd.ancestors() {
        if world.git.is_none() && (directory == *home || directory.is_root()) {
            break;
        }
        let is_last = world.git.as_ref().is_some_and(|git| git.root == directory);
        directories.push(directory);
        if is_last {
            break;
        }
    }
    directories
}

/// `skills/NAME/SKILL.md`, no deeper; links are followed (facts C1.6, C1.15).
fn skills(host: &dyn Host, folder: &Folder) -> Vec<Found> {
    let root = folder.path.child("skills");
    let entries = host.read_dir(&root).unwrap_or_default();
    let files = entries.into_iter().filter(|entry| entry.utf8).map(|entry| {
        let path = root.child(&entry.name).child("SKILL.md");
        (entry.name, path)
    });
    let is_file = |path: &AbsPath| {
        host.metadata(path)
            .is_ok_and(|meta| meta.kind == Kind::File)
    };
    files
        .filter(|(_, path)| is_file(path))
        .map(|(name, path)| Found {
            kind: EntryKind::Skill,
            name,
            scope: folder.scope,
            path,
            added: folder.added.clone(),
        })
        .collect()
}

/// Every `*.md` at any depth; the names of folders and file are joined with colons, and
/// `c/SKILL.md` is `c` (facts C1.6, C1.7).
fn below(
    host: &dyn Host,
    folder: &Folder,
    directory: &AbsPath,
    parts: &mut Vec<String>,
    found: &mut Vec<Found>,
) {
    if parts.len() > limits::RULES_DEPTH {
        return;
    }
    for entry in host.read_dir(directory).unwrap_or_default() {
        if !entry.utf8 {
            continue;
        }
        let path = directory.child(&entry.name);
        let Ok(meta) = host.metadata(&path) else {
            continue;
        };
        match (meta.kind, entry.name.strip_suffix(".md")) {
            (Kind::Directory, _) => {
                parts.push(entry.name.clone());
                below(host, folder, &path, parts, found);
                parts.pop();
            }
            (Kind::File, Some(stem)) => {
                let own = (stem != "SKILL" || parts.is_empty()).then_some(stem);
                let names = parts.iter().map(String::as_str).chain(own);
                found.push(Found {
                    kind: EntryKind::Command,
                    name: names.collect::<Vec<_>>().join(":"),
                    scope: folder.scope,
                    path,
                    added: folder.added.clone(),
                });
            }
            _ => {}
        }
    }
}
