//! `outcrop verify`.

use std::collections::BTreeMap;
use std::time::Duration;

use anyhow::{Result, bail};
use outcrop_loader::client::{Client, Version};
use outcrop_loader::host::DiskHost;
use outcrop_loader::origin::Origin;
use outcrop_loader::record::{Delivery, Diagnostic};
use outcrop_loader::session::ToolCall;
use outcrop_verify::plan::{Isolation, Wishes};
use outcrop_verify::run::End;
use outcrop_verify::{Comparison, Outcome, Plan, Sent, profile};

use crate::args::{ClientFlags, Global, Isolated, Verify};
use crate::commands::{DONE, FOUND};
use crate::render::{Output, verify_json, verify_text};
use crate::start::{Happening, Learned, Place, Program};

/// Tools that change nothing.
const HARMLESS: [&str; 3] = ["Read", "Grep", "Glob"];

pub(crate) fn run(global: &Global, args: &Verify, output: &mut Output) -> Result<u8> {
    let place = Place::new(global)?;
    let host = DiskHost::new();
    output.stand_in(&place.base(&host));
    let program = Program::asked_for(&global.client, place.home())?;
    // A program that does not tell its version tells it when it runs.
    let guess = Client::of(program.version().unwrap_or(Version::NEWEST))?;
    let origin = place.origin(&host, global, guess, &args.client, &args.dir)?;
    let happening = place.happening(&host, &origin, &args.events)?;
    let calls = calls(&happening)?;
    let session = happening.session(&host, origin);
    let wishes = Wishes {
        program: program.path.clone(),
        prompt: happening.prompt.clone(),
        calls,
        flags: flags(&args.client, session.origin()),
        with_hooks: args.with_hooks,
        isolation: args.isolation.map(isolation),
        env: environment(),
        limit: Duration::from_secs(args.time_limit),
    };
    let plan = Plan::new(&host, &session, wishes)?;
    if args.dry_run {
        if global.json {
            verify_json::write_plan(output, &session, &plan)?;
        } else {
            verify_text::write_plan(output, &session, &plan)?;
        }
        return Ok(DONE);
    }
    let outcome = plan.launch.run()?;
    let mut notes: Vec<Diagnostic> = plan.notes.iter().map(|note| said(note)).collect();
    let sent = understood(&outcome, &mut notes)?;
    let version = sent.version.or(program.version());
    let Some(version) = version else {
        bail!("the client does not tell its version, so there is nothing to compare with");
    };
    let mut origin = plan.origin.clone();
    origin.client = Client::of(version)?;
    let seen = plan.host(&host);
    let predicted = happening.session(&seen, origin);
    let comparison = Comparison::new(predicted.deliveries(), &sent);
    refuse_unknown_form(&outcome, &comparison)?;
    if let Some(start) = predicted.deliveries().first() {
        let seen = (start, &sent);
        learn(global, args, &program, version, seen, &mut notes)?;
    }
    notes.extend(predicted.diagnostics().iter().cloned());
    output.diagnostics(&notes)?;
    let view = verify_text::View {
        session: &predicted,
        plan: &plan,
        comparison: &comparison,
        home: &session.origin().home,
    };
    if global.json {
        verify_json::write(output, &view, &notes)?;
    } else {
        verify_text::write(output, &view)?;
    }
    Ok(if comparison.is_equal() { DONE } else { FOUND })
}

fn said(text: &str) -> Diagnostic {
    Diagnostic::warning(text).as_note()
}

fn isolation(how: Isolated) -> Isolation {
    match how {
        Isolated::Namespace => Isolation::Namespace,
        Isolated::Mirror => Isolation::Mirror,
    }
}

/// The calls that the client is told to make.
fn calls(happening: &Happening) -> Result<Vec<ToolCall>> {
    let refused = happening
        .steps
        .iter()
        .find(|step| !HARMLESS.contains(&step.tool.as_str()));
    if let Some(step) = refused {
        bail!(
            "--steps: {} may change something; `verify` makes only calls of {}",
            step.tool,
            HARMLESS.join(", ")
        );
    }
    let read = |path| ToolCall {
        tool: "Read".to_owned(),
        input: serde_json::json!({ "file_path": path }),
    };
    let reads = happening.reads.iter().map(read);
    Ok(reads.chain(happening.steps.iter().cloned()).collect())
}

