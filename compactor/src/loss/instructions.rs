//! What of the instruction layers survives a compaction.

use serde::Serialize;

use outcrop_loader::client::Resume;
use outcrop_loader::path::AbsPath;
use outcrop_loader::record::{Cause, Delivery, Evidence, Layer, Scope};

/// What becomes of a layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fate {
    /// It is read from disk and sent again (facts C6.1 to C6.3): what startup delivers, with its
    /// imports.
    Returns,
    /// It is among the files that are attached again, the newest five (facts C6.6, C6.7).
    Attached,
    /// It is gone until the next read that its pattern matches.
    GoneUntilMatchingRead,
    /// It is gone until the next read in its folder or below.
    GoneUntilReadBelow,
    /// It is gone for the rest of the session: older clients take it for known (fact C6.7).
    Gone,
    /// Nothing was observed.
    NotKnown,
}

impl Fate {
    /// Whether the next request holds it.
    #[must_use]
    pub const fn is_back(self) -> bool {
        matches!(self, Self::Returns | Self::Attached)
    }
}

/// A layer and what becomes of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct InstructionFate {
    /// The layer's path.
    pub path: AbsPath,
    /// Its scope.
    pub scope: Scope,
    /// Why it was there.
    pub cause: Cause,
    /// The layer that brought it, where it is an import: it goes where that one goes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub with: Option<AbsPath>,
    /// What becomes of it.
    pub fate: Fate,
    /// How this is known.
    pub evidence: Evidence,
}

/// What becomes of each layer that was delivered before a compaction, in the order of delivery.
/// `attached` are the files that are attached again after it; nested files and rules compete with
/// all other files for these places.
#[must_use]
pub fn instructions(
    deliveries: &[Delivery],
    client: &Resume,
    attached: &[AbsPath],
) -> Vec<InstructionFate> {
    let mut fates: Vec<InstructionFate> = Vec::new();
    for delivery in deliveries {
        for layer in &delivery.layers {
            let root = root(deliveries, layer);
            let by_itself = root.path == layer.path;
            fates.push(InstructionFate {
                path: layer.path.clone(),
                scope: layer.scope,
                cause: layer.cause.clone(),
                with: (!by_itself).then(|| root.path.clone()),
                fate: fate(root, client, attached),
                evidence: Evidence::Observed,
            });
        }
        // A hook of the client's own adds these; none was watched over a compaction.
        fates.extend(delivery.by_hook.iter().map(|layer| InstructionFate {
            path: layer.path.clone(),
            scope: layer.scope,
            cause: layer.cause.clone(),
            with: None,
            fate: Fate::NotKnown,
            evidence: Evidence::Assumed,
        }));
    }
    fates
}

/// The layer that brought another one by imports, at the end of the line.
fn root<'d>(deliveries: &'d [Delivery], layer: &'d Layer) -> &'d Layer {
    let layers = || deliveries.iter().flat_map(|delivery| &delivery.layers);
    let mut at = layer;
    // Imports are at most four deep; a circle is none of the loader's.
    for _ in 0..layers().count() {
        let Cause::Import(mention) = &at.cause else {
            break;
        };
        match layers().find(|other| other.path == mention.by) {
            Some(importer) => at = importer,
            None => break,
        }
    }
    at
}

fn fate(root: &Layer, client: &Resume, attached: &[AbsPath]) -> Fate {
    let is_attached = attached.contains(&root.path);
    match root.cause {
        Cause::Startup { .. } => Fate::Returns,
        // Its importer is not among the layers.
        Cause::Import(_) => Fate::NotKnown,
        Cause::PathRule { .. } | Cause::Nested { .. } if is_attached => Fate::Attached,
        Cause::PathRule { .. } | Cause::Nested { .. } if !client.delivers_again => Fate::Gone,
        Cause::PathRule { .. } => Fate::GoneUntilMatchingRead,
        Cause::Nested { .. } => Fate::GoneUntilReadBelow,
    }
}

#[cfg(test)]
mod tests {
    use outcrop_loader::client::{Client, Version};
    use outcrop_loader::host::MemoryHost;
    use outcrop_loader::origin::Origin;
    use outcrop_loader::session::Session;

    use super::*;

