//! `outcrop sessions`.

use anyhow::Result;

use crate::args::Global;
use crate::args::transcripts::Sessions;
use crate::commands::DONE;
use crate::render::{Output, sessions, sessions_json};
use crate::start::sessions::survey;
use crate::start::transcripts::Projects;
use crate::start::{Place, client, retention};

pub(crate) fn run(global: &Global, args: &Sessions, output: &mut Output) -> Result<u8> {
    let now = retention::now(args.now.as_deref())?;
    let place = Place::new(global)?;
    let client = client(global)?;
    let projects = Projects::new(global, &place)?;
    let retention = retention::of(global, &place, client, output)?;
    let surveyed = survey(&projects, &client, args.all, global.quiet);
    let listed = sessions::Listed {
        projects: &projects,
        all: args.all,
        now,
        retention,
        surveyed: &surveyed,
    };
    if global.json {
        sessions_json::write(output, &listed)?;
    } else {
        sessions::write(output, &listed)?;
    }
    Ok(DONE)
}
