//! Materialised cases.
