//! From files to the listing: names that are taken, overrides, what is not for the model.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};

use super::entry::{Said, capped};
use super::sources::{self, Found};
use super::{Absence, Absent, Catalog, Entry, EntryKind};
use crate::document::RulePaths;
use crate::limits;
use crate::path::AbsPath;
use crate::session::{Session, World};
use crate::settings::{Node, Set};

/// The longest text of an entry, in UTF-16 units (fact C1.20).
const TEXT: usize = 1536;

impl Session<'_> {
    /// The skills and commands that the start of the session lists.
    #[must_use]
    pub fn catalog(&self) -> Catalog {
        let mut lister = Lister {
            world: self.world(),
            overrides: self.settings().each("skillOverrides"),
            cap: self
                .settings()
                .strongest_as("skillListingMaxDescChars", Node::number)
                .map_or(TEXT, |set| set.value),
            catalog: Catalog::default(),
            names: FxHashMap::default(),
            displays: FxHashSet::default(),
            folders: FxHashMap::default(),
        };
        for found in sources::all(lister.world) {
            lister.consider(found);
        }
        lister.catalog
    }
}

struct Lister<'s, 'h> {
    world: &'s World<'h>,
    overrides: BTreeMap<&'s str, Set<&'s Node>>,
    /// The longest text, in UTF-16 units.
    cap: usize,
    catalog: Catalog,
    /// Names that are taken, and by which file.
    names: FxHashMap<String, AbsPath>,
    displays: FxHashSet<String>,
    /// Real folders of skills, and the file that had them first.
    folders: FxHashMap<AbsPath, AbsPath>,
}

impl Lister<'_, '_> {
    fn consider(&mut self, found: Found) {
        let world = self.world;
        let source = match world.host.read(&found.path, limits::FILE_BYTES) {
            Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
            Err(error) => {
                let error = error.to_string();
                return self.leave_out(found, Absence::Unreadable { error });
            }
        };
        if let Some(of) = self.linked_before(&found) {
            return self.leave_out(found, Absence::Duplicate { of });
        }
        let (name, scope_note) = match self.name(&found) {
            Ok(name) => name,
            Err(of) => return self.leave_out(found, Absence::Duplicate { of }),
        };
        let said = Said::of(&source, found.kind, &world.behaviour);
        if !said.for_the_model {
            return self.leave_out(found, Absence::NotForTheModel);
        }
        if let RulePaths::Matching(patterns) = said.paths {
            return self.leave_out(found, Absence::Waits { patterns });
        }
        let mut text = Some(said.text);
        if let Some(set) = self.overrides.get(name.as_str()) {
            match set.value.text().unwrap_or_default() {
                value @ ("off" | "user-invocable-only") => {
                    let (value, place) = (value.to_owned(), set.place.to_string());
                    return self.leave_out(found, Absence::Overridden { value, place });
                }
                "name-only" => text = None,
                _ => {}
            }
        }
        let display = self.display(&found, said.name);
        let entry = Entry {
            kind: found.kind,
            name,
            display,
            text: text.map(|text| capped(text, self.cap)),
            scope_note,
            scope: found.scope,
            path: found.path,
        };
        let place = self.place(&found.name, scope_note);
        self.catalog.entries.insert(place, entry);
    }

    /// Where an entry stands: one whose plain name is taken behind that one (seen once).
    fn place(&self, plain: &str, is_second: bool) -> usize {
        let entries = &self.catalog.entries;
        let first = entries.iter().position(|entry| entry.name == plain);
        match first.filter(|_| is_second) {
            Some(first) => first + 1,
            None => entries.len(),
        }
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
    /// has the name (facts C1.11, C1.12).
    fn name(&mut self, found: &Found) -> Result<(String, bool), AbsPath> {
        let plain = found.name.clone();
        if !self.world.behaviour.catalog_unique {
            return Ok((plain, false));
        }
        let Some(first) = self.names.get(&plain) else {
            self.names.insert(plain.clone(), found.path.clone());
            return Ok((plain, false));
        };
        match &found.added {
            Some(added) if found.kind == EntryKind::Skill => {
                let name = format!("{added}:{plain}");
                self.names.insert(name.clone(), found.path.clone());
                Ok((name, true))
            }
            _ => Err(first.clone()),
        }
    }

    /// The name of the front matter, where the listing gives it as well (fact C1.7).
    fn display(&mut self, found: &Found, name: Option<String>) -> Option<String> {
        let shows = self.world.behaviour.catalog_display && found.kind == EntryKind::Skill;
        let name = name.filter(|name| shows && !name.is_empty() && *name != found.name)?;
        self.displays.insert(name.clone()).then_some(name)
    }

    fn leave_out(&mut self, found: Found, absence: Absence) {
        self.catalog.absent.push(Absent {
            kind: found.kind,
            name: found.name,
            path: found.path,
            absence,
        });
    }
}
