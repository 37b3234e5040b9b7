//! The suites that cross the crates, as one binary.
#![expect(
    clippy::disallowed_methods,
    clippy::panic,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "suites read their cases, build folders, report counts, and stop on a broken case"
)]

mod agents;
mod audit;
mod bugbank;
mod carry_reports;
mod catalog;
mod cold;
mod compaction;
mod compaction_reports;
mod conformance;
mod ctok;
mod disk_twin;
mod docs;
mod exclude_oracle;
mod hooks;
mod hostile;
mod hostile_disk;
mod hostile_texts;
mod lint_reports;
mod listing_properties;
mod logged;
mod markdown;
mod permissions;
mod properties;
mod record_checks;
mod request;
mod request_made;
mod resume;
mod richness;
mod sessions;
mod stand_in;
mod subagents;
mod token_cache;
mod tokens;
mod transcripts;
mod verify;
mod versions;
mod worlds;
