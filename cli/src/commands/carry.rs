//! `outcrop carry`.

use std::collections::BTreeMap;
use std::fs;
use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use outcrop_compactor::carry::{self, Around, Identity, Options, Plan};
use outcrop_compactor::chain::Chain;
use outcrop_compactor::poison::{self, Poison};
use outcrop_compactor::sessions::folder_of;
use outcrop_compactor::store::{self, Done, Good, Holder, LastGood, Lock, Seen, StoreError};
use outcrop_compactor::transcript::Transcript;
use outcrop_loader::client::{Client, Version};
use outcrop_loader::tokens::{Family, Model};

use crate::args::Global;
use crate::args::carry::Carry;
use crate::commands::{DONE, FOUND};
use crate::render::carry::{Carried, Refused, Written};
use crate::render::{Output, carry as text, carry_json};
use crate::start::transcripts::{FileSource, Listed, Projects, open};
use crate::start::{Place, client, clock, folders, journal};

/// How long another carry-over of the project is waited for.
const WAIT: Duration = Duration::from_secs(5);
/// What the journal says of a session that was written, and where it tells its size.
const WRITTEN: &str = "written";
const BYTES_WRITTEN: &str = "bytes_written";

pub(crate) fn run(global: &Global, args: &Carry, output: &mut Output) -> Result<u8> {
    let place = Place::new(global)?;
    let projects = Projects::new(global, &place)?;
    let Some(name) = &args.session else {
        return rollback(global, &projects, output);
    };
    let listed = projects.find(&place, name)?;
    let seen = Seen::of(&listed.path)?;
    if args.write && !args.live {
        seen.refuse_live()?;
    }
    refuse_own(global, &listed, &seen)?;
    let transcript = listed.open(global.quiet)?;
    let client = client(global)?;
    let chain = chain(&transcript, &client, args.until.as_deref())?;
    if chain.refused.is_some() {
        bail!(
            "{}: the client does not resume this session; `outcrop doctor` tells why",
            listed.path.display()
        );
    }
    let poison = poison::examine(&transcript, &chain, &client)?;
    if poison.is_blocking() && args.allow_poison.is_none() {
        let refused = Refused {
            source: &listed,
            client: &client,
            poison: &poison,
        };
        if args.write {
            note_refusal(global, &listed, &seen, &poison, output)?;
        }
        if global.json {
            carry_json::refuse(output, &refused)?;
        } else {
            text::refuse(output, &refused)?;
        }
        return Ok(FOUND);
    }
    let session = match &args.seed {
        Some(seed) => Identity::seeded(&format!("{seed} {}", listed.id)),
        None => Identity::seeded(&random()),
    };
    let identity = Identity::of(&transcript, &chain, session);
    let model = args.tokenizer.as_deref().or(identity.model.as_deref());
    let options = Options {
        target: args.target,
        tail: args.tail,
        pins: args.pin.clone(),
        excludes: args.exclude.clone(),
        around: Around {
            directory: identity.cwd.clone(),
            home: Some(place.home().to_string()),
        },
        redacts: !args.no_redact,
        family: model.map_or(Family::NEWEST, |model| Model::of(model).family),
    };
    let plan = carry::plan(&transcript, &chain, &client, &options)?;
    let work = Work {
        global,
        args,
        listed: &listed,
        seen: &seen,
        identity: &identity,
        plan: &plan,
        client: &client,
    };
    let written = match args.write {
        true => {
            let written = work.write(&projects)?;
            journal::note(global, clock::now(), work.done(written.bytes), output)?;
            Some(written)
        }
        false => None,
    };
    let carried = Carried {
        source: &listed,
        transcript: &transcript,
        chain: &chain,
        client: &client,
        poison: &poison,
        plan: &plan,
        identity: &identity,
        family: options.family,
        shows: args.show,
        written,
    };
    if global.json {
        carry_json::write(output, &carried)?;
    } else {
        text::write(output, &carried)?;
    }
    Ok(DONE)
}

