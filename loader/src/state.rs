//! The client's state file: approvals, trust, recorded use (facts 3.20, I4–I6, C1.25, C6.3).

use std::collections::HashMap;

use serde::Deserialize;
use serde_json::Value;

use crate::host::Host;
use crate::limits;
use crate::path::AbsPath;
use crate::record::Diagnostic;

/// What the user said of imports from outside the working directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Approval {
    /// Yes: they load.
    Approved,
    /// No: they never load, and the client does not ask again.
    Declined,
    /// Not asked yet: an interactive session asks, a headless one skips them.
    NeverAsked,
}

/// What the client's state file says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClientState {
    /// The state file.
    pub file: AbsPath,
    /// The approval of external imports, under [`key`](Self::key).
    pub approval: Approval,
    /// The key in the state file's `projects`: the main checkout's root, or the working
    /// directory outside git.
    pub key: AbsPath,
    /// `autoCompactEnabled` (fact C4.9).
    pub auto_compact: Option<bool>,
    projects: HashMap<String, Value>,
    skill_usage: HashMap<String, Value>,
}

/// How often a skill was used, and when last (fact C1.25).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Usage {
    /// `usageCount`.
    pub count: f64,
    /// `lastUsedAt`, in milliseconds since 1970.
    pub last: f64,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase")]
struct File {
    #[serde(default)]
    projects: HashMap<String, Value>,
    #[serde(default)]
    skill_usage: Value,
    #[serde(default)]
    auto_compact_enabled: Value,
}

impl ClientState {
    /// Reads the state file. A missing file is "never asked".
    #[must_use]
    pub fn load(host: &dyn Host, file: AbsPath, key: AbsPath) -> (Self, Option<Diagnostic>) {
        let (read, diagnostic) = match read(host, &file) {
            Ok(read) => (read, None),
            Err(diagnostic) => (File::default(), Some(diagnostic)),
        };
        let usage = match read.skill_usage {
            Value::Object(usage) => usage.into_iter().collect(),
            _ => HashMap::new(),
        };
        let state = Self {
            approval: approval_of(read.projects.get(key.as_str())),
            auto_compact: read.auto_compact_enabled.as_bool(),
            file,
            key,
            projects: read.projects,
            skill_usage: usage,
        };
        (state, diagnostic)
    }

    /// Whether the user trusts a project folder (fact C6.3).
    #[must_use]
    pub fn trusts(&self, folder: &AbsPath) -> bool {
        let project = self.projects.get(folder.as_str());
        flag(project, "hasTrustDialogAccepted")
    }

    /// Whether the state file says anything of this project.
    #[must_use]
    pub fn knows_project(&self) -> bool {
        self.projects.contains_key(self.key.as_str())
    }

    /// A list of texts that the state file keeps for this project.
    #[must_use]
    pub fn project_list(&self, name: &str) -> Vec<String> {
        let project = self.projects.get(self.key.as_str());
        let list = project.and_then(|project| project.get(name)?.as_array());
        let texts = list.into_iter().flatten().filter_map(Value::as_str);
        texts.map(str::to_owned).collect()
    }

    /// The recorded use of a skill, by the name under which it is called.
    #[must_use]
    pub fn usage(&self, skill: &str) -> Option<Usage> {
        let usage = self.skill_usage.get(skill)?;
        let number = |name: &str| usage.get(name).and_then(Value::as_f64);
        Some(Usage {
            count: number("usageCount")?,
            last: number("lastUsedAt").unwrap_or_default(),
        })
    }

    /// The latest recorded use of any skill, in milliseconds since 1970.
    #[must_use]
    pub fn last_use(&self) -> f64 {
        let times = self.skill_usage.values();
        let times = times.filter_map(|usage| usage.get("lastUsedAt")?.as_f64());
        times.fold(0.0, f64::max)
    }
}

fn read(host: &dyn Host, file: &AbsPath) -> Result<File, Diagnostic> {
    let lost = |what: String| {
        let message = format!("the client's state file {what}; no approval is taken from it");
        Diagnostic::warning(message).about(file)
    };
    let bytes = match host.read(file, limits::SETTINGS_BYTES) {
        Ok(bytes) => bytes,
        Err(error) if error.is_absent() => return Ok(File::default()),
        Err(error) => return Err(lost(error.to_string())),
    };
    // A list would pass for the state's fields in their order.
    if bytes.trim_ascii_start().starts_with(b"[") {
        return Err(lost("is a list and no object".to_owned()));
    }
    serde_json::from_slice(&bytes).map_err(|error| {
        let mut diagnostic = lost(format!("is not JSON ({error})"));
        diagnostic.line = u32::try_from(error.line()).ok();
        diagnostic.column = u32::try_from(error.column()).ok();
        diagnostic
    })
}

fn flag(project: Option<&Value>, name: &str) -> bool {
    let value = project.and_then(|project| project.get(name));
    value.and_then(Value::as_bool).unwrap_or(false)
}

fn approval_of(project: Option<&Value>) -> Approval {
    if flag(project, "hasClaudeMdExternalIncludesApproved") {
        Approval::Approved
    } else if flag(project, "hasClaudeMdExternalIncludesWarningShown") {
        Approval::Declined
    } else {
        Approval::NeverAsked
    }
}
