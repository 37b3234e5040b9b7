//! One delivery in the making: a file, then the files that it imports, depth first.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::own_tags;
use super::world::{ConditionalRule, World};
use crate::client::LinkedFiles;
use crate::document::{Document, Places, RulePaths, SourceMap, has_known_extension};
use crate::host::Kind;
use crate::javascript;
use crate::path::AbsPath;
use crate::record::{Cause, Layer, Mention, Reason, Scope, Skip};

/// How many imports lie at most between a root file and a delivered one (fact 3.14).
pub(crate) const HOPS: usize = 4;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum State {
    Expanding,
    Done,
}

/// A file about to be considered.
pub(crate) struct Candidate {
    /// The path as the client names it.
    pub(crate) path: AbsPath,
    pub(crate) scope: Scope,
    pub(crate) cause: Cause,
    /// A rule, or a file that a rule imports: the directory from which its `paths` are matched.
    /// With such a key it waits for a read, while what it imports is delivered (fact 3.22).
    pub(crate) base: Option<AbsPath>,
    /// More names under which excludes test it (fact 7.1).
    pub(crate) links: Vec<AbsPath>,
    /// The path is the file's real path, so that nothing need be asked for it.
    pub(crate) is_real: bool,
    /// The relative path under which an old client names it.
    pub(crate) heading: Option<String>,
}

impl Candidate {
    pub(crate) fn new(path: AbsPath, scope: Scope, cause: Cause) -> Self {
        Self {
            path,
            scope,
            cause,
            base: None,
            links: Vec::new(),
            is_real: false,
            heading: None,
        }
    }
}

pub(crate) struct Pass<'c, 'h> {
    pub(crate) world: &'c mut World<'h>,
    pub(crate) layers: Vec<Layer>,
    pub(crate) skipped: Vec<Skip>,
    /// A read makes this delivery, not the start of the session.
    pub(crate) lazy: bool,
    /// The file whose read makes this delivery was read before.
    pub(crate) read_before: bool,
    /// A pattern broke the stage of loading under way.
    pub(crate) broken_pattern: bool,
    /// Conditional rules, and conditional files that rules import, as they are met.
    pub(crate) waiting: Vec<ConditionalRule>,
    /// Nothing is delivered: only [`Pass::waiting`] is wanted.
    pub(crate) only_waiting: bool,
    /// The texts are those that a hook of the client's own adds.
    pub(crate) by_hook: bool,
    /// No pattern of a rule is tried.
    pub(crate) visits: bool,
    /// Names of files that are not delivered again, though they may be considered.
    pub(crate) known: FxHashSet<AbsPath>,
    /// The path and label of each layer, by identity.
    pub(crate) delivered: FxHashMap<AbsPath, (AbsPath, Scope)>,
    pub(crate) states: FxHashMap<AbsPath, State>,
}

impl<'c, 'h> Pass<'c, 'h> {
    pub(crate) fn new(world: &'c mut World<'h>, lazy: bool) -> Self {
        Self {
            world,
            layers: Vec::new(),
            skipped: Vec::new(),
            lazy,
            read_before: false,
            broken_pattern: false,
            waiting: Vec::new(),
            only_waiting: false,
            by_hook: false,
            visits: false,
            known: FxHashSet::default(),
            delivered: FxHashMap::default(),
            states: FxHashMap::default(),
        }
    }

    /// Whether a file was considered in this delivery.
    pub(crate) fn has_met(&self, identity: &AbsPath) -> bool {
        self.states.contains_key(identity)
    }

    /// Notes files that were considered, so that they are not considered again.
    pub(crate) fn meet(&mut self, identities: &[AbsPath]) {
        for identity in identities {
            self.states.entry(identity.clone()).or_insert(State::Done);
        }
    }

    /// The files that were considered.
    pub(crate) fn met(&self) -> impl Iterator<Item = &AbsPath> {
        self.states.keys()
    }

