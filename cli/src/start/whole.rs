//! The whole first request with its tokens.

use outcrop_loader::catalog::Announced;
use outcrop_loader::request::FirstRequest;
use outcrop_loader::session::Session;
use outcrop_loader::tokens::{Model, Tokens};

use super::counts::tally;
use super::git;
use super::run_hooks::{self, RunHook};
use crate::args::{Global, Show};

/// What `show --all` shows.
pub(crate) struct Whole {
    pub(crate) request: FirstRequest,
    /// What reads announce.
    pub(crate) announced: Vec<Announced>,
    /// Hooks that were run.
    pub(crate) ran: Option<Vec<RunHook>>,
    /// Tokens of each skill and command as it is listed.
    pub(crate) skills: Vec<Tokens>,
    /// Tokens of each agent; `None` for the client's own.
    pub(crate) agents: Vec<Option<Tokens>>,
    /// Tokens of each entry of [`announced`](Self::announced).
    pub(crate) later: Vec<Vec<Tokens>>,
    pub(crate) style: Option<Tokens>,
    pub(crate) replaced: Option<Tokens>,
    pub(crate) appended: Option<Tokens>,
}

impl Whole {
    pub(crate) fn new(global: &Global, show: &Show, session: &Session<'_>, model: Model) -> Self {
        let output = show.git.then(|| git::output(session)).flatten();
        let request = session.first_request(output.as_ref());
        let announced = session.announced();
        let ran = show.run_hooks.then(|| {
            let start = outcrop_loader::request::hooks::Start::Startup;
            run_hooks::run(session, &request.hooks.hooks, start)
        });
        let line = |line: String| line + "\n";
        let entries = request.skills.entries.iter();
        let skills: Vec<String> = entries.map(|entry| line(entry.line())).collect();
        let later: Vec<Vec<String>> = announced
            .iter()
            .map(|list| {
                list.entries
                    .iter()
                    .map(|entry| line(entry.line()))
                    .collect()
            })
            .collect();
        let agents: Vec<Option<String>> = request
            .agents
            .agents
            .iter()
            .map(|agent| agent.line().map(line))
            .collect();
        let style = request.style.text.clone();
        let text = |text: &Option<outcrop_loader::request::system::FlagText>| {
            text.as_ref().map(|text| text.text.clone())
        };
        let (replaced, appended) = (text(&request.texts.replaced), text(&request.texts.appended));
        let texts = skills.iter().chain(later.iter().flatten());
        let texts = texts.chain(agents.iter().flatten());
        let texts = texts.chain(&style).chain(&replaced).chain(&appended);
        let counts = tally(global, model, texts.map(String::as_str));
        let of = |text: &String| counts[text.as_str()];
        let optional = |text: &Option<String>| text.as_ref().map(of);
        Self {
            skills: skills.iter().map(of).collect(),
            agents: agents.iter().map(optional).collect(),
            later: later
                .iter()
                .map(|list| list.iter().map(of).collect())
                .collect(),
            style: optional(&style),
            replaced: optional(&replaced),
            appended: optional(&appended),
            request,
            announced,
            ran,
        }
    }
}
