//! The permission mode (facts C2.25, C6.11; cases perm-mode-*).

use serde::Serialize;

use super::Source;
use crate::session::Session;
use crate::settings::Tier;

/// The permission mode of the main loop.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Mode {
    /// Its name.
    pub name: String,
    /// Where it was set; `None` for the default.
    pub source: Option<Source>,
    /// Modes that were set and do not count, and why.
    pub ignored: Vec<String>,
}

/// The modes whose effect was observed.
const KNOWN: [&str; 5] = [
    "default",
    "acceptEdits",
    "plan",
    "bypassPermissions",
    "dontAsk",
];

impl Mode {
    pub(super) fn of(session: &Session<'_>) -> Self {
        let settings = session.settings();
        let mut mode = Self {
            name: "default".to_owned(),
            source: None,
            ignored: Vec::new(),
        };
        let disabled = settings.files.iter().rev().find_map(|file| {
            let set = file.root.get("permissions")?;
            let set = set.property("disableBypassPermissionsMode")?;
            (set.value.text() == Some("disable")).then(|| file.place(set.line))
        });
        let flag = session.origin().flags.permission_mode.clone();
        let flag = flag.map(|name| (name, Source::Flag("--permission-mode")));
        let set = settings.files.iter().rev().filter_map(|file| {
            let set = file.root.get("permissions")?.property("defaultMode")?;
            let name = set.value.text()?.to_owned();
            Some((name, Source::Settings(file.place(set.line))))
        });
        for (name, source) in flag.into_iter().chain(set) {
            let of_project = matches!(&source, Source::Settings(place)
                if matches!(place.tier, Tier::Project | Tier::Local));
            let limited = session.client().behaviour.project_bypass_ignored;
            let why = if name != "bypassPermissions" {
                None
            } else if of_project && limited {
                Some("settings of a project cannot choose it".to_owned())
            } else {
                disabled
                    .as_ref()
                    .map(|place| format!("disableBypassPermissionsMode is set at {place}"))
            };
            match why {
                Some(why) => mode.ignored.push(format!("{name} from {source}: {why}")),
                None => {
                    mode.name = name;
                    mode.source = Some(source);
                    break;
                }
            }
        }
        mode
    }

    /// Whether its effect was observed.
    #[must_use]
    pub fn is_known(&self) -> bool {
        KNOWN.contains(&self.name.as_str())
    }

    /// The mode runs what nothing refuses.
    pub(super) fn bypasses(&self) -> bool {
        self.name == "bypassPermissions"
    }

    /// The mode lets files in the directories be edited.
    pub(super) fn accepts_edits(&self) -> bool {
        self.name == "acceptEdits"
    }
}
