//! Sources of packets, and their places as they are read again.

use outcrop_compactor::boot::{Document, Item, ItemKind, Kind, Source, Sources, Thread};
use outcrop_compactor::sessions::time::milliseconds;

pub(crate) const NOW: &str = "2026-09-15T12:00:00Z";

pub(crate) fn at(time: &str) -> i64 {
    milliseconds(time).unwrap()
}

pub(crate) fn memory(name: &str, time: &str, text: &str) -> Document {
    Document {
        kind: Kind::Memory,
        name: format!("memory/{name}"),
        time: at(time),
        text: text.to_owned(),
    }
}

pub(crate) fn handoff(name: &str, text: &str) -> Document {
    Document {
        kind: Kind::Handoff {
            consumed: name.ends_with("_done.md"),
        },
        name: format!("handoffs/{name}"),
        time: outcrop_compactor::boot::time_of_name(name).unwrap(),
        text: text.to_owned(),
    }
}

pub(crate) fn thread(session: &str, time: &str, texts: &[(ItemKind, &str)]) -> Thread {
    let items = texts.iter().map(|(kind, text)| Item {
        kind: *kind,
        text: (*text).to_owned(),
        status: (*kind == ItemKind::Todo).then(|| "pending".to_owned()),
        uuid: Some("u1".to_owned()),
        line: 4,
    });
    Thread {
        session: session.to_owned(),
        time: at(time),
        items: items.collect(),
    }
}

/// Evidence of each of the four kinds.
pub(crate) fn whole() -> Sources {
    Sources {
        now: at(NOW),
        project: "/srv/mill".to_owned(),
        documents: vec![
            memory(
                "rules.md",
                "2026-08-01T00:00:00Z",
                "Never write to the ledger of a closed day.\n",
            ),
            memory(
                "user.md",
                "2026-09-10T00:00:00Z",
                "---\ntype: user\n---\nThe user prefers small commits.\n",
            ),
            handoff(
                "2026-09-15_090000_mill.md",
                "# Summary\n\nThe scale of the mill is read in grams now.\n\n\
                 # Decisions\n\nWe decided to keep the old port.\n\n\
                 # What remains\n\n- The label printer still prints two pages.\n",
            ),
        ],
        threads: vec![thread(
            "5a",
            "2026-09-14T10:00:00Z",
            &[(ItemKind::Todo, "weigh the empty bag")],
        )],
        ..Sources::default()
    }
}

/// Reads a place of these sources.
pub(crate) fn reread(sources: &Sources, source: &Source) -> Option<String> {
    match source {
        Source::File { file, line } => {
            let mut documents = sources.documents.iter();
            let document = documents.find(|document| document.name == *file)?;
            let lines = document.text.lines().skip(*line as usize - 1);
            let lines: Vec<&str> = lines.collect();
            (!lines.is_empty()).then(|| lines.join("\n"))
        }
        Source::Session { session, line, .. } => {
            let mut threads = sources.threads.iter();
            let thread = threads.find(|thread| thread.session == *session)?;
            let mut items = thread.items.iter();
            let item = items.find(|item| item.line == *line)?;
            Some(item.text.clone())
        }
    }
}