/// The session, or what came up to a record.
fn chain(
    transcript: &Transcript<FileSource>,
    client: &Client,
    until: Option<&str>,
) -> Result<Chain> {
    let resume = &client.behaviour.resume;
    let Some(uuid) = until else {
        return Ok(Chain::of(transcript, resume)?);
    };
    let index = transcript.index();
    let record = index.find(uuid).and_then(|uuid| index.by_uuid(uuid));
    let record = record.with_context(|| format!("--until {uuid}: no such record"))?;
    Ok(Chain::ending_at(transcript, record, resume)?)
}

/// Fails for a carry-over with which nobody went on: refined again and again, a session loses
/// more each time.
fn refuse_own(global: &Global, listed: &Listed, seen: &Seen) -> Result<()> {
    let is_own = |done: &Done| {
        done.command == "carry"
            && done.outcome == WRITTEN
            && done.made.as_deref() == Some(&listed.id)
            && done.counts.get(BYTES_WRITTEN) == Some(&seen.length())
    };
    let done = journal::of(global)?.read()?;
    match done.iter().rfind(|done| is_own(done)) {
        Some(done) => bail!(
            "{} is a carry-over that nobody went on with; `outcrop carry {}` makes another one \
             of its session",
            listed.id,
            done.session.as_deref().unwrap_or_default()
        ),
        None => Ok(()),
    }
}

/// A refusal in the journal: which rules, not which words.
fn note_refusal(
    global: &Global,
    listed: &Listed,
    seen: &Seen,
    poison: &Poison,
    output: &mut Output,
) -> Result<()> {
    let mut counts = BTreeMap::from([("bytes_read".to_owned(), seen.length())]);
    for finding in poison.blocking() {
        *counts.entry(finding.rule.name().to_owned()).or_default() += 1;
    }
    let done = Done {
        command: "carry".to_owned(),
        session: Some(listed.id.clone()),
        outcome: "refused".to_owned(),
        counts,
        ..Done::default()
    };
    journal::note(global, clock::now(), done, output)
}

/// What no other run makes.
fn random() -> String {
    let hash = RandomState::new().build_hasher().finish();
    format!("{hash} {} {}", clock::now(), std::process::id())
}

/// What is to be written.
struct Work<'a> {
    global: &'a Global,
    args: &'a Carry,
    listed: &'a Listed,
    seen: &'a Seen,
    identity: &'a Identity,
    plan: &'a Plan,
    client: &'a Client,
}

