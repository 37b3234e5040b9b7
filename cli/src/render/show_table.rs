//! `show` for people: layers, what was left out, what waits.

use std::io::Write;

use anyhow::Result;
use outcrop_loader::path::AbsPath;
use outcrop_loader::record::{Cause, Delivery, Layer, Reason, Scope, Skip, Trigger};
use outcrop_loader::session::{Session, Waiting, WaitingKind, WaitingList};
use outcrop_loader::tokens::{Kind, Tokens};
use outcrop_verify::Profile;
use unicode_width::UnicodeWidthStr;

use super::names::{count, number, padded, short, shortened, wrapped};
use super::tokens::tokens;
use super::whole;
use super::{Output, show_learned, style};
use crate::start::{Sizes, Whole, total};

/// How many waiting files are listed unless `--verbose` asks for all.
pub(crate) const WAITING: usize = 8;
/// The least and the most that the column of files takes, in cells.
const FILE_COLUMN: (usize, usize) = (12, 48);

/// What is shown.
pub(crate) struct Shown<'s, 'h> {
    pub(crate) session: &'s Session<'h>,
    pub(crate) waiting: &'s WaitingList,
    pub(crate) sizes: &'s Sizes,
    pub(crate) profile: Option<&'s Profile>,
    /// Text of `--append-system-prompt`.
    pub(crate) appended: Option<&'s str>,
    /// The rest of the first request, where it is shown.
    pub(crate) whole: Option<&'s Whole>,
}

pub(crate) fn write(output: &mut Output, shown: &Shown<'_, '_>) -> Result<()> {
    let Shown { session, sizes, .. } = *shown;
    let place = output.place(session.cwd());
    output.title(&format!("A session started in {place} receives"), session)?;
    let mut first = 1;
    for (index, delivery) in session.deliveries().iter().enumerate() {
        let is_start = matches!(delivery.trigger, Trigger::Startup);
        if !is_start {
            write_trigger(output, session, delivery)?;
        }
        write_layers(output, session, delivery, sizes.layers(index), first)?;
        write_by_hook(output, session, delivery, sizes.by_hook(index))?;
        if is_start && !sizes.as_context {
            show_learned::write(output, shown, delivery)?;
        }
        write_skips(output, session, delivery, first)?;
        first += delivery.layers.len();
    }
    write_waiting(output, shown)?;
    if let Some(whole) = shown.whole {
        whole::text::write(output, session, sizes, whole)?;
        return write_summary(output, shown);
    }
    if let Some(text) = shown.appended {
        let size = count(text.encode_utf16().count(), "character", "characters");
        writeln!(
            output,
            "\nThe system prompt ends with {size} of --append-system-prompt."
        )?;
    }
    write_summary(output, shown)
}

fn write_trigger(output: &mut Output, session: &Session<'_>, delivery: &Delivery) -> Result<()> {
    let bold = style::HEADING;
    let text = match &delivery.trigger {
        Trigger::Startup => return Ok(()),
        Trigger::Read { path } => format!("When {} is read", short(session, path)),
        Trigger::Tool { tool, paths, .. } if paths.is_empty() => format!("When {tool} is called"),
        Trigger::Tool { tool, paths, .. } => {
            let names: Vec<String> = paths.iter().map(|path| short(session, path)).collect();
            format!("When {tool} touches {}", names.join(", "))
        }
        Trigger::Prompt { paths } => {
            format!(
                "With the prompt, which mentions {}",
                count(paths.len(), "file", "files")
            )
        }
    };
    writeln!(output, "\n{bold}{text}{bold:#}")?;
    if let Trigger::Tool {
        note: Some(note), ..
    } = &delivery.trigger
    {
        writeln!(output, "   nothing enters: {note}")?;
    } else if delivery.layers.is_empty() && delivery.by_hook.is_empty() {
        writeln!(output, "   nothing enters")?;
    }
    Ok(())
}

