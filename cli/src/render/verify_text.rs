//! `verify` for people: each layer as it was sent, against the prediction.

use std::io::Write;

use anstyle::Style;
use anyhow::Result;
use outcrop_loader::path::AbsPath;
use outcrop_loader::record::Trigger;
use outcrop_loader::session::Session;
use outcrop_verify::compare::{Item, Moment, Side, Status};
use outcrop_verify::plan::Isolation;
use outcrop_verify::{Comparison, Plan, shell};
use similar::{ChangeTag, TextDiff};

use super::names::{count, number, padded, short};
use super::{Output, style};

/// Lines around a difference that are shown with it.
const CONTEXT: usize = 2;

/// What is shown.
pub(crate) struct View<'v> {
    pub(crate) session: &'v Session<'v>,
    pub(crate) plan: &'v Plan,
    pub(crate) comparison: &'v Comparison,
    /// The user's home; the session's is another one in a mirror.
    pub(crate) home: &'v AbsPath,
}

impl View<'_> {
    /// A path of the client's view as people read it.
    fn name(&self, path: &str) -> String {
        let real = self.plan.real_path(path, self.home);
        match AbsPath::new(&real) {
            Some(path) if path.is_within(self.session.cwd()) => short(self.session, &path),
            Some(path) => match path.below(self.home) {
                Some(below) if !self.session.cwd().is_within(self.home) => format!("~/{below}"),
                _ => short(self.session, &path),
            },
            None => real,
        }
    }
}

pub(crate) fn write(output: &mut Output, view: &View<'_>) -> Result<()> {
    let (bold, dim) = (style::HEADING, style::DIM);
    let place = output.place(view.session.cwd());
    let version = view.session.client().version;
    writeln!(
        output,
        "{bold}What client {version} sends in {place}, against the prediction{bold:#}"
    )?;
    if view.plan.isolation == Isolation::Mirror {
        writeln!(output, "{dim}with a temporary home folder{dim:#}")?;
    }
    for moment in &view.comparison.moments {
        write_moment(output, view, moment)?;
    }
    write_summary(output, view.comparison)
}

fn write_moment(output: &mut Output, view: &View<'_>, moment: &Moment) -> Result<()> {
    let bold = style::HEADING;
    let title = match &moment.trigger {
        Some(Trigger::Startup) => "At the start".to_owned(),
        Some(Trigger::Read { path }) => format!("When {} is read", short(view.session, path)),
        Some(Trigger::Tool { tool, .. }) => format!("When {tool} is called"),
        Some(Trigger::Prompt { .. }) => "With the prompt".to_owned(),
        None => "At a moment that was not predicted".to_owned(),
    };
    writeln!(output, "\n{bold}{title}{bold:#}")?;
    if moment.items.is_empty() {
        writeln!(output, "   nothing, as predicted")?;
    }
    for item in &moment.items {
        write_item(output, view, item)?;
    }
    Ok(())
}

fn write_item(output: &mut Output, view: &View<'_>, item: &Item) -> Result<()> {
    let side = item.predicted.as_ref().or(item.sent.as_ref());
    let scope = side.and_then(|side| side.scope);
    let names: Vec<&str> = item.statuses.iter().map(|status| status.name()).collect();
    let colour = colour(item);
    let status = padded(&names.join(", "), 13);
    let scope_name = padded(scope.map_or("", |scope| scope.name()), 11);
    let scope_style = scope.map_or(Style::new(), style::of_scope);
    let name = view.name(&item.path);
    writeln!(
        output,
        "   {colour}{status}{colour:#}  {scope_style}{scope_name}{scope_style:#}  {name}"
    )?;
    if let (Some(predicted), Some(sent)) = (&item.predicted, &item.sent) {
        for status in &item.statuses {
            write_difference(output, *status, predicted, sent)?;
        }
    }
    Ok(())
}

fn colour(item: &Item) -> Style {
    if item.is_equal() {
        style::GOOD
    } else {
        style::LOST
    }
}

fn write_difference(
    output: &mut Output,
    status: Status,
    predicted: &Side,
    sent: &Side,
) -> Result<()> {
    match status {
        Status::Moved => writeln!(
            output,
            "      predicted in place {}, sent in place {}",
            predicted.place, sent.place
        )?,
        Status::ScopeDiffers => {
            let name = |side: &Side| side.scope.map_or("none", |scope| scope.name());
            let (predicted, sent) = (name(predicted), name(sent));
            writeln!(output, "      predicted as {predicted}, sent as {sent}")?;
        }
        Status::TextDiffers => write_diff(output, predicted, sent)?,
        Status::Equal | Status::Missing | Status::Extra => {}
    }
    Ok(())
}

