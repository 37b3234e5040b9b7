//! What a session knows all along: the world, the settings, and what was delivered.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rustc_hash::{FxHashMap, FxHashSet};

use super::hints::Hints;
use crate::client::{Behaviour, Coverage};
use crate::document::{Document, RulePaths};
use crate::git::Git;
use crate::glob::{ExcludePattern, RulePatterns};
use crate::host::{Host, HostError, Kind};
use crate::limits;
use crate::origin::{Origin, Platform};
use crate::path::AbsPath;
use crate::record::{Diagnostic, Evidence, Mention, Scope};
use crate::settings::{Place, Set, Settings, Tier};
use crate::state::{Approval, ClientState};

/// What turns something off.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Switch {
    /// Its name, or what stands for it in a sentence.
    pub(crate) name: String,
    /// Where it was set, if that is a setting.
    pub(crate) place: Option<Place>,
    /// It is a variable.
    is_variable: bool,
}

impl std::fmt::Display for Switch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.place {
            Some(place) => write!(f, "{} in {place}", self.name),
            None if self.is_variable => write!(f, "{} in the environment", self.name),
            None => f.write_str(&self.name),
        }
    }
}

/// Switches that turn loading off (facts 6.6, 7.5, 7.11).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Switches {
    /// What turns instruction files off.
    pub(crate) instructions_off: Option<Switch>,
    /// Whether the start is spared of that, as `--add-dir` once did (case bare-add-dir).
    pub(crate) start_is_spared: bool,
    /// Whether that is the switch that once let nested files through (versions.md 22).
    pub(crate) disable_variable_only: bool,
    /// What turns the memory index off.
    pub(crate) memory_off: Option<Switch>,
    /// Added directories give instruction files.
    pub(crate) added_dirs: bool,
    /// What turns `AGENTS.md` off.
    pub(crate) agents_off: Option<Switch>,
}

/// A rule that waits for a matching read.
#[derive(Clone, Debug)]
pub(crate) struct ConditionalRule {
    /// The rule's path as the client names it.
    pub(crate) path: AbsPath,
    pub(crate) scope: Scope,
    /// The directory from which its patterns are matched (fact 5.7).
    pub(crate) base: AbsPath,
    pub(crate) patterns: Arc<RulePatterns>,
    pub(crate) texts: Vec<String>,
    pub(crate) document: Arc<Document>,
    /// The links through which it was found, for excludes.
    pub(crate) links: Vec<AbsPath>,
}

/// What a rules folder holds, as a read sees it.
#[derive(Debug)]
pub(crate) struct FolderRules {
    /// Rules that wait, and files that wait since rules import them.
    pub(crate) conditional: Vec<ConditionalRule>,
    /// The real paths of all its files and of what they import.
    pub(crate) met: Vec<AbsPath>,
}

impl ConditionalRule {
    /// The first pattern that matches by itself; all of them where only their sequence does.
    pub(crate) fn pattern_for(&self, relative: &str) -> String {
        match self.patterns.first_alone(relative) {
            Some(index) => self.texts[index].clone(),
            None => self.texts.join(", "),
        }
    }
}

/// Everything that a session knows.
pub(crate) struct World<'h> {
    pub(crate) host: &'h dyn Host,
    pub(crate) origin: Origin,
    pub(crate) behaviour: Behaviour,
    pub(crate) cwd: AbsPath,
    pub(crate) git: Option<Git>,
    pub(crate) settings: Settings,
    /// One for each of `settings.excludes`.
    pub(crate) excludes: Vec<ExcludePattern>,
    /// For each of them, whether it matched anything that was considered.
    excludes_used: Vec<AtomicBool>,
    pub(crate) state: ClientState,
    pub(crate) switches: Switches,
    /// Files delivered so far, by identity, at startup or by a read.
    pub(crate) at_startup: FxHashSet<AbsPath>,
    /// The texts of project and local files that the start delivered, where reads may bring an
    /// `AGENTS.md` of the same text.
    pub(crate) project_texts: FxHashSet<String>,
    pub(crate) by_reads: FxHashSet<AbsPath>,
    /// Files that were read so far.
    pub(crate) targets: FxHashSet<AbsPath>,
    /// Rules that startup met and left waiting.
    pub(crate) conditional: Vec<ConditionalRule>,
    pub(crate) conditional_paths: FxHashSet<AbsPath>,
    /// Conditional rules by rules folder, as a read finds them.
    pub(crate) folder_rules: FxHashMap<AbsPath, Arc<FolderRules>>,
    /// Reads know what the start delivered.
    pub(crate) start_is_known: bool,
    /// A read brings nested `AGENTS.md` files, since the walk gave no `CLAUDE.md`.
    pub(crate) agents_on_read: bool,
    /// What a hook brought, and the files that were read.
    pub(crate) by_hook: FxHashSet<AbsPath>,
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// What was looked up for references that miss.
    pub(super) hints: Hints,
    documents: FxHashMap<AbsPath, Result<Arc<Document>, HostError>>,
    rule_paths: FxHashMap<AbsPath, (RulePaths, Option<Arc<RulePatterns>>)>,
    real_dirs: FxHashMap<AbsPath, Option<AbsPath>>,
    candidates: usize,
    bytes: usize,
}

