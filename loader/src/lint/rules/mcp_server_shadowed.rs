//! L715: two MCP servers of one name.

use super::prelude::*;
use crate::request::mcp::{McpServer, McpSource, McpState};

pub(in crate::lint) static RULE: Rule = Rule {
    id: "L715",
    name: "mcp-server-shadowed",
    severity: Severity::Info,
    summary: "Another MCP server has the name, so this one does not start.",
    page: Page {
        what: "Looks for MCP servers whose name a stronger one has: those of the state file for \
               this project go before `.mcp.json`, of these the nearest directory first, and the \
               user's come last. Two that are the same are accepted.",
        why: "The client starts one of a name and passes over the other without a word.",
        instead: "Give one of them another name, or remove the one that does not count.",
        drawbacks: "One may be meant to take the place of the other.",
        evidence: "Fact 64; case mcp-precedence.",
        since: "0.1.0",
    },
    bad: &[Example {
        title: "a project's server and the user's",
        files: &[
            (
                ".mcp.json",
                "{\"mcpServers\": {\"docs\": {\"command\": \"docs-server\"}}}\n",
            ),
            (
                "~/.claude.json",
                "{\"mcpServers\": {\"docs\": {\"command\": \"my-docs\"}}}\n",
            ),
        ],
        fixed: &[],
    }],
    good: &[Example {
        title: "the same server twice",
        files: &[
            (
                ".mcp.json",
                "{\"mcpServers\": {\"docs\": {\"command\": \"docs-server\"}}}\n",
            ),
            (
                "~/.claude.json",
                "{\"mcpServers\": {\"docs\": {\"command\": \"docs-server\"}}}\n",
            ),
        ],
        fixed: &[],
    }],
    check,
};

fn check(subject: &Subject<'_, '_>, report: &mut Report<'_, '_>) {
    let servers = &subject.mcp().servers;
    for server in servers {
        let (McpState::Shadowed { by }, Some(file)) = (&server.state, &server.file) else {
            continue;
        };
        let is_stronger = |other: &&McpServer| other.place() == *by;
        let Some(other) = servers.iter().find(is_stronger) else {
            continue;
        };
        let runs = |server: &McpServer| {
            let address = server.url.clone();
            (server.command.clone(), server.args.clone(), address)
        };
        if server.source == McpSource::Plugin || runs(server) == runs(other) {
            continue;
        }
        let name = &server.name;
        let message = format!("this server `{name}` does not start: a stronger one has its name");
        let mut draft = report.at(subject.quoted(file, server.line, name), message);
        if let Some(stronger) = &other.file {
            let place = subject.quoted(stronger, other.line, name);
            draft = draft.also(place, "this one counts");
        }
        draft.report();
    }
}
