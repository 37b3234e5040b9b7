//! The first request of a sub-agent: what it holds, in order, and what of the parent it lacks.
//!
//! ```text
//! agents (which definition) ─▶ model, tools (what it runs with) ─▶ memory, preload (its own texts)
//!        ─▶ request (the blocks in order) ─▶ modes (which calls it may make)
//! ```

mod memory;
mod modes;
mod preload;
mod request;
mod tools;

use serde::Serialize;
use thiserror::Error;

use crate::catalog::agents::{Agent, AgentSource};
use crate::client::Behaviour;
use crate::path::AbsPath;
use crate::record::Notice;
use crate::request::ModelFacts;
use crate::session::Session;

pub use crate::request::blocks::{Block, Role};
pub use modes::{ModeRow, effective_mode};
pub use preload::SkippedSkill;
pub(crate) use preload::skipped;
pub use tools::SubagentTools;

/// A block of the request.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Part {
    /// What it is.
    pub block: Block,
    /// Who speaks it.
    pub role: Role,
    /// Its text, where files decide it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// UTF-16 units, where they are known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub characters: Option<usize>,
    /// The file that it comes from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<AbsPath>,
    /// The cut of a memory.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub notice: Option<Notice>,
}

/// What the parent receives in the end (fact C2.24).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Returns {
    /// It is told of the end later, and goes on meanwhile.
    pub in_background: bool,
    /// Each line is indented by two blanks.
    pub indented: bool,
    /// UTF-16 units above which it is stored in a file.
    pub stored_above: usize,
    /// UTF-16 units of such a result that the parent sees.
    pub preview: usize,
}

/// A sub-agent as it starts.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Subagent {
    /// The definition.
    pub agent: Agent,
    /// Why it does not start.
    pub refused: Option<String>,
    /// Its model.
    pub model: ModelFacts,
    /// Who chose it.
    pub model_by: String,
    /// Its effort, where the definition or the command line names one.
    pub effort: Option<String>,
    /// Its tools.
    pub tools: SubagentTools,
    /// The blocks of its first request.
    pub parts: Vec<Part>,
    /// Names in `skills` that are passed over.
    pub skipped_skills: Vec<SkippedSkill>,
    /// Where it keeps its memory.
    pub memory: Option<AbsPath>,
    /// Its permission mode under each mode of the parent (fact C2.25).
    pub modes: Vec<ModeRow>,
    /// How many levels of sub-agents below the main session may start others; that of the last
    /// has no Agent tool (fact C2.23).
    pub levels: u8,
    /// It works in a worktree of its own.
    pub isolated: bool,
    /// What the parent receives.
    pub returns: Returns,
    /// What the main session has and it lacks, or has otherwise.
    pub differs: Vec<String>,
}

/// The name of a fork.
const FORK: &str = "fork";

/// No agent of a name.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("there is no agent `{name}`{}; there are {}", why.as_deref().map(|why| format!(" ({why})")).unwrap_or_default(), known.join(", "))]
pub struct UnknownAgent {
    /// The name that was asked for.
    pub name: String,
    /// Why a definition of this name does not count.
    pub why: Option<String>,
    /// The names that there are.
    pub known: Vec<String>,
}