impl<'h> World<'h> {
    pub(crate) fn new(host: &'h dyn Host, mut origin: Origin) -> Self {
        let mut diagnostics = Vec::new();
        let cwd = match host.canonicalize(&origin.cwd) {
            Ok(cwd) => cwd,
            Err(error) => {
                let message = format!("the working directory {error}");
                diagnostics.push(Diagnostic::warning(message).about(&origin.cwd));
                origin.cwd.clone()
            }
        };
        origin.resolve_add_dirs(&cwd);
        let git = Git::find(host, &cwd, &origin.client.behaviour);
        let (settings, found) = Settings::load(host, &origin, &cwd);
        diagnostics.extend(found);
        let behaviour = origin.client.behaviour;
        for (name, set) in &settings.env {
            let own = matches!(name.as_str(), "CLAUDE_CONFIG_DIR" | "CLAUDE_CODE_SIMPLE");
            let of_project = matches!(set.place.tier, Tier::Project | Tier::Local);
            // Newer clients take these two from no project (cases env-*-in-project).
            if own && of_project && behaviour.project_env_limited {
                continue;
            }
            origin.env.insert(name.clone(), set.value.clone());
            if name == "CLAUDE_CONFIG_DIR" {
                origin.config_dir = AbsPath::new(&set.value).or(origin.config_dir);
            }
        }
        let key = git.as_ref().map_or(&cwd, |git| &git.main_checkout).clone();
        let (state, found) = ClientState::load(host, origin.state_file(), key);
        diagnostics.extend(found);
        let excludes = if behaviour.excludes {
            let real = |path: &AbsPath| host.canonicalize(path).ok();
            let read = |set: &Set<String>| ExcludePattern::resolving(&set.value, real);
            settings.excludes.iter().map(read).collect()
        } else {
            Vec::new()
        };
        let switches = Switches::read(&origin, &settings, &behaviour);
        Self {
            host,
            origin,
            behaviour,
            cwd,
            git,
            settings,
            excludes_used: excludes.iter().map(|_| AtomicBool::new(false)).collect(),
            excludes,
            state,
            switches,
            at_startup: FxHashSet::default(),
            project_texts: FxHashSet::default(),
            by_reads: FxHashSet::default(),
            targets: FxHashSet::default(),
            conditional: Vec::new(),
            conditional_paths: FxHashSet::default(),
            folder_rules: FxHashMap::default(),
            start_is_known: true,
            agents_on_read: false,
            by_hook: FxHashSet::default(),
            diagnostics,
            hints: Hints::default(),
            documents: FxHashMap::default(),
            rule_paths: FxHashMap::default(),
            real_dirs: FxHashMap::default(),
            candidates: 0,
            bytes: 0,
        }
    }

    pub(crate) fn approved(&self) -> bool {
        self.state.approval == Approval::Approved
    }

    /// The real path of a file, with the directories' real paths remembered.
    pub(crate) fn real(&mut self, path: &AbsPath) -> Option<AbsPath> {
        let parent = path.parent()?;
        let host = self.host;
        let real_parent = self
            .real_dirs
            .entry(parent)
            .or_insert_with_key(|parent| host.canonicalize(parent).ok())
            .clone()?;
        if self.host.folds_case() || self.host.is_link(path) {
            return self.host.canonicalize(path).ok();
        }
        Some(real_parent.child(path.file_name()))
    }

    /// By what a file is known as delivered: its real path, or in old clients its name.
    pub(crate) fn identity(&mut self, path: &AbsPath) -> AbsPath {
        if self.behaviour.duplicates_by_real_path {
            self.real(path).unwrap_or_else(|| path.clone())
        } else {
            path.clone()
        }
    }

