//! `outcrop why`.

use anyhow::Result;
use outcrop_loader::host::DiskHost;
use outcrop_loader::session::Verdict;

use crate::args::{Global, Why};
use crate::commands::{DONE, FOUND};
use crate::render::{Output, why};
use crate::start::{Learned, Place, Sizes, model};

pub(crate) fn run(global: &Global, args: &Why, output: &mut Output) -> Result<u8> {
    let place = Place::new(global)?;
    let host = DiskHost::new();
    output.stand_in(&place.base(&host));
    let mut session = place.session(&host, global, &args.client, &args.from, &args.events)?;
    output.diagnostics(session.diagnostics())?;
    let (profile, _) = Learned::new(global).of(session.client().version);
    let model = model(&args.counting, profile.as_ref(), output)?;
    let sizes = Sizes::of_layers(global, model, &mut session);
    let answer = session.explain(&place.path(&args.file)?);
    if global.json {
        why::write_json(output, &session, &answer, &sizes)?;
    } else {
        why::write_text(output, &session, &answer, &sizes)?;
    }
    Ok(match answer.verdict {
        Verdict::Delivered | Verdict::DeliveredOnRead => DONE,
        Verdict::Waiting | Verdict::LeftOut | Verdict::NotConsidered => FOUND,
    })
}
