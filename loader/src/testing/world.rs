//! A small world as plain data, and the session in it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::client::Client;
use crate::git::Git;
use crate::host::{Host, MemoryHost};
use crate::origin::{Origin, Platform};
use crate::path::AbsPath;
use crate::session::{Session, ToolCall};

/// What the user has said of imports from outside the working directory (fact 3.20).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Asked {
    /// Nothing yet.
    #[default]
    Never,
    /// They may load.
    Approved,
    /// They may not.
    Declined,
}

/// Files, how the client is started among them, and what it then does.
///
/// Below the root, `home/` is the home folder and `managed/` the folder of managed settings and
/// instructions. In every path and text, `{root}` stands for the root and `{rootenc}` for its
/// name in the client's store ([`encoded`]), so that one world can be built in any folder whose
/// path has no blank and no character that means something in a pattern.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct World {
    /// Path below the root → text.
    pub files: BTreeMap<String, String>,
    /// Path below the root → what the symbolic link there says.
    pub links: BTreeMap<String, String>,
    /// The working directory, below the root.
    pub cwd: String,
    /// The client's own flags: `--add-dir`, `--setting-sources`, `--settings`, `--bare`.
    pub args: Vec<String>,
    /// The client's environment, as far as it decides what loads.
    pub env: BTreeMap<String, String>,
    /// What the user has said of external imports.
    pub asked: Asked,
    /// The first prompt, when it matters for loading.
    pub prompt: Option<String>,
    /// The tool calls that follow, one a turn.
    pub calls: Vec<ToolCall>,
}

impl World {
    /// The world as a file tree below `root`, the client's state file included.
    #[must_use]
    pub fn host(&self, root: &AbsPath) -> MemoryHost {
        let mut host = MemoryHost::new();
        host.dir(&root.join("home/.claude"));
        for (path, text) in &self.files {
            let path = root.join(&fill(path, root.as_str()));
            host.file(&path, fill(text, root.as_str()).into_bytes());
        }
        for (path, target) in &self.links {
            let path = root.join(&fill(path, root.as_str()));
            host.link(&path, &fill(target, root.as_str()));
        }
        let cwd = root.join(&self.cwd);
        if host.metadata(&cwd).is_err() {
            host.dir(&cwd);
        }
        if let Some((path, state)) = self.state(&host, root) {
            host.file(&path, state.to_string().into_bytes());
        }
        host
    }

    /// Where the session starts, for a `client` on Linux.
    ///
    /// A flag that the library does not know is left out, since it decides nothing of loading;
    /// so is a value of `--setting-sources` that the client refuses.
    #[must_use]
    pub fn origin(&self, root: &AbsPath, client: Client) -> Origin {
        let filled = |text: &String| fill(text, root.as_str());
        let cwd = root.join(&self.cwd);
        let mut origin = Origin::new(cwd, root.join("home"));
        origin.platform = Platform::Linux;
        origin.client = client;
        origin.managed = root.child("managed");
        let variables = self.env.iter();
        origin.env = variables
            .map(|(name, value)| (name.clone(), filled(value)))
            .collect();
        origin.config_dir = self.config_dir(root);
        origin.take_arguments(self.args.iter().map(filled));
        origin
    }

    /// The session in this world: its start, then the prompt, then the calls.
    /// `host` holds the world below `root`.
    #[must_use]
    pub fn session<'h>(&self, host: &'h dyn Host, root: &AbsPath, client: Client) -> Session<'h> {
        let mut session = Session::start(host, self.origin(root, client));
        if let Some(prompt) = &self.prompt {
            session.prompt(&fill(prompt, root.as_str()));
        }
        for call in &self.calls {
            session.call(&ToolCall {
                tool: call.tool.clone(),
                input: fill_value(&call.input, root.as_str()),
            });
        }
        session
    }

    /// The client's state file with what the user has said, and its place; `None` when nothing
    /// was asked. `host` holds the world below `root`.
    ///
    /// The answer stands under the root of the main checkout or, outside git, the resolved
    /// working directory (fact 3.20), in the folder of `CLAUDE_CONFIG_DIR` if there is one
    /// (fact 7.6).
    #[must_use]
    pub fn state(&self, host: &dyn Host, root: &AbsPath) -> Option<(AbsPath, Value)> {
        let said = match self.asked {
            Asked::Never => return None,
            Asked::Approved => json!({ "hasClaudeMdExternalIncludesApproved": true }),
            Asked::Declined => json!({
                "hasClaudeMdExternalIncludesApproved": false,
                "hasClaudeMdExternalIncludesWarningShown": true,
            }),
        };
        let folder = self.config_dir(root).unwrap_or_else(|| root.join("home"));
        let state = json!({ "projects": { self.project(host, root).as_str(): said } });
        Some((folder.child(".claude.json"), state))
    }

    /// The project that the session belongs to: the root of the main checkout or, outside git,
    /// the resolved working directory. Approvals and memory are kept by it (facts 3.20, 6.1).
    #[must_use]
    pub fn project(&self, host: &dyn Host, root: &AbsPath) -> AbsPath {
        let cwd = root.join(&self.cwd);
        let cwd = host.canonicalize(&cwd).unwrap_or(cwd);
        let behaviour = Client::newest().behaviour;
        Git::find(host, &cwd, &behaviour).map_or(cwd, |git| git.main_checkout)
    }

    fn config_dir(&self, root: &AbsPath) -> Option<AbsPath> {
        let folder = fill(self.env.get("CLAUDE_CONFIG_DIR")?, root.as_str());
        Some(root.join(&self.cwd).join(&folder))
    }
}

