//! `outcrop inspect`.

use std::path::Path;

use anyhow::{Result, bail};
use outcrop_compactor::chain::Chain;
use outcrop_compactor::inspect::{self, Inspection, spending};
use outcrop_compactor::sessions::Survey;
use outcrop_compactor::transcript::Index;
use outcrop_compactor::window::{Due, Forecast, Given, Mode, Turn, Window};
use outcrop_loader::client::Client;
use outcrop_loader::host::{DiskHost, Host as _};
use outcrop_loader::path::AbsPath;
use outcrop_loader::tokens::{Family, Model};

use crate::args::transcripts::Inspect;
use crate::args::{ClientFlags, Events, Global};
use crate::commands::{DONE, FOUND};
use crate::render::inspect::{Inspected, Limits};
use crate::render::{Output, inspect_blocks, inspect_json};
use crate::start::transcripts::Projects;
use crate::start::{Place, client, sessions, tokenizer};

pub(crate) fn run(global: &Global, args: &Inspect, output: &mut Output) -> Result<u8> {
    let place = Place::new(global)?;
    let projects = Projects::new(global, &place)?;
    let listed = projects.find(&place, &args.session)?;
    let transcript = listed.open(global.quiet)?;
    let client = client(global)?;
    let chain = Chain::of(&transcript, &client.behaviour.resume)?;
    let survey = Survey::of(&transcript, &chain, &client)?;
    let model = match (&args.tokenizer, &survey.model) {
        (Some(name), _) => {
            let (model, note) = tokenizer(name);
            output.diagnostics(note.as_slice())?;
            model
        }
        (None, Some(name)) => Model::of(name),
        (None, None) => Model::plain(Family::NEWEST),
    };
    if let Some(number) = args.turn {
        let rows = match inspect::turn(&transcript, &chain, &client, model, number)? {
            Ok(rows) => rows,
            Err(count) => bail!("--turn {number}: the session has {count} turns"),
        };
        let turn = inspect_blocks::Turn {
            session: &listed.id,
            number,
            rows: &rows,
            tokenizer: model.family.name(),
        };
        inspect_blocks::write(output, &turn, global.json)?;
        return Ok(DONE);
    }
    let limit = match args.limit {
        0 => usize::MAX,
        limit => limit,
    };
    let inspection = Inspection::of(&transcript, &chain, &client, model, limit)?;
    let agents = sessions::agents(&listed.path, &listed.id);
    let agents = agents.iter().map(|(agent, index)| (agent.as_str(), index));
    let inspected = Inspected {
        session: &listed.id,
        path: &listed.path,
        bytes: listed.length,
        client: &client,
        limits: limits(
            global,
            &place,
            &survey,
            &inspection,
            transcript.index(),
            &client,
        ),
        spending: &spending(transcript.index(), agents),
        survey: &survey,
        limit,
        inspection: &inspection,
    };
    if global.json {
        inspect_json::write(output, &inspected)?;
    } else {
        crate::render::inspect::write(output, &inspected)?;
    }
    Ok(match chain.refused {
        Some(_) => FOUND,
        None => DONE,
    })
}

/// When the session is compacted, by the settings of its own directory where that is still there.
fn limits(
    global: &Global,
    place: &Place,
    survey: &Survey,
    inspection: &Inspection,
    index: &Index,
    client: &Client,
) -> Option<Limits> {
    let model = survey.model.as_ref()?;
    let host = DiskHost::new();
    let own = survey.cwd.as_deref().and_then(AbsPath::new);
    let own = own.filter(|dir| host.read_dir(dir).is_ok());
    let dir = own.unwrap_or_else(|| place.base(&host));
    let (flags, events) = (ClientFlags::default(), Events::default());
    let session = place.session(&host, global, &flags, Path::new(dir.as_str()), &events);
    let session = session.ok()?;
    let usages = index
        .entries()
        .iter()
        .filter(|entry| !entry.flags.sidechain);
    let given = Given {
        client,
        largest_usage: usages
            .filter_map(|entry| entry.usage.map(|usage| usage.total()))
            .max()
            .unwrap_or(0),
        ..Given::of(&session)
    };
    let window = Window::of(model, &given);
    let since = inspection.compactions.last().map_or(0, |row| row.turn);
    let grown = inspection.turns.iter().filter(|row| row.turn > since);
    let grown: Vec<Turn> = grown
        .filter_map(|row| {
            let turn = u32::try_from(row.turn).ok()?;
            let tokens = row.tokens?;
            Some(Turn { turn, tokens })
        })
        .collect();
    let forecast = Forecast::of(&grown, inspection.context.tokens, window.trigger);
    let is_by_itself = matches!(window.mode, Mode::AtTrigger { .. });
    Some(Limits {
        window: window.window.value,
        trigger: is_by_itself.then_some(window.trigger),
        turns_left: match forecast.due {
            Due::Now => Some(0),
            Due::In { likely, .. } => Some(likely),
            Due::NotKnown { .. } | Due::NotInSight => None,
        },
    })
}
