//! `sessions` for people: one line a session.

use std::io::Write as _;

use anyhow::Result;
use outcrop_compactor::sessions::{Context, DAY, Health, Measure, Retention};

use super::names::{bytes, count, cut, number, padded};
use super::{Output, style};
use crate::start::sessions::{Row, Stored, Surveyed};
use crate::start::transcripts::Projects;

/// What is listed.
pub(crate) struct Listed<'a> {
    pub(crate) projects: &'a Projects,
    pub(crate) all: bool,
    /// Milliseconds since 1970.
    pub(crate) now: i64,
    pub(crate) retention: Retention,
    pub(crate) surveyed: &'a Surveyed,
}

impl Listed<'_> {
    /// In how many days something is deleted that was written at a time.
    pub(crate) fn days_left(&self, modified: Option<i64>) -> Option<i64> {
        modified.map(|modified| self.retention.days_left(modified, self.now))
    }
}

/// All columns but the title.
const FIXED: usize = 57;

/// From how few days on what is deleted is marked.
const SOON: i64 = 3;

pub(crate) fn write(output: &mut Output, listed: &Listed<'_>) -> Result<()> {
    let rows = &listed.surveyed.rows;
    let (bold, dim) = (style::HEADING, style::DIM);
    let whose = match listed.all {
        true => "all projects".to_owned(),
        false => listed.projects.directory().to_owned(),
    };
    if rows.is_empty() {
        writeln!(
            output,
            "No session of {whose} in {}",
            listed.projects.root().display()
        )?;
        if !listed.all {
            writeln!(
                output,
                "{dim}outcrop sessions --all lists those of other directories{dim:#}"
            )?;
        }
        return rest(output, listed);
    }
    let size: u64 = rows.iter().map(|row| row.found.length).sum();
    let what = count(rows.len(), "session", "sessions");
    writeln!(
        output,
        "{bold}{what} of {whose}{bold:#}  {dim}{}{dim:#}",
        bytes(size)
    )?;
    let title = output.columns.min(140).saturating_sub(FIXED).max(8);
    if listed.all {
        for (project, rows) in by_project(rows) {
            writeln!(output, "\n{bold}{project}{bold:#}")?;
            table(output, listed, &rows, title)?;
        }
    } else {
        writeln!(output)?;
        table(output, listed, &rows.iter().collect::<Vec<_>>(), title)?;
    }
    rest(output, listed)
}

/// The rows of each project, that with the newest session first; a project is called by the
/// directory in which its newest session began.
fn by_project(rows: &[Row]) -> Vec<(String, Vec<&Row>)> {
    let mut projects: Vec<(&str, Vec<&Row>)> = Vec::new();
    for row in rows {
        let project = row.found.project.as_str();
        match projects.iter_mut().find(|(name, _)| *name == project) {
            Some((_, rows)) => rows.push(row),
            None => projects.push((project, vec![row])),
        }
    }
    let named = projects.into_iter().map(|(folder, rows)| {
        let surveys = rows.iter().filter_map(|row| row.survey.as_ref().ok());
        let cwd = surveys.filter_map(|survey| survey.cwd.clone()).next();
        (cwd.unwrap_or_else(|| folder.to_owned()), rows)
    });
    named.collect()
}

fn table(output: &mut Output, listed: &Listed<'_>, rows: &[&Row], title: usize) -> Result<()> {
    let dim = style::DIM;
    writeln!(
        output,
        "{dim}{:<8} {:>4} {} {:>7} {:>5} {:>9} {:>4} {:<7} {:>5}{dim:#}",
        "session",
        "age",
        padded("title", title),
        "size",
        "turns",
        "tokens",
        "comp",
        "health",
        "left",
    )?;
    for row in rows {
        line(output, listed, row, title)?;
        for below in beside(listed, row, output.verbose) {
            writeln!(
                output,
                "{dim}         {}{dim:#}",
                cut(&below, output.columns.saturating_sub(9))
            )?;
        }
    }
    Ok(())
}

