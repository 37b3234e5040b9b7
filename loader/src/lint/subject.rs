//! What rules look at: every file that a session may receive, and every decision about one.

use std::cell::{OnceCell, RefCell};
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::config::{Config, Level};
use super::finding::Cost;
use super::ignore::Ignores;
use super::place::{Place, Resolver};
use super::prose::Prose;
use super::records::Records;
use super::rule::Rule;
use super::tree::Tree;
use super::{Budgets, Options};
use crate::document::{Document, RulePaths};
use crate::path::AbsPath;
use crate::record::{Cause, Layer, Mention, Notice, Scope, Skip};
use crate::session::{Session, WaitingKind, WaitingList, rules_holder};
use crate::tokens::Counter;

/// When a file enters the context.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum When {
    /// When the session starts.
    Start,
    /// When a file of its directory is read.
    Read,
    /// When a file that matches is read.
    Match {
        /// The patterns, as the client reads them.
        patterns: Vec<String>,
        /// The directory from which they are matched.
        base: AbsPath,
    },
}

/// A file that may enter the context.
#[derive(Clone, Debug)]
pub struct File {
    /// The path as the client names it.
    pub path: AbsPath,
    /// Who owns it.
    pub scope: Scope,
    /// When it enters.
    pub when: When,
    /// Why it is there, where it was delivered.
    pub cause: Option<Cause>,
    /// The file as it was read.
    pub document: Arc<Document>,
    /// What is delivered.
    pub text: Arc<str>,
    /// The cut, where it is cut.
    pub notice: Option<Notice>,
}

impl File {
    /// How often it is delivered, for a message.
    #[must_use]
    pub fn how_often(&self) -> &'static str {
        match self.when {
            When::Start => "in every session",
            When::Read => "with every read in its directory",
            When::Match { .. } => "when a file that matches is read",
        }
    }

    /// Whether it lies in a rules folder.
    #[must_use]
    pub fn is_rule(&self) -> bool {
        let folders = self.path.as_str().split('/');
        let user = self.scope == Scope::User || self.scope == Scope::Managed;
        let mut folders = folders.rev().skip(1).peekable();
        while let Some(folder) = folders.next() {
            if folder == "rules" && (user || folders.peek() == Some(&".claude")) {
                return true;
            }
        }
        false
    }

    /// What so many tokens of it cost where they are delivered.
    #[must_use]
    pub fn cost(&self, tokens: u64) -> Cost {
        match self.when {
            When::Start => Cost::Start(tokens),
            When::Read | When::Match { .. } => Cost::Read(tokens),
        }
    }

    /// The 1-based line in the file of a byte of its document's text.
    #[must_use]
    pub fn line(&self, offset: usize) -> u32 {
        let document = &self.document;
        document.line_of(document.map.source_offset(offset))
    }

    /// A line of the file as a place, by a byte of its document's text.
    pub(crate) fn place(&self, offset: usize) -> Place {
        Place::Line(self.path.clone(), self.line(offset))
    }
}

/// Everything that is known of a session, and of what its reads bring.
pub struct Subject<'s, 'h> {
    /// The session, in which each directory with instruction files was visited.
    pub session: &'s Session<'h>,
    /// The files that may enter: what the start delivers first, then by path.
    pub files: Vec<File>,
    /// The candidates that were left out, each once.
    pub skips: Vec<&'s Skip>,
    /// What waited for a read when the session had started.
    pub waiting: WaitingList,
    /// From which sizes on something is told.
    pub budgets: Budgets,
    pub(crate) resolver: RefCell<Resolver<'h>>,
    by_path: FxHashMap<AbsPath, usize>,
    tree: OnceCell<Tree>,
    pub(super) matched: super::patterns::Matched,
    pub(super) fronts: OnceCell<Vec<super::front_yaml::Read>>,
    prose: RefCell<FxHashMap<AbsPath, Arc<Prose>>>,
    counter: RefCell<Counter>,
    pub(super) records: Records<'s, 'h>,
    ignores: OnceCell<Ignores>,
    config: Config,
    base: Option<AbsPath>,
}

