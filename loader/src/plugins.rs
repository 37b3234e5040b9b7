//! Plugins that `--plugin-dir` names (facts 51, 63). Those that a marketplace installed are not
//! looked at.

use crate::host::Kind;
use crate::json_file;
use crate::path::AbsPath;
use crate::record::Diagnostic;
use crate::session::World;
use crate::settings::Node;

/// A plugin's folder and what its manifest says.
pub(crate) struct Plugin {
    /// Its name, which stands before those of its entries.
    pub(crate) name: String,
    /// The folder.
    pub(crate) root: AbsPath,
    /// `.claude-plugin/plugin.json`; a plugin needs none.
    pub(crate) manifest: Option<(AbsPath, Node)>,
}

/// A folder that counts for nothing, and why.
pub(crate) type Refused = (AbsPath, String);

/// The plugins in the order in which they are given, and the folders that are none.
pub(crate) fn all(world: &World<'_>) -> (Vec<Plugin>, Vec<Refused>) {
    let (mut plugins, mut refused) = (Vec::new(), Vec::new());
    for written in &world.origin.flags.plugin_dirs {
        let root = world.cwd.join(written);
        match plugin(world, &root) {
            Ok(plugin) => plugins.push(plugin),
            Err(why) => refused.push((root, why)),
        }
    }
    (plugins, refused)
}

/// The plugins alone; the folders that are none become diagnostics.
pub(crate) fn of(world: &World<'_>, diagnostics: &mut Vec<Diagnostic>) -> Vec<Plugin> {
    let (plugins, refused) = all(world);
    let wrong = refused.iter().map(|(root, why)| {
        Diagnostic::warning(format!("this plugin counts for nothing: {why}")).about(root)
    });
    diagnostics.extend(wrong);
    plugins
}

fn plugin(world: &World<'_>, root: &AbsPath) -> Result<Plugin, String> {
    let is_folder = |meta: crate::host::Metadata| meta.kind == Kind::Directory;
    if !world.host.metadata(root).is_ok_and(is_folder) {
        return Err("it is no folder".to_owned());
    }
    let file = root.join(".claude-plugin/plugin.json");
    let manifest = json_file::read(world.host, &file).map_err(|wrong| {
        let line = wrong.line.map_or(String::new(), |line| format!(":{line}"));
        format!("{file}{line}: {}", wrong.message)
    })?;
    let name = manifest.as_ref().and_then(|node| node.get("name")?.text());
    let name = name.unwrap_or(root.file_name()).to_owned();
    if name.is_empty() || name.contains(char::is_whitespace) {
        return Err(format!("{file} gives it a name that the client refuses"));
    }
    Ok(Plugin {
        name,
        manifest: manifest.map(|node| (file, node)),
        root: root.clone(),
    })
}

impl Plugin {
    /// The folders of skills: `skills`, then those that the manifest adds.
    pub(crate) fn skills(&self) -> Vec<AbsPath> {
        let mut folders = vec![self.root.child("skills")];
        folders.extend(self.named("skills"));
        folders
    }

    /// Folders and files of commands: those of the manifest, else `commands`.
    pub(crate) fn commands(&self) -> Vec<AbsPath> {
        self.in_place_of("commands")
    }

    /// Folders and files of agents: those of the manifest, else `agents`.
    pub(crate) fn agents(&self) -> Vec<AbsPath> {
        self.in_place_of("agents")
    }

    fn in_place_of(&self, key: &str) -> Vec<AbsPath> {
        let named = self.named(key);
        match named.is_empty() {
            true => vec![self.root.child(key)],
            false => named,
        }
    }

    /// The path, or the paths, of a key of the manifest.
    fn named(&self, key: &str) -> Vec<AbsPath> {
        let manifest = self.manifest.as_ref();
        let Some(value) = manifest.and_then(|(_, node)| node.get(key)) else {
            return Vec::new();
        };
        let paths = std::iter::once(value).chain(value.items());
        let paths = paths.filter_map(Node::text);
        paths.map(|path| self.root.join(path)).collect()
    }
}
