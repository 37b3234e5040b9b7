//! Where the cold store is, and which sessions of the client's it may take.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use outcrop_compactor::sessions::{Found, list, owner};
use outcrop_compactor::store::cold::{Cold, Name, Source};
use outcrop_loader::host::DiskHost;
use outcrop_loader::path::AbsPath;

use super::transcripts::{Listed, Projects, modified, open};
use super::{Place, folders};
use crate::args::Global;
use crate::args::cold::Stored;

/// The user's cold store.
pub(crate) fn store(
    global: &Global,
    args: &Stored,
    place: &Place,
    projects: &Projects,
) -> Result<Cold> {
    let root = match &args.archive_dir {
        Some(dir) => PathBuf::from(place.path(dir)?.to_string()),
        None => folders::data(global)?.join("archive"),
    };
    let config = config(projects);
    if root.starts_with(config) {
        bail!(
            "{} lies in the client's folder {}, in which the client deletes; give another with --archive-dir",
            root.display(),
            config.display()
        );
    }
    Ok(Cold::at(&root))
}

/// The client's configuration folder, below which all paths in the store are.
pub(crate) fn config(projects: &Projects) -> &Path {
    projects.root().parent().unwrap_or(Path::new(""))
}

/// A session that can be archived.
pub(crate) struct Candidate {
    pub(crate) source: Source,
    /// When it was written to last, in milliseconds since 1970.
    pub(crate) modified: Option<i64>,
    /// The time from which the client counts for the first thing of it that it deletes.
    pub(crate) oldest: Option<i64>,
}

/// All sessions of every project, or of one, the one written to last first. What is left of a
/// session whose transcript is gone is one, too.
pub(crate) fn candidates(projects: &Projects, project: Option<&str>) -> Result<Vec<Candidate>> {
    let Some(root) = projects.root().to_str().and_then(AbsPath::new) else {
        bail!("{}: its name is no UTF-8", projects.root().display());
    };
    let wanted = |folder: &str| project.is_none_or(|project| folder == project);
    let mut listing = list(&DiskHost::new(), &root, wanted);
    listing.put_under(|path| {
        // Only older clients kept sub-agents beside sessions, under such names.
        let is_agent = path.file_name().starts_with("agent-");
        let transcript = is_agent.then(|| open(Path::new(path.as_str()), true).ok())??;
        owner(&transcript.into_index())
    });
    let config = config(projects);
    let mut candidates = Vec::new();
    for found in &listing.sessions {
        candidates.push(of_session(config, found)?);
    }
    for orphan in &listing.orphans {
        let path = Path::new(orphan.as_str());
        let name = |path: Option<&Path>| Some(path?.file_name()?.to_str()?.to_owned());
        let (Some(session), Some(project)) = (name(Some(path)), name(path.parent())) else {
            continue;
        };
        let source = Source::find(config, Name { project, session }, Vec::new())?;
        candidates.push(Candidate::of(config, source, None));
    }
    candidates.sort_by(|a, b| {
        let newest = b.modified.cmp(&a.modified);
        newest.then_with(|| a.source.name.cmp(&b.source.name))
    });
    Ok(candidates)
}

fn of_session(config: &Path, found: &Found) -> Result<Candidate> {
    let name = Name {
        project: found.project.clone(),
        session: found.id.clone(),
    };
    let agents = found.agents.iter();
    let below = agents.filter_map(|file| {
        let path = Path::new(file.path.as_str()).strip_prefix(config).ok()?;
        path.to_str().map(str::to_owned)
    });
    let source = Source::find(config, name, below.collect())?;
    let own = modified(Path::new(found.path.as_str()));
    Ok(Candidate::of(config, source, own))
}

impl Candidate {
    fn of(config: &Path, source: Source, own: Option<i64>) -> Self {
        let time = |path: &String| modified(&config.join(path));
        let results = source
            .files
            .iter()
            .filter(|path| path.contains("/tool-results/"));
        let checkpoints = format!("file-history/{}", source.name.session);
        let checkpoints = modified(&config.join(checkpoints));
        let oldest = results.filter_map(time).chain(own).chain(checkpoints).min();
        Self {
            modified: own.or_else(|| source.files.iter().filter_map(time).max()),
            oldest,
            source,
        }
    }
}

/// The candidate of a session that the user named.
pub(crate) fn named(projects: &Projects, listed: &Listed) -> Result<Candidate> {
    let folder = listed.path.parent();
    let project = folder
        .and_then(Path::file_name)
        .and_then(|name| name.to_str());
    let is_inside = folder.and_then(Path::parent) == Some(projects.root());
    let Some(project) = project.filter(|_| is_inside) else {
        bail!(
            "{} lies outside of {}; name the client's folder with --config-dir",
            listed.path.display(),
            projects.root().display()
        );
    };
    let mut candidates = candidates(projects, Some(project))?.into_iter();
    let candidate = candidates.find(|candidate| candidate.source.name.session == listed.id);
    candidate.with_context(|| {
        format!(
            "{} is the transcript of a sub-agent; name its session",
            listed.path.display()
        )
    })
}

/// The session in the store that the user names: an id, or the unique beginning of one.
pub(crate) fn kept(cold: &Cold, name: &str, project: Option<&str>) -> Result<Name> {
    let mut names = cold.names()?;
    names.retain(|kept| project.is_none_or(|project| is_of(kept, project)));
    let exact: Vec<&Name> = names.iter().filter(|kept| kept.session == name).collect();
    let found = match exact.is_empty() {
        true => names
            .iter()
            .filter(|kept| kept.session.starts_with(name))
            .collect(),
        false => exact,
    };
    match found[..] {
        [] => bail!(
            "no session {name} in {}; `outcrop archive --list` lists them",
            cold.root().display()
        ),
        [found] => Ok(found.clone()),
        [first, second, ..] if first.session == second.session => bail!(
            "{name} is kept of two projects, {} and {}; choose with --project",
            first.project,
            second.project
        ),
        [first, second, ..] => bail!(
            "{name} begins {} ids: {}, {} …; give more of it",
            found.len(),
            first.session,
            second.session
        ),
    }
}

/// Whether a session is of a project as the user names it.
pub(crate) fn is_of(name: &Name, project: &str) -> bool {
    use outcrop_compactor::sessions::is_folder_of;
    is_folder_of(&name.project, project) || name.project.contains(project)
}
