//! Skills that a read announces: those of directories below the working directory, and those
//! whose `paths` match (facts C1.13, C1.14, 53).

use serde::Serialize;

use super::listing::{Lister, Waiting};
use super::order::Order;
use super::sources::{Folder, From, skills_of};
use super::{Catalog, Entry, Note, budget, own};
use crate::document::RulePaths;
use crate::glob::RulePatterns;
use crate::ignored::is_ignored_in;
use crate::path::AbsPath;
use crate::record::Scope;
use crate::session::Session;

/// What one delivery after the start announces.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Announced {
    /// The index of the delivery in the session.
    pub delivery: usize,
    /// In the order of the list.
    pub entries: Vec<Entry>,
    /// The list may come with the request after the next (fact 53).
    pub may_be_late: bool,
}

impl Session<'_> {
    /// What the deliveries after the start announce, those that announce nothing left out.
    #[must_use]
    pub fn announced(&self) -> Vec<Announced> {
        if self.touched().iter().all(Vec::is_empty) {
            return Vec::new();
        }
        let mut lister = Lister::new(self.world(), Order::new());
        lister.start();
        let mut waiting: Vec<(Waiting, RulePatterns)> = std::mem::take(&mut lister.waiting)
            .into_iter()
            .filter_map(|waiting| compiled(&waiting).map(|patterns| (waiting, patterns)))
            .collect();
        let mut known = Vec::new();
        let mut announced = Vec::new();
        for (delivery, files) in self.touched().iter().enumerate() {
            let before = lister.catalog.entries.len();
            let mut nested = false;
            for file in files {
                nested |= lister.nested(file, &mut known);
                lister.matching(file, &mut waiting);
            }
            lister.displays(before);
            let mut list = Catalog {
                entries: lister.catalog.entries.split_off(before),
                ..Catalog::default()
            };
            let order = &lister.order;
            list.entries
                .sort_by(|a, b| order.compare(a.plain(), b.plain()));
            // Each list has the room of the first (fact 53).
            budget::fit(self, &mut list);
            if !list.entries.is_empty() {
                announced.push(Announced {
                    delivery,
                    entries: list.entries,
                    may_be_late: nested,
                });
            }
        }
        announced
    }
}

fn compiled(waiting: &Waiting) -> Option<RulePatterns> {
    match &waiting.said.paths {
        RulePaths::Matching(patterns) => Some(RulePatterns::new(patterns)),
        RulePaths::Always => None,
    }
}

impl Lister<'_, '_> {
    /// The skills of the directories between the working directory and a file, each directory
    /// once. Whether there are any.
    fn nested(&mut self, file: &AbsPath, known: &mut Vec<AbsPath>) -> bool {
        let world = self.world;
        if !world.origin.sources.project {
            return false;
        }
        let cwd = &world.cwd;
        let below = file.ancestors().skip(1);
        let below = below.take_while(|dir| dir != cwd && dir.is_within(cwd));
        let mut any = false;
        for directory in below {
            if known.contains(&directory) {
                continue;
            }
            known.push(directory.clone());
            let git = world.git.as_ref();
            if git.is_some_and(|git| is_ignored_in(world.host, &git.root, &directory)) {
                continue;
            }
            let folder = Folder {
                path: directory.child(".claude"),
                scope: Scope::Project,
                from: From::Nested(directory.relative_to(cwd)),
            };
            for found in skills_of(world.host, &folder, &self.order) {
                any = true;
                if let Some((found, said)) = self.read(found) {
                    // One that is taken even under its directory's name is announced already.
                    let _ = self.add(&found, said, Some(Note::Place));
                }
            }
        }
        any
    }

    /// Skills whose patterns match a file, seen from the working directory wherever they lie. Of
    /// several that wait under one name the last comes (fact 53).
    fn matching(&mut self, file: &AbsPath, waiting: &mut Vec<(Waiting, RulePatterns)>) {
        let Some(relative) = file.below(&self.world.cwd) else {
            return;
        };
        let matches = |(_, patterns): &mut (Waiting, RulePatterns)| patterns.is_match(relative);
        let matching: Vec<_> = waiting.extract_if(.., matches).collect();
        for (Waiting { found, said }, _) in matching.into_iter().rev() {
            let notes = self.world.behaviour.catalog_unique;
            let is_added = notes && matches!(found.from, From::Added(_));
            if !is_added && self.is_kept(&found.name) {
                continue;
            }
            let note = matches!(found.from, From::Added(_)).then_some(Note::Place);
            let _ = self.add(&found, said, note.filter(|_| notes));
        }
    }

    /// Whether the client, or what is not for the model, has the name (fact 53).
    fn is_kept(&self, name: &str) -> bool {
        let mut listed = self.catalog.own.iter();
        listed.any(|own| own.name == name)
            || own::is_taken(name, &self.world.behaviour)
            || self.hidden.contains(name)
    }
}
