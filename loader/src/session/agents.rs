//! `AGENTS.md`, which newer clients read where the walk gave no `CLAUDE.md`.

use rustc_hash::{FxHashMap, FxHashSet};

use super::pass::{Candidate, Pass, State};
use super::world::{ConditionalRule, World};
use crate::javascript;
use crate::path::AbsPath;
use crate::record::{Cause, Layer, Reason, Scope, Skip};

/// What the walk says of `AGENTS.md`.
#[derive(Default)]
pub(super) struct AgentsWalk {
    /// The directories whose `AGENTS.md` is a candidate, outermost first.
    pub(super) directories: Vec<AbsPath>,
    /// A `CLAUDE.md` of the walk, for which none is read.
    pub(super) claude_file: Option<AbsPath>,
}

/// What a part of the start has considered, apart from the rest of it.
#[derive(Default)]
struct Considered {
    known: FxHashSet<AbsPath>,
    delivered: FxHashMap<AbsPath, (AbsPath, Scope)>,
    states: FxHashMap<AbsPath, State>,
}

impl Considered {
    fn swap(&mut self, pass: &mut Pass<'_, '_>) {
        std::mem::swap(&mut self.known, &mut pass.known);
        std::mem::swap(&mut self.delivered, &mut pass.delivered);
        std::mem::swap(&mut self.states, &mut pass.states);
    }
}

/// Whether a project file has its place in a directory below another. Of a link that is where it
/// leads (cases agents-place-linked-*). An import has its importer's place, which is told only
/// where that waits and is no layer (cases agents-place-waiting-*).
fn is_below(layer: &Layer, waiting: &[ConditionalRule], directory: &AbsPath) -> bool {
    let file = match &layer.cause {
        Cause::Startup { directory: Some(_) } => &layer.path,
        Cause::Import(mention) if waiting.iter().any(|rule| rule.path == mention.by) => &mention.by,
        _ => return false,
    };
    let mut folders = file.ancestors().skip(1);
    let dot_claude = folders.find(|folder| folder.file_name() == ".claude");
    let place = dot_claude.as_ref().unwrap_or(file).parent();
    matches!(layer.owner, Scope::Project | Scope::Local)
        && place.is_some_and(|place| place != *directory && place.is_within(directory))
}

/// What a read of an existing file brings of the `AGENTS.md` files of nested directories, with
/// their imports. A hook of the client's own adds it where no directory of the walk gave a
/// `CLAUDE.md`, for each directory that has none itself (case agents-nested-hook).
pub(super) fn on_read(
    world: &mut World<'_>,
    target: &AbsPath,
    brought: &[Layer],
    skipped: &mut Vec<Skip>,
) -> Vec<Layer> {
    if !world.agents_on_read {
        return Vec::new();
    }
    world.by_hook.insert(target.clone());
    let mut pass = Pass::new(world, true);
    pass.by_hook = true;
    // What this read brought does not come twice; a later one may bring it (cases
    // agents-nested-imported-*).
    pass.known = brought.iter().map(|layer| layer.path.clone()).collect();
    let cause = Cause::Nested {
        read: target.clone(),
    };
    for directory in pass.directories_below_cwd(target) {
        let dot_claude = directory.child(".claude");
        let files = [directory.child("AGENTS.md"), dot_claude.child("AGENTS.md")];
        if pass.has_claude_file(&directory) {
            // Nor does the one in `.claude` come as a file of that folder (case
            // agents-nested-claude-folder).
            let met = files.map(|file| pass.world.identity(&file));
            pass.meet(&met);
            continue;
        }
        for file in files {
            // The user's own file is known under any link (case agents-nested-link-user).
            if pass.world.identity(&file) != pass.world.origin.config().child("CLAUDE.md") {
                pass.root(&Candidate::new(file, Scope::Project, cause.clone()));
            }
        }
    }
    let (mut layers, skips) = (pass.layers, pass.skipped);
    // What the start gave is not said twice (cases agents-nested-same-text*).
    layers.retain(|layer| {
        let document = world.document(&layer.path);
        document.is_ok_and(|document| {
            !world
                .project_texts
                .contains(javascript::trim(&document.text))
        })
    });
    // A file may be a layer as well; its references have been told then.
    let is_told = |skip: &Skip| {
        let mention = skip.mention.as_ref();
        skipped.iter().any(|told| told.mention.as_ref() == mention)
    };
    let new: Vec<Skip> = skips.into_iter().filter(|skip| !is_told(skip)).collect();
    skipped.extend(new);
    for layer in &layers {
        world.by_hook.insert(layer.path.clone());
    }
    layers
}

