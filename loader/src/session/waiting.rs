//! What may still enter: conditional rules, and files of directories below.

use std::sync::Arc;

use ignore::gitignore::Gitignore;
use rustc_hash::FxHashSet;

use super::Session;
use super::world::{ConditionalRule, World};
use crate::document::Document;
use crate::host::{Entry, Kind};
use crate::ignored::{ignore_file, is_ignored};
use crate::limits;
use crate::path::AbsPath;
use crate::record::Scope;

/// Why something waits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WaitingKind {
    /// A rule with `paths`.
    Rule {
        /// Its patterns, as the client reads them.
        patterns: Vec<String>,
        /// The directory from which they are matched.
        base: AbsPath,
    },
    /// A file of a directory below the working directory.
    Nested,
}

/// A file that enters when another is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waiting {
    /// The file.
    pub path: AbsPath,
    /// Its scope.
    pub scope: Scope,
    /// What it waits for.
    pub kind: WaitingKind,
}

/// Everything that waits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WaitingList {
    /// Conditional rules first, then nested files in path order.
    pub files: Vec<Waiting>,
    /// Directories that `.gitignore` files exclude: not searched, though a read there would
    /// load their files as well (fact 5.10).
    pub ignored: Vec<AbsPath>,
    /// Whether the search stopped at [`limits::SEARCH_ENTRIES`] or [`limits::SEARCH_DEPTH`].
    pub truncated: bool,
}

impl Session<'_> {
    /// What waits for a read now. Searches the directories below the working directory, which
    /// nothing else does.
    #[must_use]
    pub fn waiting(&self) -> WaitingList {
        let world = &self.world;
        let mut list = WaitingList::default();
        if !world.behaviour.lazy || world.switches.instructions_off.is_some() {
            return list;
        }
        let deliveries = self.deliveries.iter();
        let layers =
            deliveries.flat_map(|delivery| delivery.layers.iter().chain(&delivery.by_hook));
        let known: FxHashSet<&AbsPath> = layers.map(|layer| &layer.path).collect();
        let delivered = |path: &AbsPath| known.contains(path);
        for rule in &world.conditional {
            if !delivered(&rule.path) {
                list.files.push(waiting_rule(rule));
            }
        }
        let mut search = Search {
            world,
            list: &mut list,
            looked_at: 0,
            depth: 0,
        };
        search.below(&world.cwd, &[], true);
        list.files.retain(|file| !delivered(&file.path));
        list
    }

    /// What one file waits for, told from its place alone: nothing is searched.
    pub(super) fn waits(&self, path: &AbsPath) -> Option<Waiting> {
        let world = &self.world;
        if !world.behaviour.lazy || world.switches.instructions_off.is_some() {
            return None;
        }
        let mut rules = world.conditional.iter();
        if let Some(rule) = rules.find(|rule| rule.path == *path) {
            return Some(waiting_rule(rule));
        }
        let scope = self.nested_scope(path)?;
        may_load_nested(world, path, scope).then(|| Waiting {
            path: path.clone(),
            scope,
            kind: WaitingKind::Nested,
        })
    }

    /// Why a file that would wait for a read does not.
    pub(super) fn kept_from_reads(&self, path: &AbsPath) -> Option<String> {
        let scope = self.nested_scope(path)?;
        kept_out(&self.world, path, scope)
    }

    /// The scope of a file that is there and belongs to a directory below the working directory.
    fn nested_scope(&self, path: &AbsPath) -> Option<Scope> {
        let world = &self.world;
        let (directory, scope) = nested_place(path)?;
        let is_below = directory != world.cwd && directory.is_within(&world.cwd);
        (is_below && world.is_file(path)).then_some(scope)
    }

    /// A file as the client reads it, such as one that waits; `None` if it cannot be read. Its
    /// text is that which a read would deliver.
    #[must_use]
    pub fn document(&mut self, path: &AbsPath) -> Option<Arc<Document>> {
        self.world.document(path).ok()
    }
}

fn waiting_rule(rule: &ConditionalRule) -> Waiting {
    Waiting {
        path: rule.path.clone(),
        scope: rule.scope,
        kind: WaitingKind::Rule {
            patterns: rule.texts.clone(),
            base: rule.base.clone(),
        },
    }
}

/// Whether neither the setting sources nor an exclude keep a nested file out.
fn may_load_nested(world: &World<'_>, path: &AbsPath, scope: Scope) -> bool {
    kept_out(world, path, scope).is_none()
}

/// What keeps a nested file out: the setting sources, or an exclude.
fn kept_out(world: &World<'_>, path: &AbsPath, scope: Scope) -> Option<String> {
    let sources = world.origin.sources;
    let (selected, source) = match scope {
        Scope::Local => (sources.local, "local"),
        _ => (sources.project, "project"),
    };
    if !selected {
        return Some(format!("--setting-sources does not name `{source}`"));
    }
    let set = world.excluded_by(scope, &[path.as_str()])?;
    let (pattern, place) = (set.value, set.place);
    Some(format!(
        "claudeMdExcludes names it with `{pattern}` in {place}"
    ))
}

/// The directory that a nested file belongs to, and its scope; `None` for any other file.
pub(super) fn nested_place(path: &AbsPath) -> Option<(AbsPath, Scope)> {
    let folder = path.parent()?;
    match path.file_name() {
        "CLAUDE.local.md" => return Some((folder, Scope::Local)),
        "CLAUDE.md" if folder.file_name() == ".claude" => {
            return Some((folder.parent()?, Scope::Project));
        }
        "CLAUDE.md" => return Some((folder, Scope::Project)),
        _ => {}
    }
    let dot_claude = rules_holder(path).filter(|_| path.as_str().ends_with(".md"))?;
    Some((dot_claude.parent()?, Scope::Project))
}

