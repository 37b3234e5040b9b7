//! `outcrop lint`.

use anyhow::Result;
use outcrop_loader::host::DiskHost;
use outcrop_loader::lint::Severity;

use crate::args::Global;
use crate::args::lint::{Format, Lint};
use crate::commands::{DONE, FOUND};
use crate::render::{Output, lint as print};
use crate::start::Place;
use crate::start::linting::Linting;

pub(crate) fn run(global: &Global, args: &Lint, output: &mut Output) -> Result<u8> {
    let place = Place::new(global)?;
    let disk = DiskHost::new();
    output.stand_in(&place.base(&disk));
    let linting = Linting::new(global, args, &place, &disk, &disk)?;
    let linted = linting.find(&disk, output)?;
    match args.format {
        _ if global.json => print::json::write(output, &linted)?,
        Format::Json => print::json::write(output, &linted)?,
        Format::Human => print::human::write(output, &disk, &linted)?,
        Format::Sarif => print::sarif::write(output, &disk, &linted)?,
        Format::Github => print::github::write(output, &linted)?,
        Format::Concise => print::concise::write(output, &linted)?,
    }
    let mut findings = linted.findings.iter();
    let fails = findings.any(|finding| finding.severity > Severity::Info);
    Ok(if fails && !args.exit_zero {
        FOUND
    } else {
        DONE
    })
}
