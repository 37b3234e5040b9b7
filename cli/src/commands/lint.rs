//! `outcrop lint`.

use anyhow::Result;
use outcrop_loader::client::Client;
use outcrop_loader::host::{DiskHost, Host, Kind};
use outcrop_loader::lint::{self, Finding, Options, Severity};
use outcrop_loader::path::AbsPath;
use outcrop_loader::record::Diagnostic;

use crate::args::Global;
use crate::args::lint::{Format, Lint};
use crate::commands::{DONE, FOUND};
use crate::render::{Output, lint as print};
use crate::start::{Place, client, model_of};

/// What was found in all directories.
pub(crate) struct Linted {
    pub(crate) client: Client,
    pub(crate) findings: Vec<Finding>,
    /// How many files were looked at.
    pub(crate) files: usize,
}

impl Linted {
    pub(crate) fn count(&self, severity: Severity) -> usize {
        let findings = self.findings.iter();
        findings
            .filter(|finding| finding.severity == severity)
            .count()
    }
}

pub(crate) fn run(global: &Global, args: &Lint, output: &mut Output) -> Result<u8> {
    let place = Place::new(global)?;
    let host = DiskHost::new();
    output.stand_in(&place.base(&host));
    let linted = find(global, args, &place, &host, output)?;
    match args.format {
        _ if global.json => print::json::write(output, &linted)?,
        Format::Json => print::json::write(output, &linted)?,
        Format::Human => print::human::write(output, &host, &linted)?,
        Format::Concise => print::concise::write(output, &linted)?,
    }
    let fails = linted
        .findings
        .iter()
        .any(|finding| finding.severity > Severity::Info);
    Ok(if fails && !args.exit_zero {
        FOUND
    } else {
        DONE
    })
}

fn find(
    global: &Global,
    args: &Lint,
    place: &Place,
    host: &DiskHost,
    output: &mut Output,
) -> Result<Linted> {
    let client = client(global)?;
    let (mut directories, mut files) = (Vec::new(), Vec::new());
    for typed in &args.paths {
        let path = place.path(typed)?;
        match host.metadata(&path) {
            Ok(meta) if meta.kind == Kind::Directory => directories.push(typed.clone()),
            Ok(_) => files.push((
                host.canonicalize(&path).unwrap_or_else(|_| path.clone()),
                path,
            )),
            Err(error) => anyhow::bail!("{path} {error}"),
        }
    }
    if directories.is_empty() {
        directories.push(".".into());
    }
    let mut linted = Linted {
        client,
        findings: Vec::new(),
        files: 0,
    };
    let mut looked_at: Vec<AbsPath> = Vec::new();
    for directory in &directories {
        let origin = place.origin(host, global, client, &args.client, directory)?;
        let mut session = outcrop_loader::session::Session::start(host, origin);
        let family = model_of(global, &args.counting, &session, output)?.family;
        let options = Options {
            family,
            ..Options::default()
        };
        let outcome = lint::lint(&mut session, &options);
        output.diagnostics(session.diagnostics())?;
        linted.findings.extend(outcome.findings);
        looked_at.extend(outcome.files);
    }
    if !files.is_empty() {
        let is_named = |path: &AbsPath| {
            files
                .iter()
                .any(|(real, file)| path == file || path == real)
        };
        for (_, file) in files
            .iter()
            .filter(|(real, file)| !looked_at.contains(file) && !looked_at.contains(real))
        {
            let message =
                "no session here receives it, so nothing was looked at; `outcrop why` says more";
            let note = Diagnostic::warning(message).about(file);
            output.diagnostics(&[note])?;
        }
        linted
            .findings
            .retain(|finding| is_named(&finding.span.path));
        looked_at.retain(|path| is_named(path));
    }
    looked_at.sort();
    looked_at.dedup();
    linted.files = looked_at.len();
    linted.findings.sort_by(|a, b| a.order().cmp(&b.order()));
    linted.findings.dedup_by(|a, b| a.order() == b.order());
    let least = args.min_severity.severity();
    linted.findings.retain(|finding| finding.severity >= least);
    Ok(linted)
}