fn write_layers(
    output: &mut Output,
    session: &Session<'_>,
    delivery: &Delivery,
    sizes: &[Tokens],
    first: usize,
) -> Result<()> {
    if delivery.layers.is_empty() {
        if matches!(delivery.trigger, Trigger::Startup) {
            writeln!(output, "\n   no instruction text at all")?;
        }
        return Ok(());
    }
    let all = session
        .deliveries()
        .iter()
        .flat_map(|delivery| &delivery.layers);
    let layers: Vec<&Layer> = all.collect();
    let files: Vec<String> = delivery
        .layers
        .iter()
        .map(|layer| file_of(session, layer))
        .collect();
    let widest = files.iter().map(|file| file.width()).max().unwrap_or(0);
    let numbers = number(first + delivery.layers.len() - 1).width().max(2);
    let scopes = delivery.layers.iter().map(|layer| layer.scope.name().len());
    let scopes = scopes.max().unwrap_or(0).max(7);
    let fixed = numbers + 2 + scopes + 2 + 2 + 5 + 2 + 8 + 2;
    let room = output.columns.saturating_sub(fixed + 20);
    let width = widest.clamp(
        FILE_COLUMN.0,
        FILE_COLUMN.1.min(room.max(FILE_COLUMN.0 * 2)),
    );
    let dim = style::DIM;
    let file = padded("file", width);
    writeln!(
        output,
        "\n{dim}{:>numbers$}  {:<scopes$}  {file}  {:>5}  {:>8}  why{dim:#}",
        "", "scope", "lines", "tokens"
    )?;
    let rows = delivery.layers.iter().zip(&files).zip(sizes);
    for (index, ((layer, file), size)) in rows.enumerate() {
        let scope = style::of_scope(layer.scope);
        let why = why(session, layer, &layers);
        let place = number(first + index);
        let scope_name = layer.scope.name();
        let (lines, size) = (number(layer.lines()), tokens(*size));
        let name = if file.width() > width {
            writeln!(
                output,
                "{place:>numbers$}  {scope}{scope_name:<scopes$}{scope:#}  {file}"
            )?;
            let pad = " ".repeat(numbers + 4 + scopes + width);
            writeln!(output, "{pad}  {lines:>5}  {size:>8}  {why}")?;
            continue;
        } else {
            padded(file, width)
        };
        writeln!(
            output,
            "{place:>numbers$}  {scope}{scope_name:<scopes$}{scope:#}  {name}  {lines:>5}  {size:>8}  {why}"
        )?;
        if let Some(notice) = &layer.notice {
            let lost = style::LOST;
            let pad = " ".repeat(numbers + 4 + scopes);
            writeln!(
                output,
                "{pad}{lost}cut: {} of {} lines are delivered{lost:#}",
                number(notice.kept_lines),
                number(notice.lines)
            )?;
        }
    }
    let lines: usize = delivery.layers.iter().map(Layer::lines).sum();
    let title = padded(
        &count(delivery.layers.len(), "layer", "layers"),
        width + scopes + 2,
    );
    writeln!(
        output,
        "{dim}{:>numbers$}  {title}  {:>5}  {:>8}{dim:#}",
        "",
        number(lines),
        tokens(total(sizes.iter().copied()))
    )?;
    Ok(())
}

/// Texts that come in another form than layers.
fn write_by_hook(
    output: &mut Output,
    session: &Session<'_>,
    delivery: &Delivery,
    sizes: &[Tokens],
) -> Result<()> {
    if delivery.by_hook.is_empty() {
        return Ok(());
    }
    let dim = style::DIM;
    writeln!(
        output,
        "\n   {dim}added by the client's hook for AGENTS.md{dim:#}"
    )?;
    for (layer, size) in delivery.by_hook.iter().zip(sizes) {
        let scope = style::of_scope(layer.scope);
        let (name, size) = (short(session, &layer.path), tokens(*size));
        writeln!(output, "   {scope}{name}{scope:#}  {size} tokens")?;
    }
    Ok(())
}

fn file_of(session: &Session<'_>, layer: &Layer) -> String {
    match layer.title {
        Some(title) => title.to_owned(),
        None => short(session, &layer.path),
    }
}