    /// Considers a root file. Says whether a text of it was delivered now.
    pub(crate) fn root(&mut self, candidate: &Candidate) -> bool {
        let path = &candidate.path;
        if self.world.known_document(path).is_some() {
            return self.file(candidate, None, 0);
        }
        let exists = match self.world.host.metadata(path) {
            Ok(meta) => meta.kind,
            Err(error) if error.is_absent() => return false,
            Err(error) => {
                let detail = format!("{error}; the client passes over it without a word");
                self.skip(candidate, None, Reason::Unreadable, "unreadable", detail);
                return false;
            }
        };
        match exists {
            Kind::File => self.file(candidate, None, 0),
            Kind::Directory => {
                let detail = "a directory has the name of an instruction file".to_owned();
                self.skip(candidate, None, Reason::Directory, "directory", detail);
                false
            }
            Kind::Special => {
                self.skip_special(candidate, None);
                false
            }
        }
    }

    /// Considers a file that exists. `depth` counts the imports above it.
    fn file(&mut self, candidate: &Candidate, mention: Option<&Mention>, depth: usize) -> bool {
        if !self.world.admit() {
            return false;
        }
        let identity = if candidate.is_real {
            candidate.path.clone()
        } else {
            self.world.identity(&candidate.path)
        };
        if self.is_excluded(candidate, mention) {
            return false;
        }
        match self.states.get(&identity) {
            Some(State::Expanding) => {
                let detail = "it is above this reference in the chain of imports already; the \
                              client ends the cycle here"
                    .to_owned();
                self.skip(candidate, mention, Reason::Cycle, "cycle", detail);
                return false;
            }
            Some(State::Done) => {
                self.duplicate(candidate, mention, &identity);
                return false;
            }
            None => {}
        }
        let document = match self.world.document(&candidate.path) {
            Ok(document) => document,
            Err(error) => {
                self.unreadable(candidate, mention, &error);
                return false;
            }
        };
        if let Some(reference) = document.nul_reference() {
            let mention = Mention::new(&candidate.path, &document, &reference.range);
            let detail = format!(
                "its import in line {} has a NUL character in the path, for which the client \
                 drops the whole file",
                mention.line
            );
            let reason = Reason::Unreadable;
            self.skip(candidate, Some(&mention), reason, "nul-in-import", detail);
            return false;
        }
        self.states.insert(identity.clone(), State::Expanding);
        if !self.world.behaviour.duplicates_by_real_path
            && let Some(real) = self.world.real(&candidate.path)
        {
            // Old clients note both names of a file but look up only the one at hand.
            self.states.entry(real).or_insert(State::Done);
        }
        let delivered = match self.conditions(candidate, &document) {
            Some(rule) => {
                self.import_waits(candidate, mention);
                self.waiting.push(rule);
                false
            }
            None if self.only_waiting => false,
            None => self.deliver(candidate, mention, &document, &identity),
        };
        self.imports(candidate, &document, depth);
        self.states.insert(identity, State::Done);
        delivered
    }

    /// The conditions of a rule, or of a file that a rule imports (cases rule-import-*).
    fn conditions(
        &mut self,
        candidate: &Candidate,
        document: &Arc<Document>,
    ) -> Option<ConditionalRule> {
        let base = candidate.base.as_ref()?;
        let (paths, patterns) = self.world.rule_paths(&candidate.path, document);
        let (RulePaths::Matching(texts), Some(patterns)) = (paths, patterns) else {
            return None;
        };
        Some(ConditionalRule {
            path: candidate.path.clone(),
            scope: candidate.scope,
            base: base.clone(),
            patterns,
            texts,
            document: Arc::clone(document),
            links: candidate.links.clone(),
        })
    }

    /// A conditional rule that a read matched.
    pub(crate) fn matched_rule(
        &mut self,
        candidate: &Candidate,
        document: &Arc<Document>,
        identity: &AbsPath,
    ) {
        if !self.world.admit() || self.is_excluded(candidate, None) {
            return;
        }
        self.deliver(candidate, None, document, identity);
    }