impl World<'_> {
    /// Whether this client reads `AGENTS.md` at all here.
    pub(super) fn agents_load(&self) -> bool {
        let is_on = self.behaviour.agents_file && self.switches.agents_off.is_none();
        is_on && self.origin.sources.project && self.switches.instructions_off.is_none()
    }
}

impl Pass<'_, '_> {
    /// Whether a directory has a `CLAUDE.md` or `CLAUDE.local.md` of which something is left.
    fn has_claude_file(&mut self, directory: &AbsPath) -> bool {
        let files = [
            (directory.child("CLAUDE.md"), Scope::Project),
            (
                directory.child(".claude").child("CLAUDE.md"),
                Scope::Project,
            ),
            (directory.child("CLAUDE.local.md"), Scope::Local),
        ];
        files
            .iter()
            .any(|(file, scope)| self.silences_agents(file, *scope))
    }

    /// Whether a file keeps `AGENTS.md` out: something is left of it, no exclude names it, and it
    /// is no link to the user's or the managed file (cases agents-claude-link-*). It may be known
    /// already (cases agents-claude-known-*), and `--setting-sources` may leave it out all the
    /// same (cases agents-local-unselected-*).
    pub(super) fn silences_agents(&mut self, file: &AbsPath, scope: Scope) -> bool {
        let is_out = self.world.excluded_by(scope, &[file.as_str()]).is_some();
        if is_out || !self.world.is_file(file) {
            return false;
        }
        if self.repeats_other_scope(file) {
            return false;
        }
        let document = self.world.document(file);
        document.is_ok_and(|document| !javascript::trim(&document.text).is_empty())
    }

    /// `AGENTS.md` is read after all else of the start, and only where the walk gave no `CLAUDE.md`
    /// (facts 1.11–1.13). It stands before the first file of a deeper directory, be it one of the
    /// walk or an added one, and else at the end (cases agents-place-*). Gives the paths of the
    /// layers that it and its imports are.
    pub(super) fn agents_files(&mut self, walk: &AgentsWalk) -> FxHashSet<AbsPath> {
        let mut brought = FxHashSet::default();
        // They are considered by themselves: of what came before only the names are known (cases
        // agents-known-*).
        let names = self.layers.iter().filter(|layer| layer.heading.is_none());
        let mut agents = Considered {
            known: names.map(|layer| layer.path.clone()).collect(),
            ..Considered::default()
        };
        for directory in &walk.directories {
            let before = self.layers.len();
            for file in [
                directory.child("AGENTS.md"),
                directory.child(".claude").child("AGENTS.md"),
            ] {
                if let Some(file) = self.agents_file(file, directory, walk.claude_file.as_ref()) {
                    agents.swap(self);
                    self.root(&file);
                    agents.swap(self);
                }
            }
            let added = self.layers.split_off(before);
            brought.extend(added.iter().map(|layer| layer.path.clone()));
            let waiting = &self.world.conditional;
            let deeper = |layer: &Layer| {
                layer.owner == Scope::AutoMemory || is_below(layer, waiting, directory)
            };
            let place = self.layers.iter().position(deeper);
            let place = place.unwrap_or(self.layers.len());
            self.layers.splice(place..place, added);
        }
        brought
    }

