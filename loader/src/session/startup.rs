//! The first delivery: every layer that a session starts with, in order (facts 1.1, 1.2).

use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::agents::AgentsWalk;
use super::pass::{Candidate, Pass};
use super::world::World;
use crate::client::LinkedFiles;
use crate::document::Document;
use crate::host::{HostError, Kind};
use crate::javascript;
use crate::memory;
use crate::path::AbsPath;
use crate::record::{Cause, Delivery, Diagnostic, Layer, Reason, Scope, Trigger};
use crate::rules::{self, RuleFile};

pub(super) fn deliver(world: &mut World<'_>) -> Delivery {
    let mut pass = Pass::new(world, false);
    let switches = &pass.world.switches;
    if switches.instructions_off.is_none() || switches.start_is_spared {
        pass.managed();
        pass.user();
        let walk = pass.project();
        pass.added_directories();
        // It stands last, and AGENTS.md knows it (case memory-known-agents).
        pass.memory_index();
        let agents = pass.agents_files(&walk);
        pass.world.agents_on_read = pass.world.agents_load() && walk.claude_file.is_none();
        pass.drop_repeated(&agents);
    } else {
        pass.switched_off();
        pass.memory_index();
    }
    let (layers, mut skipped) = (pass.layers, pass.skipped);
    // A file that one step of the walk passed over and another delivered is no skip.
    let paths: FxHashSet<&AbsPath> = layers.iter().map(|layer| &layer.path).collect();
    skipped.retain(|skip| skip.mention.is_some() || !paths.contains(&skip.path));
    // Reads tell files by their names, to which a relative one is another.
    for layer in layers.iter().filter(|layer| layer.heading.is_none()) {
        world.at_startup.insert(layer.path.clone());
    }
    if world.agents_on_read {
        let project = layers
            .iter()
            .filter(|layer| matches!(layer.scope, Scope::Project | Scope::Local));
        let texts = project.map(|layer| javascript::trim(&layer.text).to_owned());
        world.project_texts = texts.collect();
    }
    Delivery {
        trigger: Trigger::Startup,
        layers,
        by_hook: Vec::new(),
        skipped,
    }
}

/// A directory of the walk.
pub(super) struct Step {
    pub(super) directory: AbsPath,
    /// Its project files belong to the main checkout of a nested worktree (fact 2.4).
    pub(super) shadowed: bool,
}

impl Pass<'_, '_> {
    fn managed(&mut self) {
        let folder = self.world.origin.managed.clone();
        self.startup_file(folder.child("CLAUDE.md"), Scope::Managed, &folder);
        self.managed_text();
        let rules = folder.child(".claude").child("rules");
        let base = self.world.cwd.clone();
        self.rules(&rules, Scope::Managed, &base, &folder);
    }

    /// The managed setting `claudeMd` (fact 7.13).
    fn managed_text(&mut self) {
        let Some(set) = self.world.settings.managed_text.clone() else {
            return;
        };
        // A blank text still makes a section, an empty one does not.
        if !self.world.behaviour.managed_text || set.value.is_empty() {
            return;
        }
        let Some(path) = set.place.file else { return };
        let document = Document::verbatim(set.value.into());
        let (text, map) = self.trimmed(&document);
        self.layers.push(Layer {
            // The setting shares its file with other settings and must not pass for it.
            identity: path.child("claudeMd"),
            path,
            title: Some("<managed-settings>"),
            heading: None,
            scope: self.world.label(Scope::Managed),
            owner: Scope::Managed,
            cause: Cause::Startup { directory: None },
            text,
            source: document.source,
            map,
            notice: None,
            evidence: self.world.evidence(),
        });
    }

    fn user(&mut self) {
        let folder = self.world.origin.config();
        if self.world.origin.sources.user {
            self.startup_file(folder.child("CLAUDE.md"), Scope::User, &folder);
            let base = self.world.cwd.clone();
            self.rules(&folder.child("rules"), Scope::User, &base, &folder);
        } else {
            self.not_selected(&folder.child("CLAUDE.md"), Scope::User, "user");
        }
    }

