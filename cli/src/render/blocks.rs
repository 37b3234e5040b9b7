//! The blocks of a request by name.

use outcrop_loader::request::blocks::{Block, Role};

/// Who speaks a block.
pub(crate) const fn role(role: Role) -> &'static str {
    match role {
        Role::SystemPrompt => "system prompt",
        Role::Tools => "tools",
        Role::User => "user",
        Role::System => "system",
    }
}

/// The name of a block for people.
pub(crate) const fn name(block: Block) -> &'static str {
    match block {
        Block::ClientText => "client's text",
        Block::ReplacedPrompt => "--system-prompt",
        Block::AppendedPrompt => "--append-system-prompt",
        Block::AgentBody => "agent's body",
        Block::AgentMemory => "agent's memory",
        Block::Tools => "tools",
        Block::StartHooks => "hooks at the start",
        Block::Environment => "environment",
        Block::Model => "model",
        Block::Style => "output style",
        Block::Language => "language",
        Block::DeferredTools => "deferred tools",
        Block::AgentList => "agents",
        Block::McpInstructions => "MCP instructions",
        Block::SkillList => "skills and commands",
        Block::PromptHooks => "hooks at the prompt",
        Block::Date => "date",
        Block::Instructions => "instructions",
        Block::GitStatus => "git status",
        Block::Attribution => "attribution",
        Block::Task => "prompt",
        Block::SkillHead => "skill's head",
        Block::SkillBody => "skill's body",
        Block::ParentRequest => "parent's request",
        Block::ForkNote => "note on the fork",
    }
}
