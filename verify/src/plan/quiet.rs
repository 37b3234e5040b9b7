//! What keeps a client from starting programs and from talking to anyone but the recorder,
//! whatever the user's settings say. Settings given on the command line are stronger than those
//! of user, project and local files; only managed ones are stronger still.

use std::collections::BTreeSet;

use outcrop_loader::host::Host;
use outcrop_loader::origin::SettingsFlag;
use outcrop_loader::path::AbsPath;
use outcrop_loader::session::Session;
use outcrop_loader::settings::managed_files;
use serde_json::{Map, Value, json};

use super::PlanError;
use crate::run::{URL, environment};

/// The largest settings file that is looked into, in bytes.
const BOUND: u64 = 4 * 1024 * 1024;
/// Variables that choose another service or credential; empty, they choose none.
const CLEARED: [&str; 10] = [
    "ANTHROPIC_AUTH_TOKEN",
    "ANTHROPIC_CUSTOM_HEADERS",
    "CLAUDE_CODE_OAUTH_TOKEN",
    "CLAUDE_CODE_USE_BEDROCK",
    "CLAUDE_CODE_USE_VERTEX",
    "CLAUDE_CODE_USE_FOUNDRY",
    "CLAUDE_CODE_SKIP_BEDROCK_AUTH",
    "CLAUDE_CODE_ENABLE_TELEMETRY",
    "OTEL_METRICS_EXPORTER",
    "OTEL_LOGS_EXPORTER",
];
/// Keys whose value is a program that the client runs on its own.
const HELPERS: [&str; 4] = [
    "apiKeyHelper",
    "awsAuthRefresh",
    "awsCredentialExport",
    "otelHeadersHelper",
];
/// Plugins that come with the client; `AGENTS.md` is read by one (fact 1.16).
const BUILT_IN: &str = "@builtin";

pub(super) struct Quiet {
    /// Arguments for the client.
    pub(super) args: Vec<String>,
    pub(super) notes: Vec<String>,
}

impl Quiet {
    pub(super) fn new(
        host: &dyn Host,
        session: &Session<'_>,
        with_hooks: bool,
    ) -> Result<Self, PlanError> {
        let origin = session.origin();
        let mut notes = Vec::new();
        for file in managed_files(host, &origin.managed) {
            if let Some(managed) = read(host, &file) {
                refuse_elsewhere(&file, &managed)?;
                if managed.contains_key("hooks") && !with_hooks {
                    notes.push(format!(
                        "hooks of {file} run all the same: they are managed"
                    ));
                }
            }
        }
        let own = match &origin.settings {
            None => Some(Map::new()),
            Some(SettingsFlag::Text(text)) => object(text.as_bytes()),
            Some(SettingsFlag::File(file)) => read(host, file),
        };
        let mut args = Vec::new();
        let Some(mut settings) = own else {
            // The client refuses such a file by itself, and says why.
            if let Some(SettingsFlag::File(file)) = &origin.settings {
                args.extend(["--settings".to_owned(), file.to_string()]);
            }
            return Ok(Self { args, notes });
        };
        let env = settings.entry("env").or_insert_with(|| json!({}));
        if let Some(env) = env.as_object_mut() {
            for (name, value) in environment(URL) {
                env.insert(name, json!(value));
            }
            for name in CLEARED {
                env.insert(name.to_owned(), json!(""));
            }
        }
        for helper in HELPERS {
            settings.insert(helper.to_owned(), json!(""));
        }
        if !with_hooks {
            settings.insert("disableAllHooks".to_owned(), json!(true));
            let plugins = plugins(host, session);
            let enabled = settings
                .entry("enabledPlugins")
                .or_insert_with(|| json!({}));
            if let Some(enabled) = enabled.as_object_mut() {
                enabled.extend(plugins.into_iter().map(|name| (name, json!(false))));
                if enabled.is_empty() {
                    settings.remove("enabledPlugins");
                }
            }
            args.push("--strict-mcp-config".to_owned());
        }
        let text = Value::Object(settings).to_string();
        args.extend(["--settings".to_owned(), text]);
        Ok(Self { args, notes })
    }
}

fn object(bytes: &[u8]) -> Option<Map<String, Value>> {
    serde_json::from_slice(bytes).ok()
}

fn read(host: &dyn Host, file: &AbsPath) -> Option<Map<String, Value>> {
    object(&host.read(file, BOUND).ok()?)
}

/// Managed settings beat the recorder's address.
fn refuse_elsewhere(file: &AbsPath, settings: &Map<String, Value>) -> Result<(), PlanError> {
    let env = settings.get("env").and_then(Value::as_object);
    let ours: BTreeSet<String> = environment(URL).into_keys().collect();
    let decides = |name: &&String| {
        let name = name.as_str();
        let is_cleared = CLEARED.contains(&name);
        is_cleared
            || (ours.contains(name)
                && name != "LANG"
                && name != "TERM"
                && !name.starts_with("DISABLE_"))
    };
    let variable = env.and_then(|env| env.keys().find(decides));
    let helper = HELPERS
        .iter()
        .find(|helper| settings.contains_key(**helper));
    let name = variable
        .cloned()
        .or(helper.map(|helper| (*helper).to_owned()));
    match name {
        Some(name) => Err(PlanError::Elsewhere {
            file: file.clone(),
            name,
        }),
        None => Ok(()),
    }
}

/// The plugins that the user, the project or managed settings turn on.
fn plugins(host: &dyn Host, session: &Session<'_>) -> BTreeSet<String> {
    let origin = session.origin();
    let project = session.cwd().child(".claude");
    let files = [
        origin.config().child("settings.json"),
        project.child("settings.json"),
        project.child("settings.local.json"),
    ];
    let all = files.iter().filter_map(|file| read(host, file));
    let enabled = all.filter_map(|mut settings| settings.remove("enabledPlugins"));
    let names = enabled.flat_map(|plugins| match plugins {
        Value::Object(plugins) => plugins.into_iter().map(|(name, _)| name).collect(),
        _ => Vec::new(),
    });
    names.filter(|name| !name.ends_with(BUILT_IN)).collect()
}
