//! A case's world on disk, given to a real client.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use outcrop_loader::client::Version;
use outcrop_loader::host::DiskHost;
use outcrop_loader::origin::Platform;
use outcrop_loader::path::AbsPath;
use outcrop_loader::record::Delivery;
use outcrop_loader::session::Session;
use outcrop_verify::run::{End, Launch};
use outcrop_verify::sandbox::Namespace;
use outcrop_verify::script::Script;
use outcrop_verify::sent::{Section, Sent};
use outcrop_verify::{Comparison, Recording, View};

use crate::case::{self, Case, Content, Delivered, Entry, Step};
use crate::disk::World;
use crate::memory;

/// A client that is installed.
#[derive(Clone, Debug)]
pub struct LiveClient {
    /// Its version.
    pub version: Version,
    /// Its program.
    pub program: PathBuf,
}

/// How long one run may take: it takes about a second.
const LIMIT: Duration = Duration::from_secs(60);

fn managed_place() -> AbsPath {
    AbsPath::new(Platform::Linux.managed_folder()).expect("an absolute path")
}

/// Whether the case has managed files, which need a private mount namespace.
#[must_use]
pub fn has_managed_files(case: &Case) -> bool {
    let mut paths = case.files.keys().chain(case.files_b64.keys());
    let by_command = case.setup.iter().any(|line| line.contains("managed"));
    paths.any(|path| path.starts_with("managed/")) || by_command
}

/// What the client sends in the case's world.
///
/// # Errors
/// When it does not run, ends with a failure, sends what is not understood, or is of another
/// version.
pub fn sent(world: &World, case: &Case, client: &LiveClient) -> Result<Sent, String> {
    let recording = recording(world, case, client)?;
    let sent = Sent::of(&recording).map_err(|error| error.to_string())?;
    if sent.version != Some(client.version) {
        return Err(format!("calls itself {:?}", sent.version));
    }
    Ok(sent)
}

/// The sections of what was sent, as cases hold them.
#[must_use]
pub fn delivered(sent: &Sent, case: &Case, root: &str) -> Delivered {
    let entries = |sections: &Vec<Section>, guess: bool| -> Vec<Entry> {
        let entry = |section: &Section| entry(section, root, guess);
        sections.iter().map(entry).collect()
    };
    let startup = entries(&sent.startup, false);
    let mut later: Vec<Vec<Entry>> = sent
        .calls
        .iter()
        .map(|call| entries(&call.sections, true))
        .collect();
    if case.prompt.is_some() {
        later.insert(0, entries(&sent.prompt.sections, true));
    }
    (startup, later)
}

/// How what is sent for a case differs from what is predicted, with all that a hook adds.
#[must_use]
pub fn compared(sent: &Sent, world: &World, case: &Case, client: Version) -> Comparison {
    Comparison::new(&deliveries(world, case, client), sent)
}

/// Runs the client in the case's world.
///
/// # Errors
/// When it does not run, ends with a failure, or asks for another address.
pub fn recording(world: &World, case: &Case, client: &LiveClient) -> Result<Recording, String> {
    let root = world.root();
    let at = Path::new(&root);
    let managed = at.join("managed");
    let mut env: BTreeMap<String, String> = BTreeMap::new();
    env.insert("PATH".into(), "/usr/local/bin:/usr/bin:/bin".into());
    for (name, value) in &case.env {
        env.insert(name.clone(), case::fill(value, &root));
    }
    let mut args: Vec<String> = case.args.iter().map(|arg| case::fill(arg, &root)).collect();
    let needs_leave = |call: &Step| matches!(call.tool.as_str(), "Write" | "Edit" | "Bash");
    let flag = "--dangerously-skip-permissions".to_owned();
    if case.calls().iter().any(needs_leave) && !args.contains(&flag) {
        // A call that is not allowed loads nothing, and nobody is there to allow it.
        args.push(flag);
        env.insert("IS_SANDBOX".into(), "1".into());
    }
    let launch = Launch {
        program: client.program.clone(),
        cwd: at.join(&case.cwd),
        home: at.join("home"),
        prompt: case::fill(case.prompt.as_deref().unwrap_or("hi"), &root),
        args,
        env,
        view: Namespace {
            managed: managed
                .is_dir()
                .then(|| (managed.clone(), PathBuf::from(managed_place().as_str()))),
            ..Namespace::default()
        },
        script: Script::of_calls(memory::calls(case, &root)),
        limit: LIMIT,
    };
    let outcome = launch.run().map_err(|error| error.to_string())?;
    if outcome.end != End::Code(0) {
        return Err(format!(
            "{:?}: {}{}",
            outcome.end, outcome.stdout, outcome.stderr
        ));
    }
    if !outcome.recording.refused.is_empty() {
        return Err(format!("asked for {:?}", outcome.recording.refused));
    }
    Ok(outcome.recording)
}

