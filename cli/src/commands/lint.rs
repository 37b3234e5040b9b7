//! `outcrop lint`.

use std::io::Read as _;

use anyhow::{Context as _, Result, bail};
use outcrop_loader::host::{DiskHost, Host, Overlay};
use outcrop_loader::lint::Severity;
use outcrop_loader::lint::fix::Applicability;

use crate::args::Global;
use crate::args::lint::{Format, Lint};
use crate::commands::{DONE, FOUND};
use crate::render::{Output, lint as print};
use crate::start::Place;
use crate::start::baseline::Baseline;
use crate::start::fixing::Fixed;
use crate::start::linting::Linting;

pub(crate) fn run(global: &Global, args: &Lint, output: &mut Output) -> Result<u8> {
    let place = Place::new(global)?;
    let disk = DiskHost::new();
    output.stand_in(&place.base(&disk));
    let mut host = Overlay::new(&disk);
    if let Some(path) = args.path.as_deref().filter(|_| args.stdin) {
        let path = place.path(path)?;
        let folder = path.parent().unwrap_or_else(|| path.clone());
        if disk.metadata(&folder).is_err() {
            bail!("--path: {folder} does not exist");
        }
        let mut bytes = Vec::new();
        let read = std::io::stdin().read_to_end(&mut bytes);
        read.context("--stdin: standard input")?;
        host.put(&path, bytes);
    }
    let linting = Linting::new(global, args, &place, &disk, &host)?;
    let fixed = fixes(args, &linting, &host, output)?;
    if args.diff {
        print::changes::write_diff(output, &fixed)?;
        let is_same = fixed.files.is_empty() || args.exit_zero;
        return Ok(if is_same { DONE } else { FOUND });
    }
    let linted = linting.find(&host, Some(output))?;
    if let Some(file) = &args.write_baseline {
        let file = place.path(file)?;
        Baseline::of(&host, &file, &linted.findings).write(&file)?;
        output.wrote(std::path::Path::new(file.as_str()))?;
        return Ok(DONE);
    }
    let format = match global.json {
        true => Format::Json,
        false => args.format,
    };
    if matches!(format, Format::Human | Format::Concise) {
        print::changes::write_fixed(output, &fixed)?;
    }
    match format {
        Format::Json => print::json::write(output, &linted, &fixed)?,
        Format::Human => print::human::write(output, &host, &linted)?,
        Format::Sarif => print::sarif::write(output, &host, &linted)?,
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

/// Makes the fixes that are asked for, and writes them with `--fix`.
fn fixes(
    args: &Lint,
    linting: &Linting<'_>,
    host: &dyn Host,
    output: &mut Output,
) -> Result<Fixed> {
    if !args.fix && !args.diff {
        if args.unsafe_fixes {
            bail!("--unsafe-fixes does something with --fix or --diff only");
        }
        return Ok(Fixed::default());
    }
    let least = match args.unsafe_fixes {
        true => Applicability::Unsafe,
        false => Applicability::Safe,
    };
    let mut fixed = Fixed::of(linting, host, least, output)?;
    if args.fix {
        fixed.write(output)?;
    }
    Ok(fixed)
}
