//! What a compaction cannot take away, against the trigger (bug B085).

use serde::Serialize;

/// Above this share of the trigger the floor is close to it, in percent. The number is ours.
const CLOSE_PERCENT: u64 = 80;

/// How many of the largest parts are named.
const NAMED: usize = 3;

/// A part of the context that is there after every compaction: a file, a list, the prompt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FloorPart {
    /// What users know it by, such as a path.
    pub name: String,
    /// Its tokens.
    pub tokens: u64,
}

/// How much room the floor leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Room {
    /// Enough.
    Enough,
    /// Little: a few turns and the session compacts again.
    Little,
    /// None: the session compacts after every answer, and compaction cannot help.
    None,
}

/// The tokens below which no compaction brings a session.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Floor {
    /// All parts together.
    pub tokens: u64,
    /// The trigger.
    pub trigger: u64,
    /// What it leaves.
    pub room: Room,
    /// The largest parts, largest first; none where there is room enough.
    pub largest: Vec<FloorPart>,
}

impl Floor {
    /// Weighs `parts` against `trigger`: what is sent before any message (or the first request's
    /// usage), and the tokens that come back after a compaction: the summary, its kept tail,
    /// re-attached files, instructions.
    #[must_use]
    pub fn of(mut parts: Vec<FloorPart>, trigger: u64) -> Self {
        let sizes = parts.iter().map(|part| part.tokens);
        let tokens = sizes.fold(0, u64::saturating_add);
        let room = if tokens >= trigger {
            Room::None
        } else if u128::from(tokens) * 100 >= u128::from(trigger) * u128::from(CLOSE_PERCENT) {
            Room::Little
        } else {
            Room::Enough
        };
        parts.sort_by(|a, b| b.tokens.cmp(&a.tokens).then_with(|| a.name.cmp(&b.name)));
        parts.truncate(if room == Room::Enough { 0 } else { NAMED });
        Self {
            tokens,
            trigger,
            room,
            largest: parts,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn floor(parts: &[(&str, u64)], trigger: u64) -> Floor {
        let part = |(name, tokens): &(&str, u64)| FloorPart {
            name: (*name).to_owned(),
            tokens: *tokens,
        };
        Floor::of(parts.iter().map(part).collect(), trigger)
    }

    /// Bug B085: 9,000 lines of instructions under a window of 100,000.
    #[test]
    fn a_floor_above_the_trigger_loops() {
        let parts = [
            ("system", 9_000),
            ("/shop/big.md", 190_000),
            ("tools", 12_000),
        ];
        let found = floor(&parts, 67_000);
        assert_eq!((found.room, found.tokens), (Room::None, 211_000));
        assert_eq!(found.largest[0].name, "/shop/big.md");
        assert_eq!(found.largest[2].name, "system");
    }

    #[test]
    fn room_is_told_at_its_edges() {
        for (tokens, room) in [
            (53_599, Room::Enough),
            (53_600, Room::Little),
            (66_999, Room::Little),
            (67_000, Room::None),
            (u64::MAX, Room::None),
        ] {
            let found = floor(&[("a", tokens), ("b", 0)], 67_000);
            assert_eq!(found.room, room, "{tokens}");
            assert_eq!(found.largest.is_empty(), room == Room::Enough);
        }
    }
}