/// The client's own flags as it takes them; `--settings` is part of the plan.
fn flags(typed: &ClientFlags, origin: &Origin) -> Vec<String> {
    let mut flags = Vec::new();
    for dir in &origin.add_dirs {
        let written = origin.relative_add_dirs.get(dir);
        let dir = written.map_or(dir.as_str(), String::as_str);
        flags.extend(["--add-dir".to_owned(), dir.to_owned()]);
    }
    if let Some(sources) = &typed.setting_sources {
        flags.extend(["--setting-sources".to_owned(), sources.clone()]);
    }
    if let Some(text) = &typed.append_system_prompt {
        flags.extend(["--append-system-prompt".to_owned(), text.clone()]);
    }
    if typed.bare {
        flags.push("--bare".to_owned());
    }
    flags
}

/// What the client needs of the process: where programs are, and no more.
fn environment() -> BTreeMap<String, String> {
    let wanted = ["PATH", "SHELL", "USER", "SystemRoot"];
    let named = |name: &&str| Some(((*name).to_owned(), std::env::var(name).ok()?));
    wanted.iter().filter_map(named).collect()
}

/// What was sent, or why there is nothing to compare.
fn understood(outcome: &Outcome, notes: &mut Vec<Diagnostic>) -> Result<Sent> {
    let printed = [outcome.stderr.as_str(), outcome.stdout.as_str()];
    let printed: Vec<&str> = printed
        .into_iter()
        .filter(|text| !text.is_empty())
        .collect();
    let printed = printed.join("\n");
    let how = match outcome.end {
        End::Code(0) => None,
        End::Code(code) => Some(format!("the client ended with exit code {code}")),
        End::Signal => Some("the client was ended by a signal".to_owned()),
        End::TimedOut => Some("the client was stopped at its time limit".to_owned()),
    };
    for address in &outcome.recording.refused {
        let note = format!("the client asked for {address} and was refused");
        notes.push(Diagnostic::warning(note));
    }
    match (Sent::of(&outcome.recording), how) {
        (Ok(sent), None) => Ok(sent),
        (_, Some(how)) if printed.is_empty() => bail!("{how}"),
        (_, Some(how)) => bail!("{how}:\n{printed}"),
        (Err(unknown), None) => bail!("what the client sends has an unknown form: {unknown}"),
    }
}

/// A predicted text that was sent in another form is no missing one.
fn refuse_unknown_form(outcome: &Outcome, comparison: &Comparison) -> Result<()> {
    let missing = comparison.items().filter(|item| item.sent.is_none());
    let missing = missing.filter_map(|item| {
        let predicted = item.predicted.as_ref()?;
        Some((item.path.as_str(), predicted.text.as_str()))
    });
    if let Err(unknown) = Sent::holds_elsewhere(&outcome.recording, missing) {
        bail!("what the client sends has an unknown form: {unknown}");
    }
    Ok(())
}

/// Learns what the client adds of its own: its texts once a version, and the notices behind a
/// cut memory index as they are met.
fn learn(
    global: &Global,
    args: &Verify,
    program: &Program,
    version: Version,
    seen: (&Delivery, &Sent),
    notes: &mut Vec<Diagnostic>,
) -> Result<()> {
    let learned = Learned::new(global);
    if !learned.has_place() {
        return Ok(());
    }
    let known = learned.of(version).0.filter(|_| !args.learn);
    let is_new = known.is_none();
    let limit = Duration::from_secs(args.time_limit);
    let profile = match known {
        Some(profile) => Ok(profile),
        None => profile::learn(&program.path, &environment(), limit),
    };
    let mut profile = match profile {
        Ok(profile) => profile,
        Err(error) => {
            let text = "what the client adds of its own was not learned";
            notes.push(said(&format!("{text}: {error}")));
            return Ok(());
        }
    };
    let has_more = profile.learn_notices(seen.0, &seen.1.startup);
    if !is_new && !has_more {
        return Ok(());
    }
    let file = learned.keep(version, &profile)?;
    if let (true, Some(file)) = (is_new, file) {
        let text = "learned what the client adds of its own; `show` counts it now";
        notes.push(said(&format!("{text} ({})", file.display())));
    }
    Ok(())
}
