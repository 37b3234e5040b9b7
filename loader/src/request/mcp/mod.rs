//! The MCP servers of a session, which of them start, and how their tools are sent. No server is
//! started, so what its tools and instructions are is not known here.
//!
//! `sources` (files and flags to servers) → here (names that are taken, what turns one off).

mod policy;
mod sources;

use serde::Serialize;

use super::deferral::{self, Deferral};
use super::denied;
use super::program::Place as Program;
use crate::path::AbsPath;
use crate::record::Diagnostic;
use crate::session::Session;

/// Where a server is configured, the strongest first (fact 64).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum McpSource {
    /// `managed-mcp.json`: then no other source counts.
    Managed,
    /// `--mcp-config`.
    Flag,
    /// The client's state file, for this project.
    Local,
    /// `.mcp.json` of the working directory or one above it.
    Project,
    /// The client's state file.
    User,
    /// A plugin.
    Plugin,
}

/// Whether a server starts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "state", rename_all = "kebab-case")]
pub enum McpState {
    /// It does.
    Starts,
    /// Another of the same name, or for a plugin of the same command, is stronger.
    Shadowed {
        /// That one.
        by: String,
    },
    /// A setting, a flag or the state file turns it off.
    Off {
        /// Which, with its place.
        by: String,
    },
    /// Its tools are denied, and so not sent.
    Denied {
        /// The rule with its place.
        by: String,
    },
}

/// How the tools of a server are sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "how", rename_all = "kebab-case")]
pub enum Sent {
    /// With their schemas.
    Inline,
    /// Their names, in a list; schemas when the model asks (fact C4.1).
    Names,
    /// With their schemas while these take less than a part of the window (fact C4.2).
    BySize {
        /// That part, in per cent.
        percent: u32,
    },
    /// Neither schemas nor names were seen in the first two requests (fact C4.2, uncertain).
    NotSeen,
}

/// An MCP server.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct McpServer {
    /// Its name as written; that of a plugin's server holds the plugin's.
    pub name: String,
    /// What the names of its tools begin with.
    pub prefix: String,
    /// `stdio`, `http`, `sse`, …
    pub transport: String,
    /// Its program.
    pub command: Option<String>,
    /// The program's arguments.
    pub args: Vec<String>,
    /// Its address.
    pub url: Option<String>,
    /// Where it is configured.
    pub source: McpSource,
    /// The file; `None` for JSON on the command line.
    pub file: Option<AbsPath>,
    /// 1-based line.
    pub line: u32,
    /// Whether it starts.
    #[serde(flatten)]
    pub state: McpState,
    /// How its tools are sent.
    pub tools: Sent,
    /// Names of its tools that deny rules take away (fact C4.6).
    pub denied_tools: Vec<String>,
    /// A file that its command names and that does not exist.
    pub missing: Option<AbsPath>,
    /// `alwaysLoad`: its tools are not deferred.
    #[serde(skip)]
    always_load: bool,
}

impl McpServer {
    /// Where it is configured.
    #[must_use]
    pub fn place(&self) -> String {
        match &self.file {
            Some(file) => format!("{file}:{}", self.line),
            None => "--mcp-config".to_owned(),
        }
    }
}

/// The MCP servers of a session.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Mcp {
    /// The strongest source first.
    pub servers: Vec<McpServer>,
    /// The longest description of a tool and the longest instructions of a server, in UTF-16
    /// units; longer ones are cut (facts C4.4, C4.5).
    pub cap: usize,
    /// Why the client would not start at all.
    pub refused: Option<String>,
    /// What is wrong with the files.
    pub diagnostics: Vec<Diagnostic>,
}

impl Session<'_> {
    /// Every configured MCP server, and which of them start.
    #[must_use]
    pub fn mcp(&self) -> Mcp {
        let mut mcp = Mcp {
            cap: self.client().behaviour.mcp_cap,
            ..Mcp::default()
        };
        sources::collect(self, &mut mcp);
        let rules = denied::rules(self);
        let policy = policy::Policy::of(self);
        for index in 0..mcp.servers.len() {
            let (before, rest) = mcp.servers.split_at_mut(index);
            let server = &mut rest[0];
            server.state = shadow(server, before)
                .or_else(|| policy.off(server).map(|by| McpState::Off { by }))
                .or_else(|| denial(server, &rules))
                .unwrap_or(McpState::Starts);
            let tools = rules.iter().map(|rule| rule.name.as_str());
            let own = tools.filter(|name| {
                let tool = name.strip_prefix(server.prefix.as_str());
                tool.is_some_and(|tool| !tool.is_empty() && !tool.contains('*'))
            });
            server.denied_tools = own.map(str::to_owned).collect();
            server.missing = self.missing_program(server);
            server.tools = self.sent(server, &rules);
        }
        mcp
    }

    fn sent(&self, server: &McpServer, rules: &[denied::Rule]) -> Sent {
        if server.always_load || deferral::denies_search(rules) {
            return Sent::Inline;
        }
        let is_new = self.client().behaviour.mcp_deferred;
        match self.deferral() {
            Deferral::Off => Sent::Inline,
            Deferral::On if is_new => Sent::Names,
            Deferral::BySize(percent) if is_new => Sent::BySize { percent },
            Deferral::BySize(100..) => Sent::Inline,
            Deferral::On | Deferral::BySize(_) => Sent::NotSeen,
        }
    }

    /// `--bare`, or its variable.
    pub(super) fn is_bare(&self) -> bool {
        let variable = self.origin().env.get("CLAUDE_CODE_SIMPLE");
        self.origin().bare || variable.is_some_and(|value| crate::session::is_true(value))
    }

    fn missing_program(&self, server: &McpServer) -> Option<AbsPath> {
        let variables = [("CLAUDE_PROJECT_DIR", self.cwd())];
        let place = Program {
            host: self.world().host,
            cwd: self.cwd(),
            variables: &variables,
        };
        let words = server.command.iter().chain(&server.args);
        place.missing(&words.map(String::as_str).collect::<Vec<_>>())
    }
}

/// The stronger server that has the name, or for a plugin the same command (fact 64).
fn shadow(server: &McpServer, before: &[McpServer]) -> Option<McpState> {
    let is_same = |other: &&McpServer| {
        let is_run = !matches!(other.state, McpState::Shadowed { .. });
        let same_program = server.source == McpSource::Plugin
            && server.command.is_some()
            && (&server.command, &server.args) == (&other.command, &other.args);
        is_run && (other.name == server.name || same_program)
    };
    let first = before.iter().find(is_same)?;
    Some(McpState::Shadowed { by: first.place() })
}

/// The rule that denies all tools of a server.
fn denial(server: &McpServer, rules: &[denied::Rule]) -> Option<McpState> {
    let server_name = server.prefix.trim_end_matches("__");
    let rule = rules.iter().find(|rule| {
        let stem = rule.name.strip_suffix('*');
        rule.name == server_name
            || stem.is_some_and(|stem| server.prefix.starts_with(stem) && stem.starts_with("mcp__"))
    })?;
    Some(McpState::Denied {
        by: format!("{} of {}", rule.name, rule.by),
    })
}