    fn project(&mut self) -> AgentsWalk {
        let sources = self.world.origin.sources;
        let steps = self.walk();
        let mut agents = AgentsWalk::default();
        for step in &steps {
            let directory = &step.directory;
            let dot_claude = directory.child(".claude");
            let files = [directory.child("CLAUDE.md"), dot_claude.child("CLAUDE.md")];
            if step.shadowed {
                for file in files {
                    self.shadowed(&file);
                }
            } else if !sources.project {
                for file in files {
                    self.not_selected(&file, Scope::Project, "project");
                }
            } else {
                for file in files {
                    self.startup_file(file.clone(), Scope::Project, directory);
                    if self.silences_agents(&file, Scope::Project) {
                        agents.claude_file.get_or_insert(file);
                    }
                }
                self.rules(
                    &dot_claude.child("rules"),
                    Scope::Project,
                    directory,
                    directory,
                );
                agents.directories.push(directory.clone());
            }
            let local = directory.child("CLAUDE.local.md");
            if !sources.local {
                self.not_selected(&local, Scope::Local, "local");
            } else {
                self.startup_file(local.clone(), Scope::Local, directory);
            }
            if self.silences_agents(&local, Scope::Local) {
                agents.claude_file.get_or_insert(local);
            }
        }
        agents
    }

    /// The directories from the top down to the working directory, without the file system's
    /// root (fact 2.1).
    pub(super) fn walk(&self) -> Vec<Step> {
        let enclosing = self.world.git.as_ref().and_then(|git| {
            let skips = self.world.behaviour.nested_worktree_skips;
            let checkout = git.enclosing_checkout().filter(|_| skips)?;
            Some((checkout.clone(), git.root.clone()))
        });
        let shadowed = |directory: &AbsPath| {
            enclosing.as_ref().is_some_and(|(checkout, root)| {
                directory.is_within(checkout) && !directory.is_within(root)
            })
        };
        let mut steps: Vec<Step> = self
            .world
            .cwd
            .ancestors()
            .filter(|directory| !directory.is_root())
            .map(|directory| Step {
                shadowed: shadowed(&directory),
                directory,
            })
            .collect();
        steps.reverse();
        steps
    }

    /// `--add-dir` (facts 7.10–7.12).
    fn added_directories(&mut self) {
        let sources = self.world.origin.sources;
        let mut written = self.world.origin.relative_add_dirs.clone();
        if !self.world.behaviour.added_dirs_by_relative_name {
            written.clear();
        }
        for directory in self.world.origin.add_dirs.clone() {
            let written = written.get(&directory).map(String::as_str);
            let dot_claude = directory.child(".claude");
            let files = [directory.child("CLAUDE.md"), dot_claude.child("CLAUDE.md")];
            if !self.world.switches.added_dirs {
                for file in files
                    .into_iter()
                    .chain([directory.child("CLAUDE.local.md")])
                {
                    self.added_directory_off(&file);
                }
                continue;
            }
            if sources.project {
                for file in files {
                    self.added_file(file, Scope::Project, &directory, written);
                }
                self.rules(
                    &dot_claude.child("rules"),
                    Scope::Project,
                    &directory,
                    &directory,
                );
            }
            if sources.local && self.world.behaviour.added_dirs_local {
                let file = directory.child("CLAUDE.local.md");
                self.added_file(file, Scope::Local, &directory, written);
            }
        }
    }

    fn added_file(
        &mut self,
        path: AbsPath,
        scope: Scope,
        directory: &AbsPath,
        written: Option<&str>,
    ) {
        let name = path.relative_to(directory);
        let cause = Cause::Startup {
            directory: Some(directory.clone()),
        };
        let mut candidate = Candidate::new(path, scope, cause);
        candidate.heading = written.map(|written| crate::path::joined(written, &name));
        self.root(&candidate);
    }

    fn added_directory_off(&mut self, file: &AbsPath) {
        let detail = "instruction files of a directory given with --add-dir load only when \
                      CLAUDE_CODE_ADDITIONAL_DIRECTORIES_CLAUDE_MD=1 is set";
        self.left_out(
            file,
            Scope::Project,
            Reason::Disabled,
            "added-directory",
            detail,
        );
    }

