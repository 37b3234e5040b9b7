//! The client's own entries in the listing: their names and sizes, never their texts.

use crate::client::{Behaviour, Version};
use crate::javascript;

/// One of the client's own entries.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct OwnEntry {
    /// Its name.
    pub name: &'static str,
    /// UTF-16 units of its text as listed; `None` where its name stands alone.
    pub characters: Option<usize>,
    /// It keeps its text whatever the budget (fact C1.24).
    pub keeps_text: bool,
    /// Line breaks in the text, which have no width (fact C1.23).
    #[serde(skip)]
    line_breaks: usize,
}

impl OwnEntry {
    /// Cells of the entry as it stands in the listing.
    pub(super) fn width(&self) -> usize {
        let text = self.characters;
        self.bare_width() + text.map_or(0, |units| 2 + units - self.line_breaks)
    }

    /// Cells of its name alone.
    pub(super) fn bare_width(&self) -> usize {
        2 + self.name.len()
    }

    /// Cuts the text to its cap (fact C1.20, which holds for 2.1.197 as well: fact 49).
    pub(super) fn cap(&mut self, most: usize) {
        if let Some(units) = &mut self.characters {
            if *units > most {
                self.line_breaks = 0;
            }
            *units = (*units).min(most);
        }
    }
}

/// One entry over the versions: since when its text has how many UTF-16 units; none is an entry
/// that went.
struct Row {
    name: &'static str,
    sizes: &'static [(u16, Option<u16>)],
    line_breaks: usize,
    keeps_text: bool,
}

const fn bundled(name: &'static str, sizes: &'static [(u16, Option<u16>)]) -> Row {
    Row {
        name,
        sizes,
        line_breaks: 0,
        keeps_text: true,
    }
}

const fn prompt(name: &'static str, sizes: &'static [(u16, Option<u16>)]) -> Row {
    Row {
        keeps_text: false,
        ..bundled(name, sizes)
    }
}

/// Measured at 55 versions 2.1.N from 2.1.197 to 2.1.332, in the order of the listing. Below
/// 2.1.197 the sizes are those of 2.1.197.
const ROWS: [Row; 16] = [
    bundled("deep-research", &[(0, Some(470)), (218, None)]),
    bundled("dataviz", &[(198, Some(1135)), (265, Some(1436))]),
    bundled("update-config", &[(0, Some(690))]),
    bundled("keybindings-help", &[(0, Some(228))]),
    bundled(
        "verify",
        &[
            (0, Some(250)),
            (198, Some(388)),
            (200, Some(452)),
            (215, None),
        ],
    ),
    bundled(
        "code-review",
        &[
            (0, Some(346)),
            (215, None),
            (246, Some(439)),
            (281, Some(486)),
            (290, Some(627)),
            (315, Some(825)),
            (329, Some(835)),
        ],
    ),
    bundled("simplify", &[(0, Some(176))]),
    bundled("fewer-permission-prompts", &[(0, Some(163))]),
    bundled("loop", &[(0, Some(306)), (248, Some(336))]),
    Row {
        line_breaks: 2,
        ..bundled("claude-api", &[(0, Some(1068)), (323, Some(1157))])
    },
    bundled("workflow-authoring", &[(248, Some(230))]),
    bundled("run", &[(0, Some(361))]),
    bundled(
        PLUGIN,
        &[
            (286, Some(229)),
            (295, Some(248)),
            (304, Some(246)),
            (325, Some(255)),
        ],
    ),
    prompt("init", &[(0, Some(59))]),
    prompt("review", &[(0, Some(68)), (223, None)]),
    prompt("security-review", &[(0, Some(71))]),
];

/// The entry that comes from a plugin of the client's own, which `disableBundledSkills` leaves.
pub(super) const PLUGIN: &str = "plugin-authoring";

/// The entries of a version, before settings and names of others take any away.
pub(super) fn of(version: Version) -> impl Iterator<Item = OwnEntry> {
    ROWS.iter().filter_map(move |row| {
        let since = |(patch, _): &&(u16, Option<u16>)| Version::new(2, 1, *patch) <= version;
        let oldest = |(patch, _): &&(u16, Option<u16>)| *patch == 0;
        let sizes = || row.sizes.iter().rev();
        let (_, units) = sizes().find(since).or_else(|| sizes().find(oldest))?;
        Some(OwnEntry {
            name: row.name,
            characters: Some(usize::from((*units)?)),
            keeps_text: row.keeps_text,
            line_breaks: row.line_breaks,
        })
    })
}

/// Names of the client's own commands, a line each: those of 2.1.332; what else is taken there,
/// such as second names of commands; those of 2.1.197. Observed with an API key on Linux.
const COMMANDS: &str = include_str!("commands.txt");

fn is_in_line(name: &str, line: usize) -> bool {
    let names = COMMANDS.lines().nth(line).unwrap_or_default();
    names.split(' ').any(|own| own == name)
}

/// Whether a command of the client's own has the name (fact 50).
pub(super) fn is_command(name: &str) -> bool {
    is_in_line(name, 0)
}

/// Whether a nested skill of this name is listed under its directory's name, since the client
/// has it (fact 50).
pub(super) fn is_taken(name: &str, behaviour: &Behaviour) -> bool {
    match behaviour.catalog_unique {
        true => is_in_line(name, 0) || is_in_line(name, 1),
        false => is_in_line(name, 2),
    }
}

/// Units of the two notes without the names in them.
const SCOPE_NOTE: usize = 99;
const PLACE_NOTE: usize = 63;

/// Units that the client's own note adds to the text of an entry that is listed under its
/// directory's name; the note names the directory twice and the plain name once.
pub(super) fn scope_note(directory: &str, plain: &str) -> usize {
    SCOPE_NOTE + 2 * javascript::len(directory) + javascript::len(plain)
}

/// Units that the note adds to an entry of a directory that came later; it names the directory
/// with its skills folder, and once more.
pub(super) fn place_note(directory: &str) -> usize {
    PLACE_NOTE + 2 * javascript::len(directory)
}
