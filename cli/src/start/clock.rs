//! The time.

use std::time::{SystemTime, UNIX_EPOCH};

use outcrop_compactor::sessions::time::rfc3339;

/// Milliseconds since 1970.
pub(crate) fn now() -> i64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    i64::try_from(now.unwrap_or_default().as_millis()).unwrap_or(i64::MAX)
}

/// As RFC 3339, in UTC.
pub(crate) fn text() -> String {
    rfc3339(now()).unwrap_or_default()
}