/// The texts as a diff from what was predicted to what was sent.
fn write_diff(output: &mut Output, predicted: &Side, sent: &Side) -> Result<()> {
    if predicted.cut != sent.cut {
        let (now, not) = if sent.cut {
            ("sent", "predicted")
        } else {
            ("predicted", "sent")
        };
        writeln!(
            output,
            "      {now} with the notice of a cut, {not} without"
        )?;
    }
    write_hunks(output, ("predicted", &predicted.text), ("sent", &sent.text))
}

/// Two texts, each with its name, as a diff.
pub(super) fn write_hunks(
    output: &mut Output,
    (from_name, from): (&str, &str),
    (to_name, to): (&str, &str),
) -> Result<()> {
    let diff = TextDiff::from_lines(from, to);
    let (gone, new, dim) = (style::LOST, style::GOOD, style::DIM);
    if from != to {
        writeln!(output, "      {gone}--- {from_name}{gone:#}")?;
        writeln!(output, "      {new}+++ {to_name}{new:#}")?;
    }
    for hunk in diff.unified_diff().context_radius(CONTEXT).iter_hunks() {
        writeln!(output, "      {dim}{}{dim:#}", hunk.header())?;
        for change in hunk.iter_changes() {
            let (sign, colour) = match change.tag() {
                ChangeTag::Delete => ('-', gone),
                ChangeTag::Insert => ('+', new),
                ChangeTag::Equal => (' ', Style::new()),
            };
            let line = change.value();
            // What tells two lines apart may be at their ends.
            let (line, end) = match line.strip_suffix('\n') {
                Some(line) if line.ends_with('\r') => (line.trim_end_matches('\r'), "\\r"),
                Some(line) => (line, ""),
                None => (line, "\\ no line end"),
            };
            writeln!(
                output,
                "      {colour}{sign}{line}{colour:#}{dim}{end}{dim:#}"
            )?;
        }
    }
    Ok(())
}

fn write_summary(output: &mut Output, comparison: &Comparison) -> Result<()> {
    let total = comparison.items().count();
    let layers = count(total, "layer", "layers");
    if comparison.is_equal() {
        let good = style::GOOD;
        writeln!(
            output,
            "\n{good}equal{good:#}: {layers}, all sent as predicted"
        )?;
        return Ok(());
    }
    let bad = style::LOST;
    let mut parts = Vec::new();
    for status in [
        Status::Equal,
        Status::TextDiffers,
        Status::ScopeDiffers,
        Status::Moved,
        Status::Missing,
        Status::Extra,
    ] {
        let found = comparison.items();
        let found = found.filter(|item| item.statuses.contains(&status)).count();
        if found > 0 {
            parts.push(format!("{} {}", number(found), status.name()));
        }
    }
    let parts = parts.join(", ");
    writeln!(output, "\n{bad}differs{bad:#}: of {layers} {parts}")?;
    Ok(())
}

/// What would be run.
pub(crate) fn write_plan(output: &mut Output, session: &Session<'_>, plan: &Plan) -> Result<()> {
    let (bold, dim) = (style::HEADING, style::DIM);
    let launch = &plan.launch;
    writeln!(output, "{bold}Would run{bold:#}")?;
    let words = launch.command_line("http://127.0.0.1:PORT");
    let words: Vec<String> = words.iter().map(|word| shell::word(word)).collect();
    writeln!(output, "   {}", words.join(" "))?;
    writeln!(
        output,
        "\n{bold}In{bold:#}\n   {}",
        output.place(session.cwd())
    )?;
    writeln!(output, "\n{bold}With these variables and no others{bold:#}")?;
    for (name, value) in launch.variables("http://127.0.0.1:PORT") {
        writeln!(output, "   {name}={}", shell::word(&value))?;
    }
    match plan.isolation {
        Isolation::Namespace => {
            writeln!(output, "\n{bold}In a private mount namespace{bold:#}")?;
            for folder in &launch.view.discard {
                let folder = folder.display();
                writeln!(output, "   what is written below {folder} is thrown away")?;
            }
            for file in &launch.view.hide {
                writeln!(output, "   {} is hidden", file.display())?;
            }
        }
        Isolation::Mirror => {
            writeln!(output, "\n{bold}With a temporary home folder{bold:#}")?;
            writeln!(
                output,
                "   {} {dim}(removed afterwards){dim:#}",
                launch.home.display()
            )?;
        }
    }
    if let Some((folder, place)) = &launch.view.managed {
        let (folder, place) = (folder.display(), place.display());
        writeln!(output, "   {folder} stands in the place of {place}")?;
    }
    for note in &plan.notes {
        writeln!(output, "\nnote: {note}")?;
    }
    Ok(())
}
