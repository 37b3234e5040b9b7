//! What fixes changed, or would change.

use std::io::Write as _;

use anyhow::Result;
use outcrop_loader::lint::Finding;
use outcrop_loader::lint::fix::Applicability;
use similar::TextDiff;

use crate::render::Output;
use crate::render::names::count;
use crate::start::fixing::Fixed;

/// Each changed file as a unified diff.
pub(crate) fn write_diff(output: &mut Output, fixed: &Fixed) -> Result<()> {
    for (path, file) in &fixed.files {
        let name = output.place(path);
        let name = name.trim_start_matches('/');
        let diff = TextDiff::from_lines(&*file.before, &file.after);
        let (old, new) = (format!("a/{name}"), format!("b/{name}"));
        let text = diff.unified_diff().header(&old, &new).to_string();
        output.raw(fixed.secrets.hide(&text).as_bytes())?;
    }
    Ok(())
}

/// One line for each fix that was made.
pub(crate) fn write_fixed(output: &mut Output, fixed: &Fixed) -> Result<()> {
    for (path, file) in &fixed.files {
        let name = output.place(path);
        for (rule, title) in &file.fixes {
            writeln!(output, "fixed {name}: {title} ({rule})")?;
        }
    }
    Ok(())
}

/// What can be fixed, and how.
pub(super) fn offered(findings: &[Finding]) -> Option<String> {
    let of = |sure| {
        let fixes = findings.iter().filter_map(|finding| finding.fix.as_ref());
        fixes.filter(|fix| fix.applicability == sure).count()
    };
    let (safe, not) = (of(Applicability::Safe), of(Applicability::Unsafe));
    match (safe, not) {
        (0, 0) => None,
        (0, not) => Some(format!(
            "{} with `--unsafe-fixes`: `--diff` shows it, `--fix` writes it",
            count(not, "can be fixed", "can be fixed")
        )),
        (safe, 0) => Some(format!(
            "{}: `--diff` shows it, `--fix` writes it",
            count(safe, "can be fixed", "can be fixed")
        )),
        (safe, not) => Some(format!(
            "{}, {not} more with `--unsafe-fixes`: `--diff` shows it, `--fix` writes it",
            count(safe, "can be fixed", "can be fixed")
        )),
    }
}
