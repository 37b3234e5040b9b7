//! `outcrop sessions`.

use std::path::Path;

use anyhow::{Context, Result};
use outcrop_compactor::sessions::{Retention, time};
use outcrop_loader::host::DiskHost;
use outcrop_loader::path::AbsPath;
use outcrop_loader::settings::Settings;

use crate::args::transcripts::Sessions;
use crate::args::{ClientFlags, Global};
use crate::commands::DONE;
use crate::render::{Output, sessions, sessions_json};
use crate::start::sessions::survey;
use crate::start::transcripts::Projects;
use crate::start::{Place, client, clock};

pub(crate) fn run(global: &Global, args: &Sessions, output: &mut Output) -> Result<u8> {
    let now = match &args.now {
        Some(text) => time::milliseconds(text)
            .with_context(|| format!("--now {text}: not a time such as 2026-09-01T10:00:00Z"))?,
        None => clock::now(),
    };
    let place = Place::new(global)?;
    let host = DiskHost::new();
    let client = client(global)?;
    let projects = Projects::new(global, &place)?;
    let base = place.base(&host);
    let origin = |dir: &AbsPath| {
        let flags = ClientFlags::default();
        place.origin(&host, global, client, &flags, Path::new(dir.as_str()))
    };
    // Sessions stay when their directory is gone.
    let origin = origin(&base).or_else(|_| origin(place.home()))?;
    let (settings, diagnostics) = Settings::load(&host, &origin, &base);
    output.diagnostics(&diagnostics)?;
    let period = settings.strongest("cleanupPeriodDays");
    let surveyed = survey(&projects, &client, args.all, global.quiet);
    let listed = sessions::Listed {
        projects: &projects,
        all: args.all,
        now,
        retention: Retention::of(period.and_then(|set| set.value.number())),
        surveyed: &surveyed,
    };
    if global.json {
        sessions_json::write(output, &listed)?;
    } else {
        sessions::write(output, &listed)?;
    }
    Ok(DONE)
}