/// The `.claude` folder in whose `rules` a file lies.
pub(crate) fn rules_holder(path: &AbsPath) -> Option<AbsPath> {
    let holder = |dir: AbsPath| {
        let above = dir.parent()?;
        (dir.file_name() == "rules" && above.file_name() == ".claude").then_some(above)
    };
    path.parent()?.ancestors().find_map(holder)
}

struct Search<'a, 'h> {
    world: &'a World<'h>,
    list: &'a mut WaitingList,
    looked_at: usize,
    /// Directories between the working directory and the one that is searched.
    depth: usize,
}

impl Search<'_, '_> {
    fn below(&mut self, directory: &AbsPath, outer: &[&Gitignore], is_cwd: bool) {
        if self.depth > limits::SEARCH_DEPTH {
            self.list.truncated = true;
            return;
        }
        self.depth += 1;
        self.entries_of(directory, outer, is_cwd);
        self.depth -= 1;
    }

    fn entries_of(&mut self, directory: &AbsPath, outer: &[&Gitignore], is_cwd: bool) {
        let Ok(mut entries) = self.world.host.read_dir(directory) else {
            return;
        };
        self.looked_at += entries.len();
        if self.looked_at > limits::SEARCH_ENTRIES {
            self.list.truncated = true;
            return;
        }
        entries.sort_unstable_by(|a, b| a.name.cmp(&b.name));
        let has_file = entries.iter().any(|entry| entry.name == ".gitignore");
        let own = has_file
            .then(|| ignore_file(self.world.host, directory))
            .flatten();
        let mut ignores: Vec<&Gitignore> = outer.to_vec();
        ignores.extend(own.as_ref());
        for entry in &entries {
            if !entry.utf8 {
                continue;
            }
            match (entry.kind, entry.name.as_str()) {
                (Some(Kind::Directory), ".git") => {}
                (Some(Kind::Directory), ".claude") => {
                    self.dot_claude(&directory.child(".claude"), is_cwd, &ignores);
                }
                (Some(Kind::Directory), name) => {
                    let path = directory.child(name);
                    if is_ignored(&ignores, &path) {
                        self.list.ignored.push(path);
                    } else {
                        self.below(&path, &ignores, false);
                    }
                }
                (_, "CLAUDE.md") if !is_cwd => {
                    self.file(directory.child("CLAUDE.md"), Scope::Project);
                }
                (_, "CLAUDE.local.md") if !is_cwd => {
                    self.file(directory.child("CLAUDE.local.md"), Scope::Local);
                }
                // A hook brings it where the directory has no file of the other names.
                (_, "AGENTS.md") if !is_cwd && self.world.agents_on_read => {
                    let claude = |entry: &Entry| {
                        matches!(entry.name.as_str(), "CLAUDE.md" | "CLAUDE.local.md")
                    };
                    if !entries.iter().any(claude) {
                        self.file(directory.child("AGENTS.md"), Scope::Project);
                    }
                }
                _ => {}
            }
        }
    }

    /// A `.claude` folder: its own files, and below it worktrees and the like.
    fn dot_claude(&mut self, folder: &AbsPath, of_cwd: bool, ignores: &[&Gitignore]) {
        let Ok(entries) = self.world.host.read_dir(folder) else {
            return;
        };
        self.looked_at += entries.len();
        for entry in entries.iter().filter(|entry| entry.utf8) {
            let path = folder.child(&entry.name);
            match (entry.kind, entry.name.as_str()) {
                (_, "CLAUDE.md") if !of_cwd => self.file(path, Scope::Project),
                (_, "CLAUDE.local.md") => self.file(path, Scope::Local),
                (Some(Kind::Directory), ".claude") => self.dot_claude(&path, false, ignores),
                (_, "rules") if of_cwd => {}
                (Some(Kind::Directory), "rules") => self.rules(&path),
                (Some(Kind::Directory), _) => self.below(&path, ignores, false),
                _ => {}
            }
        }
    }

    fn rules(&mut self, folder: &AbsPath) {
        let order = self.world.behaviour.rule_order;
        // The search follows no links, so the folder's path is its real one.
        for file in crate::rules::list_real(self.world.host, folder, folder, order).files {
            self.looked_at += 1;
            self.file(file.real, Scope::Project);
        }
    }

    fn file(&mut self, path: AbsPath, scope: Scope) {
        if may_load_nested(self.world, &path, scope) {
            self.list.files.push(Waiting {
                path,
                scope,
                kind: WaitingKind::Nested,
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::MemoryHost;
    use crate::origin::Origin;

    /// A read below `.claude` loads what a `.claude` in it holds, and its local file.
    #[test]
    fn a_claude_folder_is_a_directory_too() {
        let abs = |text: &str| AbsPath::new(text).unwrap();
        let mut host = MemoryHost::new();
        let files = [
            "/p/.claude/.claude/rules/r.md",
            "/p/.claude/CLAUDE.local.md",
        ];
        for file in files {
            host.file(&abs(file), *b"T");
        }
        let mut session = Session::start(&host, Origin::new(abs("/p"), abs("/h")));
        let waiting = session.waiting().files;
        let mut found: Vec<_> = waiting.iter().map(|file| file.path.as_str()).collect();
        found.sort_unstable();
        assert_eq!(found, files);
        assert_eq!(session.read(&abs("/p/.claude/x")).layers.len(), 2);
    }
}
