//! One line a finding: `path:line:column: severity[rule] message`.

use std::io::Write as _;

use anyhow::Result;
use outcrop_loader::lint::Severity;

use crate::render::{Output, style};
use crate::start::linting::Linted;

pub(crate) fn write(output: &mut Output, linted: &Linted) -> Result<()> {
    for finding in &linted.findings {
        let span = &finding.span;
        let path = output.place(&span.path);
        let colour = match finding.severity {
            Severity::Error => style::LOST,
            Severity::Warning => style::WARNING,
            Severity::Info => style::NOTE,
        };
        let (severity, id) = (finding.severity, finding.rule.id);
        writeln!(
            output,
            "{path}:{}:{}: {colour}{severity}[{id}]{colour:#} {}",
            span.line, span.column, finding.message
        )?;
    }
    writeln!(output, "{}", super::summary(linted))?;
    Ok(())
}