    /// Takes out the layers of `AGENTS.md` files and their imports whose text a project or local
    /// file delivers word for word (cases agents-same-text-*); what they import stays.
    pub(super) fn drop_repeated(&mut self, agents: &FxHashSet<AbsPath>) {
        let is_agents = |layer: &Layer| agents.contains(&layer.path);
        let others = self.layers.iter().filter(|layer| !is_agents(layer));
        let others = others.filter(|layer| matches!(layer.scope, Scope::Project | Scope::Local));
        let texts: FxHashMap<String, AbsPath> = others
            .map(|layer| (layer.text.clone(), layer.path.clone()))
            .collect();
        if agents.is_empty() || texts.is_empty() {
            return;
        }
        let repeats = |layer: &mut Layer| is_agents(layer) && texts.contains_key(&layer.text);
        let dropped: Vec<Layer> = self.layers.extract_if(.., repeats).collect();
        for layer in dropped {
            let first = texts
                .get(&layer.text)
                .map_or_else(String::new, AbsPath::to_string);
            let detail = format!("{first} is delivered with the same text");
            let mention = match &layer.cause {
                Cause::Import(mention) => Some(mention.clone()),
                _ => None,
            };
            let candidate = Candidate::new(layer.path, layer.scope, layer.cause);
            let reason = Reason::Duplicate;
            self.skip(&candidate, mention.as_ref(), reason, "same-text", detail);
        }
    }

    /// An `AGENTS.md` to load; `None` where there is none, or one that is left out.
    fn agents_file(
        &mut self,
        file: AbsPath,
        directory: &AbsPath,
        claude_file: Option<&AbsPath>,
    ) -> Option<Candidate> {
        if !self.world.is_file(&file) {
            return None;
        }
        let off = if !self.world.behaviour.agents_file {
            let version = self.world.origin.client.version;
            Some((
                Reason::Disabled,
                "client-without-agents",
                format!("client {version} does not read AGENTS.md; 2.1.281 is the first that does"),
            ))
        } else if let Some(switch) = &self.world.switches.agents_off {
            let detail = format!("reading AGENTS.md is switched off by {switch}");
            Some((Reason::Disabled, "agents-switched-off", detail))
        } else if let Some(other) = self.names_other_scope(&file) {
            let detail = format!("it is a link to {other}, which another scope has");
            Some((Reason::Duplicate, "agents-link", detail))
        } else {
            claude_file.map(|claude| {
                let detail = format!(
                    "AGENTS.md is read only where no directory of the walk has a CLAUDE.md or \
                     CLAUDE.local.md, and {claude} is one; import it there with @"
                );
                (Reason::NotSelected, "claude-file-present", detail)
            })
        };
        let cause = Cause::Startup {
            directory: Some(directory.clone()),
        };
        let candidate = Candidate::new(file, Scope::Project, cause);
        match off {
            // A file that the walk delivered by another name is no second candidate.
            Some(_) if self.is_delivered(&candidate.path) => return None,
            Some((reason, case, detail)) => {
                self.skip(&candidate, None, reason, case, detail);
                return None;
            }
            None => {}
        }
        Some(candidate)
    }

    /// The user's or the managed file, where a path is a link to it.
    fn names_other_scope(&mut self, path: &AbsPath) -> Option<AbsPath> {
        let origin = &self.world.origin;
        let others = [&origin.config(), &origin.managed].map(|folder| folder.child("CLAUDE.md"));
        let real = self.world.identity(path);
        others.into_iter().find(|other| *other == real)
    }

    /// Whether a path is a link to such a file, and that was delivered as one; else it is a file
    /// as any other (cases agents-claude-home-*).
    fn repeats_other_scope(&mut self, path: &AbsPath) -> bool {
        self.names_other_scope(path).is_some_and(|other| {
            if self.lazy {
                return self.world.at_startup.contains(&other) && self.world.origin.sources.user;
            }
            let first = self.delivered.get(&other);
            first.is_some_and(|(first, scope)| {
                *first == other && matches!(scope, Scope::User | Scope::Managed)
            })
        })
    }

    fn is_delivered(&mut self, path: &AbsPath) -> bool {
        let identity = self.world.identity(path);
        self.delivered.contains_key(&identity)
    }
}