impl Work<'_> {
    fn write(&self, projects: &Projects) -> Result<Written> {
        let folder = self.folder(projects)?;
        fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
        let state = folders::state(self.global)?;
        let holder = Holder::this("outcrop carry");
        let project = self.project(projects);
        let lock = state.join("locks").join(format!("carry{project}.lock"));
        let _lock = Lock::take(&lock, &holder, WAIT)?;
        store::sweep(&folder)?;
        let path = folder.join(format!("{}.jsonl", self.identity.session));
        let content = |out: &mut dyn io::Write| {
            let mut bytes = 0;
            for line in carry::lines(self.plan, self.identity) {
                out.write_all(line.as_bytes())?;
                out.write_all(b"\n")?;
                bytes += line.len() as u64 + 1;
            }
            Ok(bytes)
        };
        let bytes = store::write_new(&path, content, |made| self.check(made, &path))?;
        let good = |session: &str, path: &Path, bytes: u64| -> Result<Good, StoreError> {
            Ok(Good {
                session: session.to_owned(),
                path: path.to_owned(),
                bytes,
                digest: store::digest(path, bytes)?,
                at: clock::text(),
            })
        };
        let last_good = last_good_of(&state, &project);
        let mut last = LastGood::read(&last_good)?;
        last.push(good(
            &self.listed.id,
            &self.listed.path,
            self.seen.length(),
        )?);
        last.push(good(&self.identity.session, &path, bytes)?);
        last.write(&last_good)?;
        Ok(Written {
            path,
            bytes,
            appended: self.seen.appended(),
        })
    }

    /// The folder of the project: that of the session, where it lies among the client's, else that
    /// of its directory.
    fn folder(&self, projects: &Projects) -> Result<PathBuf> {
        if let Some(out) = &self.args.out {
            let place = Place::new(self.global)?;
            return Ok(PathBuf::from(place.path(out)?.to_string()));
        }
        let own = self.listed.path.parent();
        let own = own.filter(|folder| folder.parent() == Some(projects.root()));
        match (own, &self.identity.cwd) {
            (Some(own), _) => Ok(own.to_owned()),
            (None, Some(cwd)) => Ok(projects.root().join(folder_of(cwd))),
            (None, None) => bail!("the session names no directory; give --out"),
        }
    }

    /// The project by the name of its folder.
    fn project(&self, projects: &Projects) -> String {
        let directory = self.identity.cwd.as_deref();
        folder_of(directory.unwrap_or(projects.directory()))
    }

    /// Reads what was written as both clients that are measured would, and looks whether the old
    /// session grew.
    fn check(&self, made: &Path, path: &Path) -> Result<()> {
        let newest = Client::of(Version::NEWEST)?;
        let oldest = Client::of("2.1.197".parse()?)?;
        let transcript = open(made, true)?;
        for client in [self.client, &newest, &oldest] {
            if let Some(reason) = carry::check(&transcript, self.plan, client)? {
                return Err(StoreError::Unsound {
                    path: path.to_owned(),
                    reason: format!("{} ({reason})", client.version),
                }
                .into());
            }
        }
        if !self.args.live {
            self.seen.refuse_changed()?;
        }
        Ok(())
    }

    /// What was done, for the journal.
    fn done(&self, bytes: u64) -> Done {
        let mut counts = BTreeMap::from([
            ("bytes_read".to_owned(), self.seen.length()),
            (BYTES_WRITTEN.to_owned(), bytes),
            ("tokens".to_owned(), self.plan.tokens),
        ]);
        for ((fate, reason), count) in self.plan.counts() {
            counts.insert(
                format!("{} {}", text::fate(fate), reason.name()),
                count as u64,
            );
        }
        Done {
            command: "carry".to_owned(),
            session: Some(self.listed.id.clone()),
            made: Some(self.identity.session.clone()),
            outcome: WRITTEN.to_owned(),
            reason: self.args.allow_poison.clone(),
            counts,
            ..Done::default()
        }
    }
}

fn last_good_of(state: &Path, project: &str) -> PathBuf {
    state.join("last-good").join(format!("{project}.json"))
}

/// Goes back to the session that was good before.
fn rollback(global: &Global, projects: &Projects, output: &mut Output) -> Result<u8> {
    let state = folders::state(global)?;
    let project = folder_of(projects.directory());
    let file = last_good_of(&state, &project);
    let nothing = || {
        format!(
            "no carry-over of {} is remembered, so there is nothing to go back to",
            projects.directory()
        )
    };
    // Nothing is made where nothing was.
    if !file.exists() {
        bail!(nothing());
    }
    let lock = state.join("locks").join(format!("carry{project}.lock"));
    let _lock = Lock::take(&lock, &Holder::this("outcrop carry --rollback"), WAIT)?;
    let mut last = LastGood::read(&file)?;
    let left = last.pop();
    let (Some(left), Some(good)) = (left, last.newest().cloned()) else {
        bail!(nothing());
    };
    if !good.is_whole()? {
        bail!(
            "{} is not as it was: `outcrop doctor {}` tells more; nothing is changed",
            good.path.display(),
            good.session
        );
    }
    last.write(&file)?;
    let done = Done {
        command: "carry".to_owned(),
        session: Some(left.session.clone()),
        made: Some(good.session.clone()),
        outcome: "rolled back".to_owned(),
        ..Done::default()
    };
    journal::note(global, clock::now(), done, output)?;
    // The lines of a session that went on since are its own.
    let directory = cwd_of(&good.path);
    text::rolled_back(output, global.json, &left, &good, directory.as_deref())?;
    Ok(DONE)
}

/// The directory of a session.
fn cwd_of(path: &Path) -> Option<String> {
    let transcript = open(path, true).ok()?;
    let index = transcript.index();
    let cwd = index.entries().iter().rev().find_map(|entry| entry.cwd)?;
    Some(index.text(cwd).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use outcrop_compactor::sessions::time;

    #[test]
    fn ids_are_random_without_a_seed() {
        assert_ne!(random(), random());
        assert!(time::milliseconds(&clock::text()).is_some());
    }
}
