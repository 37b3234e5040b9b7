//! What is open, and what was found.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Result;
use lsp_types::{
    Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, InitializeParams, Location,
    NumberOrString, Uri,
};
use outcrop_loader::client::Client;
use outcrop_loader::host::{DiskHost, Host, Overlay};
use outcrop_loader::lint::{self, Finding, Options, Outcome, Severity, Span};
use outcrop_loader::path::AbsPath;
use outcrop_loader::record;
use outcrop_loader::session::Session;

use super::places;
use crate::args::lint::Lsp;
use crate::args::{ClientFlags, Counting, Global};
use crate::render::{Output, lint::cost};
use crate::start::baseline::Baseline;
use crate::start::configured::Configured;
use crate::start::{Place, client, model_of};

/// The largest file whose places are told, in bytes.
const BOUND: u64 = 32 * 1024 * 1024;

pub(super) struct World<'g> {
    global: &'g Global,
    place: Place,
    /// The client, as it was at the last look.
    pub(super) client: Client,
    disk: DiskHost,
    configured: Configured,
    /// The directories of the editor, in each of which a session may start.
    roots: Vec<AbsPath>,
    /// The texts that the editor holds.
    open: BTreeMap<AbsPath, String>,
    pub(super) findings: Vec<Finding>,
    /// The files of which something was told.
    told: BTreeSet<AbsPath>,
    /// What is wrong with baselines, which is told once.
    complaints: BTreeSet<String>,
}

impl<'g> World<'g> {
    pub(super) fn new(global: &'g Global, args: &Lsp, params: &InitializeParams) -> Result<Self> {
        let place = Place::new(global)?;
        let disk = DiskHost::new();
        let folders = params.workspace_folders.iter().flatten();
        let mut roots: Vec<AbsPath> = folders
            .filter_map(|folder| places::path(&folder.uri))
            .collect();
        #[expect(deprecated, reason = "editors without folders name their root so")]
        if roots.is_empty() {
            roots.extend(params.root_uri.as_ref().and_then(places::path));
        }
        if roots.is_empty() {
            roots.push(place.base(&disk));
        }
        Ok(Self {
            global,
            client: client(global)?,
            configured: Configured::of(&args.configured, &place, &disk)?,
            place,
            disk,
            roots,
            open: BTreeMap::new(),
            findings: Vec::new(),
            told: BTreeSet::new(),
            complaints: BTreeSet::new(),
        })
    }

    /// A text that the editor holds now. Says whether that is a file.
    pub(super) fn open(&mut self, uri: &Uri, text: String) -> bool {
        let path = places::path(uri);
        path.map(|path| self.open.insert(path, text)).is_some()
    }

    pub(super) fn close(&mut self, uri: &Uri) -> bool {
        places::path(uri).is_some_and(|path| self.open.remove(&path).is_some())
    }

    /// The files that configure what is told and may have any name.
    pub(super) fn configuring(&self) -> BTreeSet<AbsPath> {
        let host = self.host();
        let configs = self.roots.iter();
        let configs = configs.map(|root| self.configured.options_at(&host, root).config);
        configs
            .flat_map(|config| config.files.into_iter().chain(config.baseline))
            .collect()
    }

    /// The text of a file as the editor has it, else as it is saved.
    pub(super) fn text(&self, path: &AbsPath) -> Option<String> {
        if let Some(text) = self.open.get(path) {
            return Some(text.clone());
        }
        let bytes = self.disk.read(path, BOUND).ok()?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// The files as the editor has them.
    fn host(&self) -> Overlay<'_> {
        let mut host = Overlay::new(&self.disk);
        for (path, text) in &self.open {
            host.put(path, text.as_bytes());
        }
        host
    }

