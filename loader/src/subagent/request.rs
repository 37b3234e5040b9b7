//! The blocks of a sub-agent's first request, in order (section "First request of a sub-agent").

use super::memory::Memory;
use super::preload::Preload;
use super::{Block, Part, Role, SubagentTools};
use crate::catalog::agents::{Agent, AgentSource};
use crate::javascript;
use crate::request::git_status::{attributes, instructions_off};
use crate::request::{Generation, ModelFacts};
use crate::session::Session;

/// UTF-16 units of the client's own text in the system prompt: for one of its own agents the
/// whole prompt, for others what follows the body (2.1.332, fact 81).
const PROMPTS: [(&str, usize); 5] = [
    ("general-purpose", 3096),
    ("claude", 3495),
    ("Explore", 3639),
    ("Plan", 3946),
    ("statusline-setup", 14_808),
];
const BEHIND_BODY: usize = 1660;
/// What the older generation of models is told besides.
const OLDER: usize = 51;

/// All blocks in order.
pub(super) fn parts(
    session: &Session<'_>,
    agent: &Agent,
    model: &ModelFacts,
    tools: &SubagentTools,
    memory: Option<&Memory>,
    preloads: Vec<Preload>,
    task: Option<&str>,
) -> Vec<Part> {
    let has = Has::of(session, agent, tools);
    let mut request = Request {
        parts: Vec::new(),
        newer: model.generation == Generation::Newer,
    };
    let apart = session.world().behaviour.agents.parts_apart;
    request.system_prompt(agent, memory, apart);
    if apart {
        request.apart(&has, task, preloads);
    } else {
        request.in_prompt(&has, task, preloads);
    }
    request.parts
}

/// Which of the blocks there are.
struct Has {
    instructions: bool,
    git_status: bool,
    attribution: bool,
    deferred: bool,
    skills: bool,
}

impl Has {
    fn of(session: &Session<'_>, agent: &Agent, tools: &SubagentTools) -> Self {
        let world = session.world();
        // These two go without; whoever takes their names goes without the status.
        let is_reader = matches!(agent.name.as_str(), "Explore" | "Plan");
        let is_own_reader = is_reader && agent.source == AgentSource::BuiltIn;
        let start = session.deliveries().first();
        let git_off = instructions_off(world).is_some();
        let lists_skills = || {
            let catalog = session.catalog();
            !(catalog.entries.is_empty() && catalog.own.is_empty())
        };
        Self {
            instructions: !is_own_reader && start.is_some_and(|start| !start.layers.is_empty()),
            git_status: !is_reader && !git_off && world.git.is_some(),
            attribution: tools.has("Bash") && attributes(world),
            deferred: tools.has("ToolSearch"),
            skills: tools.has("Skill") && lists_skills(),
        }
    }
}

struct Request {
    parts: Vec<Part>,
    /// The model takes a `system` message behind the user's.
    newer: bool,
}

impl Request {
    fn push(&mut self, role: Role, block: Block) {
        self.parts.push(Part {
            block,
            role,
            text: None,
            characters: None,
            path: None,
            notice: None,
        });
    }

    fn push_if(&mut self, there: bool, role: Role, block: Block) {
        if there {
            self.push(role, block);
        }
    }

    fn text(&mut self, role: Role, block: Block, text: String) -> &mut Part {
        let place = self.parts.len();
        self.push(role, block);
        let part = &mut self.parts[place];
        part.characters = Some(javascript::len(&text));
        part.text = Some(text);
        part
    }

    fn system_prompt(&mut self, agent: &Agent, memory: Option<&Memory>, apart: bool) {
        let role = Role::SystemPrompt;
        let is_own = agent.source == AgentSource::BuiltIn;
        if !is_own && !agent.body.is_empty() {
            let part = self.text(role, Block::AgentBody, agent.body.clone());
            part.path.clone_from(&agent.path);
        }
        if let Some(memory) = memory {
            let part = self.text(role, Block::AgentMemory, memory.text.clone());
            part.path = Some(memory.path.clone());
            part.notice.clone_from(&memory.notice);
        }
        self.push(role, Block::ClientText);
        let known = PROMPTS
            .iter()
            .find(|(name, _)| is_own && *name == agent.name);
        let size = known.map_or(BEHIND_BODY, |(_, size)| *size);
        let more = if self.newer { 0 } else { OLDER };
        if let Some(part) = self.parts.last_mut() {
            part.characters = apart.then_some(size + more);
        }
    }

