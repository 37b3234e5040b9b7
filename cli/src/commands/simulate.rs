//! `outcrop simulate`.

use anyhow::{Result, bail};
use outcrop_compactor::chain::{Chain, Refusal};
use outcrop_compactor::conversation::{Conversation, Resumed};
use outcrop_compactor::pipeline::{Budget, ClientEstimate, Context, Pipeline, StageKind, Start};
use outcrop_compactor::stages::Paper;
use outcrop_compactor::turns;

use crate::args::Global;
use crate::args::transcripts::{Preset, Simulate, StageName};
use crate::commands::{DONE, FOUND};
use crate::render::{Output, simulate, simulate_json};
use crate::start::transcripts::Projects;
use crate::start::{Place, client};

pub(crate) fn run(global: &Global, args: &Simulate, output: &mut Output) -> Result<u8> {
    let place = Place::new(global)?;
    let projects = Projects::new(global, &place)?;
    let listed = projects.find(&place, &args.session)?;
    let transcript = listed.open(global.quiet)?;
    let index = transcript.index();
    let client = client(global)?;
    let resume = &client.behaviour.resume;
    let mut chain = Chain::of(&transcript, resume)?;
    if let Some(turn) = args.at {
        let all = turns::of(index, &chain);
        let Some(last) = turn.checked_sub(1).and_then(|turn| all.get(turn)) else {
            bail!("--at {turn}: the session has {} turns", all.len());
        };
        let Some(leaf) = last.records.last() else {
            bail!("--at {turn}: nothing is there");
        };
        chain = Chain::ending_at(&transcript, *leaf, resume)?;
    }
    let resumed = Resumed {
        prompt: args.prompt.clone(),
        instructions: None,
        model: args.model.clone(),
    };
    let conversation = Conversation::of(&transcript, &chain, &client, &resumed)?;
    let start = Start {
        pins: args.pin.clone(),
        ..Start::default()
    };
    let context = Context::of(conversation, index, start, ClientEstimate::default());
    let threshold = args.window.map(|window| window.saturating_sub(33_000));
    let budget = Budget {
        threshold,
        now: None,
    };
    let preset = args.stage.map_or(args.preset, |_| Preset::Paper);
    let pipeline = match preset {
        Preset::Resume => Pipeline::of(Vec::new()),
        Preset::Client => bail!("the preset client is not there yet"),
        Preset::Paper => {
            let mut paper = Paper::default();
            if let Some(stage) = args.stage {
                paper.only(kind(stage));
            }
            Pipeline::paper(paper)
        }
    };
    let result = pipeline.run(context, &budget);
    let simulated = simulate::Simulated {
        session: &listed.id,
        client: &client,
        index,
        chain: &chain,
        window: args.window,
        threshold,
        result: &result,
    };
    if global.json {
        simulate_json::write(output, &simulated)?;
    } else {
        simulate::write(output, &simulated)?;
    }
    Ok(match chain.refused {
        Some(Refusal::NoConversation | Refusal::BrokenRecord(_) | Refusal::BrokenLine(_)) => FOUND,
        None => DONE,
    })
}

fn kind(stage: StageName) -> StageKind {
    match stage {
        StageName::Budget => StageKind::Budget,
        StageName::Snip => StageKind::Snip,
        StageName::Microcompact => StageKind::Microcompact,
        StageName::Collapse => StageKind::Collapse,
        StageName::Summary => StageKind::Summary,
    }
}
