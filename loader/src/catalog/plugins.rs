//! Plugins that the command line names: where their skills and commands lie (fact 51).

use serde::Deserialize;

use crate::host::{Host, Kind};
use crate::limits;
use crate::path::AbsPath;
use crate::session::World;

/// A plugin folder that counts.
pub(crate) struct Plugin {
    /// Its name, which stands before those of its entries.
    pub(crate) name: String,
    /// The folder.
    pub(crate) folder: AbsPath,
    manifest: Manifest,
}

#[derive(Default, Deserialize)]
struct Manifest {
    name: Option<String>,
    #[serde(default)]
    skills: Paths,
    #[serde(default)]
    commands: Paths,
    #[serde(default)]
    agents: Paths,
}

/// One path, or several.
#[derive(Default, Deserialize)]
#[serde(untagged)]
enum Paths {
    #[default]
    None,
    One(String),
    Several(Vec<String>),
}

impl Paths {
    fn list(&self) -> &[String] {
        match self {
            Self::None => &[],
            Self::One(path) => std::slice::from_ref(path),
            Self::Several(paths) => paths,
        }
    }
}

impl Plugin {
    /// The folders of skills: `skills`, then those that the manifest adds.
    pub(super) fn skills(&self) -> Vec<AbsPath> {
        let mut folders = vec![self.folder.child("skills")];
        folders.extend(self.joined(&self.manifest.skills));
        folders
    }

    /// Folders and files of commands: those of the manifest, else `commands`.
    pub(super) fn commands(&self) -> Vec<AbsPath> {
        self.in_place_of(&self.manifest.commands, "commands")
    }

    /// Folders and files of agents: those of the manifest, else `agents`.
    pub(crate) fn agents(&self) -> Vec<AbsPath> {
        self.in_place_of(&self.manifest.agents, "agents")
    }

    fn in_place_of(&self, named: &Paths, folder: &str) -> Vec<AbsPath> {
        match named.list() {
            [] => vec![self.folder.child(folder)],
            _ => self.joined(named),
        }
    }

    fn joined(&self, paths: &Paths) -> Vec<AbsPath> {
        let paths = paths.list().iter();
        paths.map(|path| self.folder.join(path)).collect()
    }
}

/// The plugins of `--plugin-dir`, in the order of the command line; and the folders that do not
/// count, with the reason. Plugins that a marketplace installed are not looked at.
pub(crate) fn all(world: &World<'_>) -> (Vec<Plugin>, Vec<(AbsPath, String)>) {
    let (mut plugins, mut refused) = (Vec::new(), Vec::new());
    for written in &world.origin.flags.plugin_dirs {
        let folder = world.cwd.join(written);
        match plugin(world.host, &folder) {
            Ok(plugin) => plugins.push(plugin),
            Err(why) => refused.push((folder, why)),
        }
    }
    (plugins, refused)
}

fn plugin(host: &dyn Host, folder: &AbsPath) -> Result<Plugin, String> {
    let is_folder = |meta: crate::host::Metadata| meta.kind == Kind::Directory;
    if !host.metadata(folder).is_ok_and(is_folder) {
        return Err("is no folder".to_owned());
    }
    let file = folder.child(".claude-plugin").child("plugin.json");
    let manifest = match host.read(&file, limits::SETTINGS_BYTES) {
        Ok(bytes) => serde_json::from_slice(&bytes)
            .map_err(|error| format!("{file} is no manifest ({error})"))?,
        Err(error) if error.is_absent() => Manifest::default(),
        Err(error) => return Err(format!("{file} {error}")),
    };
    let name = manifest.name.clone();
    let name = name.unwrap_or_else(|| folder.file_name().to_owned());
    if name.is_empty() || name.contains(char::is_whitespace) {
        return Err(format!("{file} has a name that the client refuses"));
    }
    Ok(Plugin {
        name,
        folder: folder.clone(),
        manifest,
    })
}
