//! `outcrop doctor`.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use outcrop_compactor::chain::Chain;
use outcrop_compactor::doctor::{self, Level, Options};
use outcrop_compactor::poison::{self, Severity};
use outcrop_compactor::store::{self, Seen};

use crate::args::Global;
use crate::args::transcripts::Doctor;
use crate::commands::{DONE, FOUND};
use crate::render::{Output, doctor as text, doctor_json};
use crate::start::transcripts::Projects;
use crate::start::{Place, client};

pub(crate) fn run(global: &Global, args: &Doctor, output: &mut Output) -> Result<u8> {
    let place = Place::new(global)?;
    let projects = Projects::new(global, &place)?;
    let listed = projects.find(&place, &args.session)?;
    let target = match &args.repair {
        Some(out) => Some(target(&place.path(out)?.to_string(), &listed.path)?),
        None => None,
    };
    let seen = Seen::of(&listed.path)?;
    if target.is_some() && !args.live {
        seen.refuse_live()?;
    }
    let transcript = listed.open(global.quiet)?;
    let client = client(global)?;
    let examination = doctor::examine(&transcript, &client)?;
    let chain = Chain::of(&transcript, &client.behaviour.resume)?;
    let poison = poison::examine(&transcript, &chain, &client)?;
    let options = Options {
        relink: args.relink,
        strip_thinking: args.strip_thinking,
    };
    let repair = doctor::repair(&transcript, &examination, &client, &options)?;
    let written = match &target {
        Some(target) => {
            let bytes = store::write_new(
                target,
                |out| repair.write(out),
                |_| match args.live {
                    true => Ok(()),
                    false => seen.refuse_changed(),
                },
            )?;
            Some(text::Written {
                path: target,
                bytes,
                appended: seen.appended(),
            })
        }
        None => None,
    };
    let checked = text::Checked {
        session: &listed.id,
        client: &client,
        examination: &examination,
        repair: &repair,
        poison: &poison,
        options,
        written,
    };
    if global.json {
        doctor_json::write(output, &checked)?;
    } else {
        text::write(output, &checked)?;
    }
    // Where the repaired session was written, what is left counts.
    let level = match checked.written {
        Some(_) => repair.after.level(),
        None => examination.level(),
    };
    let is_wrong = matches!(level, Some(Level::Warning | Level::Error))
        // No repair does away with what somebody said.
        || poison.severity().is_some_and(|worst| worst > Severity::Notice);
    Ok(if is_wrong { FOUND } else { DONE })
}

/// The new file: the path that was given, or in a folder one of the source's name.
fn target(out: &str, source: &Path) -> Result<PathBuf> {
    let mut target = PathBuf::from(out);
    if target.is_dir() {
        let name = source.file_name().context("the session has no file name")?;
        target.push(name);
    }
    if target.exists() {
        bail!("{} exists; a repair is a new file", target.display());
    }
    Ok(target)
}