    /// Asks something of the session that starts in the root above a file.
    pub(super) fn with_session<T>(
        &self,
        path: &AbsPath,
        ask: impl FnOnce(&mut Session<'_>) -> T,
    ) -> Option<T> {
        let roots = self.roots.iter().filter(|root| path.is_within(root));
        let root = roots.max_by_key(|root| root.as_str().len())?;
        let host = self.host();
        let mut session = self.session(&host, root).ok()?;
        Some(ask(&mut session))
    }

    fn session<'h>(&self, host: &'h dyn Host, root: &AbsPath) -> Result<Session<'h>> {
        let flags = ClientFlags::default();
        let directory = std::path::Path::new(root.as_str());
        let place = &self.place;
        let origin = place.origin(&self.disk, self.global, self.client, &flags, directory)?;
        Ok(Session::start(host, origin))
    }

    /// Looks at the sessions of all roots. Gives what is to be told: each file with findings, and
    /// each that had some.
    pub(super) fn look(&mut self, output: &mut Output) -> Result<Vec<(Uri, Vec<Diagnostic>)>> {
        self.client = client(self.global)?;
        let (mut outcomes, mut complaints) = (Vec::new(), Vec::new());
        let host = self.host();
        for root in &self.roots {
            // A root that is gone has nothing wrong in it.
            let Ok(mut session) = self.session(&host, root) else {
                continue;
            };
            let counting = Counting::default();
            let family = model_of(self.global, &counting, &session, output)?.family;
            let options = self.configured.options_at(&host, root);
            let options = Options { family, ..options };
            let mut outcome = lint::lint(&mut session, &options);
            let known = options.config.baseline.as_ref();
            match known.map(|file| Baseline::read(&host, file)) {
                Some(Ok(Some(known))) => {
                    known.hide(&host, &mut outcome.findings);
                }
                // It may not be written yet.
                Some(Ok(None)) | None => {}
                // It may be half written, and an editor without findings is worse than one with too many.
                Some(Err(error)) => complaints.push(format!("{error:#}")),
            }
            outcomes.push(outcome);
        }
        for complaint in complaints {
            if self.complaints.insert(complaint.clone()) {
                output.diagnostics(&[record::Diagnostic::warning(complaint)])?;
            }
        }
        self.findings = Outcome::merged(outcomes).findings;
        let mut by_file: BTreeMap<AbsPath, Vec<Diagnostic>> = BTreeMap::new();
        for path in &self.told {
            by_file.insert(path.clone(), Vec::new());
        }
        let mut texts: BTreeMap<AbsPath, String> = BTreeMap::new();
        for finding in &self.findings {
            let diagnostic = self.diagnostic(finding, &mut texts);
            let told = by_file.entry(finding.span.path.clone()).or_default();
            told.push(diagnostic);
        }
        self.told = by_file
            .iter()
            .filter(|(_, told)| !told.is_empty())
            .map(|(path, _)| path.clone())
            .collect();
        let told = by_file.into_iter();
        Ok(told
            .filter_map(|(path, told)| Some((places::uri(&path)?, told)))
            .collect())
    }

    fn diagnostic(&self, finding: &Finding, texts: &mut BTreeMap<AbsPath, String>) -> Diagnostic {
        let mut range = |span: &Span| {
            let text = texts
                .entry(span.path.clone())
                .or_insert_with(|| self.text(&span.path).unwrap_or_default());
            places::range(text, &span.bytes)
        };
        let severity = match finding.severity {
            Severity::Error => DiagnosticSeverity::ERROR,
            Severity::Warning => DiagnosticSeverity::WARNING,
            Severity::Info => DiagnosticSeverity::INFORMATION,
        };
        let costs = finding.cost.map(cost);
        let parts = [Some(finding.message.clone()), costs, finding.help.clone()];
        let also = finding.also.iter().filter_map(|(span, what)| {
            let location = Location::new(places::uri(&span.path)?, range(span));
            Some(DiagnosticRelatedInformation {
                location,
                message: what.clone(),
            })
        });
        let also: Vec<DiagnosticRelatedInformation> = also.collect();
        Diagnostic {
            range: range(&finding.span),
            severity: Some(severity),
            code: Some(NumberOrString::String(finding.rule.id.to_owned())),
            source: Some("outcrop".to_owned()),
            message: parts.into_iter().flatten().collect::<Vec<_>>().join("\n"),
            related_information: (!also.is_empty()).then_some(also),
            ..Diagnostic::default()
        }
    }
}
