//! `show --text`: the delivered texts themselves; the first message whole where the client's own
//! texts were learned.

use std::io::Write;

use anyhow::Result;
use outcrop_loader::record::Layer;
use outcrop_loader::session::Session;
use outcrop_verify::Profile;

use super::{Output, show_learned, style};

pub(crate) fn write(
    output: &mut Output,
    session: &Session<'_>,
    profile: Option<&Profile>,
) -> Result<()> {
    let mut deliveries = session.deliveries().iter();
    let mut is_first = true;
    if let (Some(profile), Some(start)) = (profile, session.deliveries().first())
        && show_learned::write_message(output, session, start, profile)?
    {
        deliveries.next();
        is_first = false;
    }
    write_layers(
        output,
        deliveries.flat_map(|delivery| delivery.layers.iter().chain(&delivery.by_hook)),
        is_first,
    )
}

fn write_layers<'l>(
    output: &mut Output,
    layers: impl Iterator<Item = &'l Layer>,
    is_first: bool,
) -> Result<()> {
    let dim = style::DIM;
    for (index, layer) in layers.enumerate() {
        if index > 0 || !is_first {
            writeln!(output)?;
        }
        let scope = style::of_scope(layer.scope);
        writeln!(
            output,
            "{dim}==>{dim:#} {scope}{} {}{scope:#} {dim}<=={dim:#}",
            layer.scope,
            layer.name()
        )?;
        output.raw(layer.text.as_bytes())?;
        if !layer.text.ends_with('\n') {
            writeln!(output)?;
        }
        if let Some(notice) = &layer.notice {
            let lost = style::LOST;
            writeln!(
                output,
                "{lost}[cut here by the client: {} of {} lines]{lost:#}",
                notice.kept_lines, notice.lines
            )?;
        }
    }
    Ok(())
}
