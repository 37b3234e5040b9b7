//! A text that the user edits in a program of their choice.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context as _, Result, bail};

/// A text in a file of its own, which goes when this does unless it is kept.
pub(crate) struct Edited {
    file: tempfile::TempPath,
    pub(crate) text: String,
}

impl Edited {
    /// Opens the text in $VISUAL or $EDITOR and waits.
    pub(crate) fn of(text: &str) -> Result<Self> {
        let named = ["VISUAL", "EDITOR"].into_iter();
        let mut named = named.filter_map(|name| std::env::var(name).ok());
        let editor = named.find(|editor| !editor.trim().is_empty());
        let editor = editor.context("--edit: neither $VISUAL nor $EDITOR is set")?;
        let file = tempfile::Builder::new()
            .prefix("outcrop-handoff-")
            .suffix(".md")
            .tempfile()
            .context("--edit: no temporary file")?
            .into_temp_path();
        let name = file.display().to_string();
        fs::write(&file, text).with_context(|| name.clone())?;
        let status = command(&editor).arg(&file).status();
        let status = status.with_context(|| format!("--edit: {editor} cannot be run"))?;
        let mut edited = Self {
            file,
            text: String::new(),
        };
        if !status.success() {
            let kept = edited.keep()?;
            bail!(
                "--edit: {editor} failed; nothing is written, and the text is in {}",
                kept.display()
            );
        }
        match fs::read_to_string(&edited.file) {
            Ok(text) => edited.text = text,
            Err(error) => {
                let kept = edited.keep()?;
                return Err(error).with_context(|| kept.display().to_string());
            }
        }
        Ok(edited)
    }

    /// Keeps the file, where the text could go nowhere else.
    pub(crate) fn keep(self) -> Result<PathBuf> {
        Ok(self.file.keep()?)
    }
}

/// The editor, which may be given with arguments, as git takes it.
#[cfg(unix)]
fn command(editor: &str) -> Command {
    let mut command = Command::new("sh");
    command
        .arg("-c")
        .arg(format!("{editor} \"$@\""))
        .arg(editor);
    command
}

#[cfg(not(unix))]
fn command(editor: &str) -> Command {
    let mut words = editor.split_whitespace();
    let mut command = Command::new(words.next().unwrap_or(editor));
    command.args(words);
    command
}
