//! Which files are skills and commands, and in which groups they are listed.

use super::EntryKind;
use super::order::Order;
use crate::host::{Below, Host, Kind, files_below};
use crate::path::AbsPath;
use crate::plugins::Plugin;
use crate::record::Scope;
use crate::session::World;

/// A file found.
#[derive(Clone)]
pub(super) struct Found {
    pub(super) kind: EntryKind,
    /// Its name by its place; of a plugin with the plugin's name before it.
    pub(super) name: String,
    pub(super) scope: Scope,
    pub(super) path: AbsPath,
    pub(super) from: From,
}

/// What kind of place a file was found in.
#[derive(Clone, PartialEq, Eq)]
pub(super) enum From {
    /// A place that the start knows by itself.
    Start,
    /// A directory of `--add-dir`, by the last part of its name.
    Added(String),
    /// A directory below the working directory, by its path from there.
    Nested(String),
    /// A plugin, by its name.
    Plugin(String),
}

/// A `.claude` folder that is looked into.
pub(super) struct Folder {
    pub(super) path: AbsPath,
    pub(super) scope: Scope,
    pub(super) from: From,
}

/// All skills, folder by folder, then all commands in one sorted run, then what plugins bring
/// (facts C1.2 to C1.6).
pub(super) fn all(world: &World<'_>, order: &Order, plugins: &[Plugin]) -> Vec<Found> {
    let folders = folders(world);
    let mut found = Vec::new();
    for folder in &folders {
        found.extend(skills_of(world.host, folder, order));
    }
    let mut commands = Vec::new();
    for folder in &folders {
        let root = folder.path.child("commands");
        commands.extend(commands_below(world.host, folder, &root));
    }
    // Managed ones come first, then the user's, then the nearest of the project's.
    commands.sort_by(|a, b| order.compare(&a.name, &b.name));
    found.extend(commands);
    for plugin in plugins {
        found.extend(commands_of_plugin(world.host, plugin, order));
    }
    for plugin in plugins {
        let folder = folder_of(plugin);
        for root in plugin.skills() {
            found.extend(skills(world.host, &folder, &root, order));
        }
    }
    found
}

/// The folders of everybody but plugins, the strongest first.
pub(super) fn folders(world: &World<'_>) -> Vec<Folder> {
    let origin = &world.origin;
    let folder = |path: AbsPath, scope: Scope, from: From| Folder { path, scope, from };
    let managed = origin.managed.child(".claude");
    let mut folders = vec![folder(managed, Scope::Managed, From::Start)];
    let user = origin.config();
    if origin.sources.user {
        folders.push(folder(user.clone(), Scope::User, From::Start));
    }
    if !origin.sources.project {
        return folders;
    }
    for directory in walk(world) {
        let path = directory.child(".claude");
        // The user's own folder is no project's.
        if path != user {
            folders.push(folder(path, Scope::Project, From::Start));
        }
    }
    for directory in &origin.add_dirs {
        let from = From::Added(directory.file_name().to_owned());
        folders.push(folder(directory.child(".claude"), Scope::Project, from));
    }
    folders
}

/// From the working directory up to the root of its checkout, or without git up to home
/// (fact C1.5).
pub(crate) fn walk(world: &World<'_>) -> Vec<AbsPath> {
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

/// The skills of a `.claude` folder, in order.
pub(super) fn skills_of(host: &dyn Host, folder: &Folder, order: &Order) -> Vec<Found> {
    skills(host, folder, &folder.path.child("skills"), order)
}

/// `skills/NAME/SKILL.md`, no deeper; links are followed (facts C1.6, C1.15).
fn skills(host: &dyn Host, folder: &Folder, root: &AbsPath, order: &Order) -> Vec<Found> {
    let entries = host.read_dir(root).unwrap_or_default();
    let files = entries.into_iter().filter(|entry| entry.utf8).map(|entry| {
        let path = root.child(&entry.name).child("SKILL.md");
        (entry.name, path)
    });
    let is_file = |path: &AbsPath| {
        host.metadata(path)
            .is_ok_and(|meta| meta.kind == Kind::File)
    };
    let mut skills: Vec<Found> = files
        .filter(|(_, path)| is_file(path))
        .map(|(name, path)| folder.found(EntryKind::Skill, name, path))
        .collect();
    skills.sort_by(|a, b| order.compare(&a.name, &b.name));
    skills
}

impl Folder {
    fn found(&self, kind: EntryKind, name: String, path: AbsPath) -> Found {
        let name = match (&self.from, kind) {
            (From::Plugin(plugin), EntryKind::Skill) => format!("{plugin}:{}", plain(&name)),
            (From::Plugin(plugin), EntryKind::Command) => format!("{plugin}:{name}"),
            _ => name,
        };
        Found {
            kind,
            name,
            scope: self.scope,
            path,
            from: self.from.clone(),
        }
    }
}

/// The name of a plugin's skill: each UTF-16 unit that is no letter, digit, `_` or `-` of ASCII is
/// a dash (fact 51).
fn plain(name: &str) -> String {
    let units = name.encode_utf16().map(|unit| {
        let c = char::from_u32(u32::from(unit)).unwrap_or('-');
        let fits = c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
        if fits { c } else { '-' }
    });
    units.collect()
}

fn folder_of(plugin: &Plugin) -> Folder {
    Folder {
        path: plugin.root.clone(),
        // Whoever starts the client names its plugins.
        scope: Scope::User,
        from: From::Plugin(plugin.name.clone()),
    }
}

/// A manifest may name files as well as folders (fact 51).
fn commands_of_plugin(host: &dyn Host, plugin: &Plugin, order: &Order) -> Vec<Found> {
    let folder = folder_of(plugin);
    let mut found = Vec::new();
    for root in plugin.commands() {
        let stem = root.file_name().strip_suffix(".md").map(str::to_owned);
        match (host.metadata(&root).map(|meta| meta.kind), stem) {
            (Ok(Kind::File), Some(stem)) => {
                found.push(folder.found(EntryKind::Command, stem, root));
            }
            (Ok(Kind::Directory), _) => {
                found.extend(commands_below(host, &folder, &root));
            }
            _ => {}
        }
    }
    found.sort_by(|a, b| order.compare(&a.name, &b.name));
    found
}

/// Every `*.md` at any depth; the names of folders and file are joined with colons, and
/// `c/SKILL.md` is `c` (facts C1.6, C1.7).
fn commands_below(host: &dyn Host, folder: &Folder, root: &AbsPath) -> Vec<Found> {
    let files = files_below(host, root).into_iter();
    let commands = files.filter_map(|Below { path, mut place }| {
        let name = place.pop()?;
        let stem = name.strip_suffix(".md")?;
        if stem != "SKILL" || place.is_empty() {
            place.push(stem.to_owned());
        }
        Some(folder.found(EntryKind::Command, place.join(":"), path))
    });
    commands.collect()
}
