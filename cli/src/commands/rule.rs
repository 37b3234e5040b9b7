//! `outcrop rule`.

use anyhow::{Context, Result};
use outcrop_loader::lint;

use crate::args::Global;
use crate::args::lint::Rule;
use crate::commands::DONE;
use crate::render::{Output, rule as print};

pub(crate) fn run(global: &Global, args: &Rule, output: &mut Output) -> Result<u8> {
    match &args.rule {
        Some(named) => {
            let rule = lint::rule(named).with_context(|| {
                format!("there is no rule `{named}`; `outcrop rule --list` lists all")
            })?;
            match global.json {
                true => print::write_json(output, &[rule])?,
                false => print::write_page(output, rule)?,
            }
        }
        None if global.json => print::write_json(output, lint::RULES)?,
        None => print::write_list(output)?,
    }
    Ok(DONE)
}