    pub(crate) fn is_file(&self, path: &AbsPath) -> bool {
        self.host
            .metadata(path)
            .is_ok_and(|meta| meta.kind == Kind::File)
    }

    /// A file as a document, read once a session (fact 0.9).
    pub(crate) fn document(&mut self, path: &AbsPath) -> Result<Arc<Document>, HostError> {
        if let Some(known) = self.documents.get(path) {
            return known.clone();
        }
        let read = self.host.read(path, limits::FILE_BYTES).and_then(|bytes| {
            if self.bytes + bytes.len() > limits::SESSION_BYTES {
                return Err(HostError::TooLarge {
                    len: (self.bytes + bytes.len()) as u64,
                    bound: limits::SESSION_BYTES as u64,
                });
            }
            self.bytes += bytes.len();
            Ok(Arc::new(Document::read(&bytes, &self.behaviour)))
        });
        if let Err(error @ HostError::TooLarge { .. }) = &read {
            let message = format!("instruction file {error}, so it was left out of this answer");
            self.diagnostics
                .push(Diagnostic::warning(message).about(path));
        }
        self.documents.insert(path.clone(), read.clone());
        read
    }

    /// A document that was read before.
    pub(crate) fn known_document(&self, path: &AbsPath) -> Option<Arc<Document>> {
        self.documents.get(path)?.as_ref().ok().cloned()
    }

    /// When a rule is delivered, and its patterns.
    pub(crate) fn rule_paths(
        &mut self,
        path: &AbsPath,
        document: &Document,
    ) -> (RulePaths, Option<Arc<RulePatterns>>) {
        if let Some(known) = self.rule_paths.get(path) {
            return known.clone();
        }
        let paths = document.rule_paths(&self.behaviour);
        let patterns = match &paths {
            RulePaths::Always => None,
            RulePaths::Matching(texts) => Some(Arc::new(RulePatterns::new(texts))),
        };
        let answer = (paths, patterns);
        self.rule_paths.insert(path.clone(), answer.clone());
        answer
    }

    /// The setting that excludes a file under one of its names (facts 7.1, 7.2).
    pub(crate) fn excluded_by(&self, scope: Scope, names: &[&str]) -> Option<Set<String>> {
        if scope == Scope::Managed {
            return None;
        }
        let mut first = None;
        for (number, pattern) in self.excludes.iter().enumerate() {
            if names.iter().any(|name| pattern.is_match(name)) {
                self.excludes_used[number].store(true, Ordering::Relaxed);
                first = first.or(Some(number));
            }
        }
        first.map(|number| self.settings.excludes[number].clone())
    }

    /// The excludes, each with its pattern and whether it matched anything so far.
    pub(crate) fn excludes_with_use(
        &self,
    ) -> impl Iterator<Item = (&Set<String>, &ExcludePattern, bool)> {
        let used = self.excludes_used.iter();
        let used = used.map(|used| used.load(Ordering::Relaxed));
        let sets = self.settings.excludes.iter().zip(&self.excludes);
        sets.zip(used)
            .map(|((set, pattern), used)| (set, pattern, used))
    }

    /// Counts one more candidate; `false` when the bound is reached.
    pub(crate) fn admit(&mut self) -> bool {
        self.candidates += 1;
        if self.candidates == limits::CANDIDATES + 1 {
            self.diagnostics.push(Diagnostic::warning(format!(
                "more than {} files and references were considered; the rest were left out of \
                 this answer",
                limits::CANDIDATES
            )));
        }
        self.candidates <= limits::CANDIDATES
    }

    /// Whether the bound was passed, and its diagnostic given.
    pub(crate) fn is_full(&self) -> bool {
        self.candidates > limits::CANDIDATES
    }

    /// How predictions for this client and platform are known: observed where the recorded cases
    /// were run, else taken by analogy or, for other platforms' places, from documents.
    pub(crate) fn evidence(&self) -> Evidence {
        match (self.origin.client.coverage, self.origin.platform) {
            (Coverage::Newer | Coverage::LessCovered, _) => Evidence::Assumed,
            (Coverage::Observed, Platform::Linux) => Evidence::Observed,
            (Coverage::Observed, Platform::MacOs | Platform::Windows) => Evidence::Documented,
        }
    }

    /// The label that this client gives a scope (versions.md 25).
    pub(crate) fn label(&self, owner: Scope) -> Scope {
        if owner == Scope::Managed && !self.behaviour.managed_label {
            Scope::User
        } else {
            owner
        }
    }
}