fn line(output: &mut Output, listed: &Listed<'_>, row: &Row, title: usize) -> Result<()> {
    let id = row.found.id.get(..8).unwrap_or(&row.found.id);
    let age = row
        .modified
        .map_or_else(|| "?".to_owned(), |time| age(listed.now - time));
    let size = bytes(row.found.length);
    let survey = match &row.survey {
        Ok(survey) => survey,
        Err(error) => {
            let lost = style::LOST;
            let room = output.columns.saturating_sub(14);
            writeln!(
                output,
                "{id:<8} {age:>4} {lost}{}{lost:#}",
                cut(error, room)
            )?;
            return Ok(());
        }
    };
    let shown = survey
        .title
        .as_ref()
        .map_or("–", |title| title.text.as_str());
    let health = match survey.health {
        Health::Ok => style::PLAIN,
        Health::Empty | Health::Torn => style::NOTE,
        Health::Damaged | Health::Gap => style::WARNING,
        Health::Refused => style::LOST,
    };
    let days = listed.days_left(row.modified);
    let soon = match days.is_some_and(|days| days <= SOON) {
        true => style::WARNING,
        false => style::PLAIN,
    };
    let left = days.map_or_else(|| "?".to_owned(), left);
    writeln!(
        output,
        "{id:<8} {age:>4} {} {size:>7} {:>5} {:>9} {:>4} {health}{:<7}{health:#} {soon}{left:>5}{soon:#}",
        padded(&cut(shown, title), title),
        number(survey.turns),
        tokens(survey.context.as_ref()),
        match survey.compactions {
            0 => "–".to_owned(),
            compactions => number(compactions),
        },
        survey.health.name(),
    )?;
    Ok(())
}

/// Tokens as the last answer reports them; `~` where they are estimated.
fn tokens(context: Option<&Context>) -> String {
    match context {
        None => "–".to_owned(),
        Some(context) => {
            let total = usize::try_from(context.total).unwrap_or(usize::MAX);
            let about = match context.measure {
                Measure::Usage => "",
                Measure::Estimate => "~",
            };
            cut(&format!("{about}{}", number(total)), 9)
        }
    }
}

fn left(days: i64) -> String {
    match days {
        ..=0 => "due".to_owned(),
        days => format!("{days}d"),
    }
}

/// `5m`, `3h`, `12d`, `2y`.
pub(crate) fn age(milliseconds: i64) -> String {
    let minutes = milliseconds.max(0) / 60_000;
    match (minutes, milliseconds / DAY) {
        (..60, _) => format!("{minutes}m"),
        (_, ..2) => format!("{}h", minutes / 60),
        (_, days @ ..1000) => format!("{days}d"),
        (_, days) => format!("{}y", days / 365),
    }
}

/// What lies beside a session: in one line, or with --verbose each sub-agent in its own.
fn beside(listed: &Listed<'_>, row: &Row, verbose: bool) -> Vec<String> {
    let agents = &row.found.agents;
    let mut parts = Vec::new();
    if !agents.is_empty() {
        let size: u64 = agents.iter().map(|file| file.length).sum();
        let what = count(agents.len(), "sub-agent", "sub-agents");
        parts.push(format!("{what} {}", bytes(size)));
    }
    let stored = |stored: &Stored, one: &str, many: &str| {
        let days = listed
            .days_left(stored.oldest)
            .filter(|_| stored.files > 0)?;
        let is_sooner = listed.days_left(row.modified).is_none_or(|own| days < own);
        let what = count(stored.files, one, many);
        Some(match is_sooner {
            true if days <= 0 => format!("{what}, due"),
            true => format!("{what}, left {days}d"),
            false => what,
        })
    };
    parts.extend(stored(&row.persisted, "stored result", "stored results"));
    parts.extend(stored(
        &row.checkpoints,
        "file checkpoint",
        "file checkpoints",
    ));
    if verbose && row.prompts > 0 {
        parts.push(format!(
            "{} in history.jsonl",
            count(row.prompts, "input", "inputs")
        ));
    }
    let mut lines = Vec::new();
    if !parts.is_empty() {
        lines.push(parts.join(" · "));
    }
    if verbose {
        lines.extend(
            agents
                .iter()
                .map(|file| format!("{}  {}", file.agent, bytes(file.length))),
        );
    }
    lines
}

/// What stands below the table: what the words in it mean, and what has no session.
fn rest(output: &mut Output, listed: &Listed<'_>) -> Result<()> {
    let dim = style::DIM;
    let days = listed.retention.days;
    let source = match listed.retention.is_set {
        true => "cleanupPeriodDays",
        false => "its default",
    };
    if !listed.surveyed.rows.is_empty() {
        writeln!(
            output,
            "\n{dim}left: the client deletes it {days} days after the last change ({source}){dim:#}"
        )?;
    }
    let strays = &listed.surveyed.strays;
    if !strays.is_empty() {
        let what = count(strays.len(), "file of a sub-agent", "files of sub-agents");
        writeln!(output, "{what} without session, such as {}", strays[0].path)?;
    }
    let orphans = &listed.surveyed.orphans;
    if !orphans.is_empty() {
        let what = count(orphans.len(), "folder", "folders");
        writeln!(
            output,
            "{what} of sessions whose transcript is gone, such as {}",
            orphans[0]
        )?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ages_are_short() {
        let ages = [
            -5,
            59 * 60_000,
            60 * 60_000,
            2 * DAY - 1,
            2 * DAY,
            1100 * DAY,
        ]
        .map(age);
        assert_eq!(ages, ["0m", "59m", "1h", "47h", "2d", "3y"]);
    }
}
