//! How long the client keeps sessions, and what time it is.

use std::path::Path;

use anyhow::{Context as _, Result};
use outcrop_compactor::sessions::{Retention, time};
use outcrop_loader::client::Client;
use outcrop_loader::host::DiskHost;
use outcrop_loader::path::AbsPath;
use outcrop_loader::settings::Settings;

use super::{Place, clock};
use crate::args::{ClientFlags, Global};
use crate::render::Output;

/// The time that was given with --now, or the clock's, in milliseconds since 1970.
pub(crate) fn now(given: Option<&str>) -> Result<i64> {
    match given {
        Some(text) => time::milliseconds(text)
            .with_context(|| format!("--now {text}: not a time such as 2026-09-01T10:00:00Z")),
        None => Ok(clock::now()),
    }
}

/// The period that the settings of the directory give, in which the user stands.
pub(crate) fn of(
    global: &Global,
    place: &Place,
    client: Client,
    output: &mut Output,
) -> Result<Retention> {
    let host = DiskHost::new();
    let base = place.base(&host);
    let origin = |dir: &AbsPath| {
        let flags = ClientFlags::default();
        place.origin(&host, global, client, &flags, Path::new(dir.as_str()))
    };
    // Sessions stay when their directory is gone.
    let origin = origin(&base).or_else(|_| origin(place.home()))?;
    let (settings, diagnostics) = Settings::load(&host, &origin, &base);
    output.diagnostics(&diagnostics)?;
    let period = settings.strongest("cleanupPeriodDays");
    Ok(Retention::of(period.and_then(|set| set.value.number())))
}
