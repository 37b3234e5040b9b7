//! Colours: they help and are never needed.

use anstyle::{AnsiColor, Style};
use outcrop_loader::record::Scope;

pub(crate) const PLAIN: Style = Style::new();
pub(crate) const HEADING: Style = Style::new().bold();
pub(crate) const DIM: Style = Style::new().dimmed();
pub(crate) const WARNING: Style = AnsiColor::Yellow.on_default().bold();
pub(crate) const NOTE: Style = AnsiColor::Cyan.on_default();
pub(crate) const LOST: Style = AnsiColor::Red.on_default();
pub(crate) const GOOD: Style = AnsiColor::Green.on_default().bold();

pub(crate) fn of_scope(scope: Scope) -> Style {
    match scope {
        Scope::Managed => AnsiColor::Red.on_default(),
        Scope::User => AnsiColor::Blue.on_default(),
        Scope::Project => AnsiColor::Green.on_default(),
        Scope::Local => AnsiColor::Yellow.on_default(),
        Scope::AutoMemory => AnsiColor::Magenta.on_default(),
    }
}
