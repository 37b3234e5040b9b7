//! What changed between versions in agents and sub-agents.

/// How a client reads agents and starts sub-agents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AgentBehaviour {
    /// A name with a colon, which stands between a plugin and its agent, is refused.
    pub plain_names: bool,
    /// An agent whose `hooks` have a wrong form is left out (fact C2.5).
    pub hooks_checked: bool,
    /// `--agents` that is not right ends the client; before, it counts for nothing.
    pub flag_checked: bool,
    /// An agent of `--agents` may have an empty prompt.
    pub flag_prompt_empty: bool,
    /// The files of a folder are taken in the order of their paths (fact C2.7).
    pub sorted_files: bool,
    /// Names with other letters than ASCII stand behind the others, by their units.
    pub ascii_first: bool,
    /// `hooks` and `mcpServers` of a project's agent count in a trusted folder only (fact C2.9).
    pub trusted_only: bool,
    /// Explore and Plan are denied three more tools, which the listing names.
    pub more_artifact_tools: bool,
    /// Sub-agents run in the background: they have fewer tools, and Explore the parent's model.
    pub background: bool,
    /// `effort` counts (fact C2.9).
    pub effort: bool,
    /// Environment, model and date stand in the `system` message, git status and attribution in
    /// blocks of the user; before, all in the system prompt.
    pub parts_apart: bool,
    /// Tools are deferred (fact C4.1).
    pub defers: bool,
    /// How many levels of sub-agents may start others (fact C2.23).
    pub levels: u8,
    /// An agent's mode cannot reach `bypassPermissions` (fact C2.25).
    pub no_bypass: bool,
    /// An agent may have the mode `auto`.
    pub auto_mode: bool,
    /// The type `fork`.
    pub forks: bool,
    /// A skill that is named twice is preloaded once.
    pub skills_once: bool,
    /// A sub-agent whose list names no tool that there is does not start.
    pub needs_tool: bool,
    /// The model of the definition goes before `CLAUDE_CODE_SUBAGENT_MODEL`.
    pub own_model_first: bool,
}

impl AgentBehaviour {
    /// That of 2.1.197, the oldest version that was asked.
    pub(super) const OLDEST: Self = Self {
        plain_names: false,
        hooks_checked: false,
        flag_checked: false,
        flag_prompt_empty: false,
        sorted_files: false,
        ascii_first: false,
        trusted_only: false,
        more_artifact_tools: false,
        background: false,
        effort: false,
        parts_apart: false,
        defers: false,
        levels: 4,
        no_bypass: false,
        auto_mode: false,
        forks: false,
        skills_once: false,
        needs_tool: false,
        own_model_first: false,
    };
}
