//! What the client adds of its own, where `verify` has learned it.

use std::io::Write;

use anyhow::Result;
use outcrop_loader::record::Delivery;
use outcrop_loader::session::Session;
use outcrop_verify::Profile;
use outcrop_verify::profile::{BlockKind, Own, Place};

use super::names::number;
use super::show_table::Shown;
use super::{Output, style};

/// What the client adds, below the layers of the start: never part of their numbers.
pub(crate) fn write(output: &mut Output, shown: &Shown<'_, '_>, start: &Delivery) -> Result<()> {
    let dim = style::DIM;
    let Some(profile) = shown.profile else {
        if !start.layers.is_empty() {
            writeln!(
                output,
                "{dim}    not counted: what the client adds (`outcrop verify` learns it){dim:#}"
            )?;
        }
        return Ok(());
    };
    let client = shown.sizes.client(shown.session, start, profile);
    let framing = match client.framing {
        Some(framing) => format!("{} around the layers", number(framing)),
        None => "an amount around the layers that `verify` here would tell".to_owned(),
    };
    let (system, tools) = (number(client.system), number(client.tools));
    let message = number(client.message);
    writeln!(
        output,
        "{dim}    the client adds {framing}, system prompt {system},\n    \
         tools {tools}, lists and reminders {message} (tokens, {}, as `verify` saw){dim:#}",
        profile.model
    )?;
    Ok(())
}

/// The first message as it is sent; false where a label of it was not learned.
pub(crate) fn write_message(
    output: &mut Output,
    session: &Session<'_>,
    start: &Delivery,
    profile: &Profile,
) -> Result<bool> {
    let Some(instructions) = profile.instructions(start) else {
        return Ok(false);
    };
    let place = Place::of(session);
    let Own { blocks, .. } = profile.own(&place);
    let mut is_first = true;
    let mut write = |role: &str, what: &str, text: &str| -> Result<()> {
        let dim = style::DIM;
        if !is_first {
            writeln!(output)?;
        }
        is_first = false;
        writeln!(output, "{dim}==> {role}: {what} <=={dim:#}")?;
        output.raw(text.as_bytes())?;
        if !text.is_empty() && !text.ends_with('\n') {
            writeln!(output)?;
        }
        Ok(())
    };
    for block in blocks {
        let role = &block.role;
        match block.kind {
            BlockKind::Instructions if instructions.is_empty() => {}
            BlockKind::Instructions => write(role, "instructions", &instructions)?,
            BlockKind::Git => write(role, "state of the repository, as it then is", "")?,
            BlockKind::Prompt => write(role, "the prompt", "")?,
            BlockKind::Client => write(role, "the client's own", &place.fill(&block.text))?,
        }
    }
    Ok(true)
}