impl<'s, 'h> Subject<'s, 'h> {
    pub(super) fn of(session: &'s mut Session<'h>, options: &Options) -> Self {
        let waiting = session.waiting();
        for directory in nested_directories(&waiting) {
            session.visit(&directory);
        }
        let still = session.waiting();
        let rules: Vec<(AbsPath, Scope, When)> = still
            .files
            .iter()
            .map(|file| {
                let when = match &file.kind {
                    WaitingKind::Rule { patterns, base } => When::Match {
                        patterns: patterns.clone(),
                        base: base.clone(),
                    },
                    WaitingKind::Nested => When::Read,
                };
                (file.path.clone(), file.scope, when)
            })
            .collect();
        let mut documents: FxHashMap<AbsPath, Arc<Document>> = FxHashMap::default();
        let delivered: Vec<AbsPath> = layers(session)
            .filter(|(layer, _)| layer.title.is_none())
            .map(|(layer, _)| layer.path.clone())
            .collect();
        for path in delivered.iter().chain(rules.iter().map(|(path, ..)| path)) {
            if let Some(document) = session.document(path) {
                documents.insert(path.clone(), document);
            }
        }
        let session: &'s Session<'h> = session;
        let mut resolver = Resolver::new(session.world().host);
        let mut files = Vec::new();
        let mut by_path: FxHashMap<AbsPath, usize> = FxHashMap::default();
        for (layer, at_start) in layers(session).filter(|(layer, _)| layer.title.is_none()) {
            let Some(document) = documents.get(&layer.path) else {
                continue;
            };
            if by_path.contains_key(&layer.path) {
                continue;
            }
            by_path.insert(layer.path.clone(), files.len());
            files.push(File {
                path: layer.path.clone(),
                scope: layer.owner,
                when: when(session, layer, document, at_start),
                cause: Some(layer.cause.clone()),
                document: Arc::clone(document),
                text: layer.text.as_str().into(),
                notice: layer.notice.clone(),
            });
        }
        for (path, scope, when) in rules {
            let Some(document) = documents.get(&path) else {
                continue;
            };
            if by_path.contains_key(&path) {
                continue;
            }
            let when = match (when, document.rule_paths(&session.world().behaviour)) {
                // A nested rule whose pattern the read did not match.
                (When::Read, RulePaths::Matching(patterns)) => When::Match {
                    patterns,
                    base: base_of(&path),
                },
                (when, _) => when,
            };
            by_path.insert(path.clone(), files.len());
            files.push(File {
                path,
                scope,
                when,
                cause: None,
                document: Arc::clone(document),
                text: document.text.as_str().into(),
                notice: None,
            });
        }
        for file in &files {
            resolver.know(&file.path, &file.document.source);
        }
        Self {
            skips: skips(session),
            session,
            files,
            waiting,
            budgets: options.budgets.clone(),
            resolver: RefCell::new(resolver),
            by_path,
            tree: OnceCell::new(),
            matched: super::patterns::Matched::default(),
            fronts: OnceCell::new(),
            prose: RefCell::default(),
            counter: RefCell::new(Counter::new(options.family)),
            records: Records::default(),
            ignores: OnceCell::new(),
            config: options.config.clone(),
            base: options.base.clone(),
        }
    }

    /// The file of this path, if it may enter.
    #[must_use]
    pub fn file(&self, path: &AbsPath) -> Option<&File> {
        self.by_path.get(path).map(|at| &self.files[*at])
    }

    /// The imports through which a file comes, from its root file on.
    #[must_use]
    pub fn chain(&self, path: &AbsPath) -> Vec<Mention> {
        let mut chain: Vec<Mention> = Vec::new();
        let mut at = path;
        while let Some(File {
            cause: Some(Cause::Import(mention)),
            ..
        }) = self.file(at)
        {
            // Imports are followed to a depth of a few, so this ends also where names repeat.
            if chain.len() > 8 {
                break;
            }
            chain.push(mention.clone());
            at = &mention.by;
        }
        chain.reverse();
        chain
    }

    /// The file with which the imports begin through which a file comes; else itself.
    #[must_use]
    pub fn root_of(&self, file: &File) -> AbsPath {
        let first = self.chain(&file.path).into_iter().next();
        first.map_or_else(|| file.path.clone(), |first| first.by)
    }

    /// Whether a file is an `AGENTS.md` that the client reads by itself, or comes through one: the
    /// client does not count it in its warnings (fact I17), and nested ones come in another form.
    #[must_use]
    pub fn is_agents(&self, file: &File) -> bool {
        self.root_of(file).file_name() == "AGENTS.md"
    }

    /// What a file costs when it enters.
    #[must_use]
    pub fn cost(&self, file: &File) -> Cost {
        file.cost(self.tokens(&file.text))
    }

    /// The tokens of a text as part of a message.
    #[must_use]
    pub fn tokens(&self, text: &str) -> u64 {
        self.counter.borrow_mut().part(text).count
    }

    /// What is lost where a reference, written another way, would bring a file that does not come.
    #[must_use]
    pub fn lost(&self, mention: &Mention, reference: &str) -> Option<Cost> {
        self.lost_file(&self.target(&mention.by, reference)?)
    }

    /// Reads the ignore comments of all files that were read. Later ones are not looked at.
    pub(super) fn read_ignores(&self) {
        self.ignores
            .get_or_init(|| Ignores::of(self.resolver.borrow().texts()));
    }

    /// The ignore comments, when the rules that they may hide have spoken.
    pub(crate) fn ignores(&self) -> &Ignores {
        self.ignores.get_or_init(Ignores::default)
    }

    /// Whether findings of a rule in a file are told.
    pub(crate) fn tells(&self, rule: &Rule, path: &AbsPath) -> bool {
        self.config.level(rule, path) != Some(Level::Off)
    }

    /// What is configured.
    pub(crate) fn config(&self) -> &Config {
        &self.config
    }

    /// The bytes of a reference in its file.
    #[must_use]
    pub fn range(&self, mention: &Mention) -> Option<std::ops::Range<usize>> {
        let span = self
            .resolver
            .borrow_mut()
            .resolve(&Place::Mention(mention.clone()));
        (!span.is_file).then_some(span.bytes)
    }