    /// The auto-memory index (facts 6.1–6.7).
    fn memory_index(&mut self) {
        let world = &mut self.world;
        let project = world
            .git
            .as_ref()
            .map_or(&world.cwd, |git| &git.main_checkout);
        let path = memory::index_file(&world.origin, &world.settings, project);
        let switch = world.switches.instructions_off.as_ref();
        let switch = switch.or(world.switches.memory_off.as_ref()).cloned();
        if let Some(switch) = switch {
            let detail = format!("auto memory is off: {switch}");
            self.left_out(
                &path,
                Scope::AutoMemory,
                Reason::Disabled,
                "memory-off",
                &detail,
            );
            return;
        }
        let cause = Cause::Startup { directory: None };
        let candidate = Candidate::new(path, Scope::AutoMemory, cause);
        let document = match self.world.document(&candidate.path) {
            Ok(document) => document,
            Err(error) if error.is_absent() => return,
            Err(error) => return self.unreadable(&candidate, None, &error),
        };
        if javascript::trim(&document.text).is_empty() {
            return self.skip_empty(&candidate, None);
        }
        let identity = self.world.identity(&candidate.path);
        if self.has_met(&identity) {
            // Also where that waits (cases memory-known-*).
            let detail = "another file names it or is a link to it, as which it was considered";
            let reason = Reason::Duplicate;
            return self.skip(&candidate, None, reason, "memory-known", detail.to_owned());
        }
        let (text, map) = self.trimmed(&document);
        let (kept, notice) = memory::cut(&text);
        self.layers.push(Layer {
            path: candidate.path,
            title: None,
            heading: None,
            scope: Scope::AutoMemory,
            owner: Scope::AutoMemory,
            cause: candidate.cause,
            text: kept.to_owned(),
            source: Arc::clone(&document.source),
            map,
            notice,
            evidence: self.world.evidence(),
            identity,
        });
    }

    fn startup_file(&mut self, path: AbsPath, scope: Scope, directory: &AbsPath) -> bool {
        let cause = Cause::Startup {
            directory: Some(directory.clone()),
        };
        self.root(&Candidate::new(path, scope, cause))
    }

    /// A rules folder: plain rules are delivered; conditional ones wait, but what they import
    /// is delivered as if they did not (fact 3.22).
    fn rules(&mut self, folder: &AbsPath, scope: Scope, base: &AbsPath, directory: &AbsPath) {
        for file in self.rule_files(folder, scope) {
            let cause = Cause::Startup {
                directory: Some(directory.clone()),
            };
            if let Some(candidate) = self.rule(&file, scope, base, cause) {
                self.root(&candidate);
            }
        }
        let world = &mut *self.world;
        for rule in self.waiting.drain(..) {
            if world.conditional_paths.insert(rule.path.clone()) {
                world.conditional.push(rule);
            }
        }
    }

    /// The rules of a folder, external ones left out.
    pub(super) fn rule_files(&mut self, folder: &AbsPath, scope: Scope) -> Vec<RuleFile> {
        let listed = rules::list(self.world.host, folder, self.world.behaviour.rule_order);
        for (path, error) in listed.odd {
            let cause = Cause::Startup { directory: None };
            let candidate = Candidate::new(path, scope, cause);
            let (reason, case) = match error {
                HostError::NotFound | HostError::Loop => (Reason::Missing, "dangling-link"),
                _ => (Reason::Unreadable, "unreadable"),
            };
            self.skip(&candidate, None, reason, case, format!("it {error}"));
        }
        if listed.too_deep {
            let message = format!(
                "rules more than {} folders deep were left out of this answer",
                crate::limits::RULES_DEPTH
            );
            let diagnostic = Diagnostic::warning(message).about(folder);
            self.world.diagnostics.push(diagnostic);
        }
        listed.files
    }