impl Switches {
    fn read(origin: &Origin, settings: &Settings, behaviour: &Behaviour) -> Self {
        let variable = |name: &str| Switch {
            name: name.to_owned(),
            place: settings.env.get(name).map(|set| set.place.clone()),
            is_variable: true,
        };
        let other = |name: &str, place: Option<&Place>| Switch {
            name: name.to_owned(),
            place: place.cloned(),
            is_variable: false,
        };
        let on = |name: &str| origin.env.get(name).is_some_and(|value| is_true(value));
        let off = |name: &str| origin.env.get(name).is_some_and(|value| is_false(value));
        let mut switches = Self::default();
        if origin.bare {
            switches.instructions_off = Some(other("--bare", None));
        } else if on("CLAUDE_CODE_SIMPLE") {
            switches.instructions_off = Some(variable("CLAUDE_CODE_SIMPLE"));
        } else if on("CLAUDE_CODE_DISABLE_CLAUDE_MDS") {
            switches.instructions_off = Some(variable("CLAUDE_CODE_DISABLE_CLAUDE_MDS"));
            switches.disable_variable_only = true;
        }
        switches.start_is_spared = behaviour.added_dirs_spare_start
            && !origin.add_dirs.is_empty()
            && switches.instructions_off.is_some()
            && !switches.disable_variable_only;
        const MEMORY: &str = "CLAUDE_CODE_DISABLE_AUTO_MEMORY";
        if on(MEMORY) {
            switches.memory_off = Some(variable(MEMORY));
        } else if !off(MEMORY) {
            switches.memory_off = match &settings.auto_memory {
                Some(set) if !set.value => Some(other("autoMemoryEnabled", Some(&set.place))),
                _ if !behaviour.memory_by_default => {
                    let name = format!("client {}, before 2.1.59", origin.client.version);
                    Some(other(&name, None))
                }
                _ => None,
            };
        }
        switches.added_dirs =
            behaviour.added_dirs && on("CLAUDE_CODE_ADDITIONAL_DIRECTORIES_CLAUDE_MD");
        switches.agents_off = settings
            .agents_plugin
            .as_ref()
            .filter(|set| !set.value && behaviour.agents_switch)
            .map(|set| other("enabledPlugins", Some(&set.place)));
        switches
    }
}

/// Whether the client takes a variable's value for a yes.
#[must_use]
pub fn is_true(value: &str) -> bool {
    matches!(
        value.trim().to_ascii_lowercase().as_str(),
        "1" | "true" | "yes" | "on"
    )
}

/// Whether the client takes a variable's value for a no.
#[must_use]
pub fn is_false(value: &str) -> bool {
    matches!(
        value.trim().to_ascii_lowercase().as_str(),
        "0" | "false" | "no" | "off"
    )
}

impl World<'_> {
    /// A path as a user or the model writes it: absolute, `~/…`, or from the working directory.
    pub(crate) fn resolve(&self, text: &str) -> AbsPath {
        match text.strip_prefix("~/") {
            Some(rest) => self.origin.home.join(rest),
            None => self.cwd.join(text),
        }
    }
}

impl World<'_> {
    /// References to `path` that code or HTML hides, in files that were read.
    pub(crate) fn hidden_references(&self, path: &AbsPath) -> Vec<(AbsPath, Mention)> {
        let mut found = Vec::new();
        for (by, document) in &self.documents {
            let (Ok(document), Some(folder)) = (document, by.parent()) else {
                continue;
            };
            for reference in &document.hidden {
                if folder.join(&reference.path) == *path {
                    found.push((by.clone(), Mention::new(by, document, &reference.range)));
                }
            }
        }
        found.sort_by(|(a, m), (b, n)| (a, m.line, m.column).cmp(&(b, n.line, n.column)));
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::Client;
    use crate::host::MemoryHost;

    #[test]
    fn evidence_follows_client_and_platform() {
        let host = MemoryHost::new();
        let abs = |text: &str| AbsPath::new(text).unwrap();
        let evidence = |version: &str, platform| {
            let mut origin = Origin::new(abs("/p"), abs("/h"));
            origin.client = Client::of(version.parse().unwrap()).unwrap();
            origin.platform = platform;
            World::new(&host, origin).evidence()
        };
        assert_eq!(evidence("2.1.332", Platform::Linux), Evidence::Observed);
        assert_eq!(evidence("2.1.332", Platform::MacOs), Evidence::Documented);
        assert_eq!(evidence("2.9.0", Platform::Linux), Evidence::Assumed);
        assert_eq!(evidence("2.0.77", Platform::Linux), Evidence::Assumed);
    }
}