/// The reason for a layer, in few words.
pub(crate) fn why(session: &Session<'_>, layer: &Layer, layers: &[&Layer]) -> String {
    match &layer.cause {
        Cause::Import(mention) => {
            let by = layers.iter().position(|other| other.path == mention.by);
            let by = by.map_or_else(|| short(session, &mention.by), |by| number(by + 1));
            format!("imported by {by}, line {}", mention.line)
        }
        Cause::PathRule { pattern, .. } => format!("rule for {pattern}"),
        Cause::Nested { .. } => "nested".to_owned(),
        Cause::Startup { .. } if layer.title.is_some() => "managed setting".to_owned(),
        Cause::Startup { directory: None } => "memory index".to_owned(),
        Cause::Startup {
            directory: Some(directory),
        } => {
            let cwd = session.cwd();
            let place = match layer.owner {
                Scope::Managed | Scope::User => "startup",
                _ if directory == cwd => "working directory",
                _ if cwd.is_within(directory) => "ancestor",
                _ => "added directory",
            };
            let rule = !is_fixed(&layer.path, directory);
            let agents = layer.path.file_name() == "AGENTS.md";
            match (rule, agents) {
                (true, _) => format!("rule, {place}"),
                (_, true) => format!("no CLAUDE.md, {place}"),
                _ => place.to_owned(),
            }
        }
    }
}

/// Whether a file is one of those that `directory` has by name. The others that load at
/// startup are rules, whose links may lead anywhere.
fn is_fixed(path: &AbsPath, directory: &AbsPath) -> bool {
    let named = matches!(
        path.file_name(),
        "CLAUDE.md" | "CLAUDE.local.md" | "AGENTS.md"
    );
    let folder = path.parent();
    named && (folder.as_ref() == Some(directory) || folder == Some(directory.child(".claude")))
}

/// What a skip costs the user.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Cost {
    Lost,
    Chosen,
    Nothing,
}

fn cost(skip: &Skip) -> Cost {
    match skip.reason {
        Reason::Missing
        | Reason::ExternalNotApproved
        | Reason::TooDeep
        | Reason::Directory
        | Reason::Unreadable
        | Reason::Binary
        | Reason::TooLarge => Cost::Lost,
        Reason::Excluded | Reason::Disabled => Cost::Chosen,
        Reason::NotSelected if skip.case == "empty" => Cost::Nothing,
        Reason::NotSelected => Cost::Chosen,
        Reason::Cycle | Reason::Duplicate => Cost::Nothing,
    }
}

fn write_skips(
    output: &mut Output,
    session: &Session<'_>,
    delivery: &Delivery,
    first: usize,
) -> Result<()> {
    let groups = [
        (
            Cost::Lost,
            "Lost: named or found, and not in the context",
            style::LOST,
        ),
        (Cost::Chosen, "Left out by a choice", style::WARNING),
        (
            Cost::Nothing,
            "Costs nothing: in the context already, or empty",
            style::DIM,
        ),
    ];
    for (group, title, colour) in groups {
        let skips: Vec<&Skip> = delivery
            .skipped
            .iter()
            .filter(|skip| cost(skip) == group)
            .collect();
        if skips.is_empty() {
            continue;
        }
        if group == Cost::Nothing && !output.verbose {
            let dim = style::DIM;
            let references = count(skips.len(), "reference", "references");
            writeln!(
                output,
                "\n{dim}{references} to what is in the context already, or empty (-v lists){dim:#}"
            )?;
            continue;
        }
        writeln!(output, "\n{colour}{title}{colour:#}")?;
        for skip in skips {
            write_skip(output, session, delivery, first, skip)?;
        }
    }
    Ok(())
}

fn write_skip(
    output: &mut Output,
    session: &Session<'_>,
    delivery: &Delivery,
    first: usize,
    skip: &Skip,
) -> Result<()> {
    let bold = style::HEADING;
    let path = short(session, &skip.path);
    let named = match &skip.mention {
        Some(mention) => {
            let by = delivery
                .layers
                .iter()
                .position(|layer| layer.path == mention.by);
            let by = by.map_or_else(|| short(session, &mention.by), |by| number(first + by));
            format!(", named by {by}, line {}", mention.line)
        }
        None => String::new(),
    };
    writeln!(
        output,
        "   {bold}{path}{bold:#}  {}{named}",
        skip.reason.name()
    )?;
    let dim = style::DIM;
    let detail = shortened(session, &skip.detail);
    for line in wrapped(&detail, output.columns.saturating_sub(6)) {
        writeln!(output, "      {dim}{line}{dim:#}")?;
    }
    Ok(())
}

