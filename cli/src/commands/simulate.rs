//! `outcrop simulate`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::UNIX_EPOCH;

use anyhow::{Context as _, Result, bail};
use outcrop_compactor::boundary::{Files, Trigger};
use outcrop_compactor::chain::Chain;
use outcrop_compactor::conversation::{Instruction, Resumed};
use outcrop_compactor::pipeline::{Budget, Context, Pipeline, PipelineResult, StageKind};
use outcrop_compactor::simulation::{self, ByClient};
use outcrop_compactor::stages::{Given as GivenSummary, Paper};
use outcrop_compactor::transcript::{Index, Transcript};
use outcrop_compactor::turns;
use outcrop_compactor::window::{Estimate, Given, Next, Window};
use outcrop_loader::client::Client;
use outcrop_loader::host::DiskHost;
use outcrop_loader::record::Layer;

use crate::args::transcripts::{Preset, Simulate, StageName};
use crate::args::{ClientFlags, Global};
use crate::commands::{DONE, FOUND};
use crate::render::simulate::Simulated;
use crate::render::{Output, simulate, simulate_json};
use crate::start::transcripts::{FileSource, Listed, Projects, write_copy};
use crate::start::{Place, client};

pub(crate) fn run(global: &Global, args: &Simulate, output: &mut Output) -> Result<u8> {
    let place = Place::new(global)?;
    let listed = Projects::new(global, &place)?.find(&place, &args.session)?;
    let transcript = listed.open(global.quiet)?;
    let client = client(global)?;
    let chain = chain(&transcript, &client, args)?;
    let (window, instructions) = asked(&place, global, args, transcript.index(), &chain, &client)?;
    let simulation = Simulation {
        args,
        client: &client,
        window: &window,
        resumed: Resumed {
            prompt: args.prompt.clone(),
            instructions,
            model: Some(window.model.name.clone()),
        },
        budget: Budget {
            threshold: Some(window.trigger),
            now: None,
        },
    };
    let before = simulation::context(
        &transcript,
        &chain,
        &client,
        &simulation.resumed,
        &args.pin,
        0,
        simulation.estimate(),
    )?;
    let next = window.next(before.tokens(), simulate::answers(&before));
    let view = Simulated {
        session: &listed.id,
        window: &window,
        next,
        chain: &chain,
        index: transcript.index(),
        compacted: None,
        anchor: before.anchor(),
    };
    let preset = args.stage.map_or(args.preset, |_| Preset::Paper);
    match preset {
        Preset::Client if args.now || next == Next::Compaction => {
            simulation.compact(&place, &listed, &transcript, before, &view, global, output)?;
        }
        Preset::Paper => {
            let pipeline = Pipeline::paper(simulation.paper()?);
            let result = pipeline.run(before, &simulation.budget);
            write(global, output, &view, &result)?;
        }
        Preset::Resume | Preset::Client => {
            write(global, output, &view, &simulation::untouched(before))?;
        }
    }
    Ok(if chain.refused.is_some() { FOUND } else { DONE })
}

fn write(
    global: &Global,
    output: &mut Output,
    view: &Simulated<'_>,
    result: &PipelineResult<'_>,
) -> Result<()> {
    if global.json {
        simulate_json::write(output, view, result)
    } else {
        simulate::write(output, view, result)
    }
}

/// What is asked for, at the turn that is asked for.
fn chain(transcript: &Transcript<FileSource>, client: &Client, args: &Simulate) -> Result<Chain> {
    let resume = &client.behaviour.resume;
    let chain = Chain::of(transcript, resume)?;
    let Some(turn) = args.at else {
        return Ok(chain);
    };
    let all = turns::of(transcript.index(), &chain, resume);
    let last = turn.checked_sub(1).and_then(|turn| all.get(turn));
    let Some(leaf) = last.and_then(|turn| turn.records.last()) else {
        bail!("--at {turn}: the session has {} turns", all.len());
    };
    Ok(Chain::ending_at(transcript, *leaf, resume)?)
}

/// The limits of the session, and the instruction files that it receives now: of the model that is
/// asked, in the session's directory. Where that is gone, the limits are those of the current one,
/// and the files are not known.
fn asked(
    place: &Place,
    global: &Global,
    args: &Simulate,
    index: &Index,
    chain: &Chain,
    client: &Client,
) -> Result<(Window, Option<Vec<Instruction>>)> {
    let host = DiskHost::new();
    let entries = chain
        .records
        .iter()
        .rev()
        .map(|record| &index.entries()[*record]);
    let directory = entries
        .clone()
        .find_map(|entry| entry.cwd)
        .map(|cwd| PathBuf::from(index.text(cwd)))
        .filter(|cwd| cwd.is_dir());
    let flags = ClientFlags::default();
    let here = directory.clone().unwrap_or_else(|| PathBuf::from("."));
    let origin = place.origin(&host, global, *client, &flags, &here)?;
    let session = outcrop_loader::session::Session::start(&host, origin);
    let answered = entries
        .filter(|entry| !index.is(entry.model, "<synthetic>"))
        .find_map(|entry| entry.model);
    let model = match (&args.model, answered) {
        (Some(model), _) => session.model_facts(model).name,
        (None, Some(model)) => index.text(model).to_owned(),
        (None, None) => session.model().facts.name,
    };
    let usages = index.entries().iter().filter_map(|entry| entry.usage);
    let given = Given {
        window: args.window,
        largest_usage: usages.map(|usage| usage.total()).max().unwrap_or(0),
        ..Given::of(&session)
    };
    let layers = session.deliveries().first().map(|start| &start.layers);
    let instructions = directory.and(layers).map(|layers| {
        let instruction = |layer: &Layer| Instruction {
            path: layer.name().to_owned(),
            content: layer.text.clone(),
        };
        layers.iter().map(instruction).collect()
    });
    Ok((Window::of(&model, &given), instructions))
}

