//! From files to the listing at the start: what is not for the model, names that are taken, the
//! client's own entries, the budget.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};

use super::entry::{Capped, Said};
use super::names::{is_displayable, is_listable};
use super::order::Order;
use super::sources::{self, Found, From};
use super::{Absence, Absent, Bare, Catalog, Entry, EntryKind, Note, budget, own};
use crate::document::RulePaths;
use crate::limits;
use crate::path::AbsPath;
use crate::plugins;
use crate::session::{Session, World};
use crate::settings::{Node, Set};

/// The longest text of an entry, in UTF-16 units (fact C1.20).
const TEXT: usize = 1536;

impl Session<'_> {
    /// The skills and commands that the start of the session lists.
    #[must_use]
    pub fn catalog(&self) -> Catalog {
        let mut lister = Lister::new(self.world(), Order::new());
        lister.start();
        budget::fit(self, &mut lister.catalog);
        lister.catalog
    }
}

/// A skill with `paths` that may come later.
pub(super) struct Waiting {
    pub(super) found: Found,
    pub(super) said: Said,
}

pub(super) struct Lister<'s, 'h> {
    pub(super) world: &'s World<'h>,
    pub(super) order: Order,
    overrides: BTreeMap<&'s str, Set<&'s Node>>,
    /// The longest text, in UTF-16 units.
    cap: usize,
    pub(super) catalog: Catalog,
    pub(super) waiting: Vec<Waiting>,
    /// What a read announces has names of its own in every client.
    started: bool,
    /// Names that are taken, and by which file.
    names: FxHashMap<String, AbsPath>,
    /// Second names that are taken.
    displays: FxHashSet<String>,
    /// Names of what is not for the model.
    pub(super) hidden: FxHashSet<String>,
    /// Real folders of skills, and the file that had them first.
    folders: FxHashMap<AbsPath, AbsPath>,
}

impl<'s, 'h> Lister<'s, 'h> {
    pub(super) fn new(world: &'s World<'h>, order: Order) -> Self {
        let settings = &world.settings;
        let cap = settings.strongest_as("skillListingMaxDescChars", Node::number);
        Self {
            world,
            order,
            overrides: settings.each("skillOverrides"),
            cap: cap.map_or(TEXT, |set| set.value),
            catalog: Catalog::default(),
            waiting: Vec::new(),
            started: false,
            names: FxHashMap::default(),
            displays: FxHashSet::default(),
            hidden: FxHashSet::default(),
            folders: FxHashMap::default(),
        }
    }

    pub(super) fn start(&mut self) {
        let (plugins, refused) = plugins::all(self.world);
        self.catalog.refused_plugins = refused;
        for found in sources::all(self.world, &self.order, &plugins) {
            if let Some((found, said)) = self.read(found)
                && let Err(of) = self.add(&found, said, None)
            {
                self.leave_out(found, Absence::Duplicate { of });
            }
        }
        // Those under their directory's name stand before the first that has the name of a command
        // of the client's own, be it an entry of its own (fact 50).
        let entries = std::mem::take(&mut self.catalog.entries).into_iter();
        let (mut scoped, mut entries): (Vec<_>, Vec<_>) =
            entries.partition(|entry| entry.note == Some(Note::Scope));
        let first = entries
            .iter()
            .position(|entry| own::is_command(&entry.name));
        for entry in &mut scoped {
            entry.behind_own = first.is_none();
        }
        let at = first.unwrap_or(entries.len());
        entries.splice(at..at, scoped);
        self.catalog.entries = entries;
        self.own();
        self.displays(0);
        self.started = true;
    }

    /// What a file says, unless that keeps it out of the listing.
    pub(super) fn read(&mut self, found: Found) -> Option<(Found, Said)> {
        let world = self.world;
        let behaviour = &world.behaviour;
        if behaviour.catalog_names && !is_listable(&found.name, behaviour.catalog_escapes) {
            self.leave_out(found, Absence::BadName);
            return None;
        }
        let source = match world.host.read(&found.path, limits::FILE_BYTES) {
            Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
            Err(error) => {
                let error = error.to_string();
                self.leave_out(found, Absence::Unreadable { error });
                return None;
            }
        };
        if let Some(of) = self.linked_before(&found) {
            self.leave_out(found, Absence::Duplicate { of });
            return None;
        }
        let said = Said::of(&source, found.kind, behaviour);
        if !said.for_the_model {
            self.hidden.insert(found.name.clone());
            self.leave_out(found, Absence::NotForTheModel);
            return None;
        }
        if !said.described && matches!(found.from, From::Plugin(_)) {
            self.leave_out(found, Absence::NotDescribed);
            return None;
        }
        if let Some(set) = self.override_of(&found) {
            let (value, place) = (set.value.text().unwrap_or_default(), &set.place);
            if let "off" | "user-invocable-only" = value {
                let (value, place) = (value.to_owned(), place.to_string());
                self.hidden.insert(found.name.clone());
                self.leave_out(found, Absence::Overridden { value, place });
                return None;
            }
        }
        match (&said.paths, &found.from) {
            // `paths` of plugins and of nested skills decide nothing (facts 51, 53).
            (RulePaths::Matching(patterns), From::Start | From::Added(_)) => {
                let patterns = patterns.clone();
                self.leave_out(found.clone(), Absence::Waits { patterns });
                self.waiting.push(Waiting { found, said });
                None
            }
            _ => Some((found, said)),
        }
    }