    fn is_excluded(&mut self, candidate: &Candidate, mention: Option<&Mention>) -> bool {
        let own = candidate.heading.as_deref();
        let own = own.unwrap_or(candidate.path.as_str());
        let links = candidate.links.iter().map(AbsPath::as_str);
        let names: Vec<&str> = links.chain([own]).collect();
        let Some(set) = self.world.excluded_by(candidate.scope, &names) else {
            return false;
        };
        let detail = format!(
            "claudeMdExcludes names it with `{}` in {}; what it imports stays out as well",
            set.value, set.place
        );
        self.skip(candidate, mention, Reason::Excluded, "excluded", detail);
        true
    }

    /// Adds the file's own text.
    fn deliver(
        &mut self,
        candidate: &Candidate,
        mention: Option<&Mention>,
        document: &Arc<Document>,
        identity: &AbsPath,
    ) -> bool {
        if javascript::trim(&document.text).is_empty() {
            self.skip_empty(candidate, mention);
            return false;
        }
        let known_at_start = self.world.at_startup.contains(&candidate.path);
        if self.known.contains(&candidate.path) || (self.lazy && self.knows(&candidate.path)) {
            if mention.is_some() || known_at_start {
                let detail = "the session has it already".to_owned();
                self.skip(
                    candidate,
                    mention,
                    Reason::Duplicate,
                    "delivered-before",
                    detail,
                );
            }
            return false;
        }
        let (text, map) = self.trimmed(document);
        // What a read loads carries no label, so no label can be wrong.
        let scope = if self.lazy {
            candidate.scope
        } else {
            self.world.label(candidate.scope)
        };
        self.delivered
            .entry(identity.clone())
            .or_insert_with(|| (candidate.path.clone(), scope));
        self.layers.push(Layer {
            path: candidate.path.clone(),
            title: None,
            heading: candidate.heading.clone(),
            scope,
            owner: candidate.scope,
            cause: candidate.cause.clone(),
            text,
            source: Arc::clone(&document.source),
            map,
            notice: None,
            evidence: self.world.evidence(),
            identity: identity.clone(),
        });
        true
    }

    /// Whether the session has a file already, under this name: what reads bring is known by its
    /// name, so that a link brings it again (cases read-link-*). A hook knows nothing of reads.
    pub(crate) fn knows(&self, path: &AbsPath) -> bool {
        if self.by_hook {
            let world = &self.world;
            return world.at_startup.contains(path) || world.by_hook.contains(path);
        }
        self.world.is_known(path)
    }

    /// Startup texts are trimmed, those of a read are not (fact 4.7).
    pub(crate) fn trimmed(&self, document: &Document) -> (String, SourceMap) {
        if self.by_hook {
            return own_tags::as_entities(document.text.clone(), document.map.clone());
        }
        if self.lazy && self.world.behaviour.reads_escape_tag {
            return own_tags::escape(document.text.clone(), document.map.clone());
        }
        if self.lazy || !self.world.behaviour.trimmed {
            return (document.text.clone(), document.map.clone());
        }
        let text = javascript::trim(&document.text);
        let start = document.text.trim_start_matches(javascript::is_space);
        let cut = document.text.len() - start.len();
        (text.to_owned(), document.map.without_start(cut))
    }

    fn imports(&mut self, importer: &Candidate, document: &Arc<Document>, depth: usize) {
        if document.imports.is_empty() {
            return;
        }
        // Relative paths start beside the real file (facts 2.10, 3.11).
        let real = self.world.real(&importer.path);
        let folder = real.as_ref().unwrap_or(&importer.path).parent();
        let Some(folder) = folder else { return };
        let mut places = Places::new(&document.source);
        for reference in &document.imports {
            if self.world.is_full() {
                return;
            }
            let mention = Mention::at(&mut places, &importer.path, &reference.range);
            let path = match reference.path.strip_prefix("~/") {
                Some(rest) => self.world.origin.home.join(rest.trim_start_matches('/')),
                None => folder.join(&reference.path),
            };
            let cause = Cause::Import(mention.clone());
            let mut candidate = Candidate::new(path, importer.scope, cause);
            candidate.base.clone_from(&importer.base);
            // A slash at the end is dropped only from a relative path (cases import-absolute-*).
            let fixed = reference.path.starts_with(['/', '~']);
            if fixed && reference.path.ends_with('/') {
                let detail = "a slash at the end of an absolute path stays part of it, so it \
                              names no file"
                    .to_owned();
                let (reason, case) = (Reason::Missing, "trailing-slash");
                self.skip(&candidate, Some(&mention), reason, case, detail);
                self.meet_by_slash(&candidate, depth + 1);
                continue;
            }
            let behind = &document.source[reference.range.end..];
            self.import(&candidate, &mention, behind, depth + 1);
        }
    }