fn entry(section: &Section, root: &str, guess: bool) -> Entry {
    let path = relative(&section.path, root);
    let kind = match section.scope {
        Some(scope) => scope.to_string(),
        None if guess => guessed(&path).to_owned(),
        None => String::new(),
    };
    Entry {
        kind,
        content: Content::Text(match &section.notice {
            Some(_) => format!("{}\n\n{{notice}}", section.text),
            None => section.text.clone(),
        }),
        path,
    }
}

/// A path as cases write it; managed files are below `managed/`.
fn relative(path: &str, root: &str) -> String {
    let managed = format!("{}/", managed_place());
    match path.strip_prefix(&managed) {
        Some(rest) => format!("managed/{rest}"),
        None => memory::relative(path, root),
    }
}

/// Headings of what a read brings name no scope, so it is told from the path alone.
#[must_use]
pub fn guessed(path: &str) -> &'static str {
    if path.starts_with("managed/") {
        "managed"
    } else if path.starts_with("home/.claude/") {
        "user"
    } else if path.ends_with("/CLAUDE.local.md") || path == "CLAUDE.local.md" {
        "local"
    } else {
        "project"
    }
}

/// An answer with the root taken out of the texts, as cases hold it.
#[must_use]
pub fn unfilled(answer: Delivered, root: &str) -> Delivered {
    let (mut startup, mut later) = answer;
    for entry in startup.iter_mut().chain(later.iter_mut().flatten()) {
        if let Content::Text(text) = &mut entry.content {
            *text = text.replace(root, "{root}");
        }
    }
    (startup, later)
}

/// What is predicted for the same world, with the disk as it is.
#[must_use]
pub fn predicted(world: &World, case: &Case, client: Version) -> Delivered {
    let root = world.root();
    let deliveries = deliveries(world, case, client);
    let entries = |delivery| -> Vec<Entry> {
        let mut list = memory::entries(delivery, &root);
        for entry in &mut list {
            entry.path = relative(&entry.path, &root);
        }
        list
    };
    let mut deliveries = deliveries.iter().map(entries);
    let startup = deliveries.next().expect("a first delivery");
    let mut later: Vec<Vec<Entry>> = deliveries.collect();
    for entry in later.iter_mut().flatten() {
        entry.kind = guessed(&entry.path).to_owned();
    }
    (startup, later)
}

/// The same as deliveries.
#[must_use]
pub fn deliveries(world: &World, case: &Case, client: Version) -> Vec<Delivery> {
    in_session(world, case, client, |session| session.deliveries().to_vec())
}

/// Looks at the predicted session.
pub fn in_session<T>(
    world: &World,
    case: &Case,
    client: Version,
    look: impl FnOnce(&Session<'_>) -> T,
) -> T {
    let root = world.root();
    let disk = DiskHost::new();
    let folder = AbsPath::new(&format!("{root}/managed")).expect("an absolute path");
    let host = View::new(&disk, &folder, managed_place());
    let mut origin = memory::origin_at(case, &root, client);
    origin.managed = managed_place();
    let session = memory::events(case, &root, Session::start(&host, origin));
    look(&session)
}

/// The raw order of the folders that hold rules, for a recorded case: of all folders where links
/// may make any of them one.
#[must_use]
pub fn rule_folders(world: &World, case: &Case) -> BTreeMap<String, Vec<String>> {
    let mut found = BTreeMap::new();
    let mut todo = vec![PathBuf::from(world.root())];
    while let Some(folder) = todo.pop() {
        let mut names = Vec::new();
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            names.push(entry.file_name().to_string_lossy().into_owned());
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) && entry.file_name() != ".git" {
                todo.push(entry.path());
            }
        }
        let path = folder.to_string_lossy();
        let may_hold = path.contains("/.claude/rules") || !case.links.is_empty();
        if may_hold && names.len() > 1 && path != world.root() {
            found.insert(memory::relative(&path, &world.root()), names);
        }
    }
    found
}
