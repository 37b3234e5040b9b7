//! What enters when a file is read (facts 5.10–5.24).

use std::sync::Arc;

use super::agents;
use super::pass::{Candidate, Pass};
use super::world::{ConditionalRule, FolderRules, World};
use crate::client::Repeats;
use crate::host::{HostError, Kind};
use crate::path::AbsPath;
use crate::record::{Cause, Delivery, Scope, Trigger};

/// How a file comes to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Read {
    /// By the `Read` tool.
    Tool,
    /// By writing or editing it, whether or not it exists.
    Write,
    /// By a Bash command.
    Bash,
    /// By an `@` in the prompt.
    Mention,
}

pub(super) fn deliver(
    world: &mut World<'_>,
    trigger: Trigger,
    targets: &[AbsPath],
    read: Read,
) -> Delivery {
    let mut layers = Vec::new();
    let mut by_hook = Vec::new();
    let mut skipped = Vec::new();
    for target in targets {
        if !world.loads_for(target, read) {
            continue;
        }
        let mut pass = Pass::new(world, true);
        pass.target(target);
        layers.append(&mut pass.layers);
        skipped.append(&mut pass.skipped);
        if matches!(read, Read::Tool | Read::Mention) && world.is_file(target) {
            by_hook.extend(agents::on_read(world, target, &layers, &mut skipped));
        }
    }
    Delivery {
        trigger,
        layers,
        by_hook,
        skipped,
    }
}

/// The name of the file whose read a visit stands for. No file has it.
const ANY: &str = "\u{1}";

/// What reads of files in a directory bring of the directory itself, whatever their names: rules
/// whose patterns decide are left waiting.
pub(super) fn visit(world: &mut World<'_>, directory: &AbsPath) -> Delivery {
    let target = directory.child(ANY);
    let mut pass = Pass::new(world, true);
    pass.visits = true;
    pass.nested(directory, &target);
    let (layers, mut skipped) = (pass.layers, pass.skipped);
    for layer in &layers {
        world.by_reads.insert(layer.path.clone());
    }
    let by_hook = agents::on_read(world, &target, &layers, &mut skipped);
    Delivery {
        trigger: Trigger::Read { path: target },
        layers,
        by_hook,
        skipped,
    }
}

impl World<'_> {
    /// Makes files known, so that no later read delivers them.
    pub(super) fn mark_known(&mut self, paths: &[AbsPath]) {
        for path in paths {
            self.by_reads.insert(path.clone());
        }
    }

    /// Whether reading `target` may load anything.
    fn loads_for(&self, target: &AbsPath, read: Read) -> bool {
        let behaviour = &self.behaviour;
        let lets_nested_through =
            self.switches.disable_variable_only && !behaviour.disable_stops_lazy;
        let off = self.switches.instructions_off.is_some() && !lets_nested_through;
        // Both the name and the real file must lie inside the working directory (facts 5.13,
        // 5.23) or one that was added (case add-dir-read).
        let added = self.origin.add_dirs.iter().filter_map(|dir| {
            let real = self.host.canonicalize(dir).ok()?;
            target.is_within(&real).then_some(real)
        });
        let outer = match target.is_within(&self.cwd) {
            true => Some(self.cwd.clone()),
            false => added.into_iter().next(),
        };
        let Some(outer) = outer else { return false };
        if !behaviour.lazy || off {
            return false;
        }
        let exists = match self.host.metadata(target) {
            Ok(meta) if meta.kind == Kind::File => true,
            // A read of a directory fails as one of a missing file does (case read-directory).
            Ok(meta) => {
                meta.kind == Kind::Directory && read == Read::Tool && behaviour.reads_of_missing
            }
            Err(HostError::NotFound) => match read {
                Read::Tool => behaviour.reads_of_missing,
                Read::Write => true,
                Read::Mention => behaviour.reads_of_missing,
                Read::Bash => false,
            },
            // Nor does the read of a loop of links load (case read-loop).
            Err(_) => false,
        };
        let mut above = target.ancestors();
        let real = above.find_map(|path| self.host.canonicalize(&path).ok());
        exists && real.is_some_and(|real| real.is_within(&outer))
    }
}

impl Pass<'_, '_> {
    fn target(&mut self, target: &AbsPath) {
        // What was read by itself is known from then on (case lazy-parent-of-read-claude).
        let identity = self.world.identity(target);
        self.read_before = !self.world.targets.insert(identity);
        self.world.by_reads.insert(target.clone());
        let sources = self.world.origin.sources;
        self.waiting_rules(Scope::Managed, target);
        if sources.user {
            self.waiting_rules(Scope::User, target);
        }
        if !self.takes_back(0) {
            self.directories(target);
        }
        for layer in &self.layers {
            self.world.by_reads.insert(layer.path.clone());
        }
    }

    /// Nested directories, then the rules of the walk, each directory by itself.
    fn directories(&mut self, target: &AbsPath) {
        for directory in self.directories_below_cwd(target) {
            let outer = self.layers.len();
            self.nested(&directory, target);
            if self.takes_back(outer) {
                return;
            }
        }
        let follows_sources = self.world.behaviour.lazy_rules_follow_sources;
        if self.world.origin.sources.project || !follows_sources {
            self.rules_of_walk(target);
        }
    }

    /// In old clients a pattern that is no regular expression ends the loading for a read. What
    /// was found in the same directory is lost, what came before stays (versions.md 52, cases
    /// paths-invalid-regexp-*).
    fn takes_back(&mut self, kept: usize) -> bool {
        if self.broken_pattern {
            for lost in self.layers.drain(kept..) {
                self.delivered.remove(&lost.identity);
            }
        }
        self.broken_pattern
    }

