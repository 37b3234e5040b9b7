//! The change points: which behaviour changed at which published version.
//!
//! Each was found by binary search between published versions and confirmed on both
//! neighbours; numbers are those of the project's notes on versions.

mod counting;
mod lists;
mod loading;
mod permissions;
mod request;
mod resume;

use super::{Behaviour, Version};

/// One change of behaviour.
#[derive(Clone, Copy, Debug)]
pub struct Change {
    /// The first published version with the new behaviour.
    pub from: Version,
    /// The number under which the change was recorded.
    pub fact: &'static str,
    /// What changed, as a sentence.
    pub what: &'static str,
    /// Applies the change.
    pub(super) apply: fn(&mut Behaviour),
}

const fn change(
    version: (u16, u16, u16),
    fact: &'static str,
    what: &'static str,
    apply: fn(&mut Behaviour),
) -> Change {
    Change {
        from: Version::new(version.0, version.1, version.2),
        fact,
        what,
        apply,
    }
}

/// The tables by what they are about, each oldest first.
const TABLES: [&[Change]; 6] = [
    loading::CHANGES,
    lists::CHANGES,
    request::CHANGES,
    permissions::CHANGES,
    resume::CHANGES,
    counting::CHANGES,
];

const COUNT: usize = {
    let (mut count, mut table) = (0, 0);
    while table < TABLES.len() {
        count += TABLES[table].len();
        table += 1;
    }
    count
};

/// Every change point, oldest first.
pub const CHANGES: &[Change] = &merged();

/// Of the heads of the tables always the oldest.
const fn merged() -> [Change; COUNT] {
    let mut all = [TABLES[0][0]; COUNT];
    let mut next = [0; TABLES.len()];
    let mut count = 0;
    while count < COUNT {
        let (mut oldest, mut table) = (TABLES.len(), 0);
        while table < TABLES.len() {
            let is_older = next[table] < TABLES[table].len()
                && (oldest == TABLES.len()
                    || TABLES[table][next[table]]
                        .from
                        .is_older_than(TABLES[oldest][next[oldest]].from));
            if is_older {
                oldest = table;
            }
            table += 1;
        }
        all[count] = TABLES[oldest][next[oldest]];
        next[oldest] += 1;
        count += 1;
    }
    all
}
