//! Where a number of the window comes from.

use std::fmt;

use crate::path::AbsPath;
use crate::settings::Place;
use serde::Serialize;

/// Who decided a value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "by", rename_all = "kebab-case")]
pub enum Source {
    /// The client, for every model.
    Client,
    /// The model's name.
    Model,
    /// A recorded usage that the model's usual window could not have held.
    Usage,
    /// The user of this program.
    Asked,
    /// A variable of the environment.
    Variable {
        /// Its name.
        name: &'static str,
        /// The settings that set it; else it is of the process.
        #[serde(skip_serializing_if = "Option::is_none")]
        place: Option<Place>,
    },
    /// A key of the settings.
    Setting {
        /// The key.
        name: &'static str,
        /// The file and line.
        place: Place,
    },
    /// A key of the client's state file.
    State {
        /// The key.
        name: &'static str,
        /// The state file.
        file: AbsPath,
    },
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Client => f.write_str("the client"),
            Self::Model => f.write_str("the model"),
            Self::Usage => f.write_str("the recorded usage"),
            Self::Asked => f.write_str("as asked"),
            Self::Variable { name, place: None } => write!(f, "{name}"),
            Self::Variable {
                name,
                place: Some(place),
            }
            | Self::Setting { name, place } => write!(f, "{name} in {place}"),
            Self::State { name, file } => write!(f, "{name} in {file}"),
        }
    }
}

/// A value and who decided it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Decided<T> {
    /// The value.
    pub value: T,
    /// Who decided it.
    #[serde(flatten)]
    pub source: Source,
}
