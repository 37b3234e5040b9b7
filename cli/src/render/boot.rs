//! `boot` for people: the packet, and why it is as it is.

use std::io::Write as _;

use anyhow::Result;
use outcrop_compactor::boot::{Options, Packet};
use outcrop_loader::path::AbsPath;

use super::names::{number, wrapped};
use super::{Output, style};

/// A packet, and for what it was made.
pub(crate) struct Booted<'a> {
    pub(crate) project: &'a AbsPath,
    pub(crate) options: &'a Options,
    pub(crate) packet: &'a Packet,
}

pub(crate) fn write(output: &mut Output, booted: &Booted<'_>) -> Result<()> {
    let dim = style::DIM;
    let packet = booted.packet;
    write!(output, "{}", packet.text)?;
    let (tokens, cap) = (packet.tokens.count, booted.options.tokens);
    writeln!(
        output,
        "\n{dim}{} of {} tokens ({}){dim:#}",
        number(tokens),
        number(cap),
        booted.options.family
    )?;
    let columns = output.columns.saturating_sub(2);
    for reason in &packet.reasons {
        for (place, line) in wrapped(&reason.text, columns).into_iter().enumerate() {
            let mark = if place == 0 { "- " } else { "  " };
            writeln!(output, "{dim}{mark}{line}{dim:#}")?;
        }
    }
    if !packet.excluded.is_empty() {
        let counts = packet.excluded.iter();
        let counts: Vec<String> = counts
            .map(|(reason, times)| format!("{times} × {reason}"))
            .collect();
        let line = format!("left out: {}", counts.join(", "));
        for (place, line) in wrapped(&line, columns).into_iter().enumerate() {
            let mark = if place == 0 { "- " } else { "  " };
            writeln!(output, "{dim}{mark}{line}{dim:#}")?;
        }
    }
    Ok(())
}