    /// The text of any file; nothing where it cannot be read.
    #[must_use]
    pub fn text(&self, path: &AbsPath) -> Option<Arc<str>> {
        self.resolver.borrow_mut().text(path)
    }

    /// The bytes of any file; nothing where it cannot be read.
    #[must_use]
    pub fn bytes(&self, path: &AbsPath) -> Option<Arc<[u8]>> {
        let host = self.session.world().host;
        host.read(path, crate::limits::FILE_BYTES).ok()
    }

    /// What a file says, read once.
    #[must_use]
    pub fn prose(&self, file: &File) -> Arc<Prose> {
        let mut known = self.prose.borrow_mut();
        let prose = known
            .entry(file.path.clone())
            .or_insert_with(|| Arc::new(Prose::of(&file.document)));
        Arc::clone(prose)
    }

    /// The root of the checkout that holds the working directory, or that directory.
    #[must_use]
    pub fn root(&self) -> &AbsPath {
        let git = self.session.git();
        git.map_or(self.session.cwd(), |git| &git.root)
    }

    /// The files below the working directory that git does not ignore.
    #[must_use]
    pub fn tree(&self) -> &Tree {
        let world = self.session.world();
        self.tree.get_or_init(|| Tree::of(world.host, &world.cwd))
    }

    /// Whether a path names a file.
    #[must_use]
    pub fn is_file(&self, path: &AbsPath) -> bool {
        self.session.world().is_file(path)
    }

    /// A path as one writes it in a message: from the working directory where it lies below, from
    /// the home folder where it lies there, and with `..` where a folder above holds both, so that
    /// a baseline knows the message in another checkout.
    /// A path as one writes it in a message: from the working directory, or where several sessions are
    /// told of from the directory of them all, where it lies below; from the home folder where it
    /// lies there.
    #[must_use]
    pub fn name(&self, path: &AbsPath) -> String {
        let below = |base: &AbsPath| path.below(base).filter(|below| !below.is_empty());
        let base = self.base.as_ref().unwrap_or(self.session.cwd());
        if let Some(below) = below(base) {
            return below.to_owned();
        }
        if let Some(below) = below(&self.session.origin().home) {
            return format!("~/{below}");
        }
        let is_above = |folder: &AbsPath| folder.parent().is_some() && path.is_within(folder);
        if self
            .session
            .cwd()
            .ancestors()
            .any(|folder| is_above(&folder))
        {
            return path.relative_to(self.session.cwd());
        }
        path.to_string()
    }
}

impl std::fmt::Debug for Subject<'_, '_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Subject")
            .field("files", &self.files.len())
            .finish_non_exhaustive()
    }
}

/// Every layer, and whether the start delivered it.
fn layers<'a>(session: &'a Session<'_>) -> impl Iterator<Item = (&'a Layer, bool)> {
    let deliveries = session.deliveries().iter().enumerate();
    deliveries.flat_map(|(number, delivery)| {
        let layers = delivery.layers.iter().chain(&delivery.by_hook);
        layers.map(move |layer| (layer, number == 0))
    })
}

fn when(session: &Session<'_>, layer: &Layer, document: &Document, at_start: bool) -> When {
    let is_matched = matches!(layer.cause, Cause::PathRule { .. });
    match document.rule_paths(&session.world().behaviour) {
        _ if at_start => When::Start,
        RulePaths::Matching(patterns) if is_matched => When::Match {
            patterns,
            base: base_of(&layer.path),
        },
        _ => When::Read,
    }
}

/// The directory whose `.claude/rules` holds a rule.
fn base_of(path: &AbsPath) -> AbsPath {
    rules_holder(path)
        .and_then(|holder| holder.parent())
        .unwrap_or_else(|| path.clone())
}

/// The directory for which a file speaks: that which holds it, or its `.claude`.
pub(crate) fn directory_of(path: &AbsPath) -> Option<AbsPath> {
    let holder = path
        .ancestors()
        .find(|above| above.file_name() == ".claude");
    holder.as_ref().unwrap_or(path).parent()
}

/// The directories in which a read brings nested files, outermost first.
fn nested_directories(waiting: &WaitingList) -> Vec<AbsPath> {
    let mut seen: FxHashSet<AbsPath> = FxHashSet::default();
    let mut directories = Vec::new();
    for file in &waiting.files {
        if file.kind != WaitingKind::Nested {
            continue;
        }
        if let Some(folder) = directory_of(&file.path)
            && seen.insert(folder.clone())
        {
            directories.push(folder);
        }
    }
    directories.sort();
    directories
}

/// Each skip once: a reference that two deliveries met, or a file that two looked at.
fn skips<'a>(session: &'a Session<'_>) -> Vec<&'a Skip> {
    let mut seen = FxHashSet::default();
    let deliveries = session.deliveries().iter();
    let all = deliveries.flat_map(|delivery| &delivery.skipped);
    all.filter(|skip| {
        let by = skip.mention.as_ref();
        let by = by.map(|mention| (&mention.by, mention.line, mention.column));
        seen.insert((&skip.path, skip.case, by))
    })
    .collect()
}
