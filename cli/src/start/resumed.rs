//! A past session as it would go on now: its limits and what it receives, in its own directory.

use std::path::PathBuf;

use anyhow::Result;
use outcrop_compactor::audit;
use outcrop_compactor::chain::Chain;
use outcrop_compactor::conversation::Instruction;
use outcrop_compactor::transcript::{Index, Transcript};
use outcrop_compactor::window::{Given, Window};
use outcrop_loader::client::Client;
use outcrop_loader::host::{DiskHost, Host as _, Kind};
use outcrop_loader::path::AbsPath;
use outcrop_loader::record::{Delivery, Layer};
use outcrop_loader::session::Session;

use super::Place;
use super::transcripts::FileSource;
use crate::args::{ClientFlags, Global};

/// What is asked of it.
#[derive(Default)]
pub(crate) struct Asked<'a> {
    /// The model, instead of that of the last answer.
    pub(crate) model: Option<&'a str>,
    /// The window, in tokens.
    pub(crate) window: Option<u64>,
    /// Its reads are made again, so that what they bring is known.
    pub(crate) replays: bool,
}

/// A session as it goes on.
pub(crate) struct GoingOn {
    pub(crate) window: Window,
    /// What it receives now, and what its reads brought; none where its directory is gone. The
    /// limits are then those of the directory in which the user stands.
    pub(crate) deliveries: Option<Vec<Delivery>>,
}

impl GoingOn {
    pub(crate) fn of(
        place: &Place,
        global: &Global,
        client: &Client,
        transcript: &Transcript<FileSource>,
        chain: &Chain,
        asked: &Asked<'_>,
    ) -> Result<Self> {
        let index = transcript.index();
        let host = DiskHost::new();
        let own = directory(index, chain, &host);
        let here = own.clone().unwrap_or_else(|| PathBuf::from("."));
        let origin = place.origin(&host, global, *client, &ClientFlags::default(), &here)?;
        let mut session = Session::start(&host, origin);
        let model = match (asked.model, answered(index, chain)) {
            (Some(model), _) => session.model_facts(model).name,
            (None, Some(model)) => model.to_owned(),
            (None, None) => session.model().facts.name,
        };
        let own_records = index
            .entries()
            .iter()
            .filter(|entry| !entry.flags.sidechain);
        let usages = own_records.filter_map(|entry| entry.usage);
        let given = Given {
            window: asked.window,
            largest_usage: usages.map(|usage| usage.total()).max().unwrap_or(0),
            ..Given::of(&session)
        };
        let window = Window::of(&model, &given);
        if own.is_some() && asked.replays {
            audit::replay(&audit::steps(transcript, &chain.records)?, &mut session);
        }
        Ok(Self {
            window,
            deliveries: own.map(|_| session.deliveries().to_vec()),
        })
    }

    /// The instruction files that it receives at its start.
    pub(crate) fn instructions(&self) -> Option<Vec<Instruction>> {
        let instruction = |layer: &Layer| Instruction {
            path: layer.name().to_owned(),
            content: layer.text.clone(),
        };
        let start = self.deliveries.as_ref()?.first()?;
        Some(start.layers.iter().map(instruction).collect())
    }
}

/// The session's own directory, if it is still there.
fn directory(index: &Index, chain: &Chain, host: &DiskHost) -> Option<PathBuf> {
    let mut records = chain.records.iter().rev();
    let cwd = records.find_map(|record| index.entries()[*record].cwd)?;
    let cwd = AbsPath::new(index.text(cwd))?;
    let metadata = host.metadata(&cwd).ok()?;
    (metadata.kind == Kind::Directory).then(|| PathBuf::from(cwd.as_str()))
}

/// The model that answered last.
fn answered<'i>(index: &'i Index, chain: &Chain) -> Option<&'i str> {
    let records = chain.records.iter().rev();
    let mut answers = records
        .map(|record| &index.entries()[*record])
        .filter(|entry| !index.is(entry.model, "<synthetic>"));
    answers
        .find_map(|entry| entry.model)
        .map(|model| index.text(model))
}