fn write_waiting(output: &mut Output, shown: &Shown<'_, '_>) -> Result<()> {
    let Shown {
        session, waiting, ..
    } = *shown;
    if waiting.files.is_empty() {
        return Ok(());
    }
    let listed: Vec<&Waiting> = waiting
        .files
        .iter()
        .take(shown.sizes.waiting.len())
        .collect();
    let names: Vec<String> = listed
        .iter()
        .map(|file| short(session, &file.path))
        .collect();
    let width = names.iter().map(|name| name.width()).max().unwrap_or(0);
    let width = width.min(FILE_COLUMN.1);
    let (bold, dim) = (style::HEADING, style::DIM);
    writeln!(output, "\n{bold}Waiting for a read{bold:#}")?;
    let rows = listed.iter().zip(&names).zip(&shown.sizes.waiting);
    for ((file, name), size) in rows {
        let scope = style::of_scope(file.scope);
        let size = size.map_or_else(|| "?".to_owned(), tokens);
        let what = match &file.kind {
            WaitingKind::Rule { patterns, .. } => format!("paths: {}", patterns.join(", ")),
            WaitingKind::Nested => "nested".to_owned(),
        };
        let name = padded(name, width);
        writeln!(output, "   {scope}{name}{scope:#}  {size:>8}  {what}")?;
    }
    let more = waiting.files.len() - listed.len();
    if more > 0 {
        writeln!(
            output,
            "   {dim}… and {} (-v lists all){dim:#}",
            count(more, "more file", "more files")
        )?;
    }
    if !waiting.ignored.is_empty() {
        let n = count(
            waiting.ignored.len(),
            "git-ignored folder",
            "git-ignored folders",
        );
        writeln!(
            output,
            "   {dim}{n} not searched; a read there loads what they hold{dim:#}"
        )?;
    }
    if waiting.truncated {
        writeln!(
            output,
            "   {dim}the search stopped at its bound; more may wait{dim:#}"
        )?;
    }
    Ok(())
}

fn write_summary(output: &mut Output, shown: &Shown<'_, '_>) -> Result<()> {
    let Shown {
        session,
        waiting,
        sizes,
        ..
    } = *shown;
    let deliveries = session.deliveries();
    let layers = deliveries
        .iter()
        .map(|delivery| delivery.layers.len())
        .sum();
    let skips = deliveries.iter().flat_map(|delivery| &delivery.skipped);
    let lost = skips.filter(|skip| cost(skip) == Cost::Lost).count();
    let all = (0..deliveries.len())
        .flat_map(|index| sizes.layers(index).iter().chain(sizes.by_hook(index)));
    let all = total(all.copied());
    let family = sizes.model().family;
    let mut parts = vec![
        count(layers, "layer", "layers"),
        format!("{} tokens ({family}, {})", tokens(all), known(all.kind)),
    ];
    let added = deliveries.iter().map(|delivery| delivery.by_hook.len());
    let added: usize = added.sum();
    if added > 0 {
        parts.push(format!("{} added by a hook", number(added)));
    }
    if lost > 0 {
        let red = style::LOST;
        parts.push(format!("{red}{} lost{red:#}", number(lost)));
    }
    if !waiting.files.is_empty() {
        parts.push(format!("{} waiting", number(waiting.files.len())));
    }
    writeln!(output, "\n{}", parts.join(", "))?;
    Ok(())
}

/// How a count is known, in a word.
fn known(kind: Kind) -> &'static str {
    match kind {
        Kind::Exact => "exact",
        Kind::Reconstructed => "reconstructed",
        Kind::Estimate => "estimated",
    }
}

#[cfg(test)]
mod tests {
    use outcrop_loader::host::MemoryHost;
    use outcrop_loader::origin::Origin;

    use super::*;

    /// A project below a folder named `rules` has no more rules for it, and a linked rule is one.
    #[test]
    fn rules_are_told_from_their_place() {
        let abs = |text: &str| AbsPath::new(text).unwrap();
        let mut host = MemoryHost::new();
        host.file(&abs("/rules/p/CLAUDE.md"), *b"C");
        host.file(&abs("/rules/p/.claude/rules/a.md"), *b"A");
        host.file(&abs("/rules/p/docs/b.md"), *b"B");
        host.link(&abs("/rules/p/.claude/rules/b.md"), "../../docs/b.md");
        let session = Session::start(&host, Origin::new(abs("/rules/p"), abs("/h")));
        let layers: Vec<&Layer> = session.deliveries()[0].layers.iter().collect();
        let whys = layers.iter().map(|layer| why(&session, layer, &layers));
        let rule = "rule, working directory";
        assert_eq!(whys.collect::<Vec<_>>(), ["working directory", rule, rule]);
    }
}