    /// The file without the slash counts as considered all the same, so that no later reference
    /// brings it (cases import-slash-*).
    fn meet_by_slash(&mut self, candidate: &Candidate, depth: usize) {
        let path = &candidate.path;
        let is_file = self.world.is_file(path) && has_known_extension(path.file_name());
        let may =
            candidate.scope == Scope::User || !self.is_external(path) || self.externals_load();
        // Excludes test the name with its slash (case import-slash-excluded).
        let named = format!("{path}/");
        let is_out = self.world.excluded_by(candidate.scope, &[&named]).is_some();
        if self.world.behaviour.slash_considers && is_file && may && !is_out && depth <= HOPS {
            let identity = self.world.identity(path);
            self.meet(&[identity]);
        }
    }

    fn import(&mut self, candidate: &Candidate, named: &Mention, behind: &str, depth: usize) {
        let path = &candidate.path;
        let mention = Some(named);
        let kind = match self.world.host.metadata(path) {
            Ok(meta) => meta.kind,
            Err(error) if error.is_absent() => {
                if self.world.admit() {
                    self.missing(candidate, named, behind);
                }
                return;
            }
            Err(error) => return self.unreadable(candidate, mention, &error),
        };
        if !self.world.admit() {
            return;
        }
        if kind == Kind::Directory {
            let detail = "a directory is never imported, and no CLAUDE.md is looked for in it; \
                          name a file"
                .to_owned();
            return self.skip(candidate, mention, Reason::Directory, "directory", detail);
        }
        if self.world.behaviour.extensions_checked && !has_known_extension(path.file_name()) {
            let detail = "the client imports only files of known text extensions, and this one is \
                          not on its list as far as that is known; rename the file or link it \
                          under a name that ends in .md or .txt"
                .to_owned();
            return self.skip(
                candidate,
                mention,
                Reason::Binary,
                "non-text-extension",
                detail,
            );
        }
        if kind == Kind::Special {
            return self.skip_special(candidate, mention);
        }
        if depth > HOPS {
            let detail = format!(
                "it is {depth} imports away from its root file, and the client follows {HOPS}; \
                 import it from a file nearer to the root"
            );
            return self.skip(candidate, mention, Reason::TooDeep, "depth-limit", detail);
        }
        if candidate.scope != Scope::User && self.is_external(path) && !self.externals_load() {
            let (case, detail) = self.external_detail();
            let reason = Reason::ExternalNotApproved;
            return self.skip(candidate, mention, reason, case, detail);
        }
        self.file(candidate, mention, depth);
    }

    /// External is what really lies outside the working directory (fact 3.17).
    fn is_external(&mut self, path: &AbsPath) -> bool {
        let judged = match self.world.behaviour.linked_files {
            LinkedFiles::ByName => Some(path.clone()),
            LinkedFiles::ByTarget | LinkedFiles::ByTargetButClaudeFolder => self.world.real(path),
        };
        let judged = judged.unwrap_or_else(|| path.clone());
        !judged.is_within(&self.world.cwd)
    }

    /// Approval counts at startup only (fact 5.18).
    pub(crate) fn externals_load(&self) -> bool {
        !self.lazy && self.world.approved()
    }
}

impl World<'_> {
    /// Whether a read leaves a file out because the session has it (facts 5.16, 5.17).
    pub(crate) fn is_known(&self, path: &AbsPath) -> bool {
        use crate::client::Repeats;
        let by_start = self.behaviour.repeats == Repeats::Nothing && self.at_startup.contains(path);
        (by_start && self.start_is_known) || self.by_reads.contains(path)
    }
}
