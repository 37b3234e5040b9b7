//! Plugins that `--plugin-dir` names (fact 63).

use super::json_file;
use crate::path::AbsPath;
use crate::record::Diagnostic;
use crate::session::Session;
use crate::settings::Node;

/// A plugin's folder and what its manifest says.
pub(super) struct Plugin {
    pub(super) name: String,
    pub(super) root: AbsPath,
    /// `.claude-plugin/plugin.json`; a plugin needs none.
    pub(super) manifest: Option<(AbsPath, Node)>,
}

/// The plugins in the order in which they are given.
pub(super) fn of(session: &Session<'_>, diagnostics: &mut Vec<Diagnostic>) -> Vec<Plugin> {
    let folders = session.origin().flags.plugin_dirs.iter();
    let plugins = folders.map(|folder| {
        let root = session.cwd().join(folder);
        let file = root.join(".claude-plugin/plugin.json");
        let manifest = json_file::read(session.world().host, &file).unwrap_or_else(|wrong| {
            diagnostics.push(wrong);
            None
        });
        let name = manifest.as_ref().and_then(|node| node.get("name")?.text());
        Plugin {
            name: name.unwrap_or(root.file_name()).to_owned(),
            manifest: manifest.map(|node| (file, node)),
            root,
        }
    });
    plugins.collect()
}
