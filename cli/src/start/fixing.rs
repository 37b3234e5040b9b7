//! `lint --fix` and `--diff`: fixes are made in memory, round by round, until nothing is left to fix.

use std::collections::BTreeMap;
use std::sync::Arc;

use anyhow::Result;
use outcrop_loader::host::{Host, Kind, Overlay};
use outcrop_loader::lint::fix::{Applicability, Fix, Plan};
use outcrop_loader::lint::{Finding, Secrets};
use outcrop_loader::path::AbsPath;
use outcrop_loader::record::Diagnostic;

use super::linting::Linting;
use super::replaced::replace;
use crate::render::Output;

/// After so many rounds fixes that undo one another are left alone.
const ROUNDS: usize = 10;
/// The largest file that is changed, in bytes.
const BOUND: u64 = 32 * 1024 * 1024;

/// What fixes make of files.
#[derive(Default)]
pub(crate) struct Fixed {
    /// What no output may show.
    pub(crate) secrets: Secrets,
    /// By the path with links resolved.
    pub(crate) files: BTreeMap<AbsPath, Changed>,
    /// Files that are not changed, and why.
    refused: BTreeMap<AbsPath, String>,
}

/// A file before and after its fixes.
pub(crate) struct Changed {
    pub(crate) before: Arc<str>,
    pub(crate) after: String,
    /// The rule and title of each fix.
    pub(crate) fixes: Vec<(&'static str, String)>,
}

impl Fixed {
    /// Makes all fixes that are at least so sure.
    pub(crate) fn of(
        linting: &Linting<'_>,
        host: &dyn Host,
        least: Applicability,
        output: &mut Output,
    ) -> Result<Self> {
        let mut fixed = Self::default();
        let mut overlay = Overlay::new(host);
        for _ in 0..ROUNDS {
            let linted = linting.find(&overlay, None)?;
            fixed.secrets = linted.secrets;
            let findings = linted.findings;
            let after = fixed.round(linting, &overlay, &findings, least);
            if after.is_empty() {
                break;
            }
            for (path, text) in after {
                overlay.put(&path, text.as_bytes());
            }
        }
        fixed.files.retain(|_, file| *file.before != file.after);
        for (path, why) in &fixed.refused {
            output
                .diagnostics(&[Diagnostic::warning(format!("not changed: {why}")).about(path)])?;
        }
        Ok(fixed)
    }

    /// Makes the fixes of one round. Gives the files that change, and their texts.
    fn round(
        &mut self,
        linting: &Linting<'_>,
        host: &dyn Host,
        findings: &[Finding],
        least: Applicability,
    ) -> Vec<(AbsPath, String)> {
        // One file may have several names; in a round only one of them is changed.
        let mut names: BTreeMap<AbsPath, AbsPath> = BTreeMap::new();
        let mut own: Vec<(&Finding, &Fix)> = Vec::new();
        for finding in findings {
            let Some(fix) = &finding.fix else { continue };
            let is_sure = fix.applicability <= least;
            let mut reals = fix.edits.iter().map(|edit| {
                let real = self.changeable(linting, host, &edit.path)?;
                self.files[&real].after.get(edit.range.clone())?;
                let name = names.entry(real).or_insert_with(|| edit.path.clone());
                (*name == edit.path).then_some(())
            });
            if is_sure && reals.all(|real| real.is_some()) {
                own.push((finding, fix));
            }
        }
        let plan = Plan::of(own.iter().map(|(_, fix)| *fix));
        let mut changed = Vec::new();
        for (real, name) in &names {
            let Some(file) = self.files.get_mut(real) else {
                continue;
            };
            let Some(after) = plan.text(name, &file.after) else {
                continue;
            };
            if after == file.after {
                continue;
            }
            file.after.clone_from(&after);
            changed.push((name.clone(), after));
        }
        for (finding, fix) in own {
            let is_made = plan.fixes.iter().any(|made| std::ptr::eq(*made, fix));
            let first = fix.edits.first().filter(|_| is_made);
            let real = first.and_then(|edit| host.canonicalize(&edit.path).ok());
            let file = real.and_then(|real| self.files.get_mut(&real));
            let made = (finding.rule.id, fix.title.clone());
            if let Some(file) = file {
                file.fixes.push(made);
            }
        }
        changed
    }

    /// The path of a file that may be changed, links resolved, when its text is known.
    fn changeable(
        &mut self,
        linting: &Linting<'_>,
        host: &dyn Host,
        path: &AbsPath,
    ) -> Option<AbsPath> {
        let real = host.canonicalize(path).ok()?;
        if self.files.contains_key(&real) {
            return Some(real);
        }
        match text(linting, host, path, &real) {
            Ok(before) => {
                let file = Changed {
                    after: before.to_string(),
                    before,
                    fixes: Vec::new(),
                };
                self.files.insert(real.clone(), file);
                Some(real)
            }
            Err(why) => {
                self.refused.insert(path.clone(), why);
                None
            }
        }
    }

    /// Writes the files, each whole or not at all.
    pub(crate) fn write(&mut self, output: &mut Output) -> Result<()> {
        let mut failed = Vec::new();
        for (path, file) in &self.files {
            let path = std::path::Path::new(path.as_str());
            if let Err(error) = replace(path, file.before.as_bytes(), &file.after) {
                failed.push(Diagnostic::warning(format!("not changed: {error:#}")));
            }
        }
        self.files.retain(|path, file| {
            let now = std::fs::read(path.as_str());
            now.is_ok_and(|now| now == file.after.as_bytes())
        });
        output.diagnostics(&failed)
    }
}

/// The text of a file that may be changed, or why it may not.
fn text(
    linting: &Linting<'_>,
    host: &dyn Host,
    path: &AbsPath,
    real: &AbsPath,
) -> Result<Arc<str>, String> {
    let mut named = linting.files.iter();
    let is_named = named.any(|(file, its)| file == path || its == real);
    let is_below = |path: &AbsPath| {
        let mut directories = linting.directories.iter();
        linting.files.is_empty() && directories.any(|directory| path.is_within(directory))
    };
    if !is_named && !is_below(real) {
        return Err(match is_below(path) {
            true => format!("it is a link to {real}, outside of the directory"),
            false => "it is not what was asked for; name it to have it changed".to_owned(),
        });
    }
    let metadata = host.metadata(real).map_err(|error| error.to_string())?;
    if metadata.kind != Kind::File {
        return Err("it is no regular file".to_owned());
    }
    let bytes = host.read(real, BOUND).map_err(|error| error.to_string())?;
    let text = std::str::from_utf8(&bytes);
    Ok(text.map_err(|_| "it is not UTF-8".to_owned())?.into())
}
