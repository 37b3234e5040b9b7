//! `outcrop inspect`.

use anyhow::{Result, bail};
use outcrop_compactor::chain::Chain;
use outcrop_compactor::inspect::{self, Inspection, spending};
use outcrop_compactor::sessions::Survey;
use outcrop_compactor::window::{Due, Forecast, Mode, Turn, Window};
use outcrop_loader::tokens::{Family, Model};

use crate::args::Global;
use crate::args::transcripts::Inspect;
use crate::commands::{DONE, FOUND};
use crate::render::inspect::{Inspected, Limits};
use crate::render::{Output, inspect_blocks, inspect_json};
use crate::start::resumed::{Asked, GoingOn};
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
    let going = GoingOn::of(
        &place,
        global,
        &client,
        &transcript,
        &chain,
        &Asked::default(),
    )?;
    let is_answered = survey.model.is_some();
    let limits = is_answered.then(|| limits(&going.window, &inspection));
    let inspected = Inspected {
        session: &listed.id,
        path: &listed.path,
        bytes: listed.length,
        client: &client,
        limits,
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
fn limits(window: &Window, inspection: &Inspection) -> Limits {
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
    Limits {
        window: window.window.value,
        trigger: is_by_itself.then_some(window.trigger),
        turns_left: match forecast.due {
            Due::Now => Some(0),
            Due::In { likely, .. } => Some(likely),
            Due::NotKnown { .. } | Due::NotInSight => None,
        },
    }
}
