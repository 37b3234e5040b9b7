//! `outcrop simulate`.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::UNIX_EPOCH;

use anyhow::{Context as _, Result, bail};
use outcrop_compactor::boundary::{Compacted, FileOutcome, Files, Trigger};
use outcrop_compactor::chain::Chain;
use outcrop_compactor::conversation::Resumed;
use outcrop_compactor::loss::{self, InstructionFate, Loss};
use outcrop_compactor::pipeline::{
    Budget, Context, Pipeline, PipelineResult, StageKind, StageTrace,
};
use outcrop_compactor::simulation::{self, ByClient};
use outcrop_compactor::stages::{Given as GivenSummary, Paper};
use outcrop_compactor::transcript::Transcript;
use outcrop_compactor::turns;
use outcrop_compactor::window::{Estimate, Floor, Next};
use outcrop_loader::client::Client;
use outcrop_loader::path::AbsPath;
use outcrop_loader::record::Evidence;

use crate::args::Global;
use crate::args::transcripts::{Preset, Simulate, StageName};
use crate::commands::{DONE, FOUND};
use crate::render::simulate::Simulated;
use crate::render::{Output, simulate, simulate_json};
use crate::start::resumed::{Asked, GoingOn};
use crate::start::transcripts::{FileSource, Listed, Projects, write_copy};
use crate::start::{Place, client};

