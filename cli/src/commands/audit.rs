//! `outcrop audit`.

use std::io::{self, IsTerminal as _, Write as _};
use std::path::Path;

use anyhow::Result;
use outcrop_compactor::audit::{
    Comparison, Loaded, LogFinding, Predicted, Receipt, Text, Verdict, compare, of_log, predicted,
};
use outcrop_compactor::transcript::{Index, Source, Transcript};
use outcrop_loader::client::Client;
use outcrop_loader::host::{DiskHost, Host, Kind};
use outcrop_loader::path::AbsPath;
use outcrop_loader::record::Diagnostic;
use outcrop_loader::session::Session;
use outcrop_loader::tokens::{Family, Model, Tokens};

use crate::args::Global;
use crate::args::audit::Audit;
use crate::commands::{DONE, FOUND};
use crate::render::{Output, audit, audit_json, audit_table};
use crate::start::revision::Revision;
use crate::start::transcripts::{Listed, Projects};
use crate::start::{Place, client, loaded_log, tally, tokenizer};

/// One session, compared.
pub(crate) struct Audited {
    pub(crate) listed: Listed,
    /// The user's home folder, for paths.
    pub(crate) home: AbsPath,
    pub(crate) client: Client,
    pub(crate) receipt: Receipt,
    pub(crate) basis: Basis,
    pub(crate) predicted: Vec<Predicted>,
    pub(crate) comparison: Comparison,
    /// What the log of the client's events says, where it was asked for.
    pub(crate) log: Option<LogFinding>,
    /// The line of each received text in the transcript.
    pub(crate) lines: Vec<u32>,
    pub(crate) family: Family,
    /// The tokens of each received and of each predicted text.
    pub(crate) received_tokens: Vec<Tokens>,
    pub(crate) predicted_tokens: Vec<Tokens>,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// What a session is compared with.
pub(crate) enum Basis {
    /// The files of today.
    Today,
    /// Those of a commit.
    Commit {
        commit: String,
        committed: String,
        branch: String,
    },
    /// Nothing, and why.
    Nothing(String),
}

struct Auditor<'a> {
    global: &'a Global,
    args: &'a Audit,
    place: Place,
    events: Option<Vec<Loaded>>,
}

pub(crate) fn run(global: &Global, args: &Audit, output: &mut Output) -> Result<u8> {
    let place = Place::new(global)?;
    let projects = Projects::new(global, &place)?;
    let events = match &args.log {
        Some(named) => {
            let log = loaded_log::path(global, named.as_deref())?;
            let (events, notes) = loaded_log::read(&log)?;
            output.diagnostics(&notes)?;
            Some(events)
        }
        None => None,
    };
    let is_many = args.which.all || args.which.all_projects;
    let listed = match is_many {
        true => projects.sessions(args.which.all_projects),
        false => vec![projects.find(&place, &args.session)?],
    };
    let auditor = Auditor {
        global,
        args,
        place,
        events,
    };
    if is_many {
        return auditor.many(listed, output);
    }
    let mut found = DONE;
    for listed in listed {
        let audited = auditor.one(listed)?;
        output.diagnostics(&audited.diagnostics)?;
        match global.json {
            true => audit_json::write(output, &audited)?,
            false => audit::write(output, &audited)?,
        }
        found = audited.exit_code();
    }
    Ok(found)
}

/// Tokens of a session's texts.
#[derive(Default)]
pub(crate) struct Sums {
    /// All that was received, each copy.
    pub(crate) received: u64,
    /// Of the copies that count, those with other words than predicted.
    pub(crate) stale: u64,
    /// Those that are not predicted.
    pub(crate) extra: u64,
    /// Copies of what stood in the context already.
    pub(crate) twice: u64,
    /// Texts that are predicted and were not received.
    pub(crate) missing: u64,
}

impl Audited {
    /// The tokens of the copy of a text that counts, else of the predicted one.
    pub(crate) fn tokens_of(&self, text: &Text) -> Option<u64> {
        let received = text.last.map(|at| self.received_tokens[at].count);
        received.or_else(|| text.predicted.map(|at| self.predicted_tokens[at].count))
    }

    pub(crate) fn sums(&self) -> Sums {
        let mut sums = Sums::default();
        for text in &self.comparison.texts {
            let copies = |list: &[usize]| -> u64 {
                list.iter().map(|at| self.received_tokens[*at].count).sum()
            };
            sums.received += copies(&text.received);
            sums.twice += copies(&text.repeats);
            let tokens = self.tokens_of(text).unwrap_or(0);
            match text.verdict {
                Verdict::OtherContent => sums.stale += tokens,
                Verdict::Extra => sums.extra += tokens,
                Verdict::Missing => sums.missing += tokens,
                _ => {}
            }
        }
        sums
    }

    fn exit_code(&self) -> u8 {
        let log_differs = self.log.as_ref().is_some_and(LogFinding::differs);
        match self.comparison.differs() || log_differs {
            true => FOUND,
            false => DONE,
        }
    }
}

