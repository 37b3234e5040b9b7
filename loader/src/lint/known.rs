//! Names that the client knows: tools and settings.

use crate::request::offered::TOOLS;

/// Tools that some clients have and that were not observed here: those of interactive sessions,
/// platforms and older versions. A list that names one is no mistake.
const ELSEWHERE: &[&str] = &[
    "AgentOutputTool",
    "Artifact",
    "ArtifactCheck",
    "ArtifactComments",
    "ArtifactData",
    "AskUserQuestion",
    "BashOutput",
    "Brief",
    "Config",
    "DeferredToolPlaceholder",
    "EnterPlanMode",
    "ExitPlanMode",
    "KillBash",
    "KillShell",
    "LSP",
    "ListMcpResources",
    "ListMcpResourcesTool",
    "PowerShell",
    "PushNotification",
    "REPL",
    "ReadMcpResource",
    "ReadMcpResourceTool",
    "RemoteTrigger",
    "SendUserMessage",
    "Sleep",
    "SlashCommand",
    "StructuredOutput",
    "Task",
    "TeamCreate",
    "TeamDelete",
    "TodoWrite",
    "ToolSearch",
];

/// The name of a tool without what stands in parentheses behind it.
pub(crate) fn plain_tool(written: &str) -> &str {
    written.split_once('(').map_or(written, |(name, _)| name)
}

/// Whether some client has a tool of this name.
pub(crate) fn is_tool(name: &str) -> bool {
    name.starts_with("mcp__")
        || ELSEWHERE.contains(&name)
        || TOOLS.iter().any(|(tool, _)| *tool == name)
}

/// The names of tools.
pub(crate) fn tools() -> impl Iterator<Item = &'static str> {
    let observed = TOOLS.iter().map(|(tool, _)| *tool);
    observed.chain(ELSEWHERE.iter().copied())
}
