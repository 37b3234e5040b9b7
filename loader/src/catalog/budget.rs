//! How much room the listing has, and which texts it drops for it (facts C1.21 to C1.25).

use serde::Serialize;
use unicode_width::UnicodeWidthStr;

use super::own::OwnEntry;
use super::{Bare, Catalog, Entry};
use crate::session::{Session, World};
use crate::settings::{Node, Place};
use crate::state::Usage;

/// The share of the window that a listing may take.
const SHARE: f64 = 0.01;

/// The room of a listing and what it takes of it, in cells of a terminal.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Budget {
    /// Cells that the entries may take together.
    pub room: usize,
    /// What decides the room.
    pub from: Room,
    /// Cells of the entries with all their texts.
    pub wanted: usize,
    /// Cells of the entries as they are listed. More than the room where names and the client's
    /// own texts alone are more.
    pub used: usize,
}

/// What decides the room of a listing.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Room {
    /// A share of the model's window.
    Share {
        /// The model's window, in tokens.
        window: u32,
        /// The share.
        share: f64,
        /// Characters that the client takes for a token.
        characters_per_token: u32,
        /// The settings file and line of `skillListingBudgetFraction`.
        #[serde(skip_serializing_if = "Option::is_none")]
        place: Option<String>,
    },
    /// The variable `SLASH_COMMAND_TOOL_CHAR_BUDGET`.
    Variable,
}

/// Cells of a text as a terminal shows it; control characters have none (fact C1.23).
pub(super) fn width(text: &str) -> usize {
    text.split(char::is_control)
        .map(UnicodeWidthStr::width)
        .sum()
}

/// The room of a session's listing.
fn room(session: &Session<'_>) -> (usize, Room) {
    let world = session.world();
    let variable = world.origin.env.get("SLASH_COMMAND_TOOL_CHAR_BUDGET");
    if let Some(room) = variable.and_then(|text| positive(text)) {
        return (room, Room::Variable);
    }
    let model = session.model().facts;
    let set = world
        .settings
        .strongest_as("skillListingBudgetFraction", Node::number::<f64>);
    let place = set.as_ref().map(|set| Place::to_string(&set.place));
    let share = set.map_or(SHARE, |set| set.value);
    let (window, characters_per_token) = (model.window, model.listing_characters_per_token);
    let characters = f64::from(window) * share * f64::from(characters_per_token);
    let from = Room::Share {
        window,
        share,
        characters_per_token,
        place,
    };
    // A share that is no number of characters leaves no room; casts saturate.
    (characters.floor() as usize, from)
}

fn positive(text: &str) -> Option<usize> {
    text.trim().parse().ok().filter(|room| *room > 0)
}

/// Drops texts until the listing fits, as far as it can.
pub(super) fn fit(session: &Session<'_>, catalog: &mut Catalog) {
    let (world, (room, from)) = (session.world(), room(session));
    let entries = catalog.entries.iter().map(Entry::width);
    let own = catalog.own.iter().map(OwnEntry::width);
    let separators = (catalog.entries.len() + catalog.own.len()).saturating_sub(1);
    let wanted = entries.chain(own).sum::<usize>() + separators;
    let mut used = wanted;
    if wanted > room {
        used = separators + drop_texts(world, catalog, room.saturating_sub(separators));
    }
    catalog.budget = Some(Budget {
        room,
        from,
        wanted,
        used,
    });
}

/// Keeps the texts that fit into `room`, the first that fits first; those in recorded use come
/// before all others. Returns the cells of the entries.
fn drop_texts(world: &World<'_>, catalog: &mut Catalog, room: usize) -> usize {
    let kept = |own: &OwnEntry| match own.keeps_text {
        true => own.width(),
        false => own.bare_width(),
    };
    let names = catalog.entries.iter().map(Entry::bare_width);
    let mut used = names.sum::<usize>() + catalog.own.iter().map(kept).sum::<usize>();
    let ours = catalog.entries.len();
    let mut order: Vec<(f64, usize)> = (0..ours + catalog.own.len())
        .map(|index| {
            let name = match catalog.entries.get(index) {
                Some(entry) => entry.name.as_str(),
                None => catalog.own[index - ours].name,
            };
            (score(world, name), index)
        })
        .collect();
    // Stable: equal ones stay in the order of the listing.
    order.sort_by(|a, b| b.0.total_cmp(&a.0));
    for (_, index) in order {
        if let Some(entry) = catalog.entries.get_mut(index) {
            let more = entry.width() - entry.bare_width();
            if used + more <= room {
                used += more;
            } else if let Some(text) = entry.text.take() {
                entry.dropped = Some(text);
                entry.bare = Some(Bare::Budget);
            }
            continue;
        }
        let own = &mut catalog.own[index - ours];
        if own.keeps_text {
            continue;
        }
        let more = own.width() - own.bare_width();
        if used + more <= room {
            used += more;
        } else {
            own.characters = None;
        }
    }
    used
}

/// A day in milliseconds.
const DAY: f64 = 86_400_000.0;

/// What recorded use is worth: each week halves it, down to a tenth (fact 52).
fn score(world: &World<'_>, name: &str) -> f64 {
    let Some(Usage { count, last }) = world.state.usage(name) else {
        return 0.0;
    };
    let now = world
        .origin
        .now
        .map_or_else(|| world.state.last_use(), |now| now as f64);
    let days = (now - last) / DAY;
    count * 0.5_f64.powf(days / 7.0).max(0.1)
}
