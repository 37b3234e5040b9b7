//! What `lint` looks at: sessions of directories, merged, with what is configured.

use std::path::PathBuf;

use anyhow::{Context as _, Result, bail};
use outcrop_loader::client::Client;
use outcrop_loader::host::{DiskHost, Host, Kind};
use outcrop_loader::lint::{self, Finding, Options, Outcome, Secrets, Severity};
use outcrop_loader::path::AbsPath;
use outcrop_loader::record::Diagnostic;
use outcrop_loader::session::Session;
use rustc_hash::FxHashSet;

use super::baseline::{Baseline, Known};
use super::configured::Configured;
use super::{Place, client, git, model_of};
use crate::args::Global;
use crate::args::lint::Lint;
use crate::render::Output;

/// What was found in all directories.
pub(crate) struct Linted {
    pub(crate) client: Client,
    pub(crate) findings: Vec<Finding>,
    /// How many files were looked at.
    pub(crate) files: usize,
    /// The root of the first directory's repository, or that directory.
    pub(crate) root: AbsPath,
    /// What no output may show.
    pub(crate) secrets: Secrets,
    /// What the baseline made of them.
    pub(crate) known: Known,
}

impl Linted {
    pub(crate) fn count(&self, severity: Severity) -> usize {
        let findings = self.findings.iter();
        findings
            .filter(|finding| finding.severity == severity)
            .count()
    }
}

/// What is to be looked at.
pub(crate) struct Linting<'l> {
    global: &'l Global,
    args: &'l Lint,
    place: &'l Place,
    disk: &'l DiskHost,
    client: Client,
    /// Where sessions start, links resolved.
    pub(crate) directories: Vec<AbsPath>,
    /// Files that were named: as they were, and links resolved. Nothing of others is told.
    pub(crate) files: Vec<(AbsPath, AbsPath)>,
    /// Files that git says are other than in a commit. Nothing of others is told.
    changed: Option<FxHashSet<AbsPath>>,
    configured: Configured,
    baseline: Option<Baseline>,
}

impl<'l> Linting<'l> {
    pub(crate) fn new(
        global: &'l Global,
        args: &'l Lint,
        place: &'l Place,
        disk: &'l DiskHost,
        host: &dyn Host,
    ) -> Result<Self> {
        let mut linting = Self {
            global,
            args,
            place,
            disk,
            client: client(global)?,
            directories: Vec::new(),
            files: Vec::new(),
            changed: None,
            configured: Configured::of(&args.configured, place, host)?,
            baseline: None,
        };
        let real = |path: &AbsPath| host.canonicalize(path).unwrap_or_else(|_| path.clone());
        for typed in &args.paths {
            let path = place.path(typed)?;
            match host.metadata(&path) {
                Ok(meta) if meta.kind == Kind::Directory => linting.directories.push(real(&path)),
                Ok(_) => linting.files.push((path.clone(), real(&path))),
                Err(error) => bail!("{path} {error}"),
            }
        }
        if let Some(path) = &args.path {
            let path = place.path(path)?;
            linting.files.push((path.clone(), real(&path)));
        }
        if linting.directories.is_empty() {
            linting.directories.push(place.base(disk));
        }
        if args.all {
            let root = linting.root(host);
            let config = linting.configured.options_at(host, &root).config;
            let own = lint::starts(host, &root, &config);
            linting.directories = vec![root.clone()];
            linting
                .directories
                .extend(own.into_iter().filter(|start| *start != root));
        }
        let configured = || {
            let options = linting.configured.options_at(host, &linting.directories[0]);
            options.config.baseline
        };
        linting.baseline = match (&args.baseline, &args.write_baseline) {
            (_, Some(_)) => None,
            (Some(file), _) => {
                let file = place.path(file)?;
                let baseline = Baseline::read(host, &file)?;
                Some(baseline.with_context(|| format!("{file} does not exist"))?)
            }
            // What is configured may not be written yet.
            (None, None) => match configured() {
                Some(file) => Baseline::read(host, &file)?,
                None => None,
            },
        };
        if let Some(commit) = &args.changed {
            let root = linting.root(host);
            linting.changed = Some(git::changed(&root, commit)?);
        }
        Ok(linting)
    }

    /// Looks at everything, in files as `host` has them.
    /// Notes go to `output`, where one is given.
    pub(crate) fn find(&self, host: &dyn Host, output: Option<&mut Output>) -> Result<Linted> {
        let mut silent = Output::silent();
        let output = output.unwrap_or(&mut silent);
        let mut outcomes = Vec::new();
        for directory in &self.directories {
            let path = PathBuf::from(directory.as_str());
            let (global, args) = (self.global, self.args);
            let origin = self
                .place
                .origin(self.disk, global, self.client, &args.client, &path)?;
            let mut session = Session::start(host, origin);
            let options = Options {
                family: model_of(global, &args.counting, &session, output)?.family,
                base: args.all.then(|| self.directories[0].clone()),
                ..self.configured.options_at(host, directory)
            };
            outcomes.push(lint::lint(&mut session, &options));
            output.diagnostics(session.diagnostics())?;
        }
        let Outcome {
            mut findings,
            mut files,
            secrets,
            ..
        } = Outcome::merged(outcomes);
        if !self.files.is_empty() {
            let missed = self
                .files
                .iter()
                .filter(|(file, real)| !files.contains(file) && !files.contains(real));
            for (file, _) in missed {
                let message = "no session here receives it, so nothing was looked at; \
                               `outcrop why` says more";
                output.diagnostics(&[Diagnostic::warning(message).about(file)])?;
            }
            findings.retain(|finding| self.is_named(&finding.span.path));
            files.retain(|path| self.is_named(path));
        }
        if let Some(changed) = &self.changed {
            let real = |path: &AbsPath| host.canonicalize(path).unwrap_or_else(|_| path.clone());
            let is_changed =
                |path: &AbsPath| changed.contains(path) || changed.contains(&real(path));
            findings.retain(|finding| is_changed(&finding.span.path));
            files.retain(is_changed);
        }
        let least = self.args.min_severity.severity();
        findings.retain(|finding| finding.severity >= least);
        let known = self.baseline.as_ref();
        let mut known = known.map_or_else(Known::default, |known| known.hide(host, &mut findings));
        // Where not all is looked at, what is not found need not be gone.
        let is_all = self.files.is_empty() && self.changed.is_none() && least == Severity::Info;
        if !is_all {
            known.gone = 0;
        }
        Ok(Linted {
            secrets,
            known,
            client: self.client,
            findings,
            files: files.len(),
            root: self.root(host),
        })
    }

    fn is_named(&self, path: &AbsPath) -> bool {
        let mut files = self.files.iter();
        files.any(|(file, real)| path == file || path == real)
    }

    fn root(&self, host: &dyn Host) -> AbsPath {
        let first = &self.directories[0];
        let root = first
            .ancestors()
            .find(|folder| host.metadata(&folder.child(".git")).is_ok());
        root.unwrap_or_else(|| first.clone())
    }
}