impl Auditor<'_> {
    /// All sessions, the one that started last first. One that cannot be read does not hide the others.
    fn many(&self, listed: Vec<Listed>, output: &mut Output) -> Result<u8> {
        let shows = !self.global.quiet && io::stderr().is_terminal();
        let count = listed.len();
        let (mut rows, mut found) = (Vec::new(), DONE);
        for (number, listed) in listed.into_iter().enumerate() {
            if shows {
                let _ = write!(io::stderr(), "\rsession {} of {count}", number + 1);
            }
            let id = listed.id.clone();
            match self.one(listed) {
                Ok(audited) => {
                    found = found.max(audited.exit_code());
                    rows.push(audited);
                }
                Err(error) => {
                    let warning = Diagnostic::warning(format!("session {id}: {error:#}"));
                    output.diagnostics(&[warning])?;
                }
            }
        }
        if shows {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
        rows.sort_by(|a, b| {
            let started = b.receipt.started.cmp(&a.receipt.started);
            started.then_with(|| a.listed.path.cmp(&b.listed.path))
        });
        match self.global.json {
            true => audit_json::write_all(output, &rows)?,
            false => audit_table::write(output, &rows)?,
        }
        Ok(found)
    }

    fn one(&self, listed: Listed) -> Result<Audited> {
        let transcript = listed.open(self.global.quiet)?;
        let index = transcript.index();
        let mut diagnostics = Vec::new();
        let client = self.client(index, &mut diagnostics)?;
        let mut receipt = Receipt::of(&transcript, &client.behaviour.resume)?;
        let (basis, predicted) = self.predict(&receipt, &client, &mut diagnostics)?;
        let wanted = (!matches!(basis, Basis::Nothing(_))).then_some(predicted.as_slice());
        let mut comparison = compare(&receipt, wanted);
        let log = self.events.as_ref().map(|events| {
            let of_session = |event: &&Loaded| event.session == listed.id;
            let events: Vec<&Loaded> = events.iter().filter(of_session).collect();
            of_log(&mut comparison, &mut receipt, wanted, &events)
        });
        let model = self.model(&receipt, &mut diagnostics);
        let received = receipt.texts.iter().map(|text| text.text.as_str());
        let wanted = predicted.iter().map(|text| text.text.as_str());
        let counts = tally(self.global, model, received.clone().chain(wanted.clone()));
        Ok(Audited {
            lines: lines(&transcript, &receipt),
            received_tokens: received.map(|text| counts[text]).collect(),
            predicted_tokens: wanted.map(|text| counts[text]).collect(),
            family: model.family,
            listed,
            home: self.place.home().clone(),
            client,
            basis,
            comparison,
            log,
            diagnostics,
            receipt,
            predicted,
        })
    }

    /// The client that wrote the transcript, unless another is named.
    fn client(&self, index: &Index, diagnostics: &mut Vec<Diagnostic>) -> Result<Client> {
        let written = index.entries().iter().find_map(|entry| entry.version);
        let written = written.filter(|_| self.global.client == "auto");
        let Some(written) = written.map(|version| index.text(version)) else {
            return client(self.global);
        };
        let known = written
            .parse()
            .ok()
            .and_then(|version| Client::of(version).ok());
        if let Some(known) = known {
            return Ok(known);
        }
        let client = client(self.global)?;
        let message = format!(
            "the transcript was written by client {written}, of which nothing is known: client {} \
             is taken for it",
            client.version
        );
        diagnostics.push(Diagnostic::warning(message));
        Ok(client)
    }

    /// What the session should have received.
    fn predict(
        &self,
        receipt: &Receipt,
        client: &Client,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Result<(Basis, Vec<Predicted>)> {
        let nothing = |why: String| Ok((Basis::Nothing(why), Vec::new()));
        let Some(cwd) = receipt.cwd.as_deref() else {
            return nothing("the transcript names no directory".to_owned());
        };
        let disk = DiskHost::new();
        let folder = AbsPath::new(cwd).filter(|cwd| {
            let metadata = disk.metadata(cwd);
            metadata.is_ok_and(|metadata| metadata.kind == Kind::Directory)
        });
        let Some(folder) = folder else {
            return nothing(format!("{cwd} is no directory of this machine"));
        };
        let (host, basis): (Box<dyn Host>, Basis) = if self.args.git {
            let revision = match receipt.started {
                Some(started) => Revision::at(&folder, started),
                None => Err("the transcript does not tell when the session started".to_owned()),
            };
            match revision {
                Ok(revision) => {
                    let basis = Basis::Commit {
                        commit: revision.commit.clone(),
                        committed: revision.committed.clone(),
                        branch: revision.branch.clone(),
                    };
                    (Box::new(revision), basis)
                }
                Err(why) => return nothing(why),
            }
        } else {
            (Box::new(disk), Basis::Today)
        };
        let mut origin = self.place.origin(
            &disk,
            self.global,
            *client,
            &self.args.client,
            Path::new(cwd),
        )?;
        origin.now = receipt
            .started
            .and_then(|time| u64::try_from(time).ok())
            .or(origin.now);
        let mut session = Session::start(&*host, origin);
        receipt.replay(&mut session);
        diagnostics.extend(session.diagnostics().iter().cloned());
        let predicted = predicted(&session);
        Ok((basis, predicted))
    }

    /// The model whose tokens are counted: the one that is named, else the session's.
    fn model(&self, receipt: &Receipt, diagnostics: &mut Vec<Diagnostic>) -> Model {
        let named = self
            .args
            .counting
            .tokenizer
            .as_deref()
            .or(receipt.model.as_deref());
        let Some(name) = named else {
            return Model::plain(Family::NEWEST);
        };
        let (model, note) = tokenizer(name);
        diagnostics.extend(note);
        model
    }
}

fn lines<S: Source>(transcript: &Transcript<S>, receipt: &Receipt) -> Vec<u32> {
    let entries = transcript.index().entries();
    let texts = receipt.texts.iter();
    texts.map(|text| entries[text.record].place.line).collect()
}
