//! `outcrop handoff write`.

use std::io::Read as _;
use std::path::Path;

use anyhow::{Context as _, Result, bail};
use jiff::tz::TimeZone;
use outcrop_compactor::chain::Chain;
use outcrop_compactor::handoff::{About, Draft, Head, Name, Section, draft};
use outcrop_compactor::redact::redact;
use outcrop_compactor::store::{self, Handoffs};

use super::handoff::now;
use crate::args::Global;
use crate::args::handoff::Write;
use crate::render::handoff::Wrote;
use crate::render::{Output, handoff as text, handoff_json as json};
use crate::start::editor::Edited;
use crate::start::transcripts::Projects;
use crate::start::{Place, client, repository};

/// What is written, and what is known of it.
#[derive(Default)]
struct Note {
    text: String,
    title: Option<String>,
    session: Option<String>,
    sections: Vec<Section>,
    redacted: std::collections::BTreeMap<String, usize>,
}

pub(super) fn run(
    global: &Global,
    args: &Write,
    handoffs: &Handoffs,
    output: &mut Output,
) -> Result<()> {
    // Names are of the local time, as those that `date` makes.
    let zone = TimeZone::system();
    let at = zone.to_datetime(now());
    let mut note = match args.stdin {
        true => typed(args)?,
        false => drafted(global, args, &zone)?,
    };
    let edited = match args.edit {
        true => Some(Edited::of(&note.text)?),
        false => None,
    };
    if let Some(edited) = &edited {
        note.text.clone_from(&edited.text);
    }
    if note.text.trim().is_empty() {
        bail!("the text is empty; nothing is written");
    }
    if !args.no_redact {
        let clean = redact(&note.text);
        for (name, times) in clean.found {
            *note.redacted.entry(name.to_owned()).or_default() += times;
        }
        note.text = clean.text.into_owned();
    }
    let head = Head::of(&note.text);
    let title = args.title.clone().or(note.title).or(head.title);
    let title = title.unwrap_or_else(|| "session".to_owned());
    // The name must not show what the text leaves out.
    let title = match args.no_redact {
        true => title,
        false => redact(&title).text.into_owned(),
    };
    let path = match args.dry_run {
        true => None,
        false => {
            store::sweep(handoffs.folder())?;
            Some(match (handoffs.write(at, &title, &note.text), edited) {
                (Ok(path), _) => path,
                (Err(error), None) => return Err(error.into()),
                (Err(error), Some(edited)) => {
                    let kept = edited.keep()?;
                    let kept = format!("the text is in {}", kept.display());
                    return Err(error).context(kept);
                }
            })
        }
    };
    let name = Name::new(at, &title, 1);
    let wrote = Wrote {
        path: path.as_deref(),
        name: name.file(),
        text: &note.text,
        title: &title,
        session: note.session.as_deref().or(head.session.as_deref()),
        sections: &note.sections,
        redacted: &note.redacted,
    };
    match global.json {
        true => json::wrote(output, &wrote),
        false => text::wrote(output, &wrote),
    }
}

/// The user's own text.
fn typed(args: &Write) -> Result<Note> {
    if args.session.is_some() {
        bail!("--stdin takes the place of a draft, so no session is read; leave SESSION out");
    }
    let mut bytes = Vec::new();
    let stdin = std::io::stdin().lock();
    let read = stdin.take(store::LARGEST + 1).read_to_end(&mut bytes);
    read.context("standard input")?;
    if bytes.len() as u64 > store::LARGEST {
        bail!("standard input: more than 1 MiB is no handoff");
    }
    let text = String::from_utf8(bytes).context("standard input")?;
    Ok(Note {
        text,
        ..Note::default()
    })
}

fn drafted(global: &Global, args: &Write, zone: &TimeZone) -> Result<Note> {
    let place = Place::new(global)?;
    let projects = Projects::new(global, &place)?;
    let listed = projects.find(&place, args.session.as_deref().unwrap_or("last"))?;
    let transcript = listed.open(global.quiet)?;
    let client = client(global)?;
    let chain = Chain::of(&transcript, &client.behaviour.resume)?;
    let index = transcript.index();
    let cwd = index.entries().iter().rev().find_map(|entry| entry.cwd);
    let repository = cwd.and_then(|cwd| repository::of(Path::new(index.text(cwd))));
    let written = zone.to_datetime(now());
    let offset = zone.to_offset(now());
    let written = format!("{}{offset}", written.strftime("%Y-%m-%d %H:%M:%S UTC"));
    let file = listed.path.display().to_string();
    let about = About {
        session: &listed.id,
        transcript: &file,
        written: &written,
        repository: repository.as_ref(),
        redacts: !args.no_redact,
    };
    let Draft {
        title,
        sections,
        text,
        redacted,
        ..
    } = draft(&transcript, &chain, &client, &about)?;
    Ok(Note {
        text,
        title: Some(title),
        session: Some(listed.id),
        sections,
        redacted,
    })
}
