//! A case's world in memory, and what the library delivers in it.

use outcrop_loader::client::{Client, Version};
use outcrop_loader::git::Git;
use outcrop_loader::host::{Host, MemoryHost};
use outcrop_loader::origin::{Origin, Platform};
use outcrop_loader::path::AbsPath;
use outcrop_loader::record::Delivery;
use outcrop_loader::session::{Session, ToolCall};

use crate::case::{self, Case, Content, Entry, Step};
use crate::shell;

/// The sandbox root of trees in memory.
pub const ROOT: &str = "/sand_box/w.1";

fn abs(text: &str) -> AbsPath {
    AbsPath::new(text).expect("an absolute path")
}

/// Builds a case's tree.
#[must_use]
pub fn host(case: &Case) -> MemoryHost {
    let root = abs(ROOT);
    let mut host = MemoryHost::new();
    host.dir(&root.join("home/.claude"));
    for (path, bytes) in case::file_bytes(case, ROOT) {
        host.file(&root.join(&path), bytes);
    }
    for (path, target) in &case.links {
        host.link(
            &root.join(&case::fill(path, ROOT)),
            &case::fill(target, ROOT),
        );
    }
    for folder in &case.git {
        host.dir(&root.join(folder).child(".git"));
    }
    for line in &case.setup {
        shell::run(&mut host, &root, line);
    }
    let cwd = root.join(&case.cwd);
    if host.metadata(&cwd).is_err() {
        host.dir(&cwd);
    }
    if let Some(state) = state(case, ROOT, &host) {
        host.file(&root.join("home/.claude.json"), state.into_bytes());
    }
    for (folder, names) in &case.dir_listing {
        if let Ok(folder) = host.canonicalize(&root.join(&case::fill(folder, ROOT))) {
            host.order(&folder, names);
        }
    }
    host
}

/// The text of the state file, with the approval under the right key where the case has one.
pub(crate) fn state(case: &Case, root: &str, host: &dyn Host) -> Option<String> {
    let mut state = case::fill_value(&case.state, root);
    if case.settings_approved_external {
        let cwd = host
            .canonicalize(&abs(root).join(&case.cwd))
            .expect("the working directory exists");
        let git = Git::find(host, &cwd, &Client::newest().behaviour);
        let key = git.map_or(cwd, |git| git.main_checkout);
        let approved = serde_json::json!({ "hasClaudeMdExternalIncludesApproved": true });
        if state.is_null() {
            state = serde_json::json!({});
        }
        state["projects"][key.as_str()] = approved;
    }
    (!state.is_null()).then(|| state.to_string())
}

/// The case's origin for a client.
///
/// # Panics
/// On arguments that no case has.
#[must_use]
pub fn origin(case: &Case, client: Version) -> Origin {
    origin_at(case, ROOT, client)
}

/// The same for a tree at another root.
pub(crate) fn origin_at(case: &Case, root_text: &str, client: Version) -> Origin {
    let root = abs(root_text);
    let mut origin = Origin::new(root.join(&case.cwd), root.join("home"));
    origin.platform = Platform::Linux;
    origin.client = Client::of(client).expect("a known client");
    origin.managed = root.child("managed");
    for (name, value) in &case.env {
        origin
            .env
            .insert(name.clone(), case::fill(value, root_text));
    }
    let config_dir = origin.env.get("CLAUDE_CONFIG_DIR");
    origin.config_dir = config_dir.map(|dir| abs(dir));
    let args = case.args.iter().map(|arg| case::fill(arg, root_text));
    let unknown = origin.take_arguments(args);
    assert!(unknown.is_empty(), "{}: unknown {unknown:?}", case.name);
    origin
}

/// What the library delivers in a case: at the start, and after each read.
#[must_use]
pub fn answer(case: &Case, client: Version) -> (Vec<Entry>, Vec<Vec<Entry>>) {
    let host = host(case);
    let session = run(case, &host, client);
    let mut deliveries = session
        .deliveries()
        .iter()
        .map(|delivery| entries(delivery, ROOT));
    let startup = deliveries.next().expect("a first delivery");
    (startup, deliveries.collect())
}

/// The session of a case.
#[must_use]
pub fn run<'h>(case: &Case, host: &'h MemoryHost, client: Version) -> Session<'h> {
    let mut session = started(case, host, client);
    for step in case.calls() {
        call(&mut session, &step);
    }
    session
}

/// The session of a case before its calls.
#[must_use]
pub fn started<'h>(case: &Case, host: &'h MemoryHost, client: Version) -> Session<'h> {
    prompted(case, ROOT, Session::start(host, origin(case, client)))
}

/// The session with everything of the case having happened in it.
pub(crate) fn events<'h>(case: &Case, root: &str, session: Session<'h>) -> Session<'h> {
    let mut session = prompted(case, root, session);
    for call in calls(case, root) {
        session.call(&call);
    }
    session
}

fn prompted<'h>(case: &Case, root: &str, mut session: Session<'h>) -> Session<'h> {
    if let Some(prompt) = &case.prompt {
        session.prompt(&case::fill(prompt, root));
    }
    session
}

/// Makes a call of a case.
pub fn call<'s>(session: &'s mut Session<'_>, step: &Step) -> &'s Delivery {
    session.call(&filled(step, ROOT))
}

/// The tool calls of a case.
#[must_use]
pub fn calls(case: &Case, root: &str) -> Vec<ToolCall> {
    case.calls().iter().map(|step| filled(step, root)).collect()
}

fn filled(step: &Step, root: &str) -> ToolCall {
    ToolCall {
        tool: step.tool.clone(),
        input: case::fill_value(&step.input, root),
    }
}

pub(crate) fn entries(delivery: &Delivery, root: &str) -> Vec<Entry> {
    let entry = |layer: &outcrop_loader::record::Layer| Entry {
        path: relative(layer.name(), root),
        kind: layer.scope.to_string(),
        content: Content::Text(match layer.notice {
            Some(_) => format!("{}\n\n{{notice}}", layer.text),
            None => layer.text.clone(),
        }),
    };
    delivery.layers.iter().map(entry).collect()
}

/// A path as cases write it.
#[must_use]
pub fn relative(path: &str, root: &str) -> String {
    match path
        .strip_prefix(root)
        .and_then(|rest| rest.strip_prefix('/'))
    {
        Some(rest) => rest.replace(&case::encoded(root), "{rootenc}"),
        None => path.to_owned(),
    }
}
