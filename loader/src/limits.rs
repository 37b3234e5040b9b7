//! Bounds that keep hostile trees from costing time or memory without end.
//!
//! The client has no such bounds (fact 1.9), so each one that is hit is a diagnostic: the
//! prediction is then incomplete and says so.

/// The largest instruction file that is read, in bytes.
pub const FILE_BYTES: u64 = 32 * 1024 * 1024;
/// The largest settings or state file that is read, in bytes.
pub const SETTINGS_BYTES: u64 = 64 * 1024 * 1024;
/// The bytes of instruction text that one session may hold.
pub const SESSION_BYTES: usize = 256 * 1024 * 1024;
/// How many files and references one session considers.
pub const CANDIDATES: usize = 50_000;
/// How deep folders of rules are followed.
pub const RULES_DEPTH: usize = 64;
/// How many entries a search for nested files looks at.
pub const SEARCH_ENTRIES: usize = 200_000;
/// How deep a search for nested files goes, which is a matter of the stack.
pub const SEARCH_DEPTH: usize = 1_024;
