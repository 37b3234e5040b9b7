//! Whether external imports are approved, from the client's state file (facts 3.20, I4–I6).

use serde::Deserialize;

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

/// The approval, and the key under which it was looked up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApprovalState {
    /// What was said.
    pub approval: Approval,
    /// The key in the state file's `projects`: the main checkout's root, or the working
    /// directory outside git.
    pub key: AbsPath,
    /// The state file.
    pub file: AbsPath,
}

#[derive(Deserialize)]
struct State {
    #[serde(default)]
    projects: std::collections::HashMap<String, serde_json::Value>,
}

impl ApprovalState {
    /// Reads the state file. A missing file is "never asked".
    #[must_use]
    pub fn load(host: &dyn Host, file: AbsPath, key: AbsPath) -> (Self, Option<Diagnostic>) {
        let (approval, diagnostic) = match host.read(&file, limits::SETTINGS_BYTES) {
            // A list would pass for the state's fields in their order.
            Ok(bytes) if bytes.trim_ascii_start().starts_with(b"[") => {
                let message =
                    "the client's state file is a list and no object; no approval is taken from it";
                let diagnostic = Diagnostic::warning(message).about(&file);
                (Approval::NeverAsked, Some(diagnostic))
            }
            Ok(bytes) => match serde_json::from_slice::<State>(&bytes) {
                Ok(state) => (approval_of(state.projects.get(key.as_str())), None),
                Err(error) => {
                    let mut diagnostic = Diagnostic::warning(format!(
                        "the client's state file is not JSON ({error}); no approval is taken from it"
                    ))
                    .about(&file);
                    diagnostic.line = u32::try_from(error.line()).ok();
                    diagnostic.column = u32::try_from(error.column()).ok();
                    (Approval::NeverAsked, Some(diagnostic))
                }
            },
            Err(error) if error.is_absent() => (Approval::NeverAsked, None),
            Err(error) => {
                let message =
                    format!("the client's state file {error}; no approval is taken from it");
                (
                    Approval::NeverAsked,
                    Some(Diagnostic::warning(message).about(&file)),
                )
            }
        };
        (
            Self {
                approval,
                key,
                file,
            },
            diagnostic,
        )
    }
}

fn approval_of(project: Option<&serde_json::Value>) -> Approval {
    let flag = |name: &str| {
        project
            .and_then(|project| project.get(name))
            .and_then(serde_json::Value::as_bool)
            .unwrap_or(false)
    };
    if flag("hasClaudeMdExternalIncludesApproved") {
        Approval::Approved
    } else if flag("hasClaudeMdExternalIncludesWarningShown") {
        Approval::Declined
    } else {
        Approval::NeverAsked
    }
}
