//! `outcrop boot`.

use anyhow::{Context as _, Result};
use outcrop_compactor::boot::{self, HOOK_UNITS, Options};
use outcrop_compactor::sessions::time::milliseconds;
use outcrop_loader::host::DiskHost;
use outcrop_loader::session::Session;
use outcrop_loader::tokens::Family;

use crate::args::boot::Boot;
use crate::args::{ClientFlags, Global};
use crate::commands::DONE;
use crate::render::boot::{self as text, Booted};
use crate::render::{Output, boot_json};
use crate::start::durable::Durable;
use crate::start::transcripts::Projects;
use crate::start::{Place, client, clock, tokenizer};

pub(crate) fn run(global: &Global, args: &Boot, output: &mut Output) -> Result<u8> {
    let now = match &args.now {
        Some(time) => milliseconds(time).with_context(|| format!("--now {time}: no time"))?,
        None => clock::now(),
    };
    let place = Place::new(global)?;
    let host = DiskHost::new();
    let flags = ClientFlags::default();
    let origin = place.origin(&host, global, client(global)?, &flags, &args.dir)?;
    let session = Session::start(&host, origin);
    let projects = Projects::new(global, &place)?.of(session.cwd());
    let family = match &args.tokenizer {
        Some(name) => {
            let (model, note) = tokenizer(name);
            output.diagnostics(note.as_slice())?;
            model.family
        }
        None => Family::NEWEST,
    };
    let options = Options {
        tokens: args.max_tokens,
        units: if args.hook { HOOK_UNITS } else { usize::MAX },
        family,
        forge: args.forge,
    };
    let durable = Durable::read(&session, &projects, now, args.forge);
    let packet = boot::build(&durable.sources, &options, &|source| durable.reread(source));
    let booted = Booted {
        project: session.cwd(),
        options: &options,
        packet: &packet,
    };
    match () {
        () if args.hook => boot_json::write_hook(output, &packet)?,
        () if global.json => boot_json::write(output, &booted)?,
        () => text::write(output, &booted)?,
    }
    Ok(DONE)
}
