//! `show --text`: the delivered texts themselves.

use std::io::Write;

use anyhow::Result;
use outcrop_loader::session::Session;

use super::{Output, style};

pub(crate) fn write(output: &mut Output, session: &Session<'_>) -> Result<()> {
    let dim = style::DIM;
    let layers = session
        .deliveries()
        .iter()
        .flat_map(|delivery| &delivery.layers);
    for (index, layer) in layers.enumerate() {
        if index > 0 {
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