    fn abs(text: &str) -> AbsPath {
        AbsPath::new(text).unwrap()
    }

    fn fates(
        files: &[(&str, &str)],
        read: &str,
        version: Version,
        attached: &[&str],
    ) -> Vec<(String, Fate)> {
        let mut host = MemoryHost::new();
        for (path, text) in files {
            host.file(&abs(path), text.as_bytes().to_vec());
        }
        host.dir(&abs("/home/dev/shop"));
        let mut origin = Origin::new(abs("/home/dev/shop"), abs("/home/dev"));
        origin.client = Client::of(version).unwrap();
        let client = origin.client.behaviour.resume;
        let mut session = Session::start(&host, origin);
        session.read(&abs(read));
        let attached: Vec<AbsPath> = attached.iter().map(|path| abs(path)).collect();
        let fates = instructions(session.deliveries(), &client, &attached);
        fates
            .into_iter()
            .map(|fate| (fate.path.to_string(), fate.fate))
            .collect()
    }

    const TABLE: &[(&str, &str)] = &[
        ("/home/dev/shop/CLAUDE.md", "Root.\n"),
        ("/home/dev/shop/.claude/rules/all.md", "All.\n"),
        (
            "/home/dev/shop/.claude/rules/ts.md",
            "---\npaths:\n  - \"**/*.ts\"\n---\nTs.\n",
        ),
        ("/home/dev/shop/pkg/CLAUDE.md", "Pkg.\n"),
        ("/home/dev/shop/pkg/a.ts", "//\n"),
        (
            "/home/dev/.claude/projects/-home-dev-shop/memory/MEMORY.md",
            "- likes tabs\n",
        ),
    ];

    /// Bug bank B074 and B076.
    #[test]
    fn what_startup_delivers_returns() {
        let fates = fates(TABLE, "/home/dev/shop/pkg/a.ts", Version::NEWEST, &[]);
        let back: Vec<&str> = fates
            .iter()
            .filter(|(_, fate)| fate.is_back())
            .map(|(path, _)| &**path)
            .collect();
        let mut want = vec![TABLE[0].0, TABLE[1].0, TABLE[5].0];
        want.sort_unstable();
        let mut back_sorted = back.clone();
        back_sorted.sort_unstable();
        assert_eq!(back_sorted, want);
        assert!(fates.contains(&(TABLE[2].0.to_owned(), Fate::GoneUntilMatchingRead)));
        assert!(fates.contains(&(TABLE[3].0.to_owned(), Fate::GoneUntilReadBelow)));
    }

    #[test]
    fn attached_files_are_back_and_older_clients_forget() {
        let read = "/home/dev/shop/pkg/a.ts";
        let newer = fates(TABLE, read, Version::NEWEST, &[TABLE[3].0]);
        assert!(newer.contains(&(TABLE[3].0.to_owned(), Fate::Attached)));
        let older = fates(TABLE, read, Version::new(2, 1, 197), &[]);
        assert!(older.contains(&(TABLE[2].0.to_owned(), Fate::Gone)));
        assert!(older.contains(&(TABLE[0].0.to_owned(), Fate::Returns)));
    }

    /// Bug bank B103.
    #[test]
    fn imports_go_with_their_importer() {
        let files = [
            ("/home/dev/shop/CLAUDE.md", "@docs/a.md\n"),
            ("/home/dev/shop/docs/a.md", "A.\n"),
            ("/home/dev/shop/pkg/CLAUDE.md", "@b.md\n"),
            ("/home/dev/shop/pkg/b.md", "B.\n"),
            ("/home/dev/shop/pkg/x.ts", "//\n"),
        ];
        let fates = fates(&files, "/home/dev/shop/pkg/x.ts", Version::NEWEST, &[]);
        let fate = |path: &str| {
            fates
                .iter()
                .find(|(other, _)| other == path)
                .map(|(_, fate)| *fate)
        };
        assert_eq!(fate(files[0].0), Some(Fate::Returns));
        assert_eq!(fate(files[1].0), Some(Fate::Returns));
        assert_eq!(fate(files[2].0), Some(Fate::GoneUntilReadBelow));
        assert_eq!(fate(files[3].0), Some(Fate::GoneUntilReadBelow));
    }
}
