//! The files of a rules folder (facts 1.5, 1.6, 2.10–2.12).

use rustc_hash::FxHashSet;

use crate::client::RuleOrder;
use crate::host::{Entry, Host, HostError, Kind};
use crate::limits;
use crate::path::AbsPath;

/// A file of a rules folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RuleFile {
    /// Its path in the folder, as listed.
    pub(crate) listed: AbsPath,
    /// Its real path, under which it is delivered.
    pub(crate) real: AbsPath,
    /// The folders below the rules folder on the way to it that a link leads to, from the
    /// outermost: as listed, and their real paths.
    pub(crate) linked_folders: Linked,
}

impl RuleFile {
    /// The names besides its real path under which excludes test it: its own, where that is not
    /// the real one, and those of linked folders (cases excludes-linked-folder*).
    pub(crate) fn links(&self) -> Vec<AbsPath> {
        let own = (self.listed != self.real).then_some(&self.listed);
        let folders = self.linked_folders.iter().map(|(listed, _)| listed);
        own.into_iter().chain(folders).cloned().collect()
    }
}

/// What a rules folder holds.
#[derive(Debug, Default)]
pub(crate) struct RuleFiles {
    pub(crate) files: Vec<RuleFile>,
    /// Entries that look like rules and are none, with the reason.
    pub(crate) odd: Vec<(AbsPath, HostError)>,
    /// Whether folders below the bound were left out.
    pub(crate) too_deep: bool,
}

/// Lists the rules below `folder` in the client's order: hidden ones too, at any depth, names
/// that end in `.md`; a folder stands at its place in the listing.
pub(crate) fn list(host: &dyn Host, folder: &AbsPath, order: RuleOrder) -> RuleFiles {
    match host.canonicalize(folder) {
        Ok(real) => list_real(host, folder, &real, order),
        Err(_) => RuleFiles::default(),
    }
}

/// The same for a folder whose real path is known.
pub(crate) fn list_real(
    host: &dyn Host,
    folder: &AbsPath,
    real: &AbsPath,
    order: RuleOrder,
) -> RuleFiles {
    let mut lister = Lister {
        host,
        order,
        seen: FxHashSet::default(),
        found: RuleFiles::default(),
    };
    lister.folder(folder, real, &mut Vec::new(), 0);
    lister.found
}

/// Folders that links lead to.
type Linked = Vec<(AbsPath, AbsPath)>;

struct Lister<'h> {
    host: &'h dyn Host,
    order: RuleOrder,
    seen: FxHashSet<AbsPath>,
    found: RuleFiles,
}

impl Lister<'_> {
    fn folder(&mut self, listed: &AbsPath, real: &AbsPath, linked: &mut Linked, depth: usize) {
        if depth > limits::RULES_DEPTH {
            self.found.too_deep = true;
            return;
        }
        // Links may lead back: each real folder is walked once.
        if !self.seen.insert(real.clone()) {
            return;
        }
        let mut entries = match self.host.read_dir(real) {
            Ok(entries) => entries,
            Err(error) if error.is_absent() => return,
            Err(error) => return self.found.odd.push((listed.clone(), error)),
        };
        if self.order == RuleOrder::Sorted {
            entries.sort_by(|a, b| a.name.cmp(&b.name));
        }
        for entry in &entries {
            self.entry(listed, real, linked, entry, depth);
        }
    }

    fn entry(
        &mut self,
        folder: &AbsPath,
        real_folder: &AbsPath,
        linked: &mut Linked,
        entry: &Entry,
        depth: usize,
    ) {
        let listed = folder.child(&entry.name);
        let is_rule = entry.name.ends_with(".md");
        if !entry.utf8 {
            if is_rule {
                let why = HostError::Refused("its name is not UTF-8".to_owned());
                self.found.odd.push((listed, why));
            }
            return;
        }
        let (kind, real) = match entry.kind {
            Some(kind) => (Some(kind), real_folder.child(&entry.name)),
            None => match self.host.canonicalize(&listed) {
                Ok(real) => (self.host.metadata(&real).ok().map(|meta| meta.kind), real),
                Err(error) => {
                    if is_rule {
                        self.found.odd.push((listed, error));
                    }
                    return;
                }
            },
        };
        match kind {
            Some(Kind::Directory) => {
                let outer = linked.len();
                if listed != real {
                    linked.push((listed.clone(), real.clone()));
                }
                self.folder(&listed, &real, linked, depth + 1);
                linked.truncate(outer);
            }
            Some(Kind::File) if is_rule => self.found.files.push(RuleFile {
                listed,
                real,
                linked_folders: linked.clone(),
            }),
            Some(Kind::Special) if is_rule => self.found.odd.push((listed, HostError::Special)),
            _ => {}
        }
    }
}
