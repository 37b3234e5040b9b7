//! `outcrop recall`.

use std::collections::BTreeMap;

use anyhow::{Context as _, Result};
use outcrop_compactor::cold::{self as kept, Hit, Lines, Manifest, Pattern, Wanted};
use outcrop_compactor::store::cold::{Cold, Target};
use outcrop_compactor::store::{Done, StoreError};

use crate::args::Global;
use crate::args::cold::{Recall, Role};
use crate::commands::{DONE, FOUND, USAGE};
use crate::render::recall::{Found, Restoration, Searched};
use crate::render::{Output, recall as text, recall_json as json};
use crate::start::transcripts::Projects;
use crate::start::{Place, cold, journal, retention};

pub(crate) fn run(global: &Global, args: &Recall, output: &mut Output) -> Result<u8> {
    let place = Place::new(global)?;
    let projects = Projects::new(global, &place)?;
    let store = cold::store(global, &args.stored, &place, &projects)?;
    if let Some(name) = &args.restore {
        let name = cold::kept(&store, name, args.project.as_deref())?;
        let to = args.to.as_ref().map(|dir| place.path(dir)).transpose()?;
        let to = to.map(|dir| std::path::PathBuf::from(dir.to_string()));
        let loaded = store
            .manifest(&name)?
            .context("it was taken away just now")?;
        let target = Target {
            folder: to.as_deref().unwrap_or(cold::config(&projects)),
            generation: args.generation,
            own_times: to.is_some(),
            dry: args.dry_run,
        };
        return restore(global, &store, &loaded, &target, output);
    }
    let pattern = args.pattern.as_deref().unwrap_or_default();
    let pattern = Pattern::new(pattern, args.regex, args.ignore_case)?;
    let wanted = Wanted {
        since: args.since,
        until: args.until,
        roles: args.role.iter().map(|role| role_of(*role)).collect(),
    };
    let searched = search(&store, args, &pattern, &wanted)?;
    match global.json {
        true => json::searched(output, &store, &searched)?,
        false => text::searched(output, &store, &searched)?,
    }
    Ok(
        match (searched.damaged.is_empty(), searched.found.is_empty()) {
            (false, _) => USAGE,
            (true, true) => FOUND,
            (true, false) => DONE,
        },
    )
}

fn role_of(role: Role) -> kept::Role {
    match role {
        Role::User => kept::Role::User,
        Role::Assistant => kept::Role::Assistant,
        Role::Tool => kept::Role::Tool,
        Role::System => kept::Role::System,
        Role::File => kept::Role::File,
    }
}

/// Searches session by session, the one changed last first, until the limit is passed.
fn search(store: &Cold, args: &Recall, pattern: &Pattern, wanted: &Wanted) -> Result<Searched> {
    let mut searched = Searched::default();
    let mut manifests: Vec<Manifest> = Vec::new();
    for name in store.names()? {
        if args
            .project
            .as_ref()
            .is_some_and(|project| !cold::is_of(&name, project))
        {
            continue;
        }
        match store.manifest(&name) {
            Ok(Some(loaded)) => {
                searched.damaged.extend(loaded.damage);
                manifests.push(loaded.manifest);
            }
            Ok(None) => {}
            Err(error) => searched.damaged.push(error),
        }
    }
    manifests.sort_by(|a, b| b.modified().cmp(&a.modified()));
    let limit = match args.limit {
        0 => usize::MAX,
        limit => limit,
    };
    for manifest in &manifests {
        searched.sessions += 1;
        for recall in manifest.at_generation(None) {
            searched.files += 1;
            let modified = recall.state.modified.as_deref();
            let mut lines = Lines::of(recall.path, modified, pattern, wanted);
            let mut hits: Vec<Hit> = Vec::new();
            let room = limit - searched.found.len();
            // One more than is shown tells that there are more.
            let mut take = |hit: Hit| {
                hits.push(hit);
                hits.len() <= room
            };
            let mut goes_on = true;
            let read = store.chunks(&recall, |bytes| {
                searched.bytes += bytes.len() as u64;
                goes_on = lines.push(bytes, &mut take);
                Ok::<bool, StoreError>(goes_on)
            });
            if goes_on {
                lines.end(&mut take);
            }
            searched.too_long += lines.too_long();
            searched.damaged.extend(read.err());
            searched.has_more |= hits.len() > room;
            hits.truncate(room);
            searched.found.extend(hits.into_iter().map(|hit| Found {
                session: manifest.session.clone(),
                project: manifest.project.clone(),
                path: recall.path.to_owned(),
                hit,
            }));
            if searched.has_more {
                return Ok(searched);
            }
        }
    }
    Ok(searched)
}

fn restore(
    global: &Global,
    store: &Cold,
    loaded: &outcrop_compactor::store::cold::Loaded,
    target: &Target<'_>,
    output: &mut Output,
) -> Result<u8> {
    let manifest = &loaded.manifest;
    if let Some(damage) = &loaded.damage {
        let note = format!("{damage}; what was archived before it is restored");
        output.diagnostics(&[outcrop_loader::record::Diagnostic::warning(note)])?;
    }
    let files = store.restore(manifest, target)?;
    if files.is_empty() {
        anyhow::bail!(
            "nothing of {} was archived as generation {}; the last is {}",
            manifest.session,
            target.generation.unwrap_or(manifest.generation),
            manifest.generation
        );
    }
    let restoration = Restoration {
        manifest,
        target,
        files: &files,
    };
    match global.json {
        true => json::restored(output, &restoration)?,
        false => text::restored(output, &restoration)?,
    }
    if !target.dry {
        let written = files.iter().filter(|file| !file.was_there);
        let (count, bytes) = written.fold((0, 0), |(count, bytes), file| {
            (count + 1, bytes + file.bytes)
        });
        let done = Done {
            command: "recall --restore".to_owned(),
            session: Some(manifest.session.clone()),
            made: Some(target.folder.display().to_string()),
            outcome: "restored".to_owned(),
            counts: BTreeMap::from([("files".to_owned(), count), ("bytes".to_owned(), bytes)]),
            ..Done::default()
        };
        journal::note(global, retention::now(None)?, done, output)?;
    }
    Ok(DONE)
}
