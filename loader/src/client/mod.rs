//! Versions of the client and how each behaves.
//!
//! A version is a row computed from one table of change points ([`CHANGES`]): the oldest
//! known behaviour with every change applied that came at or before it. Adding a version
//! means adding a row to that table and its recorded cases (invariant 8).

mod agents;
mod behaviour;
mod changes;
mod counting;
mod models;
mod resume;

use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};
use thiserror::Error;

pub use agents::AgentBehaviour;
pub use behaviour::{Behaviour, Comments, LinkedFiles, Repeats, RuleOrder, TabbedYaml};
pub use changes::{CHANGES, Change};
pub use counting::{Compacted, Counting, Numbers, WIDE_LINE};
pub use models::{Models, Tools};
pub use resume::Resume;

/// A version of the client, such as 2.1.332.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version {
    major: u16,
    minor: u16,
    patch: u16,
}

impl Version {
    /// The newest version whose behaviour was observed: the default.
    pub const NEWEST: Self = Self::new(2, 1, 332);
    /// The oldest version down to which the recorded cases were run.
    pub const OLDEST_OBSERVED: Self = Self::new(2, 1, 113);
    /// The oldest version that is modelled at all; below it `.claude/rules` did not exist.
    pub const OLDEST: Self = Self::new(2, 0, 64);

    const fn is_older_than(self, other: Self) -> bool {
        let (own, other) = (self.number(), other.number());
        own < other
    }

    const fn number(self) -> u64 {
        (self.major as u64) << 32 | (self.minor as u64) << 16 | self.patch as u64
    }

    /// The version `major.minor.patch`.
    #[must_use]
    pub const fn new(major: u16, minor: u16, patch: u16) -> Self {
        Self {
            major,
            minor,
            patch,
        }
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.major, self.minor, self.patch)
    }
}

impl Serialize for Version {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// A text that is no version.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{0}` is not a client version; expected three numbers such as 2.1.332")]
pub struct BadVersion(String);

impl FromStr for Version {
    type Err = BadVersion;

    fn from_str(text: &str) -> Result<Self, BadVersion> {
        let bad = || BadVersion(text.to_owned());
        let mut parts = text.strip_prefix('v').unwrap_or(text).split('.');
        let mut next = || {
            let part = parts.next().filter(|part| !part.starts_with('+'));
            part.and_then(|part| part.parse().ok()).ok_or_else(bad)
        };
        let version = Self::new(next()?, next()?, next()?);
        if parts.next().is_some() {
            return Err(bad());
        }
        Ok(version)
    }
}

/// How well a version's behaviour is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coverage {
    /// Between the oldest and the newest version on which the recorded cases were run.
    Observed,
    /// Older than that: only what single searches told.
    LessCovered,
    /// Newer than any version that was run: taken to behave as the newest one.
    Newer,
}

/// A client: its version, and the behaviour of that version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Client {
    /// The version that was asked for.
    pub version: Version,
    /// How well it is known.
    pub coverage: Coverage,
    /// What it does.
    pub behaviour: Behaviour,
}

/// A version too old to be modelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error(
    "client {0} is not modelled: the oldest version known is {oldest}; give a newer one with --client",
    oldest = Version::OLDEST
)]
pub struct TooOld(pub Version);

impl Client {
    /// The client of `version`.
    ///
    /// # Errors
    /// [`TooOld`] below [`Version::OLDEST`].
    pub fn of(version: Version) -> Result<Self, TooOld> {
        if version < Version::OLDEST {
            return Err(TooOld(version));
        }
        let coverage = if version > Version::NEWEST {
            Coverage::Newer
        } else if version < Version::OLDEST_OBSERVED {
            Coverage::LessCovered
        } else {
            Coverage::Observed
        };
        let mut behaviour = Behaviour::OLDEST;
        for change in CHANGES.iter().take_while(|change| change.from <= version) {
            (change.apply)(&mut behaviour);
        }
        Ok(Self {
            version,
            coverage,
            behaviour,
        })
    }

    /// The newest client whose behaviour was observed.
    #[must_use]
    pub fn newest() -> Self {
        let mut behaviour = Behaviour::OLDEST;
        for change in CHANGES {
            (change.apply)(&mut behaviour);
        }
        Self {
            version: Version::NEWEST,
            coverage: Coverage::Observed,
            behaviour,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn behaviour(text: &str) -> Behaviour {
        Client::of(text.parse().unwrap()).unwrap().behaviour
    }

    #[test]
    fn table_is_in_version_order() {
        assert!(CHANGES.is_sorted_by_key(|change| change.from));
    }

    #[test]
    fn transients_come_and_go() {
        assert!(!behaviour("2.0.77").lazy);
        assert!(behaviour("2.1.64").lazy);
        assert!(!behaviour("2.1.67").lazy);
        assert!(behaviour("2.1.69").lazy);
        assert_eq!(behaviour("2.1.112").tabbed_yaml, TabbedYaml::Broken);
        assert_eq!(behaviour("2.1.113").tabbed_yaml, TabbedYaml::Tolerated);
        assert_eq!(behaviour("2.1.181").tabbed_yaml, TabbedYaml::Broken);
        assert!(behaviour("2.1.281").agents_file && !behaviour("2.1.284").agents_switch);
        assert!(behaviour("2.1.285").agents_switch);
    }

    #[test]
    fn unknown_versions_are_bounded() {
        let newer = Client::of("2.1.900".parse().unwrap()).unwrap();
        assert_eq!(newer.behaviour, Client::newest().behaviour);
        assert_eq!(newer.coverage, Coverage::Newer);
        assert!(Client::of("2.0.63".parse().unwrap()).is_err());
        assert!("2.1".parse::<Version>().is_err());
        assert!("2.1.3.4".parse::<Version>().is_err());
        assert!("a.b.c".parse::<Version>().is_err());
    }
}