impl Session<'_> {
    /// The sub-agent of a name, with its task where that is known.
    ///
    /// # Errors
    /// The names that there are, when this is none of them.
    pub fn subagent(&self, name: &str, task: Option<&str>) -> Result<Subagent, UnknownAgent> {
        let agents = self.agents();
        let behaviour = &self.world().behaviour;
        if name == FORK && behaviour.agents.forks && agents.find(name).is_none() {
            return Ok(self.fork(task));
        }
        let Some(agent) = agents.find(name) else {
            let absent = agents.absent.iter();
            let mut of_name = absent.filter(|absent| absent.name.as_deref() == Some(name));
            let mut known: Vec<String> = agents.agents.iter().map(|a| a.name.clone()).collect();
            known.extend(behaviour.agents.forks.then(|| FORK.to_owned()));
            return Err(UnknownAgent {
                name: name.to_owned(),
                why: of_name.next().map(|absent| absent.absence.to_string()),
                known,
            });
        };
        Ok(self.started(agent.clone(), task, agents.silent.or(agents.ends)))
    }

    fn started(&self, agent: Agent, task: Option<&str>, silent: Option<String>) -> Subagent {
        let world = self.world();
        let behaviour = &world.behaviour;
        let (model, model_by) = self.subagent_model(&agent);
        let tools = SubagentTools::of(world, &agent);
        let memory = memory::of(world, &agent);
        let (preloads, skipped_skills) = preload::of(self, &agent);
        let unknown_only =
            behaviour.agents.needs_tool && tools.inline.is_empty() && !tools.unknown.is_empty();
        let unknown_only = unknown_only.then(|| "its tools name none that there is".to_owned());
        let no_git = (agent.settings.is_isolated && world.git.is_none())
            .then(|| "isolation: worktree needs a git repository".to_owned());
        let parts = request::parts(
            self,
            &agent,
            &model,
            &tools,
            memory.as_ref(),
            preloads,
            task,
        );
        let mode = agent.settings.mode.as_deref();
        Subagent {
            refused: silent.or(no_git).or(unknown_only),
            differs: request::differences(self, &agent, &tools, &parts),
            effort: agent
                .settings
                .effort
                .clone()
                .or_else(|| world.origin.flags.effort.clone()),
            modes: modes::rows(mode, behaviour),
            levels: behaviour.agents.levels,
            isolated: agent.settings.is_isolated,
            returns: returns(&agent, behaviour),
            memory: memory.map(|memory| memory.path),
            model,
            model_by,
            tools,
            parts,
            skipped_skills,
            agent,
        }
    }

    /// The model: that of the definition, of `CLAUDE_CODE_SUBAGENT_MODEL`, of the built-in kind,
    /// or the parent's (facts C2.9, 80).
    fn subagent_model(&self, agent: &Agent) -> (ModelFacts, String) {
        const VARIABLE: &str = "CLAUDE_CODE_SUBAGENT_MODEL";
        let behaviour = &self.world().behaviour.agents;
        let is_own = agent.source == AgentSource::BuiltIn;
        let own = match (agent.name.as_str(), &agent.settings.model) {
            (_, Some(model)) => Some((model.as_str(), "the definition")),
            ("statusline-setup", None) if is_own => Some(("sonnet", "the built-in agent")),
            ("Explore", None) if is_own && !behaviour.background => {
                Some(("haiku", "the built-in agent"))
            }
            ("Explore" | "Plan", None) if is_own => Some(("inherit", "the built-in agent")),
            _ => None,
        };
        let variable = self.origin().env.get(VARIABLE).map(String::as_str);
        let variable = variable.filter(|name| !name.is_empty() && *name != "inherit");
        let variable = variable.map(|name| (name, VARIABLE));
        let chosen = match behaviour.own_model_first {
            true => own.or(variable),
            false => variable.or(own),
        };
        let parent = self.model().facts;
        match chosen.filter(|(name, _)| *name != "inherit") {
            // An alias of the parent's own line is the parent's model (case sub-model-same-line).
            Some((name, _)) if is_line_of(name, &parent.name) => {
                (parent, "the parent, whose line the alias names".to_owned())
            }
            Some((name, by)) => (self.model_facts(name), by.to_owned()),
            None => (parent, "the parent".to_owned()),
        }
    }

    /// A fork: the parent's own request with one more note.
    fn fork(&self, task: Option<&str>) -> Subagent {
        let world = self.world();
        let agent = Agent {
            name: FORK.to_owned(),
            description: None,
            characters: 0,
            label: "All tools".to_owned(),
            tools: crate::catalog::agents::AgentTools::default(),
            source: AgentSource::BuiltIn,
            path: None,
            line: None,
            fields: Vec::new(),
            settings: crate::catalog::agents::AgentSettings::default(),
            body: String::new(),
        };
        let part = |block, text: Option<&str>| Part {
            block,
            role: Role::User,
            characters: text.map(crate::javascript::len),
            text: text.map(str::to_owned),
            path: None,
            notice: None,
        };
        let parts = vec![
            part(Block::ParentRequest, None),
            part(Block::ForkNote, None),
            part(Block::Task, task),
        ];
        Subagent {
            refused: None,
            model: self.model().facts,
            model_by: "the parent".to_owned(),
            effort: world.origin.flags.effort.clone(),
            tools: SubagentTools::default(),
            parts,
            skipped_skills: Vec::new(),
            memory: None,
            modes: modes::rows(None, &world.behaviour),
            levels: 0,
            isolated: false,
            returns: returns(&agent, &world.behaviour),
            differs: vec!["the parent's whole request, with its history, comes before".to_owned()],
            agent,
        }
    }
}

fn is_line_of(alias: &str, parent: &str) -> bool {
    let lines = ["opus", "sonnet", "haiku", "fable"];
    let alias = alias.to_ascii_lowercase();
    lines.contains(&alias.as_str()) && parent.to_ascii_lowercase().contains(&alias)
}

fn returns(agent: &Agent, behaviour: &Behaviour) -> Returns {
    Returns {
        in_background: behaviour.agents.background || agent.settings.in_background,
        indented: behaviour.agents.background,
        stored_above: 150_000,
        preview: 2_000,
    }
}