/// What one run needs everywhere.
struct Simulation<'a> {
    args: &'a Simulate,
    client: &'a Client,
    window: &'a Window,
    resumed: Resumed,
    budget: Budget,
}

impl Simulation<'_> {
    fn estimate(&self) -> Estimate {
        Estimate::for_limits(&self.window.model, &self.client.behaviour.counting)
    }

    /// The published stages, with the limits that were given.
    fn paper(&self) -> Result<Paper> {
        let mut paper = Paper::default();
        if let Some(stage) = self.args.stage {
            paper.only(match stage {
                StageName::Budget => StageKind::Budget,
                StageName::Snip => StageKind::Snip,
                StageName::Microcompact => StageKind::Microcompact,
                StageName::Collapse => StageKind::Collapse,
                StageName::Summary => StageKind::Summary,
            });
        }
        if let Some(text) = self.summary()? {
            paper.summary.summariser = Box::new(GivenSummary(text));
        }
        Ok(paper)
    }

    /// The text of the summary, where the user gives one.
    fn summary(&self) -> Result<Option<String>> {
        if let Some(file) = &self.args.summary_file {
            let text = fs::read_to_string(file);
            return Ok(Some(text.with_context(|| format!("{}", file.display()))?));
        }
        let Some(command) = &self.args.summary_command else {
            return Ok(None);
        };
        let shell = if cfg!(windows) {
            ("cmd", "/C")
        } else {
            ("sh", "-c")
        };
        let output = Command::new(shell.0)
            .args([shell.1, command.as_str()])
            .stdin(Stdio::null())
            .stderr(Stdio::inherit())
            .output()
            .with_context(|| format!("--summary-command {command}"))?;
        if !output.status.success() {
            bail!("--summary-command {command}: {}", output.status);
        }
        Ok(Some(String::from_utf8_lossy(&output.stdout).into_owned()))
    }

    /// Compacts as the client does, and shows what the next request would hold.
    #[expect(clippy::too_many_arguments, reason = "what a run has at hand")]
    fn compact(
        &self,
        place: &Place,
        listed: &Listed,
        transcript: &Transcript<FileSource>,
        before: Context<'_>,
        view: &Simulated<'_>,
        global: &Global,
        output: &mut Output,
    ) -> Result<()> {
        let trigger = match self.args.now {
            true => Trigger::Manual,
            false => Trigger::Auto,
        };
        let how = ByClient {
            trigger,
            prompt: self.args.prompt.as_deref(),
            files: &Disk,
            summary: self.summary()?,
        };
        let (client, window) = (self.client, self.window);
        let compacted =
            simulation::by_client(transcript, view.chain, client, &before, &how, window)?;
        let Some(compacted) = compacted else {
            bail!("nothing is there that could be compacted");
        };
        if let Some(folder) = &self.args.out {
            let folder = place.path(folder)?.to_string();
            let path = write_copy(listed, Path::new(&folder), &compacted.lines)?;
            output.wrote(&path)?;
        }
        let appended = listed.open(true)?.append(&compacted.lines)?;
        let resumed = Resumed {
            prompt: None,
            ..self.resumed.clone()
        };
        let chain = Chain::of(&appended, &client.behaviour.resume)?;
        let fixed = before.fixed();
        let pins = &self.args.pin;
        let after = simulation::context(
            &appended,
            &chain,
            client,
            &resumed,
            pins,
            fixed,
            self.estimate(),
        )?;
        let result = simulation::result_of(&before, after, &compacted, trigger, &self.budget);
        let view = Simulated {
            compacted: Some(&compacted),
            ..*view
        };
        write(global, output, &view, &result)
    }
}

/// The disk as it is now.
struct Disk;

impl Files for Disk {
    fn modified(&self, path: &str) -> Option<i64> {
        let modified = fs::metadata(path).ok()?.modified().ok()?;
        let time = modified.duration_since(UNIX_EPOCH).ok()?;
        i64::try_from(time.as_millis()).ok()
    }

    fn text(&self, path: &str) -> Option<String> {
        let bytes = fs::read(path).ok()?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }
}
