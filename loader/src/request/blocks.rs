//! What the blocks of a request are, and who speaks them.

use serde::Serialize;

/// Who speaks a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// The system prompt.
    SystemPrompt,
    /// The list of tools beside the messages.
    Tools,
    /// The first message of the user.
    User,
    /// The `system` message behind it.
    System,
}

impl Role {
    /// The name, as in JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::SystemPrompt => "system-prompt",
            Self::Tools => "tools",
            Self::User => "user",
            Self::System => "system",
        }
    }
}

/// What a block is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Block {
    /// A text of the client's own.
    ClientText,
    /// A text that a flag puts in its place.
    ReplacedPrompt,
    /// A text that a flag puts behind it.
    AppendedPrompt,
    /// The body of an agent's definition.
    AgentBody,
    /// The agent's own memory.
    AgentMemory,
    /// Tools with their schemas.
    Tools,
    /// What hooks add at the start.
    StartHooks,
    /// Working directory, platform and the like.
    Environment,
    /// The model's name.
    Model,
    /// The output style.
    Style,
    /// The language.
    Language,
    /// The names of deferred tools.
    DeferredTools,
    /// The list of agents.
    AgentList,
    /// What MCP servers say of themselves.
    McpInstructions,
    /// The list of skills and commands.
    SkillList,
    /// What hooks add to the prompt.
    PromptHooks,
    /// The date.
    Date,
    /// The layers of the start.
    Instructions,
    /// The state of the repository.
    GitStatus,
    /// How to sign commits.
    Attribution,
    /// The prompt; of a sub-agent the task that the parent gives.
    Task,
    /// The head of a preloaded skill.
    SkillHead,
    /// Its body.
    SkillBody,
    /// The whole request of the parent, with its history.
    ParentRequest,
    /// What a fork is told besides.
    ForkNote,
}