    /// Directories below the working directory down to the target's, outermost first.
    pub(super) fn directories_below_cwd(&self, target: &AbsPath) -> Vec<AbsPath> {
        let cwd = &self.world.cwd;
        let mut directories: Vec<AbsPath> = target
            .ancestors()
            .skip(1)
            .take_while(|directory| directory != cwd && directory.is_within(cwd))
            .collect();
        directories.reverse();
        directories
    }

    /// A directory's files, its local file before its rules (fact 5.14).
    fn nested(&mut self, directory: &AbsPath, target: &AbsPath) {
        let sources = self.world.origin.sources;
        let dot_claude = directory.child(".claude");
        let cause = Cause::Nested {
            read: target.clone(),
        };
        if sources.project {
            for file in [directory.child("CLAUDE.md"), dot_claude.child("CLAUDE.md")] {
                self.nested_file(file, Scope::Project, &cause, target);
            }
        }
        if sources.local {
            let file = directory.child("CLAUDE.local.md");
            self.nested_file(file, Scope::Local, &cause, target);
        }
        if !sources.project && self.world.behaviour.lazy_rules_follow_sources {
            return;
        }
        for file in self.rule_files(&dot_claude.child("rules"), Scope::Project) {
            let rule = self.rule(&file, Scope::Project, directory, cause.clone());
            if let Some(candidate) = rule {
                self.root(&candidate);
            }
        }
        for rule in std::mem::take(&mut self.waiting) {
            if !self.visits {
                self.conditional(&rule, target, false);
            }
        }
    }

    fn nested_file(&mut self, file: AbsPath, scope: Scope, cause: &Cause, target: &AbsPath) {
        if self.world.behaviour.repeats == Repeats::EachRead
            && target.parent().map(|folder| folder.child("CLAUDE.md")) == Some(file.clone())
        {
            self.forget(&file);
        }
        self.root(&Candidate::new(file, scope, cause.clone()));
    }

    /// Conditional rules of the managed or the user's folder.
    fn waiting_rules(&mut self, scope: Scope, target: &AbsPath) {
        let folder = match scope {
            Scope::Managed => self.world.origin.managed.child(".claude"),
            _ => self.world.origin.config(),
        };
        let base = self.world.cwd.clone();
        self.conditional_rules(&folder.child("rules"), scope, &base, target);
    }

    /// Conditional rules of the ancestors and of the working directory, top down.
    fn rules_of_walk(&mut self, target: &AbsPath) {
        let steps = self.walk();
        for step in steps {
            if step.shadowed && self.world.behaviour.nested_worktree_skips_rules {
                continue;
            }
            let rules = step.directory.child(".claude").child("rules");
            let outer = self.layers.len();
            self.conditional_rules(&rules, Scope::Project, &step.directory, target);
            if self.takes_back(outer) {
                return;
            }
        }
    }

    /// Matching rules of a folder. All of its files and what they import count as considered for
    /// the rest of this read, whether or not they match (cases read-considers-once-*).
    fn conditional_rules(
        &mut self,
        folder: &AbsPath,
        scope: Scope,
        base: &AbsPath,
        target: &AbsPath,
    ) {
        let folder = self.folder_rules(folder, scope, base);
        for rule in &folder.conditional {
            let identity = self.world.identity(&rule.path);
            if !self.has_met(&identity) {
                self.conditional(rule, target, true);
            }
        }
        self.meet(&folder.met);
    }

    /// The rules of a folder outside the nested directories; skips were recorded when the session
    /// started.
    fn folder_rules(&mut self, folder: &AbsPath, scope: Scope, base: &AbsPath) -> Arc<FolderRules> {
        if let Some(known) = self.world.folder_rules.get(folder) {
            return Arc::clone(known);
        }
        let mut pass = Pass::new(self.world, true);
        pass.only_waiting = true;
        let cause = Cause::Startup { directory: None };
        for file in pass.rule_files(folder, scope) {
            if let Some(candidate) = pass.rule(&file, scope, base, cause.clone()) {
                pass.root(&candidate);
            }
        }
        let found = Arc::new(FolderRules {
            met: pass.met().cloned().collect(),
            conditional: pass.waiting,
        });
        let known = &mut self.world.folder_rules;
        known.insert(folder.clone(), Arc::clone(&found));
        found
    }

    /// Delivers a conditional rule if the target matches. Its imports came when the rule was
    /// first met (fact 3.22).
    fn conditional(&mut self, rule: &ConditionalRule, target: &AbsPath, outer: bool) {
        let Some(relative) = target.below(&rule.base) else {
            return;
        };
        if rule.patterns.has_invalid() && self.world.behaviour.invalid_pattern_breaks {
            self.broken_pattern = true;
        }
        if !rule.patterns.is_match(relative) {
            return;
        }
        let identity = self.world.identity(&rule.path);
        if self.delivered.contains_key(&identity) {
            return;
        }
        if outer && self.world.behaviour.repeats == Repeats::EachRead {
            self.forget(&rule.path);
        }
        let pattern = rule.pattern_for(relative);
        let cause = Cause::PathRule {
            pattern,
            read: target.clone(),
        };
        let mut candidate = Candidate::new(rule.path.clone(), rule.scope, cause);
        candidate.links = rule.links.clone();
        self.matched_rule(&candidate, &rule.document, &identity);
    }

    /// Makes a file new again, where an old client repeats it for each new file read.
    fn forget(&mut self, path: &AbsPath) {
        if self.read_before {
            return;
        }
        self.world.by_reads.remove(path);
    }
}
