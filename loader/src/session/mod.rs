//! A session as a fold of events into deliveries.
//!
//! [`Session::start`] makes the first delivery; each read, tool call or prompt that follows
//! adds one. The world is read through the host at each event, as the client does it, but a
//! file's text is read once.

mod context;
mod explain;
mod lazy;
mod pass;
mod startup;
mod waiting;

use serde::Deserialize;
use serde_json::Value;

use crate::approval::ApprovalState;
use crate::client::{Client, Coverage, Version};
use crate::git::Git;
use crate::host::Host;
use crate::origin::Origin;
use crate::path::AbsPath;
use crate::record::{Delivery, Diagnostic, Trigger};
use crate::settings::Settings;
use crate::tools::{self, Effect};

pub(crate) use context::World;
pub(crate) use lazy::Read;

pub use context::Switches;
pub use explain::{Explanation, Finding, Verdict};
pub use waiting::{Waiting, WaitingKind, WaitingList};

/// A tool call of the model, as in the client's transcript.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct ToolCall {
    /// The tool's name, such as `Read`.
    pub tool: String,
    /// Its input, such as `{"file_path": "/abs"}`.
    pub input: Value,
}

/// A session: what it has received so far.
pub struct Session<'h> {
    context: World<'h>,
    deliveries: Vec<Delivery>,
}

impl<'h> Session<'h> {
    /// Starts a session and makes its first delivery.
    #[must_use]
    pub fn start(host: &'h dyn Host, origin: Origin) -> Self {
        let mut context = World::new(host, origin);
        let delivery = startup::deliver(&mut context);
        let mut session = Self {
            context,
            deliveries: vec![delivery],
        };
        session.note_coverage();
        session
    }

    fn note_coverage(&mut self) {
        let Client {
            version, coverage, ..
        } = self.context.origin.client;
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
        self.context
            .diagnostics
            .insert(0, Diagnostic::warning(message).as_note());
    }

    /// The model reads a file.
    pub fn read(&mut self, path: &AbsPath) -> &Delivery {
        let delivery = lazy::deliver(
            &mut self.context,
            Trigger::Read { path: path.clone() },
            &[path.clone()],
            Read::Tool,
        );
        self.push(delivery)
    }

    /// The model calls a tool (facts 5.10–5.12).
    pub fn call(&mut self, call: &ToolCall) -> &Delivery {
        let context = &self.context;
        let (path, read, note) = match tools::effect_of(call, context) {
            Effect::Reads(path, read) => (Some(path), read, None),
            Effect::Nothing(note) => (None, Read::Tool, Some(note)),
        };
        let trigger = Trigger::Tool {
            tool: call.tool.clone(),
            path: path.clone(),
            note,
        };
        let targets: Vec<AbsPath> = path.into_iter().collect();
        let delivery = lazy::deliver(&mut self.context, trigger, &targets, read);
        self.push(delivery)
    }

    /// The user gives a prompt; the files that it mentions with `@` count as read (fact 5.21).
    pub fn prompt(&mut self, text: &str) -> &Delivery {
        let paths = tools::mentioned(text, &self.context);
        let trigger = Trigger::Prompt {
            paths: paths.clone(),
        };
        let delivery = lazy::deliver(&mut self.context, trigger, &paths, Read::Mention);
        self.push(delivery)
    }

    fn push(&mut self, delivery: Delivery) -> &Delivery {
        self.deliveries.push(delivery);
        &self.deliveries[self.deliveries.len() - 1]
    }

    /// Everything delivered so far, in order.
    #[must_use]
    pub fn deliveries(&self) -> &[Delivery] {
        &self.deliveries
    }

    /// What went wrong so far.
    #[must_use]
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.context.diagnostics
    }

    /// The client.
    #[must_use]
    pub fn client(&self) -> &Client {
        &self.context.origin.client
    }

    /// The origin.
    #[must_use]
    pub fn origin(&self) -> &Origin {
        &self.context.origin
    }

    /// The working directory, links resolved (fact 2.6).
    #[must_use]
    pub fn cwd(&self) -> &AbsPath {
        &self.context.cwd
    }

    /// The repository around the working directory.
    #[must_use]
    pub fn git(&self) -> Option<&Git> {
        self.context.git.as_ref()
    }

    /// The settings in force.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.context.settings
    }

    /// Whether external imports are approved.
    #[must_use]
    pub fn approval(&self) -> &ApprovalState {
        &self.context.approval
    }
}
