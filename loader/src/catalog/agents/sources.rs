//! Which files may define agents, weakest first (facts C1.4, C1.5, C2.1).

use super::AgentSource;
use crate::catalog::sources::walk;
use crate::host::{Below, Host, Kind, files_below};
use crate::path::AbsPath;
use crate::plugins::Plugin;
use crate::session::World;

/// A folder that is looked into, or a file that a plugin names.
pub(super) struct Folder {
    pub(super) path: AbsPath,
    pub(super) source: AgentSource,
    /// The name of the plugin that it belongs to.
    pub(super) plugin: Option<String>,
    /// The source that `--setting-sources` leaves out, where it does.
    pub(super) not_selected: Option<&'static str>,
}

/// A file of such a folder.
pub(super) struct File {
    pub(super) path: AbsPath,
    /// The folders between, and the name without its extension.
    pub(super) place: Vec<String>,
    /// Whether it ends in `.md`, as the client demands; in a plugin in any case of letters.
    pub(super) is_named_right: bool,
}

/// All folders but those of plugins, weakest first: the user's, added directories, the project's
/// with the nearest last, the managed one.
pub(super) fn folders(world: &World<'_>) -> Vec<Folder> {
    let origin = &world.origin;
    let folder = |directory: AbsPath, source, not_selected| Folder {
        path: directory.child("agents"),
        source,
        plugin: None,
        not_selected,
    };
    let user = origin.config();
    let of_user = (!origin.sources.user).then_some("user");
    let of_project = (!origin.sources.project).then_some("project");
    let mut folders = vec![folder(user.clone(), AgentSource::User, of_user)];
    for directory in &origin.add_dirs {
        let path = directory.child(".claude");
        folders.push(folder(path, AgentSource::AddDir, of_project));
    }
    for directory in walk(world).into_iter().rev() {
        let path = directory.child(".claude");
        // The user's own folder is no project's.
        if path != user {
            folders.push(folder(path, AgentSource::Project, of_project));
        }
    }
    let managed = origin.managed.child(".claude");
    folders.push(folder(managed, AgentSource::Managed, None));
    folders
}

/// What plugins bring, in the order of the command line.
pub(super) fn of_plugins(plugins: &[Plugin]) -> Vec<Folder> {
    let folders = plugins.iter().flat_map(|plugin| {
        plugin.agents().into_iter().map(|path| Folder {
            path,
            source: AgentSource::Plugin,
            plugin: Some(plugin.name.clone()),
            not_selected: None,
        })
    });
    folders.collect()
}

/// The files at any depth, hidden ones too, links followed: in the raw order of the folder, or by
/// their paths.
pub(super) fn files(host: &dyn Host, folder: &Folder, sorted: bool) -> Vec<File> {
    let any_case = folder.plugin.is_some();
    let mut files = Vec::new();
    match host.metadata(&folder.path).map(|meta| meta.kind) {
        Ok(Kind::Directory) => {
            let below = files_below(host, &folder.path).into_iter();
            files.extend(below.filter_map(|found| file(found, any_case)));
        }
        Ok(Kind::File) => {
            let place = vec![folder.path.file_name().to_owned()];
            let path = folder.path.clone();
            files.extend(file(Below { path, place }, any_case));
        }
        _ => {}
    }
    if sorted {
        let units = |file: &File| file.path.as_str().encode_utf16().collect::<Vec<_>>();
        files.sort_by_cached_key(units);
    }
    files
}

/// A file that is an agent's, or only looks like one; names of the latter are kept, to be told of.
fn file(found: Below, any_case: bool) -> Option<File> {
    let Below { path, mut place } = found;
    let name = place.pop()?;
    let lower = name.to_ascii_lowercase();
    let exact = name.strip_suffix(".md");
    let folded = name.get(..name.len().saturating_sub(3));
    let folded = folded.filter(|_| any_case && lower.ends_with(".md"));
    let stem = exact.or(folded);
    let looks_like_one = [".md", ".markdown", ".mdx", ".mdc", ".txt"];
    if stem.is_none() && !looks_like_one.iter().any(|end| lower.ends_with(end)) {
        return None;
    }
    let is_named_right = stem.is_some();
    place.push(stem.unwrap_or(&name).to_owned());
    Some(File {
        path,
        place,
        is_named_right,
    })
}
