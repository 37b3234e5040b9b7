//! `outcrop memory`.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use outcrop_compactor::store::{self, StoreError};
use outcrop_loader::host::DiskHost;
use outcrop_loader::memory::{self, Proposal};
use outcrop_loader::session::Session;

use crate::args::memory::Memory;
use crate::args::{ClientFlags, Global};
use crate::commands::{DONE, FOUND};
use crate::render::memory::{self as text, Looked};
use crate::render::{Output, memory_json};
use crate::start::{Place, client};

pub(crate) fn run(global: &Global, args: &Memory, output: &mut Output) -> Result<u8> {
    let place = Place::new(global)?;
    let host = DiskHost::new();
    let flags = ClientFlags::default();
    let origin = place.origin(&host, global, client(global)?, &flags, &args.dir)?;
    let session = Session::start(&host, origin);
    let audit = memory::audit(&session);
    if args.split && !audit.has_index {
        bail!(
            "{} does not exist, so there is nothing to split",
            audit.index
        );
    }
    let proposal = args
        .split
        .then(|| memory::split(&audit.source, &audit.topics));
    let mut written = None;
    if let (Some(folder), Some(proposal)) = (&args.write, &proposal) {
        let folder = PathBuf::from(place.path(folder)?.to_string());
        write(&folder, proposal)?;
        written = Some(folder);
    }
    let looked = Looked {
        session: &session,
        audit: &audit,
        proposal: proposal.as_ref(),
        written: written.as_deref(),
    };
    if global.json {
        memory_json::write(output, &looked)?;
    } else {
        text::write(output, &looked)?;
    }
    Ok(if audit.is_wrong() { FOUND } else { DONE })
}

/// Writes a proposal into a folder that is made for it.
fn write(folder: &Path, proposal: &Proposal) -> Result<()> {
    fs::create_dir(folder).with_context(|| {
        let name = folder.display();
        format!("--write {name}: give the name of a new folder in one that exists")
    })?;
    let topics = proposal.topics.iter();
    let topics = topics.map(|topic| (topic.name.as_str(), topic.text.as_str()));
    for (name, text) in topics.chain([("MEMORY.md", proposal.index.as_str())]) {
        let content = |out: &mut dyn std::io::Write| {
            out.write_all(text.as_bytes())?;
            Ok(text.len() as u64)
        };
        store::write_new(&folder.join(name), content, |_| Ok::<(), StoreError>(()))?;
    }
    Ok(())
}
