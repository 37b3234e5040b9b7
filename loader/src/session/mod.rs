//! A session as a fold of events into deliveries.
//!
//! [`Session::start`] makes the first delivery; each read, tool call or prompt that follows
//! adds one. The world is read through the host at each event, as the client does it, but a
//! file's text is read once.

mod agents;
mod explain;
mod explain_listed;
mod hints;
mod lazy;
pub(crate) mod lookalikes;
mod own_tags;
mod pass;
mod skips;
mod startup;
mod waiting;
mod world;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::client::{Client, Coverage, Version};
use crate::git::Git;
use crate::host::Host;
use crate::origin::Origin;
use crate::path::AbsPath;
use crate::record::{Delivery, Diagnostic, Scope, Trigger};
use crate::settings::Settings;
use crate::state::ClientState;
use crate::tools::{self, Effect};

pub(crate) use lazy::Read;
pub(crate) use waiting::rules_holder;
pub(crate) use world::World;
pub use world::{is_false, is_true};

pub use explain::{Explanation, Finding, Verdict};
pub use waiting::{Waiting, WaitingKind, WaitingList};

/// A tool call of the model, as in the client's transcript.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolCall {
    /// The tool's name, such as `Read`.
    pub tool: String,
    /// Its input, such as `{"file_path": "/abs"}`.
    pub input: Value,
}

/// A session: what it has received so far.
pub struct Session<'h> {
    world: World<'h>,
    deliveries: Vec<Delivery>,
    /// For each delivery the files whose reading may announce skills.
    touched: Vec<Vec<AbsPath>>,
}

impl<'h> Session<'h> {
    pub(crate) fn world(&self) -> &World<'h> {
        &self.world
    }

    pub(crate) fn touched(&self) -> &[Vec<AbsPath>] {
        &self.touched
    }

    /// Starts a session and makes its first delivery.
    #[must_use]
    pub fn start(host: &'h dyn Host, origin: Origin) -> Self {
        let mut world = World::new(host, origin);
        let delivery = startup::deliver(&mut world);
        let mut session = Self {
            world,
            deliveries: vec![delivery],
            touched: vec![Vec::new()],
        };
        session.note_coverage();
        session
    }

    fn note_coverage(&mut self) {
        let Client {
            version, coverage, ..
        } = self.world.origin.client;
        let message = match coverage {
            Coverage::Observed => return,
            Coverage::LessCovered => format!(
                "client {version} is older than {}, below which only single behaviours were \
                 observed: this prediction is less covered",
                Version::OLDEST_OBSERVED
            ),
            Coverage::Newer => format!(
                "client {version} is newer than {}, the newest version observed: it is taken \
                 to behave the same",
                Version::NEWEST
            ),
        };
        self.world
            .diagnostics
            .insert(0, Diagnostic::warning(message).as_note());
    }

    /// The model reads a file.
    pub fn read(&mut self, path: &AbsPath) -> &Delivery {
        let delivery = lazy::deliver(
            &mut self.world,
            Trigger::Read { path: path.clone() },
            std::slice::from_ref(path),
            Read::Tool,
        );
        self.push(delivery, vec![path.clone()])
    }

    /// Files of a directory are read, whatever their names: what the directory itself brings. Rules
    /// whose patterns decide stay waiting.
    pub(crate) fn visit(&mut self, directory: &AbsPath) {
        if !self.world.behaviour.lazy || self.world.switches.instructions_off.is_some() {
            return;
        }
        let delivery = lazy::visit(&mut self.world, directory);
        self.push(delivery, Vec::new());
    }

    /// The model calls a tool (facts 5.10–5.12).
    pub fn call(&mut self, call: &ToolCall) -> &Delivery {
        let world = &self.world;
        let (paths, read, note) = match tools::effect_of(call, world) {
            Effect::Reads(paths, read) => (paths, read, None),
            Effect::Marks(paths) => {
                self.world.mark_known(&paths);
                let note = "before 2.1.293 Bash loads nothing; what it reads counts as known";
                (Vec::new(), Read::Bash, Some(note.to_owned()))
            }
            Effect::Nothing(note) => (Vec::new(), Read::Tool, Some(note)),
        };
        let trigger = Trigger::Tool {
            tool: call.tool.clone(),
            paths: paths.clone(),
            note,
        };
        let touched = tools::touched(call, &self.world);
        let delivery = lazy::deliver(&mut self.world, trigger, &paths, read);
        self.push(delivery, touched)
    }

    /// The user gives a prompt; the files that it mentions with `@` count as read (fact 5.21).
    pub fn prompt(&mut self, text: &str) -> &Delivery {
        let paths = tools::mentioned(text, &self.world);
        let trigger = Trigger::Prompt {
            paths: paths.clone(),
        };
        // The first prompt is looked at before what the start delivered is known (cases
        // mention-repeats-*).
        let is_first = self.deliveries.len() == 1;
        self.world.start_is_known = !is_first;
        let delivery = lazy::deliver(&mut self.world, trigger, &paths, Read::Mention);
        self.world.start_is_known = true;
        self.push(delivery, paths)
    }

    fn push(&mut self, delivery: Delivery, touched: Vec<AbsPath>) -> &Delivery {
        self.touched.push(touched);
        self.deliveries.push(delivery);
        &self.deliveries[self.deliveries.len() - 1]
    }

    /// The path that a reference in the file `by` names: relative ones start beside the real file
    /// (facts 2.10, 3.11).
    #[must_use]
    pub fn target(&self, by: &AbsPath, path: &str) -> Option<AbsPath> {
        if let Some(rest) = path.strip_prefix("~/") {
            return Some(self.world.origin.home.join(rest));
        }
        let real = self.world.host.canonicalize(by).ok();
        Some(real.as_ref().unwrap_or(by).parent()?.join(path))
    }

    /// Everything delivered so far, in order.
    #[must_use]
    pub fn deliveries(&self) -> &[Delivery] {
        &self.deliveries
    }

    /// What went wrong so far.
    #[must_use]
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.world.diagnostics
    }

    /// The client.
    #[must_use]
    pub fn client(&self) -> &Client {
        &self.world.origin.client
    }

    /// The origin.
    #[must_use]
    pub fn origin(&self) -> &Origin {
        &self.world.origin
    }

    /// The working directory, links resolved (fact 2.6).
    #[must_use]
    pub fn cwd(&self) -> &AbsPath {
        &self.world.cwd
    }

    /// The repository around the working directory.
    #[must_use]
    pub fn git(&self) -> Option<&Git> {
        self.world.git.as_ref()
    }

    /// The settings in force.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.world.settings
    }

    /// What the client's state file says: approvals, trust, recorded use.
    #[must_use]
    pub fn state(&self) -> &ClientState {
        &self.world.state
    }
}

impl Session<'_> {
    /// Rules that the start of the session met and left waiting: path and scope.
    pub fn conditional_rules(&self) -> impl Iterator<Item = (AbsPath, Scope)> {
        let rules = self.world.conditional.iter();
        rules.map(|rule| (rule.path.clone(), rule.scope))
    }
}
