//! `outcrop show`.

use anyhow::Result;
use outcrop_loader::host::DiskHost;

use crate::args::{Global, Show};
use crate::commands::DONE;
use crate::render::{Output, show_json, show_layers, show_table, show_tree};
use crate::start::{Learned, Place};

pub(crate) fn run(global: &Global, show: &Show, output: &mut Output) -> Result<u8> {
    let place = Place::new(global)?;
    let host = DiskHost::new();
    output.stand_in(&place.base(&host));
    let mut session = place.session(&host, global, &show.client, &show.dir, &show.events)?;
    output.diagnostics(session.diagnostics())?;
    let appended = show.client.append_system_prompt.as_deref();
    if show.tree && !global.json {
        show_tree::write(output, &session)?;
        return Ok(DONE);
    }
    let (profile, note) = Learned::new(global).of(session.client().version);
    output.diagnostics(note.as_slice())?;
    let profile = profile.as_ref();
    if global.json {
        show_json::write(output, &session, appended, profile)?;
    } else if show.text {
        show_layers::write(output, &session, profile)?;
    } else {
        show_table::write(output, &mut session, appended, profile)?;
    }
    Ok(DONE)
}
