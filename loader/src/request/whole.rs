//! The whole first request of the main session: its blocks in the order in which they are sent,
//! and what files, flags and settings decide of each.

use serde::Serialize;

use super::blocks::{Block, Role};
use super::fixed_cost::FixedCost;
use super::git_status::{GitOutput, GitStatus, NoGitStatus, attributes};
use super::hooks::{HookState, Hooks, Start};
use super::mcp::{Mcp, McpState, Sent};
use super::models::{Generation, Model};
use super::offered::Offered;
use super::style::OutputStyle;
use super::system::SystemTexts;
use crate::catalog::Catalog;
use crate::catalog::agents::Agents;
use crate::session::Session;

/// A block of the request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Section {
    /// What it is.
    pub block: Block,
    /// Who speaks it.
    pub role: Role,
    /// UTF-16 units of the client's own text in it, where they were measured.
    pub own_characters: Option<usize>,
}

/// The first request.
#[derive(Clone, Debug)]
pub struct FirstRequest {
    /// The model that it goes to.
    pub model: Model,
    /// Its blocks, in order. What a size of the client's own covers is told by [`FixedCost`].
    pub sections: Vec<Section>,
    /// What the client sends before any file of the user's.
    pub cost: FixedCost,
    /// Built-in tools.
    pub tools: Offered,
    /// Texts of flags, and the language.
    pub texts: SystemTexts,
    /// The output style.
    pub style: OutputStyle,
    /// Hooks.
    pub hooks: Hooks,
    /// MCP servers.
    pub mcp: Mcp,
    /// Agents.
    pub agents: Agents,
    /// Skills and commands.
    pub skills: Catalog,
    /// Why there is no git status.
    pub no_git_status: Option<NoGitStatus>,
    /// The git status, where git was asked.
    pub git_status: Option<GitStatus>,
}

impl Session<'_> {
    /// The first request of the session. `git` is what git printed, if it was asked.
    #[must_use]
    pub fn first_request(&self, git: Option<&GitOutput>) -> FirstRequest {
        let no_git_status = self.no_git_status();
        let git = git.filter(|_| no_git_status.is_none());
        let mut request = FirstRequest {
            model: self.model(),
            sections: Vec::new(),
            cost: self.fixed_cost(),
            tools: self.offered_tools(),
            texts: self.system_texts(),
            style: self.output_style(),
            hooks: self.hooks(Start::Startup),
            mcp: self.mcp(),
            agents: self.agents(),
            skills: self.catalog(),
            no_git_status,
            git_status: git.map(|output| self.git_status(output)),
        };
        request.sections = request.order(self);
        request
    }
}

impl FirstRequest {
    /// Seen of both clients and both generations of models (fact 56).
    fn order(&self, session: &Session<'_>) -> Vec<Section> {
        let newer = self.model.facts.generation == Generation::Newer;
        let in_messages = session.client().behaviour.session_in_messages;
        let mut order = Order {
            request: self,
            sections: Vec::new(),
        };
        let prompt = match &self.texts.replaced {
            Some(_) => Block::ReplacedPrompt,
            None => Block::ClientText,
        };
        order.push(Role::SystemPrompt, prompt);
        if !in_messages {
            let of_session = [Block::Environment, Block::Model, Block::Style];
            order.all(Role::SystemPrompt, &of_session);
            order.all(Role::SystemPrompt, &[Block::Language, Block::GitStatus]);
        }
        order.push(Role::SystemPrompt, Block::AppendedPrompt);
        order.push(Role::Tools, Block::Tools);
        if newer {
            order.user(in_messages);
        }
        let role = if newer { Role::System } else { Role::User };
        order.push(role, Block::StartHooks);
        if in_messages {
            let of_session = [Block::Environment, Block::Model, Block::Style];
            order.all(role, &of_session);
            order.all(role, &[Block::Language, Block::DeferredTools]);
        }
        order.all(role, &[Block::AgentList, Block::McpInstructions]);
        order.all(role, &[Block::SkillList, Block::PromptHooks]);
        if newer && in_messages {
            order.push(role, Block::Date);
        }
        if !newer {
            order.user(in_messages);
        }
        let mut sections = order.sections;
        sections.retain(|section| self.has(section.block, session));
        sections
    }

    /// Whether there is such a block.
    fn has(&self, block: Block, session: &Session<'_>) -> bool {
        let start = session.deliveries().first();
        match block {
            Block::AppendedPrompt => self.texts.appended.is_some(),
            Block::Style => self.style.text.is_some() || self.style.built_in,
            Block::Language => self.texts.language.is_some(),
            Block::DeferredTools => {
                let of_mcp = |state: &McpState, sent: Sent| {
                    *state == McpState::Starts && sent == Sent::Names
                };
                let mut servers = self.mcp.servers.iter();
                let deferred = servers.any(|server| of_mcp(&server.state, server.tools));
                !self.tools.deferred.is_empty() || deferred
            }
            Block::AgentList => self.tools.lists_agents && self.agents.silent.is_none(),
            Block::McpInstructions => {
                let mut servers = self.mcp.servers.iter();
                servers.any(|server| server.state == McpState::Starts)
            }
            Block::SkillList => {
                let any = !self.skills.entries.is_empty() || !self.skills.own.is_empty();
                self.tools.lists_skills && any
            }
            Block::StartHooks => self.has_hooks("SessionStart"),
            Block::PromptHooks => self.has_hooks("UserPromptSubmit"),
            Block::Instructions => start.is_some_and(|start| !start.layers.is_empty()),
            Block::GitStatus => self.no_git_status.is_none(),
            Block::Attribution => {
                let bash = self.tools.tools.iter().any(|tool| tool == "Bash");
                bash && attributes(session.world())
            }
            Block::Tools => !self.tools.tools.is_empty(),
            _ => true,
        }
    }

    fn has_hooks(&self, event: &str) -> bool {
        let mut hooks = self.hooks.hooks.iter();
        let may_speak = |state: &HookState| matches!(state, HookState::Runs | HookState::Later);
        hooks.any(|hook| hook.event == event && may_speak(&hook.state))
    }

    fn own_characters(&self, block: Block) -> Option<usize> {
        let cost = &self.cost;
        match block {
            Block::ClientText => Some(cost.system),
            Block::Tools if self.tools.removed.is_empty() => Some(cost.tools_json),
            Block::AgentList => cost.agents,
            Block::Environment => cost.environment,
            Block::Attribution => cost.attribution,
            Block::SkillList => {
                let texts = self.skills.own.iter().filter_map(|own| own.characters);
                Some(texts.sum())
            }
            Block::Language => self.texts.language.as_ref().map(|text| text.characters),
            _ => None,
        }
    }
}

struct Order<'a> {
    request: &'a FirstRequest,
    sections: Vec<Section>,
}

impl Order<'_> {
    fn push(&mut self, role: Role, block: Block) {
        self.sections.push(Section {
            block,
            role,
            own_characters: self.request.own_characters(block),
        });
    }

    fn all(&mut self, role: Role, blocks: &[Block]) {
        for block in blocks {
            self.push(role, *block);
        }
    }

    /// The user's message.
    fn user(&mut self, in_messages: bool) {
        let newer = self.request.model.facts.generation == Generation::Newer;
        self.push(Role::User, Block::Instructions);
        if in_messages {
            self.push(Role::User, Block::GitStatus);
        }
        // New clients tell newer models the date at the very end.
        if !(in_messages && newer) {
            self.push(Role::User, Block::Date);
        }
        if in_messages {
            self.push(Role::User, Block::Attribution);
        }
        self.push(Role::User, Block::Task);
    }
}