/// `text` with `{root}` and `{rootenc}` filled in.
#[must_use]
pub fn fill(text: &str, root: &str) -> String {
    text.replace("{rootenc}", &encoded(root))
        .replace("{root}", root)
}

/// `value` with `{root}` and `{rootenc}` filled in, keys included.
#[must_use]
pub fn fill_value(value: &Value, root: &str) -> Value {
    match value {
        Value::String(text) => Value::String(fill(text, root)),
        Value::Array(items) => items.iter().map(|item| fill_value(item, root)).collect(),
        Value::Object(map) => {
            let filled = map
                .iter()
                .map(|(key, value)| (fill(key, root), fill_value(value, root)));
            Value::Object(filled.collect())
        }
        other => other.clone(),
    }
}

/// A path as part of a folder's name in the client's store: each character outside A–Z, a–z and
/// 0–9 becomes `-` (fact 6.1). Unlike [`folder_name`](crate::memory::folder_name) it shortens
/// nothing, so that parts can be put together.
#[must_use]
pub fn encoded(path: &str) -> String {
    path.encode_utf16()
        .map(|unit| {
            let letter = u8::try_from(unit).ok().map(char::from);
            letter.filter(char::is_ascii_alphanumeric).unwrap_or('-')
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn abs(text: &str) -> AbsPath {
        AbsPath::new(text).unwrap()
    }

    #[test]
    fn a_world_is_built_below_any_root() {
        let world: World = serde_json::from_value(json!({
            "files": {
                "proj/CLAUDE.md": "@{root}/out/x.md @~/y.md",
                "proj/.git/HEAD": "",
                "proj/a/CLAUDE.md": "nested",
                "out/x.md": "external",
            },
            "cwd": "proj",
            "asked": "approved",
            "calls": [{ "tool": "Read", "input": { "file_path": "{root}/proj/a/x" } }],
        }))
        .unwrap();
        for root in ["/w", "/some/where_else.1"] {
            let root = abs(root);
            let host = world.host(&root);
            let session = world.session(&host, &root, Client::newest());
            let counts = session.deliveries().iter().map(|one| one.layers.len());
            assert_eq!(counts.collect::<Vec<_>>(), [2, 1]);
        }
        let again: World = serde_json::from_str(&serde_json::to_string(&world).unwrap()).unwrap();
        assert_eq!(again, world);
    }

    #[test]
    fn flags_are_read_as_the_client_reads_them() {
        let world = World {
            cwd: "p".to_owned(),
            args: [
                "--add-dir",
                "{root}/a",
                "../b",
                "--settings",
                "s.json",
                "--bare",
            ]
            .map(str::to_owned)
            .to_vec(),
            env: BTreeMap::from([("CLAUDE_CONFIG_DIR".to_owned(), "{root}/c".to_owned())]),
            asked: Asked::Declined,
            ..World::default()
        };
        let root = abs("/w");
        let origin = world.origin(&root, Client::newest());
        assert_eq!(origin.add_dirs, [abs("/w/a"), abs("/w/b")]);
        assert_eq!(
            origin.settings,
            Some(crate::origin::SettingsFlag::File(abs("/w/p/s.json")))
        );
        assert!(origin.bare);
        let (state, _) = world.state(&world.host(&root), &root).unwrap();
        assert_eq!(
            (state, origin.state_file()),
            (abs("/w/c/.claude.json"), abs("/w/c/.claude.json"))
        );
    }
}
