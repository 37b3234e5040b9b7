//! `recall` for people.

use std::io::Write as _;

use anyhow::Result;
use outcrop_compactor::cold::{Hit, Manifest, Role};
use outcrop_compactor::store::StoreError;
use outcrop_compactor::store::cold::{Cold, Restored, Target};

use super::names::{bytes, count};
use super::{Output, style};

/// What a search found.
#[derive(Default)]
pub(crate) struct Searched {
    pub(crate) found: Vec<Found>,
    /// Whether the limit cut it off.
    pub(crate) has_more: bool,
    pub(crate) sessions: usize,
    pub(crate) files: usize,
    pub(crate) bytes: u64,
    /// Lines that were too long to be searched.
    pub(crate) too_long: u64,
    pub(crate) damaged: Vec<StoreError>,
}

/// A place, with its file.
pub(crate) struct Found {
    pub(crate) session: String,
    pub(crate) project: String,
    pub(crate) path: String,
    pub(crate) hit: Hit,
}

/// What was restored.
pub(crate) struct Restoration<'a> {
    pub(crate) manifest: &'a Manifest,
    pub(crate) target: &'a Target<'a>,
    pub(crate) files: &'a [Restored],
}

fn role(role: Role) -> &'static str {
    match role {
        Role::User => "user",
        Role::Assistant => "assistant",
        Role::Tool => "tool",
        Role::System => "system",
        Role::File => "file",
    }
}

pub(crate) fn searched(output: &mut Output, cold: &Cold, searched: &Searched) -> Result<()> {
    let (bold, dim, note, lost) = (style::HEADING, style::DIM, style::NOTE, style::LOST);
    let mut before: Option<&Found> = None;
    for found in &searched.found {
        let is_new = before.is_none_or(|before| {
            (&before.session, &before.project) != (&found.session, &found.project)
        });
        if is_new {
            let gap = if before.is_some() { "\n" } else { "" };
            writeln!(
                output,
                "{gap}{bold}{}{bold:#}  {dim}{}{dim:#}",
                found.session, found.project
            )?;
        }
        before = Some(found);
        let hit = &found.hit;
        let time = hit
            .time
            .as_deref()
            .and_then(|time| time.get(..16))
            .unwrap_or("");
        let uuid = hit
            .uuid
            .as_deref()
            .and_then(|uuid| uuid.get(..8))
            .unwrap_or("");
        let own = format!("projects/{}/{}.jsonl", found.project, found.session);
        let file = match found.path == own {
            true => "",
            false => found.path.strip_prefix("projects/").unwrap_or(&found.path),
        };
        let place = [
            time,
            role(hit.role),
            uuid,
            &format!("line {}", hit.line),
            file,
        ];
        let place: Vec<&str> = place.into_iter().filter(|part| !part.is_empty()).collect();
        writeln!(output, "{dim}{}{dim:#}", place.join(" · "))?;
        writeln!(
            output,
            "  {}{note}{}{note:#}{}",
            hit.before, hit.matched, hit.after
        )?;
    }
    let what = format!(
        "{} of {} in {}",
        bytes(searched.bytes),
        count(searched.sessions, "session", "sessions"),
        cold.root().display()
    );
    match (searched.found.len(), searched.has_more) {
        (0, _) => writeln!(output, "Nothing is found in {what}")?,
        (places, false) => {
            let places = count(places, "place", "places");
            writeln!(output, "\n{dim}{places} in {what}{dim:#}")?;
        }
        (places, true) => {
            let places = count(places, "place", "places");
            writeln!(
                output,
                "\n{dim}the first {places}; --limit 0 shows all{dim:#}"
            )?;
        }
    }
    if searched.too_long > 0 {
        let lines = usize::try_from(searched.too_long)?;
        writeln!(
            output,
            "{} too long to be searched",
            count(lines, "line", "lines")
        )?;
    }
    for damage in &searched.damaged {
        writeln!(output, "{lost}not searched{lost:#}: {damage}")?;
    }
    Ok(())
}

pub(crate) fn restored(output: &mut Output, restoration: &Restoration<'_>) -> Result<()> {
    let (bold, dim) = (style::HEADING, style::DIM);
    let Restoration {
        manifest,
        target,
        files,
    } = restoration;
    let word = if target.dry {
        "would restore"
    } else {
        "restored"
    };
    let written = files.iter().filter(|file| !file.was_there);
    let (mut new, mut size) = (0, 0);
    for file in written {
        new += 1;
        size += file.bytes;
    }
    writeln!(
        output,
        "{bold}{word} {}{bold:#} as {}: {}, {}",
        manifest.session,
        match target.generation {
            None => "it was archived last".to_owned(),
            Some(number) => format!("of generation {number}"),
        },
        count(new, "file", "files"),
        bytes(size)
    )?;
    for file in *files {
        let path = file.path.strip_prefix(target.folder).unwrap_or(&file.path);
        let was_there = if file.was_there { "  was there" } else { "" };
        writeln!(
            output,
            "{:>8}  {}{dim}{was_there}{dim:#}",
            bytes(file.bytes),
            path.display()
        )?;
    }
    writeln!(output, "{dim}below {}{dim:#}", target.folder.display())?;
    if !target.own_times && !target.dry {
        writeln!(
            output,
            "{dim}the client counts its days anew; claude --resume {} in the session's directory goes on with it{dim:#}",
            manifest.session
        )?;
    }
    Ok(())
}
