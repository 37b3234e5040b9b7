//! What is known of a session beside its instruction files, each found out when a rule first asks.

use std::cell::OnceCell;

use super::place::Place;
use super::subject::Subject;
use crate::catalog::agents::Agents;
use crate::catalog::{Catalog, Misplaced};
use crate::ignored::is_ignored_in;
use crate::path::AbsPath;
use crate::permissions::Permissions;
use crate::request::hooks::{HookSource, Hooks, Start};
use crate::request::mcp::Mcp;
use crate::request::style::OutputStyle;

#[derive(Default)]
pub(super) struct Records<'s, 'h> {
    catalog: OnceCell<Catalog>,
    misplaced: OnceCell<Vec<Misplaced>>,
    agents: OnceCell<Agents>,
    hooks: OnceCell<Hooks>,
    mcp: OnceCell<Mcp>,
    permissions: OnceCell<Permissions<'s, 'h>>,
    style: OnceCell<OutputStyle>,
}

impl<'s, 'h> Subject<'s, 'h> {
    /// The skills and commands.
    #[must_use]
    pub fn catalog(&self) -> &Catalog {
        self.records.catalog.get_or_init(|| self.session.catalog())
    }

    /// Files that look like skills or commands and are none.
    #[must_use]
    pub fn misplaced(&self) -> &[Misplaced] {
        let found = &self.records.misplaced;
        found.get_or_init(|| self.session.misplaced())
    }

    /// The agents.
    #[must_use]
    pub fn agents(&self) -> &Agents {
        self.records.agents.get_or_init(|| self.session.agents())
    }

    /// The hooks.
    #[must_use]
    pub fn hooks(&self) -> &Hooks {
        let found = &self.records.hooks;
        found.get_or_init(|| self.session.hooks(Start::default()))
    }

    /// The MCP servers.
    #[must_use]
    pub fn mcp(&self) -> &Mcp {
        self.records.mcp.get_or_init(|| self.session.mcp())
    }

    /// The permission rules.
    #[must_use]
    pub fn permissions(&self) -> &Permissions<'s, 'h> {
        let found = &self.records.permissions;
        found.get_or_init(|| self.session.permissions())
    }

    /// The output style.
    #[must_use]
    pub fn style(&self) -> &OutputStyle {
        let found = &self.records.style;
        found.get_or_init(|| self.session.output_style())
    }

    /// Whether two files say the same: then it does not matter which of them counts.
    #[must_use]
    pub fn is_same_text(&self, a: &AbsPath, b: &AbsPath) -> bool {
        a == b || self.text(a).is_some_and(|text| Some(text) == self.text(b))
    }

    /// Whether git keeps a file of the project out.
    #[must_use]
    pub fn is_ignored(&self, path: &AbsPath) -> bool {
        is_ignored_in(self.session.world().host, self.root(), path)
    }

    /// A text or key of a JSON file that stands on a line or behind it; else that line.
    pub(crate) fn quoted(&self, path: &AbsPath, line: u32, text: &str) -> Place {
        let found = self.text(path).and_then(|source| {
            let start = self.resolver.borrow_mut().whole_line(path, line)?.start;
            let quoted = serde_json::to_string(text).ok()?;
            let at = source[start..].find(&quoted)? + start;
            Some(Place::Bytes(path.clone(), at..at + quoted.len()))
        });
        found.unwrap_or_else(|| Place::Line(path.clone(), line))
    }

    /// The bytes between the quotes of a key or text of a JSON file, if it stands just once on a
    /// line and is written without escapes.
    pub(crate) fn only_quoted(
        &self,
        path: &AbsPath,
        line: u32,
        text: &str,
    ) -> Option<std::ops::Range<usize>> {
        let source = self.text(path)?;
        let range = self.resolver.borrow_mut().whole_line(path, line)?;
        let quoted = format!("\"{text}\"");
        let mut found = source[range.clone()].match_indices(&quoted);
        let at = found.next()?.0 + range.start + 1;
        found.next().is_none().then_some(at..at + text.len())
    }

    /// Where a hook is configured, at one of its texts; nothing where that is the command line.
    pub(crate) fn hook_place(&self, source: &HookSource, text: &str) -> Option<Place> {
        let (file, line) = source.line()?;
        Some(self.quoted(file, line, text))
    }
}
