//! Times as milliseconds since 1970, and as RFC 3339 writes them.

use jiff::Timestamp;
use serde::Serializer;

/// Reads a time such as `2026-09-01T10:00:00Z`.
#[must_use]
pub fn milliseconds(text: &str) -> Option<i64> {
    text.parse::<Timestamp>()
        .ok()
        .map(Timestamp::as_millisecond)
}

/// Writes a time; nothing where it is beyond the calendar.
#[must_use]
pub fn rfc3339(milliseconds: i64) -> Option<String> {
    let time = Timestamp::from_millisecond(milliseconds).ok()?;
    Some(time.to_string())
}

/// Writes a time as a text, or null.
#[expect(clippy::ref_option, reason = "serde hands the field over by reference")]
pub(crate) fn serialize<S: Serializer>(time: &Option<i64>, to: S) -> Result<S::Ok, S::Error> {
    match time.and_then(rfc3339) {
        Some(text) => to.serialize_some(&text),
        None => to.serialize_none(),
    }
}
