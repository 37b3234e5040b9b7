//! What turns an MCP server off.

use super::{McpServer, McpSource};
use crate::session::Session;
use crate::settings::{Node, Set};

/// The settings about servers (facts C4.6, 65).
pub(super) struct Policy<'s> {
    session: &'s Session<'s>,
    /// Of the state file: names, and whether they are about project servers only.
    of_state: Vec<(String, bool)>,
}

impl<'s> Policy<'s> {
    pub(super) fn of(session: &'s Session<'_>) -> Self {
        let state = session.state();
        let projects = [
            ("disabledMcpjsonServers", true),
            ("disabledMcpServers", false),
        ];
        let names = projects.iter().flat_map(|(key, project)| {
            let names = state.project_list(key);
            names.into_iter().map(|name| (name, *project))
        });
        Self {
            session,
            of_state: names.collect(),
        }
    }

    /// What turns a server off, with its place.
    pub(super) fn off(&self, server: &McpServer) -> Option<String> {
        let is_project = server.source == McpSource::Project;
        let named = |list: &Node| {
            let mut names = list.items().iter();
            names.any(|item| item.text() == Some(&server.name))
        };
        let settings = self.session.settings();
        let mut disabled = settings.all("disabledMcpjsonServers");
        if let Some(set) = disabled.find(|set| is_project && named(set.value)) {
            return Some(format!("disabledMcpjsonServers in {}", set.place));
        }
        let mut of_state = self.of_state.iter();
        if of_state.any(|(name, project)| *name == server.name && (is_project || !project)) {
            return Some(format!("{}", self.session.state().file));
        }
        let lists = |set: &Set<&Node>| set.value.items().iter().any(|item| fits(item, server));
        let mut denied = settings.all("deniedMcpServers");
        if let Some(set) = denied.find(lists) {
            return Some(format!("deniedMcpServers in {}", set.place));
        }
        let allowed: Vec<Set<&Node>> = settings.all("allowedMcpServers").collect();
        let first = allowed.first()?;
        let is_allowed = allowed.iter().any(lists);
        (!is_allowed).then(|| format!("allowedMcpServers in {}", first.place))
    }
}

/// Whether an item of a list of servers is about this one: by its name, command or address.
fn fits(item: &Node, server: &McpServer) -> bool {
    let name = item.get("serverName").and_then(Node::text);
    if name.is_some() {
        return name == Some(&server.name);
    }
    if let Some(command) = item.get("serverCommand") {
        let words = server
            .command
            .iter()
            .chain(&server.args)
            .map(String::as_str);
        let wanted = command.items().iter().filter_map(Node::text);
        return server.command.is_some() && wanted.eq(words);
    }
    let url = item.get("serverUrl").and_then(Node::text);
    url.is_some_and(|url| match (url.split_once('*'), &server.url) {
        (Some((before, after)), Some(own)) => own.starts_with(before) && own.ends_with(after),
        (None, Some(own)) => own == url,
        (_, None) => false,
    })
}
