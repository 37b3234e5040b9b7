//! `outcrop show`.

use anyhow::Result;
use outcrop_loader::host::DiskHost;

use crate::args::{Global, Show};
use crate::commands::{DONE, show_agent};
use crate::render::show_table::WAITING;
use crate::render::{Output, show_json, show_layers, show_table, show_tree};
use crate::start::{Learned, Place, Sizes, Whole, model};

pub(crate) fn run(global: &Global, show: &Show, output: &mut Output) -> Result<u8> {
    let place = Place::new(global)?;
    let host = DiskHost::new();
    output.stand_in(&place.base(&host));
    let mut session = place.session(&host, global, &show.client, &show.dir, &show.events)?;
    output.diagnostics(session.diagnostics())?;
    if let Some(name) = &show.agent {
        return show_agent::run(global, show, name, &mut session, output);
    }
    let (profile, note) = Learned::new(global).of(session.client().version);
    output.diagnostics(note.as_slice())?;
    let profile = profile.as_ref();
    if show.text {
        show_layers::write(output, &session, profile)?;
        return Ok(DONE);
    }
    let model = model(&show.counting, &session, profile, output)?;
    let waiting = if show.tree {
        outcrop_loader::session::WaitingList::default()
    } else {
        session.waiting()
    };
    let shown = match (global.json, global.verbose) {
        (true, _) => 0,
        (false, true) => usize::MAX,
        (false, false) => WAITING,
    };
    let sizes = Sizes::new(
        global,
        model,
        &mut session,
        &waiting,
        shown,
        show.as_context,
    );
    if show.tree {
        show_tree::write(output, &session, &sizes)?;
        return Ok(DONE);
    }
    let whole = show.all.then(|| Whole::new(global, show, &session, model));
    let shown = show_table::Shown {
        session: &session,
        waiting: &waiting,
        sizes: &sizes,
        profile,
        appended: show.client.append_system_prompt.as_deref(),
        whole: whole.as_ref(),
    };
    if global.json {
        show_json::write(output, &shown)?;
    } else {
        show_table::write(output, &shown)?;
    }
    Ok(DONE)
}
