//! The skills that a definition names: their bodies stand behind the task (facts C1.30, 85).

use serde::Serialize;

use crate::catalog::agents::Agent;
use crate::catalog::{Catalog, Entry, EntryKind};
use crate::document::keys_and_body;
use crate::limits;
use crate::path::AbsPath;
use crate::session::{Session, World};

/// A skill that is preloaded.
pub(super) struct Preload {
    /// The name as written, which stands in its head.
    pub(super) name: String,
    /// Its file; `None` for one of the client's own.
    pub(super) path: Option<AbsPath>,
    /// Its body with its base directory.
    pub(super) body: Option<String>,
}

/// A name that is passed over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SkippedSkill {
    /// The name.
    pub name: String,
    /// Why.
    pub why: &'static str,
    /// There is such a skill, though not in the list at the start.
    #[serde(skip)]
    pub is_there: bool,
}

/// The skills of an agent in order, and the names that are none.
pub(super) fn of(session: &Session<'_>, agent: &Agent) -> (Vec<Preload>, Vec<SkippedSkill>) {
    let (mut preloads, mut skipped): (Vec<Preload>, Vec<SkippedSkill>) = Default::default();
    if agent.settings.skills.is_empty() {
        return (preloads, skipped);
    }
    let (world, catalog) = (session.world(), session.catalog());
    for name in &agent.settings.skills {
        let is_repeated = preloads.iter().any(|preload| preload.name == *name);
        if is_repeated && world.behaviour.agents.skills_once {
            continue;
        }
        if let Some(entry) = find(world, &catalog, name) {
            preloads.push(Preload {
                name: name.clone(),
                body: body(session, entry),
                path: Some(entry.path.clone()),
            });
        } else if catalog.own.iter().any(|own| own.name == *name) {
            preloads.push(Preload {
                name: name.clone(),
                path: None,
                body: None,
            });
        } else {
            skipped.push(skip(&catalog, name));
        }
    }
    (preloads, skipped)
}

/// The skills of an agent that are passed over, without what the others say.
pub(crate) fn skipped(world: &World<'_>, catalog: &Catalog, agent: &Agent) -> Vec<SkippedSkill> {
    let names = agent.settings.skills.iter();
    let is_own = |name: &str| catalog.own.iter().any(|own| own.name == name);
    let none = names.filter(|name| find(world, catalog, name).is_none() && !is_own(name));
    none.map(|name| skip(catalog, name)).collect()
}

fn skip(catalog: &Catalog, name: &str) -> SkippedSkill {
    let mut absent = catalog.absent.iter();
    let is_there = absent.any(|absent| absent.name == name);
    let why = match is_there {
        true => "the skill is not listed at the start",
        false => "there is no such skill",
    };
    SkippedSkill {
        name: name.to_owned(),
        why,
        is_there,
    }
}

/// By its name, else by the name of its front matter, else as one of a plugin.
fn find<'c>(world: &World<'_>, catalog: &'c Catalog, name: &str) -> Option<&'c Entry> {
    let entries = || catalog.entries.iter();
    let of_plugin = |entry: &&Entry| {
        let last = entry.name.rsplit_once(':').map(|(_, last)| last);
        last == Some(name)
    };
    let exact = entries().find(|entry| entry.name == name);
    let skills = || entries().filter(|entry| entry.kind == EntryKind::Skill);
    exact
        .or_else(|| skills().find(|entry| own_name(world, entry).as_deref() == Some(name)))
        .or_else(|| entries().find(of_plugin))
}

fn own_name(world: &World<'_>, entry: &Entry) -> Option<String> {
    if entry.display.is_some() {
        return entry.display.clone();
    }
    let bytes = world.host.read(&entry.path, limits::FILE_BYTES).ok()?;
    let source = String::from_utf8_lossy(&bytes);
    let (keys, _) = keys_and_body(&source, &world.behaviour);
    keys.get("name")?.as_str().map(str::to_owned)
}

/// What a call without arguments delivers; that of a skill behind its base directory. Commands in
/// it stand as they are written, since nothing is run.
fn body(session: &Session<'_>, entry: &Entry) -> Option<String> {
    let body = session.body_of(entry.kind, &entry.path, "", None)?;
    let text = body.text(|command| format!("!`{command}`"));
    Some(match body.base_directory {
        Some(folder) => format!("Base directory for this skill: {folder}\n\n{text}"),
        None => text,
    })
}
