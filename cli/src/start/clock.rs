//! The time.

use std::time::{SystemTime, UNIX_EPOCH};

/// Milliseconds since 1970.
pub(crate) fn now() -> i64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    i64::try_from(now.unwrap_or_default().as_millis()).unwrap_or(i64::MAX)
}

/// As RFC 3339, in UTC.
pub(crate) fn text() -> String {
    let time = jiff::Timestamp::from_millisecond(now()).unwrap_or_default();
    format!("{time:.3}")
}
