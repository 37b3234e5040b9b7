//! Which files and flags configure MCP servers, the strongest first.

use super::{Mcp, McpServer, McpSource, McpState, Sent};
use crate::path::AbsPath;
use crate::record::Diagnostic;
use crate::session::Session;
use crate::settings::{Node, Property};
use crate::{json_file, plugins};

/// Every server of every source (facts C4.6, 64).
pub(super) fn collect(session: &Session<'_>, mcp: &mut Mcp) {
    let host = session.world().host;
    let origin = session.origin();
    let managed = origin.managed.child("managed-mcp.json");
    match json_file::read(host, &managed) {
        Ok(None) => {}
        Ok(Some(root)) => {
            if !origin.flags.mcp_config.is_empty() {
                mcp.refused = Some(format!("--mcp-config is not taken beside {managed}"));
            }
            let servers = root.get("mcpServers");
            take(servers, McpSource::Managed, Some(&managed), "", mcp);
            return;
        }
        Err(wrong) => {
            mcp.diagnostics.push(wrong);
            if session.client().behaviour.mcp_managed_always {
                return;
            }
        }
    }
    of_flags(session, mcp);
    if origin.flags.strict_mcp_config || session.is_bare() {
        return;
    }
    // The state file's own reader says what is wrong with it.
    let state = json_file::read(host, &session.state().file).unwrap_or_default();
    let file = Some(&session.state().file);
    let project = state.as_ref().and_then(|state| {
        let projects = state.get("projects")?;
        projects
            .get(session.state().key.as_str())?
            .get("mcpServers")
    });
    if origin.sources.local {
        take(project, McpSource::Local, file, "", mcp);
    }
    if origin.sources.project {
        for directory in session.cwd().ancestors() {
            let file = directory.child(".mcp.json");
            of_file(session, &file, McpSource::Project, "", mcp);
        }
    }
    if origin.sources.user {
        let servers = state.as_ref().and_then(|state| state.get("mcpServers"));
        take(servers, McpSource::User, file, "", mcp);
    }
    for plugin in plugins::of(session.world(), &mut mcp.diagnostics) {
        let prefix = format!("plugin:{}:", plugin.name);
        let file = plugin.root.child(".mcp.json");
        of_file(session, &file, McpSource::Plugin, &prefix, mcp);
        if let Some((file, manifest)) = &plugin.manifest {
            let servers = manifest.get("mcpServers");
            if let Some(named) = servers.and_then(Node::text) {
                let file = plugin.root.join(named);
                of_file(session, &file, McpSource::Plugin, &prefix, mcp);
            } else {
                take(servers, McpSource::Plugin, Some(file), &prefix, mcp);
            }
        }
    }
}

/// `--mcp-config`: of two values the later is stronger. What is wrong with one ends the client.
fn of_flags(session: &Session<'_>, mcp: &mut Mcp) {
    for value in session.origin().flags.mcp_config.iter().rev() {
        let is_json = value.trim_start().starts_with('{');
        if let Some(root) = is_json.then(|| Node::read(value).ok()).flatten() {
            match root.get("mcpServers") {
                Some(servers) => take(Some(servers), McpSource::Flag, None, "", mcp),
                None => refuse(mcp, "--mcp-config has no mcpServers".to_owned()),
            }
            continue;
        }
        let file = session.cwd().join(value);
        match json_file::read(session.world().host, &file) {
            Ok(Some(root)) if root.get("mcpServers").is_some() => {
                let servers = root.get("mcpServers");
                take(servers, McpSource::Flag, Some(&file), "", mcp);
            }
            Ok(Some(_)) => refuse(mcp, format!("{file} has no mcpServers")),
            Ok(None) => refuse(mcp, format!("{file} does not exist")),
            Err(wrong) => {
                refuse(mcp, format!("{file}: {}", wrong.message));
                mcp.diagnostics.push(wrong);
            }
        }
    }
}

fn refuse(mcp: &mut Mcp, why: String) {
    mcp.refused.get_or_insert(why);
}

fn of_file(session: &Session<'_>, file: &AbsPath, source: McpSource, prefix: &str, mcp: &mut Mcp) {
    match json_file::read(session.world().host, file) {
        Ok(None) => {}
        Ok(Some(root)) => match root.get("mcpServers") {
            Some(servers) => take(Some(servers), source, Some(file), prefix, mcp),
            // A plugin's file may hold the servers themselves (documented).
            None if source == McpSource::Plugin => {
                take(Some(&root), source, Some(file), prefix, mcp);
            }
            None => {
                let message = "the file has no mcpServers, so nothing in it counts";
                mcp.diagnostics
                    .push(Diagnostic::warning(message).about(file));
            }
        },
        Err(wrong) => mcp.diagnostics.push(wrong),
    }
}

fn take(
    servers: Option<&Node>,
    source: McpSource,
    file: Option<&AbsPath>,
    prefix: &str,
    mcp: &mut Mcp,
) {
    for property in servers.map(Node::properties).unwrap_or_default() {
        match server(property, source, file, prefix) {
            Ok(server) => mcp.servers.push(server),
            Err(what) => {
                let message = format!(
                    "the MCP server {} {what}, so it does not count",
                    property.name
                );
                let mut diagnostic = Diagnostic::warning(message);
                if let Some(file) = file {
                    diagnostic = diagnostic.about(file);
                }
                diagnostic.line = Some(property.line);
                mcp.diagnostics.push(diagnostic);
            }
        }
    }
}

fn server(
    property: &Property,
    source: McpSource,
    file: Option<&AbsPath>,
    prefix: &str,
) -> Result<McpServer, &'static str> {
    let node = &property.value;
    let text = |name: &str| node.get(name).and_then(Node::text).map(str::to_owned);
    let transport = match node.get("type") {
        None => "stdio".to_owned(),
        Some(kind) => kind.text().ok_or("has a type that is no text")?.to_owned(),
    };
    let (command, url) = (text("command"), text("url"));
    match transport.as_str() {
        "stdio" if command.is_none() => return Err("has no command"),
        "http" | "sse" | "ws" | "sse-ide" | "ws-ide" if url.is_none() => return Err("has no url"),
        "stdio" | "http" | "sse" | "ws" | "sse-ide" | "ws-ide" | "sdk" => {}
        _ => return Err("has an unknown type"),
    }
    let args = node.get("args").map(Node::items).unwrap_or_default();
    let name = format!("{prefix}{}", property.name);
    Ok(McpServer {
        prefix: format!("mcp__{}__", in_tools(&name)),
        name,
        transport,
        command,
        args: args
            .iter()
            .filter_map(Node::text)
            .map(str::to_owned)
            .collect(),
        url,
        source,
        file: file.cloned(),
        line: property.line,
        state: McpState::Starts,
        tools: Sent::Inline,
        denied_tools: Vec::new(),
        missing: None,
        always_load: node.get("alwaysLoad").and_then(Node::bool) == Some(true),
    })
}

/// A server's name as the names of its tools hold it (fact 64).
fn in_tools(name: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    name.chars()
        .map(|c| if plain(c) { c } else { '_' })
        .collect()
}