    /// A rule as a candidate. `None` when it is external.
    pub(super) fn rule(
        &mut self,
        file: &RuleFile,
        scope: Scope,
        base: &AbsPath,
        cause: Cause,
    ) -> Option<Candidate> {
        let mut candidate = Candidate::new(file.real.clone(), scope, cause);
        candidate.is_real = true;
        if self.world.behaviour.excludes_test_link {
            candidate.links = file.links();
        }
        if scope == Scope::Project && self.is_external_rule(file, base) && !self.externals_load() {
            let (_, detail) = self.external_detail();
            let detail = format!("the rule is a link to {}, and {detail}", file.real);
            candidate.path = file.listed.clone();
            let reason = Reason::ExternalNotApproved;
            self.skip(&candidate, None, reason, "symlink-outside", detail);
            return None;
        }
        candidate.base = Some(base.clone());
        Some(candidate)
    }

    /// A linked rule is external when its real path lies outside the working directory
    /// (fact 2.11), or a folder on the way that a link leads to does (case
    /// rules-linked-folder-outside); a rule that is no link never is, wherever its directory lies.
    fn is_external_rule(&mut self, file: &RuleFile, directory: &AbsPath) -> bool {
        let cwd = &self.world.cwd;
        let mut reals = file.linked_folders.iter().map(|(_, real)| real);
        let within = file.real.is_within(cwd) && reals.all(|real| real.is_within(cwd));
        if file.real == file.listed || within {
            return false;
        }
        let cwd = &self.world.cwd;
        let is_nested = self.lazy && directory != cwd && directory.is_within(cwd);
        match self.world.behaviour.linked_files {
            // A linked `.claude` folder of a nested directory is let through (case
            // lazy-linked-claude-folder).
            LinkedFiles::ByTarget if is_nested => self.leaves_claude_folder(file, directory),
            LinkedFiles::ByName => false,
            LinkedFiles::ByTarget => true,
            LinkedFiles::ByTargetButClaudeFolder => self.leaves_claude_folder(file, directory),
        }
    }

    /// Whether a rule is elsewhere than its directory's real `.claude` folder would have it.
    fn leaves_claude_folder(&mut self, file: &RuleFile, directory: &AbsPath) -> bool {
        let dot_claude = directory.child(".claude");
        let through_folder = self.world.real(&dot_claude).and_then(|real| {
            let below = file.listed.below(&dot_claude)?;
            Some(real.join(below))
        });
        through_folder.as_ref() != Some(&file.real)
    }

    /// Notes the files that would load but for a switch.
    fn switched_off(&mut self) {
        let switch = self.world.switches.instructions_off.clone();
        let switch = switch.map_or_else(String::new, |switch| switch.to_string());
        let detail = format!("no instruction file loads: {switch}");
        let managed = self.world.origin.managed.child("CLAUDE.md");
        let user = self.world.origin.config().child("CLAUDE.md");
        let mut files = vec![(managed, Scope::Managed), (user, Scope::User)];
        for Step { directory, .. } in self.walk() {
            let dot_claude = directory.child(".claude");
            files.push((directory.child("CLAUDE.md"), Scope::Project));
            files.push((dot_claude.child("CLAUDE.md"), Scope::Project));
            files.push((directory.child("CLAUDE.local.md"), Scope::Local));
        }
        for (file, scope) in files {
            self.left_out(&file, scope, Reason::Disabled, "switched-off", &detail);
        }
    }

    fn shadowed(&mut self, file: &AbsPath) {
        let detail = "the session runs in a worktree inside this checkout, so the checkout's own \
                      copy is left out";
        let (reason, case) = (Reason::Duplicate, "worktree-main-copy");
        self.left_out(file, Scope::Project, reason, case, detail);
    }

    fn not_selected(&mut self, file: &AbsPath, scope: Scope, source: &str) {
        let detail = format!("--setting-sources does not name `{source}`");
        self.left_out(file, scope, Reason::NotSelected, "setting-sources", &detail);
    }

    /// Notes a file that exists and that a switch or another file keeps out.
    fn left_out(
        &mut self,
        file: &AbsPath,
        scope: Scope,
        reason: Reason,
        case: &'static str,
        detail: &str,
    ) {
        let kind = self.world.host.metadata(file).map(|meta| meta.kind);
        if kind == Ok(Kind::File) {
            let cause = Cause::Startup { directory: None };
            let candidate = Candidate::new(file.clone(), scope, cause);
            self.skip(&candidate, None, reason, case, detail.to_owned());
        }
    }
}
