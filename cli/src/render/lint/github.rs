//! Findings as commands of GitHub's workflows: `::error file=…,line=…::message`.

use std::io::Write as _;

use anyhow::Result;
use outcrop_loader::lint::Severity;

use crate::render::Output;
use crate::start::linting::Linted;

pub(crate) fn write(output: &mut Output, linted: &Linted) -> Result<()> {
    for finding in &linted.findings {
        let span = &finding.span;
        let command = match finding.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Info => "notice",
        };
        let below = span.path.below(&linted.root);
        let path = below.filter(|below| !below.is_empty());
        let path = property(path.unwrap_or(span.path.as_str()));
        let mut place = format!("file={path},line={}", span.line);
        if !span.is_file {
            place.push_str(&format!(",endLine={}", span.end_line));
            // Columns count only within one line.
            if span.line == span.end_line {
                place.push_str(&format!(
                    ",col={},endColumn={}",
                    span.column, span.end_column
                ));
            }
        }
        let title = property(&format!("{} {}", finding.rule.id, finding.rule.name));
        let mut text = finding.message.clone();
        if let Some(help) = &finding.help {
            text.push_str(&format!("\nhelp: {help}"));
        }
        writeln!(output, "::{command} {place},title={title}::{}", data(&text))?;
    }
    writeln!(output, "{}", super::summary(linted))?;
    Ok(())
}

/// What stands behind `::`, with what would end the command as `%` and two digits.
fn data(text: &str) -> String {
    text.replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

/// A property, in which colons and commas mean something, too.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_end_a_command_is_escaped() {
        assert_eq!(data("100%\r\n::error::x"), "100%25%0D%0A::error::x");
        assert_eq!(property("a,b:c\n"), "a%2Cb%3Ac%0A");
    }
}
