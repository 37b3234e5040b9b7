//! `inspect` for people: what fills the window, and what was used in all.

use std::io::Write as _;
use std::path::Path;

use anyhow::Result;
use outcrop_compactor::inspect::{Category, Holding, Inspection, Share, Spending, Spent};
use outcrop_compactor::pipeline::IMAGE;
use outcrop_compactor::sessions::Survey;
use outcrop_loader::client::Client;

use super::names::{count, cut, number, padded};
use super::{Output, inspect_lists, style};

/// What was looked into.
pub(crate) struct Inspected<'a> {
    pub(crate) session: &'a str,
    pub(crate) path: &'a Path,
    pub(crate) bytes: u64,
    pub(crate) client: &'a Client,
    pub(crate) survey: &'a Survey,
    pub(crate) inspection: &'a Inspection,
    pub(crate) spending: &'a Spending,
    pub(crate) limits: Option<Limits>,
    pub(crate) limit: usize,
}

/// How far the context may grow, in tokens.
#[derive(serde::Serialize)]
pub(crate) struct Limits {
    pub(crate) window: u64,
    /// From where on the client compacts; none where it does not by itself.
    pub(crate) trigger: Option<u64>,
    /// How many more turns there are until then, as the session grows.
    pub(crate) turns_left: Option<u64>,
}

/// How many tools of a category are named.
const TOOLS: usize = 5;

pub(crate) fn write(output: &mut Output, inspected: &Inspected<'_>) -> Result<()> {
    head(output, inspected)?;
    if inspected.inspection.turns.is_empty() {
        return spent(output, inspected.spending);
    }
    holding(output, &inspected.inspection.context)?;
    inspect_lists::write(output, inspected)?;
    spent(output, inspected.spending)
}

pub(super) fn heading(output: &mut Output, text: &str) -> Result<()> {
    let bold = style::HEADING;
    writeln!(output, "\n{bold}{text}{bold:#}")?;
    Ok(())
}

fn head(output: &mut Output, inspected: &Inspected<'_>) -> Result<()> {
    let (bold, dim) = (style::HEADING, style::DIM);
    let id = inspected.session.get(..8).unwrap_or(inspected.session);
    let title = inspected
        .survey
        .title
        .as_ref()
        .map_or("", |title| &title.text);
    let room = output.columns.saturating_sub(id.len() + 10);
    let title = cut(title, room);
    let gap = if title.is_empty() { "" } else { "  " };
    writeln!(output, "{bold}Session {id}{bold:#}{gap}{title}")?;
    let context = &inspected.inspection.context;
    let share = |limits: &Limits| {
        format!(
            ", {} of {}",
            percent(context.tokens, limits.window),
            number(limits.window)
        )
    };
    let full = inspected.limits.as_ref().map_or_else(String::new, share);
    let about = if context.not_in_transcript.is_some() {
        ""
    } else {
        "about "
    };
    writeln!(
        output,
        "{bold}{about}{} tokens{bold:#} in the window{full}",
        number(context.tokens)
    )?;
    if let Some(fault) = inspected.survey.health.phrase() {
        let warning = style::WARNING;
        writeln!(output, "{warning}{fault}{warning:#}: see outcrop doctor")?;
    }
    let mut notes = Vec::new();
    if let Some(limits) = &inspected.limits {
        notes.push(match (limits.trigger, limits.turns_left) {
            (None, _) => "not compacted before the service refuses a request".to_owned(),
            (Some(trigger), Some(0)) => {
                format!(
                    "compacted from {} on: with the next request",
                    number(trigger)
                )
            }
            (Some(trigger), Some(turns)) => {
                let turns = usize::try_from(turns).unwrap_or(usize::MAX);
                let turns = count(turns, "turn", "turns");
                format!(
                    "compacted from {} on: in about {turns}, as it grows",
                    number(trigger)
                )
            }
            (Some(trigger), None) => format!("compacted from {} on", number(trigger)),
        });
    }
    let model = inspected.survey.model.as_deref().unwrap_or("no model");
    notes.push(format!(
        "{model}, client {}, counted as {}",
        inspected.client.version, context.tokenizer
    ));
    for note in notes {
        writeln!(output, "{dim}{note}{dim:#}")?;
    }
    if inspected.inspection.other_branches > 0 {
        let branches = inspected.inspection.other_branches;
        let what = count(branches, "other branch is", "other branches are");
        writeln!(output, "{dim}{what} not gone on with{dim:#}")?;
    }
    Ok(())
}