pub(crate) fn run(global: &Global, args: &Simulate, output: &mut Output) -> Result<u8> {
    let place = Place::new(global)?;
    let listed = Projects::new(global, &place)?.find(&place, &args.session)?;
    let transcript = listed.open(global.quiet)?;
    let client = client(global)?;
    let chain = chain(&transcript, &client, args)?;
    let preset = args.stage.map_or(args.preset, |_| Preset::Paper);
    refuse_unused(args, preset)?;
    let asked = Asked {
        model: args.model.as_deref(),
        window: args.window,
        replays: preset != Preset::Resume,
    };
    let going = GoingOn::of(&place, global, &client, &transcript, &chain, &asked)?;
    let window = &going.window;
    let simulation = Simulation {
        global,
        args,
        place: &place,
        client: &client,
        going: &going,
        resumed: Resumed {
            prompt: args.prompt.clone(),
            instructions: going.instructions(),
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
    let beside = simulation::beside(&before);
    let view = Simulated {
        session: &listed.id,
        window,
        next,
        chain: &chain,
        index: transcript.index(),
        compacted: None,
        evidence: Evidence::Observed,
        anchor: before.anchor(),
        beside,
        floor: simulation.floor(&before, beside, None),
        loss: None,
        fates: None,
    };
    match preset {
        Preset::Client if args.now || args.refused.is_some() || next == Next::Compaction => {
            simulation.compact(&listed, &transcript, before, view, output)?;
        }
        Preset::Paper => simulation.publish(&transcript, before, view, output)?,
        Preset::Client if args.out.is_some() => {
            bail!(
                "--out: the session is not due for compaction, so nothing is written; --now compacts it"
            );
        }
        Preset::Resume | Preset::Client => {
            simulation.write(output, &view, &simulation::untouched(before))?;
        }
    }
    Ok(if chain.refused.is_some() { FOUND } else { DONE })
}

/// Options that would do nothing with a preset.
fn refuse_unused(args: &Simulate, preset: Preset) -> Result<()> {
    let for_client = [
        (args.now, "--now"),
        (args.refused.is_some(), "--refused"),
        (args.out.is_some(), "--out"),
    ];
    let for_summaries = [
        (args.summary_file.is_some(), "--summary-file"),
        (args.summary_command.is_some(), "--summary-command"),
        (args.summary_recorded, "--summary-recorded"),
    ];
    let given = |options: &[(bool, &'static str)]| {
        options
            .iter()
            .find(|(given, _)| *given)
            .map(|(_, name)| *name)
    };
    if let Some(name) = given(&for_client).filter(|_| preset != Preset::Client) {
        bail!("{name} needs --preset client");
    }
    if let Some(name) = given(&for_summaries).filter(|_| preset == Preset::Resume) {
        bail!("{name} needs --preset client or paper: a resume makes no summary");
    }
    Ok(())
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
    let Some(leaf) = last.and_then(|turn| turn.last(transcript.index())) else {
        bail!("--at {turn}: the session has {} turns", all.len());
    };
    Ok(Chain::ending_at(transcript, leaf, resume)?)
}

/// What one run needs everywhere.
struct Simulation<'a> {
    global: &'a Global,
    args: &'a Simulate,
    place: &'a Place,
    client: &'a Client,
    going: &'a GoingOn,
    resumed: Resumed,
    budget: Budget,
}

impl Simulation<'_> {
    fn write(
        &self,
        output: &mut Output,
        view: &Simulated<'_>,
        result: &PipelineResult<'_>,
    ) -> Result<()> {
        if self.global.json {
            simulate_json::write(output, view, result)
        } else {
            simulate::write(output, view, result)
        }
    }

    fn estimate(&self) -> Estimate {
        Estimate::for_limits(&self.going.window.model, &self.client.behaviour.counting)
    }

    fn floor(
        &self,
        context: &Context<'_>,
        beside: Option<u64>,
        compacted: Option<&Compacted>,
    ) -> Floor {
        simulation::floor(
            context,
            beside,
            self.resumed.instructions.as_deref().unwrap_or_default(),
            compacted,
            self.estimate(),
            self.going.window.trigger,
        )
    }

    /// What becomes of the instruction files, where the session's directory tells them.
    fn fates(&self, compacted: Option<&Compacted>) -> Option<Vec<InstructionFate>> {
        let files = compacted.map_or(&[][..], |compacted| &compacted.files);
        let attached = files
            .iter()
            .filter(|file| file.outcome == FileOutcome::Attached)
            .filter_map(|file| AbsPath::new(&file.path));
        let attached: Vec<AbsPath> = attached.collect();
        let deliveries = self.going.deliveries.as_deref()?;
        let resume = &self.client.behaviour.resume;
        Some(loss::instructions(deliveries, resume, &attached))
    }

    /// Runs the published stages.
    fn publish(
        &self,
        transcript: &Transcript<FileSource>,
        before: Context<'_>,
        view: Simulated<'_>,
        output: &mut Output,
    ) -> Result<()> {
        let messages = before.messages.clone();
        let result = Pipeline::paper(self.paper(transcript, view.chain)?).run(before, &self.budget);
        let fired = |stage: &StageTrace| stage.fired.then_some(stage.stage);
        let fired: Vec<StageKind> = result.stages.iter().filter_map(fired).collect();
        let loss = match fired.is_empty() {
            true => None,
            false => {
                let turns = turns::of(view.index, view.chain, &self.client.behaviour.resume);
                let after = result.context.joined();
                Some(Loss::of(transcript, &turns, &messages, &after)?)
            }
        };
        let summarised = fired.contains(&StageKind::Summary);
        let view = Simulated {
            loss: loss.as_ref(),
            fates: summarised.then(|| self.fates(None)).flatten(),
            ..view
        };
        self.write(output, &view, &result)
    }

    /// The published stages, with the limits that were given.
    fn paper(&self, transcript: &Transcript<FileSource>, chain: &Chain) -> Result<Paper> {
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
        if let Some(text) = self.summary(transcript, chain)? {
            paper.summary.summariser = Box::new(GivenSummary(text));
        }
        Ok(paper)
    }

    /// The text of the summary, where one is given.
    fn summary(
        &self,
        transcript: &Transcript<FileSource>,
        chain: &Chain,
    ) -> Result<Option<String>> {
        if let Some(file) = &self.args.summary_file {
            let text = fs::read_to_string(file);
            return Ok(Some(text.with_context(|| format!("{}", file.display()))?));
        }
        if self.args.summary_recorded {
            let recorded = simulation::recorded_summary(transcript, chain)?;
            return match recorded {
                Some(text) => Ok(Some(text)),
                None => bail!("--summary-recorded: the session has no summary behind this point"),
            };
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
    fn compact(
        &self,
        listed: &Listed,
        transcript: &Transcript<FileSource>,
        before: Context<'_>,
        view: Simulated<'_>,
        output: &mut Output,
    ) -> Result<()> {
        let trigger = match (self.args.now, self.args.refused) {
            (true, _) => Trigger::Manual,
            (false, Some((sent, allowed))) => Trigger::Refused { sent, allowed },
            (false, None) => Trigger::Auto,
        };
        let how = ByClient {
            trigger,
            prompt: self.args.prompt.as_deref(),
            files: &Disk,
            summary: self.summary(transcript, view.chain)?,
        };
        let (client, window) = (self.client, &self.going.window);
        let compacted =
            simulation::by_client(transcript, view.chain, client, &before, &how, window)?;
        let Some(compacted) = compacted else {
            bail!("nothing is there that could be compacted");
        };
        if let Some(folder) = &self.args.out {
            let folder = self.place.path(folder)?.to_string();
            let path = write_copy(listed, Path::new(&folder), &compacted.lines)?;
            output.wrote(&path)?;
        }
        let appended = transcript.appended(&compacted.lines)?;
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
        let turns = turns::of(view.index, view.chain, &client.behaviour.resume);
        let loss = Loss::of(&appended, &turns, &before.joined(), &after.joined())?;
        let result = simulation::result_of(&before, after, &compacted, trigger, &self.budget);
        let view = Simulated {
            compacted: Some(&compacted),
            evidence: match trigger {
                Trigger::Refused { .. } => Evidence::Assumed,
                _ => Evidence::Observed,
            },
            floor: self.floor(&result.context, view.beside, Some(&compacted)),
            loss: Some(&loss),
            fates: self.fates(Some(&compacted)),
            ..view
        };
        self.write(output, &view, &result)
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