    /// `skillOverrides` do not reach plugins (fact 51).
    fn override_of(&self, found: &Found) -> Option<&Set<&'s Node>> {
        let is_plugin = matches!(found.from, From::Plugin(_));
        let set = self.overrides.get(found.name.as_str());
        set.filter(|_| !is_plugin)
    }

    /// Adds an entry at the end of the listing; `Err` is the file that has its name.
    pub(super) fn add(
        &mut self,
        found: &Found,
        said: Said,
        note: Option<Note>,
    ) -> Result<(), AbsPath> {
        let (name, scoped) = self.name(found)?;
        let note = if scoped { Some(Note::Scope) } else { note };
        let mut bare = None;
        if let Some(set) = self.override_of(found)
            && set.value.text() == Some("name-only")
        {
            let place = set.place.to_string();
            bare = Some(Bare::NameOnly { place });
        }
        let note_units = match (note, &found.from) {
            (Some(Note::Scope), From::Added(dir) | From::Nested(dir)) => {
                own::scope_note(dir, &found.name)
            }
            (Some(Note::Place), From::Added(dir) | From::Nested(dir)) => own::place_note(dir),
            _ => 0,
        };
        let capped = Capped::new(&said.text, said.description, note_units, self.cap);
        let entry = Entry {
            kind: found.kind,
            name,
            // A name with its directory stands alone (case skills-scoped-second-name).
            display: self.display(found, said.name).filter(|_| !scoped),
            whole: crate::javascript::len(&said.text),
            text: bare.is_none().then_some(capped.text),
            dropped: None,
            described: said.described,
            bare,
            note,
            note_units: capped.note_units,
            note_at: capped.note_at,
            behind_own: false,
            scope: found.scope,
            path: found.path.clone(),
        };
        self.catalog.entries.push(entry);
        Ok(())
    }

    /// The skill whose real folder this one has, too (fact C1.15).
    fn linked_before(&mut self, found: &Found) -> Option<AbsPath> {
        let folder = found
            .path
            .parent()
            .filter(|_| found.kind == EntryKind::Skill)?;
        let real = self.world.host.canonicalize(&folder).ok()?;
        match self.folders.get(&real) {
            Some(first) => Some(first.clone()),
            None => {
                self.folders.insert(real, found.path.clone());
                None
            }
        }
    }

    /// The name under which it is listed, and whether its own was taken; `Err` is the file that
    /// has the name (facts C1.11, C1.12, 50).
    fn name(&mut self, found: &Found) -> Result<(String, bool), AbsPath> {
        let plain = found.name.clone();
        let behaviour = &self.world.behaviour;
        let scoped = match &found.from {
            From::Added(dir) if behaviour.catalog_unique => Some(dir),
            From::Nested(dir) => Some(dir),
            _ => None,
        };
        let scoped = scoped.filter(|_| found.kind == EntryKind::Skill);
        // The start lists an added skill beside a command of the client's own.
        let later = self.started || matches!(found.from, From::Nested(_));
        let taken =
            self.hidden.contains(&found.name) || later && own::is_taken(&found.name, behaviour);
        let own = scoped.is_some() && taken;
        let first = self.names.get(&plain).cloned();
        match (first, scoped) {
            (None, Some(dir)) if own => Ok((format!("{dir}:{plain}"), true)),
            (None, _) => {
                self.names.insert(plain.clone(), found.path.clone());
                Ok((plain, false))
            }
            (Some(_), Some(dir)) => {
                let name = format!("{dir}:{plain}");
                match self.names.get(&name) {
                    Some(of) => Err(of.clone()),
                    None => {
                        self.names.insert(name.clone(), found.path.clone());
                        Ok((name, true))
                    }
                }
            }
            (Some(_), None) if !behaviour.catalog_unique && !self.started => Ok((plain, false)),
            (Some(of), None) => Err(of),
        }
    }

    /// The name that the front matter gives a skill, where the listing may give it as well
    /// (fact C1.7).
    fn display(&self, found: &Found, name: Option<String>) -> Option<String> {
        let shows = self.world.behaviour.catalog_display && found.kind == EntryKind::Skill;
        let name = name.filter(|name| shows && is_displayable(name))?;
        let name = match &found.from {
            From::Plugin(plugin) => format!("{plugin}:{name}"),
            _ => name,
        };
        (name != found.name).then_some(name)
    }

    /// Takes away the second names that are somebody's name already, from an entry on.
    pub(super) fn displays(&mut self, first: usize) {
        let own = &self.catalog.own;
        for entry in self.catalog.entries.iter_mut().skip(first) {
            entry.display = entry.display.take().filter(|name| {
                let taken = self.names.contains_key(name)
                    || self.hidden.contains(name)
                    || own.iter().any(|own| own.name == name)
                    || own::is_taken(name, &self.world.behaviour);
                !taken && self.displays.insert(name.clone())
            });
        }
    }

    /// The client's own entries, less those whose name is taken and those that settings take
    /// away (facts C1.18, 49).
    fn own(&mut self) {
        let settings = &self.world.settings;
        let bundled = settings.bool("disableBundledSkills");
        let no_bundled = bundled.is_some_and(|set| set.value);
        for mut entry in own::of(self.world.origin.client.version) {
            let replaceable = entry.keeps_text || self.world.behaviour.catalog_unique;
            if replaceable && self.names.contains_key(entry.name) {
                continue;
            }
            if no_bundled && entry.name != own::PLUGIN {
                continue;
            }
            match self.overrides.get(entry.name).map(|set| set.value.text()) {
                Some(Some("off" | "user-invocable-only")) => continue,
                Some(Some("name-only")) => entry.characters = None,
                _ => entry.cap(self.cap),
            }
            self.catalog.own.push(entry);
        }
    }

    pub(super) fn leave_out(&mut self, found: Found, absence: Absence) {
        self.catalog.absent.push(Absent {
            kind: found.kind,
            name: found.name,
            scope: found.scope,
            path: found.path,
            absence,
        });
    }
}
