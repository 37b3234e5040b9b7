//! When the next compaction is due, by this session's own growth.

use serde::Serialize;

/// Fewer turns than this tell nothing about growth.
pub const TURNS_NEEDED: usize = 3;

/// How many of the last turns tell how a session grows now.
const RECENT: usize = 5;

/// A turn, and the tokens of the context after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Turn {
    /// The number of the turn in the session.
    pub turn: u32,
    /// The tokens after it.
    pub tokens: u64,
}

/// Tokens that a turn adds. Negative where the context shrank, as after a rewind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Growth {
    /// The median over all turns since the last boundary.
    pub median: i64,
    /// The median over the last five of them.
    pub recent: i64,
    /// A quarter of the turns added no more than this.
    pub low: i64,
    /// A quarter of the turns added no less than this.
    pub high: i64,
}

/// In how many more turns the trigger is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Due {
    /// There were too few turns to tell.
    NotKnown {
        /// How many there were.
        turns: usize,
    },
    /// The next request compacts.
    Now,
    /// Not as the session grows now.
    NotInSight,
    /// In this many turns.
    In {
        /// If it grows as in its larger turns.
        soonest: u64,
        /// If it grows as in its last turns.
        likely: u64,
        /// If it grows as in its smaller turns; none where it then never gets there.
        latest: Option<u64>,
    },
}

/// The forecast of a session.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Forecast {
    /// Tokens until the trigger, 0 where it is reached.
    pub left: u64,
    /// What a turn adds; none where there were too few.
    pub growth: Option<Growth>,
    /// When it is due.
    pub due: Due,
}

impl Forecast {
    /// The forecast from the `turns` since the last boundary, in their order, the last of which
    /// the session stands after. Without turns, `fixed` is what the context holds already.
    #[must_use]
    pub fn of(turns: &[Turn], fixed: u64, trigger: u64) -> Self {
        let tokens = turns.last().map_or(fixed, |turn| turn.tokens);
        let left = trigger.saturating_sub(tokens);
        let growth = Growth::of(turns);
        let due = match growth {
            _ if left == 0 => Due::Now,
            None => Due::NotKnown { turns: turns.len() },
            Some(growth) => growth.due(left),
        };
        Self { left, growth, due }
    }
}

impl Growth {
    fn of(turns: &[Turn]) -> Option<Self> {
        if turns.len() < TURNS_NEEDED {
            return None;
        }
        let added = |pair: &[Turn]| {
            let difference = i128::from(pair[1].tokens) - i128::from(pair[0].tokens);
            i64::try_from(difference).unwrap_or(if difference < 0 { i64::MIN } else { i64::MAX })
        };
        let mut added: Vec<i64> = turns.windows(2).map(added).collect();
        let mut recent = added[added.len().saturating_sub(RECENT)..].to_vec();
        added.sort_unstable();
        recent.sort_unstable();
        Some(Self {
            median: at_share(&added, 2),
            recent: at_share(&recent, 2),
            low: at_share(&added, 1),
            high: at_share(&added, 3),
        })
    }

    fn due(self, left: u64) -> Due {
        let Some(likely) = turns_for(left, self.recent) else {
            return Due::NotInSight;
        };
        let soonest = turns_for(left, self.high.max(self.recent)).unwrap_or(likely);
        Due::In {
            soonest,
            likely,
            latest: turns_for(left, self.low.min(self.recent)),
        }
    }
}

/// The value below which so many quarters of the sorted `values` lie, which are not none.
fn at_share(values: &[i64], quarters: usize) -> i64 {
    values[(values.len() - 1) * quarters / 4]
}

fn turns_for(left: u64, added: i64) -> Option<u64> {
    let added = u64::try_from(added).ok().filter(|added| *added > 0)?;
    Some(left.div_ceil(added))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use proptest::test_runner::{Config, RngSeed};

    fn turns(tokens: &[u64]) -> Vec<Turn> {
        let numbered = (1..).zip(tokens);
        numbered
            .map(|(turn, tokens)| Turn {
                turn,
                tokens: *tokens,
            })
            .collect()
    }

    #[test]
    fn few_turns_tell_nothing() {
        let forecast = Forecast::of(&turns(&[20_000, 30_000]), 0, 167_000);
        assert_eq!(forecast.due, Due::NotKnown { turns: 2 });
        assert_eq!((forecast.left, forecast.growth), (137_000, None));
        assert_eq!(Forecast::of(&[], 21_000, 67_000).left, 46_000);
    }

    #[test]
    fn the_last_turns_decide_and_all_of_them_give_the_range() {
        let tokens = [
            20_000, 21_000, 22_000, 24_000, 28_000, 38_000, 48_000, 58_000,
        ];
        let forecast = Forecast::of(&turns(&tokens), 0, 98_000);
        let growth = forecast.growth.unwrap();
        assert_eq!((growth.median, growth.recent), (4_000, 10_000));
        assert_eq!((growth.low, growth.high), (1_000, 10_000));
        let (soonest, likely, latest) = (4, 4, Some(40));
        assert_eq!(
            forecast.due,
            Due::In {
                soonest,
                likely,
                latest
            }
        );
    }

    #[test]
    fn a_context_that_does_not_grow_is_not_due() {
        let still = Forecast::of(&turns(&[50_000, 40_000, 40_000, 39_000]), 0, 67_000);
        assert_eq!(still.due, Due::NotInSight);
        let full = Forecast::of(&turns(&[50_000, 67_000]), 0, 67_000);
        assert_eq!((full.due, full.left), (Due::Now, 0));
    }

    proptest! {
        #![proptest_config(Config { rng_seed: RngSeed::Fixed(6), failure_persistence: None, ..Config::default() })]
        #[test]
        fn a_forecast_is_never_past_and_its_range_holds_it(
            tokens in prop::collection::vec(0..=u64::MAX, 0..20),
            trigger in 0..=u64::MAX,
        ) {
            let forecast = Forecast::of(&turns(&tokens), 0, trigger);
            let now = tokens.last().copied().unwrap_or(0);
            prop_assert_eq!(forecast.left == 0, now >= trigger);
            match forecast.due {
                Due::In { soonest, likely, latest } => {
                    prop_assert!(1 <= soonest && soonest <= likely);
                    prop_assert!(latest.is_none_or(|latest| likely <= latest));
                    prop_assert!(tokens.len() >= TURNS_NEEDED);
                }
                Due::NotKnown { turns } => prop_assert!(turns < TURNS_NEEDED),
                Due::Now => prop_assert!(now >= trigger),
                Due::NotInSight => prop_assert!(forecast.growth.unwrap().recent <= 0),
            }
        }
    }
}
