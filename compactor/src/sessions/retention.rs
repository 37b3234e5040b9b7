//! When the client deletes what it keeps (facts I80, I81).

use serde::Serialize;

/// A day in milliseconds.
pub const DAY: i64 = 24 * 60 * 60 * 1000;

/// How long the client keeps sessions that nobody writes to: it deletes by the time of the last
/// change, some ten minutes after an interactive session has started.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Retention {
    /// The period in days.
    pub days: i64,
    /// Whether `cleanupPeriodDays` says so.
    pub is_set: bool,
}

impl Retention {
    /// The period by `cleanupPeriodDays`; 30 days without it, and where it is no period.
    #[must_use]
    pub fn of(days: Option<i64>) -> Self {
        let days = days.filter(|days| *days > 0);
        Self {
            days: days.unwrap_or(30),
            is_set: days.is_some(),
        }
    }

    /// In how many days, begun ones included, a file that was `modified` at a time is deleted,
    /// both in milliseconds since 1970. Negative or 0 where it is due.
    #[must_use]
    pub fn days_left(self, modified: i64, now: i64) -> i64 {
        let end = modified.saturating_add(self.days.saturating_mul(DAY));
        // Rounded up, so that what is left is never 0.
        -now.saturating_sub(end).div_euclid(DAY)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Fact I80: 31 days old went, 29 stayed.
    #[test]
    fn a_month_without_a_change_and_it_goes() {
        let retention = Retention::of(None);
        let now = 100 * DAY;
        assert_eq!(retention.days_left(now - 29 * DAY, now), 1);
        assert_eq!(retention.days_left(now - 30 * DAY + 1, now), 1);
        assert_eq!(retention.days_left(now - 30 * DAY, now), 0);
        assert_eq!(retention.days_left(now, now), 30);
        assert_eq!(retention.days_left(now - 31 * DAY, now), -1);
        assert_eq!(Retention::of(Some(365)).days_left(now - DAY, now), 364);
        assert_eq!(Retention::of(Some(0)), retention);
        assert!(Retention::of(Some(i64::MAX)).days_left(i64::MAX, 0) > 0);
    }
}