fn holding(output: &mut Output, context: &Holding) -> Result<()> {
    let dim = style::DIM;
    let bold = style::HEADING;
    writeln!(
        output,
        "\n{bold}{:<34}{bold:#} {dim}{:>10} {:>6} {:>8}{dim:#}",
        "What fills it", "tokens", "share", "blocks"
    )?;
    for share in &context.categories {
        // No fact tells what a picture costs.
        let name = match share.category {
            Category::Images => format!("images (assumed, {IMAGE} each)"),
            category => category.phrase().to_owned(),
        };
        part(
            output,
            2,
            &name,
            share.tokens,
            context.tokens,
            Some(share.blocks),
        )?;
        tools(output, share, context.tokens)?;
    }
    match (context.not_in_transcript, &context.anchor) {
        (Some(rest), _) => {
            part(
                output,
                2,
                "not in the transcript",
                rest,
                context.tokens,
                None,
            )?;
            let words = "that is the system prompt, tools, and what only the client words";
            writeln!(output, "{dim}  {words}{dim:#}")?;
        }
        (None, Some(anchor)) => {
            let usage = anchor.sent.saturating_add(anchor.output);
            writeln!(
                output,
                "{dim}  line {} reports {} tokens, less than these texts: texts are counted{dim:#}",
                anchor.line,
                number(usage)
            )?;
        }
        (None, None) => writeln!(
            output,
            "{dim}  no answer reports its tokens; system prompt and tools come on top{dim:#}"
        )?,
    }
    Ok(())
}

fn tools(output: &mut Output, share: &Share, all: u64) -> Result<()> {
    if share.tools.len() < 2 && !matches!(share.category, Category::Results | Category::Calls) {
        return Ok(());
    }
    for tool in share.tools.iter().take(TOOLS) {
        part(output, 4, &tool.tool, tool.tokens, all, Some(tool.blocks))?;
    }
    let others = share.tools.iter().skip(TOOLS);
    let (tokens, blocks) = others.fold((0, 0), |(tokens, blocks), tool| {
        (tokens + tool.tokens, blocks + tool.blocks)
    });
    if blocks > 0 {
        let name = count(share.tools.len() - TOOLS, "other tool", "other tools");
        part(output, 4, &name, tokens, all, Some(blocks))?;
    }
    Ok(())
}

fn part(
    output: &mut Output,
    indent: usize,
    name: &str,
    tokens: u64,
    all: u64,
    blocks: Option<usize>,
) -> Result<()> {
    let room = 34 - indent;
    writeln!(
        output,
        "{}{} {:>10} {:>6}{}",
        " ".repeat(indent),
        padded(&cut(name, room), room),
        number(tokens),
        percent(tokens, all),
        blocks.map_or_else(String::new, |blocks| format!(" {:>8}", number(blocks))),
    )?;
    Ok(())
}

/// `7 %`; `<1 %` for what is less than half a percent, but not nothing.
fn percent(part: u64, all: u64) -> String {
    let share = (u128::from(part) * 200 + u128::from(all)) / (u128::from(all) * 2).max(1);
    match (part, share) {
        (0, _) => "0 %".to_owned(),
        (_, 0) => "<1 %".to_owned(),
        (_, share) => format!("{share} %"),
    }
}

fn spent(output: &mut Output, spending: &Spending) -> Result<()> {
    if spending.total.requests == 0 {
        return Ok(());
    }
    let dim = style::DIM;
    heading(output, "Used in all, each answer once")?;
    writeln!(
        output,
        "{dim}{:<16} {:>8} {:>11} {:>13} {:>15} {:>11}{dim:#}",
        "", "answers", "input", "to cache", "from cache", "output"
    )?;
    let mut lines = vec![("the session".to_owned(), spending.main)];
    if !spending.agents.is_empty() {
        let name = count(spending.agents.len(), "sub-agent", "sub-agents");
        lines.push((name, spending.of_agents()));
        lines.push(("together".to_owned(), spending.total));
        if output.verbose {
            let agents = spending.agents.iter();
            lines.extend(agents.map(|(agent, spent)| (agent_name(agent), *spent)));
        }
    }
    for (name, spent) in lines {
        let Spent {
            requests,
            input,
            cache_creation,
            cache_read,
            output: answered,
        } = spent;
        writeln!(
            output,
            "{} {:>8} {:>11} {:>13} {:>15} {:>11}",
            padded(&cut(&name, 16), 16),
            number(requests),
            number(input),
            number(cache_creation),
            number(cache_read),
            number(answered),
        )?;
    }
    let total = spending.total;
    writeln!(
        output,
        "{dim}{} of the input came from the cache, {} was written to it{dim:#}",
        percent(total.cache_read, total.all_input()),
        percent(total.cache_creation, total.all_input())
    )?;
    Ok(())
}

fn agent_name(agent: &str) -> String {
    match agent {
        "" => "  (no id)".to_owned(),
        agent => format!("  {agent}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_rounded_and_never_vanish() {
        let shares = [(0, 10), (1, 1_000), (5, 1_000), (1, 3), (10, 10), (0, 0)];
        let told = shares.map(|(part, all)| percent(part, all));
        assert_eq!(told, ["0 %", "<1 %", "1 %", "33 %", "100 %", "0 %"]);
    }
}