    /// Newer clients: a block for each.
    fn apart(&mut self, has: &Has, task: Option<&str>, preloads: Vec<Preload>) {
        let facts = if self.newer { Role::System } else { Role::User };
        if !self.newer {
            self.facts(has, facts);
        }
        self.push_if(has.instructions, Role::User, Block::Instructions);
        self.push_if(has.git_status, Role::User, Block::GitStatus);
        self.push_if(!self.newer, Role::User, Block::Date);
        self.push_if(has.attribution, Role::User, Block::Attribution);
        self.task(task, preloads);
        if self.newer {
            self.facts(has, facts);
            self.push(facts, Block::Date);
        }
    }

    fn facts(&mut self, has: &Has, role: Role) {
        self.push_if(has.deferred, role, Block::DeferredTools);
        self.push(role, Block::Environment);
        self.push(role, Block::Model);
        self.push_if(has.skills, role, Block::SkillList);
    }

    /// Older clients: environment, model and git status at the end of the system prompt, the date
    /// in one block with the instructions.
    fn in_prompt(&mut self, has: &Has, task: Option<&str>, preloads: Vec<Preload>) {
        self.push(Role::SystemPrompt, Block::Environment);
        self.push(Role::SystemPrompt, Block::Model);
        self.push_if(has.git_status, Role::SystemPrompt, Block::GitStatus);
        self.push_if(has.skills && !self.newer, Role::User, Block::SkillList);
        self.push_if(has.instructions, Role::User, Block::Instructions);
        self.push(Role::User, Block::Date);
        self.task(task, preloads);
        self.push_if(has.skills && self.newer, Role::System, Block::SkillList);
    }

    /// The task and the skills behind it: a message each, which a line break ends where another
    /// follows.
    fn task(&mut self, task: Option<&str>, preloads: Vec<Preload>) {
        let join = |is_last: bool| if is_last { "" } else { "\n" };
        match task {
            Some(task) => {
                let text = format!("{task}{}", join(preloads.is_empty()));
                self.text(Role::User, Block::Task, text);
            }
            None => self.push(Role::User, Block::Task),
        }
        let count = preloads.len();
        for (index, preload) in preloads.into_iter().enumerate() {
            let name = &preload.name;
            let head = format!(
                "<command-message>{name}</command-message>\n<command-name>{name}</command-name>\n\
                 <skill-format>true</skill-format>"
            );
            self.text(Role::User, Block::SkillHead, head);
            match preload.body {
                Some(body) => {
                    let text = format!("{body}{}", join(index + 1 == count));
                    self.text(Role::User, Block::SkillBody, text).path = preload.path;
                }
                None => self.push(Role::User, Block::SkillBody),
            }
        }
    }
}

/// What the main session has and this sub-agent lacks or has otherwise.
pub(super) fn differences(
    session: &Session<'_>,
    agent: &Agent,
    tools: &SubagentTools,
    parts: &[Part],
) -> Vec<String> {
    let mut differs = Vec::new();
    let mut note = |applies: bool, text: &str| {
        if applies {
            differs.push(text.to_owned());
        }
    };
    let has = |block: Block| parts.iter().any(|part| part.block == block);
    let start = session.deliveries().first();
    let has_layers = start.is_some_and(|start| !start.layers.is_empty());
    let world = session.world();
    note(
        has_layers && !has(Block::Instructions),
        "none of the instruction layers reach it: no CLAUDE.md, no rules, no memory index",
    );
    let has_git = world.git.is_some() && instructions_off(world).is_none();
    note(has_git && !has(Block::GitStatus), "no git status");
    note(
        !tools.has("Skill"),
        "no Skill tool, and so no list of skills",
    );
    note(!tools.has("Agent"), "no Agent tool: it starts no sub-agent");
    note(
        tools.has("Agent"),
        "the list of agents comes with its second request only",
    );
    let flags = &world.origin.flags;
    note(
        flags.append_system_prompt.is_some() || flags.system_prompt.is_some(),
        "--system-prompt and --append-system-prompt do not reach it",
    );
    note(
        world.settings.text("outputStyle").is_some(),
        "the output style does not reach it",
    );
    note(
        world.settings.text("language").is_some(),
        "the language setting does not reach it",
    );
    note(
        agent.settings.is_isolated,
        "works in a new worktree; the instruction layers are those of the parent's directory",
    );
    differs
}
