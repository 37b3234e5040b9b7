//! `outcrop why`.

use anyhow::Result;
use outcrop_loader::host::DiskHost;
use outcrop_loader::session::Verdict;

use crate::args::{Global, Why};
use crate::commands::{DONE, FOUND};
use crate::render::{Output, why};
use crate::start::{Place, model_of, size_of};

pub(crate) fn run(global: &Global, args: &Why, output: &mut Output) -> Result<u8> {
    let place = Place::new(global)?;
    let host = DiskHost::new();
    output.stand_in(&place.base(&host));
    let session = place.session(&host, global, &args.client, &args.from, &args.events)?;
    output.diagnostics(session.diagnostics())?;
    let model = model_of(global, &args.counting, &session, output)?;
    let answer = session.explain(&place.path(&args.file)?);
    let size = size_of(global, model, &session, &answer.path);
    if global.json {
        why::write_json(output, &session, &answer, (model.family, size))?;
    } else {
        why::write_text(output, &session, &answer, (model.family, size))?;
    }
    Ok(match answer.verdict {
        Verdict::Delivered | Verdict::DeliveredOnRead | Verdict::Listed | Verdict::ListedOnRead => {
            DONE
        }
        Verdict::Waiting | Verdict::LeftOut | Verdict::NotConsidered => FOUND,
    })
}
