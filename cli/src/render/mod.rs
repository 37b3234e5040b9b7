//! What is printed. Nothing here decides: each file is a view of the session's records.

pub(crate) mod agents_json;
pub(crate) mod agents_table;
pub(crate) mod archive;
pub(crate) mod archive_json;
pub(crate) mod audit;
pub(crate) mod audit_json;
pub(crate) mod audit_table;
pub(crate) mod blocks;
pub(crate) mod boot;
pub(crate) mod boot_json;
pub(crate) mod carry;
pub(crate) mod carry_json;
pub(crate) mod doctor;
pub(crate) mod doctor_json;
pub(crate) mod graph_chart;
pub(crate) mod graph_text;
pub(crate) mod handoff;
pub(crate) mod handoff_json;
pub(crate) mod inspect;
pub(crate) mod inspect_blocks;
pub(crate) mod inspect_json;
mod inspect_lists;
pub(crate) mod lint;
mod loss;
pub(crate) mod memory;
pub(crate) mod memory_json;
pub(crate) mod names;
pub(crate) mod permissions;
pub(crate) mod permissions_json;
pub(crate) mod poison;
pub(crate) mod recall;
pub(crate) mod recall_json;
pub(crate) mod rule;
pub(crate) mod sessions;
pub(crate) mod sessions_json;
pub(crate) mod show_agent;
pub(crate) mod show_agent_json;
pub(crate) mod show_json;
pub(crate) mod show_layers;
pub(crate) mod show_learned;
pub(crate) mod show_table;
pub(crate) mod show_tree;
pub(crate) mod simulate;
pub(crate) mod simulate_json;
pub(crate) mod style;
pub(crate) mod tokens;
pub(crate) mod verify_json;
pub(crate) mod verify_text;
pub(crate) mod whole;
pub(crate) mod why;

use std::io::{self, BufWriter, Write};

use anyhow::Result;
use outcrop_loader::path::AbsPath;
use outcrop_loader::record::{Diagnostic, Severity};
use outcrop_loader::session::Session;
use unicode_width::UnicodeWidthStr;

use crate::args::Global;

/// Columns when the output is no terminal.
const COLUMNS: usize = 80;

/// Standard output, buffered, with colour where it is wanted; notes go to standard error.
pub(crate) struct Output {
    stdout: BufWriter<anstream::Stdout>,
    quiet: bool,
    json: bool,
    /// Where relative paths of the command line start.
    base: Option<AbsPath>,
    pub(crate) verbose: bool,
    pub(crate) columns: usize,
}

impl Output {
    pub(crate) fn new(global: &Global) -> Self {
        let terminal = terminal_size::terminal_size();
        let columns = terminal.map_or(COLUMNS, |(width, _)| usize::from(width.0));
        Self {
            stdout: BufWriter::new(anstream::stdout()),
            base: None,
            quiet: global.quiet,
            json: global.json,
            verbose: global.verbose,
            columns: columns.max(40),
        }
    }

    /// One that prints no notes, for what is done again.
    pub(crate) fn silent() -> Self {
        Self {
            stdout: BufWriter::with_capacity(0, anstream::stdout()),
            base: None,
            quiet: true,
            json: false,
            verbose: false,
            columns: COLUMNS,
        }
    }

    /// Sets where the user stands.
    pub(crate) fn stand_in(&mut self, base: &AbsPath) {
        self.base = Some(base.clone());
    }

    /// A directory as the user would name it: from where they stand if it lies below.
    pub(crate) fn place(&self, directory: &AbsPath) -> String {
        let below = self.base.as_ref().and_then(|base| directory.below(base));
        match below {
            Some("") | None => directory.to_string(),
            Some(below) => below.to_owned(),
        }
    }

    /// Prints diagnostics to standard error; with JSON they are part of the output.
    pub(crate) fn diagnostics(&mut self, diagnostics: &[Diagnostic]) -> Result<()> {
        if self.quiet || self.json {
            return Ok(());
        }
        let mut stderr = anstream::stderr();
        for diagnostic in diagnostics {
            let (word, style) = match diagnostic.severity {
                Severity::Warning => ("warning", style::WARNING),
                Severity::Note => ("note", style::NOTE),
            };
            let mut place = String::new();
            if let Some(path) = &diagnostic.path {
                place = format!("{path}:");
                for number in [diagnostic.line, diagnostic.column].into_iter().flatten() {
                    place.push_str(&format!("{number}:"));
                }
                place.push(' ');
            }
            writeln!(
                stderr,
                "{style}{word}{style:#}: {place}{}",
                diagnostic.message
            )?;
        }
        Ok(())
    }

    /// Says which file was written.
    pub(crate) fn wrote(&mut self, path: &std::path::Path) -> Result<()> {
        let message = format!("wrote {}", path.display());
        self.diagnostics(&[Diagnostic::warning(message).as_note()])
    }

    /// Prints bytes as they are. What is styled passes a filter that takes out control
    /// characters when the output is no terminal, and a delivered text may hold some.
    pub(crate) fn raw(&mut self, bytes: &[u8]) -> Result<()> {
        self.stdout.flush()?;
        let mut stdout = io::stdout().lock();
        stdout.write_all(bytes)?;
        stdout.flush()?;
        Ok(())
    }

    /// The first line of an answer, with the client at its end where there is room.
    pub(crate) fn title(&mut self, title: &str, session: &Session<'_>) -> Result<()> {
        let version = format!("client {}", session.client().version);
        let taken = title.width() + version.width();
        let gap = self.columns.saturating_sub(taken);
        let (bold, dim) = (style::HEADING, style::DIM);
        if gap >= 2 {
            let gap = " ".repeat(gap);
            writeln!(self, "{bold}{title}{bold:#}{gap}{dim}{version}{dim:#}")?;
        } else {
            writeln!(self, "{bold}{title}{bold:#}\n{dim}{version}{dim:#}")?;
        }
        Ok(())
    }

    /// Prints a value as JSON, one document with a final newline.
    pub(crate) fn json(&mut self, value: &serde_json::Value) -> Result<()> {
        let mut text = serde_json::to_vec_pretty(value).map_err(io::Error::from)?;
        text.push(b'\n');
        self.raw(&text)
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.stdout.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stdout.flush()
    }
}
