//! One file a rule.

pub(super) mod agents_not_read;
pub(super) mod agent_invalid;
pub(super) mod agent_shadowed;
pub(super) mod compaction_loop;
pub(super) mod directory_listing;
pub(super) mod exclude_hides_import;
pub(super) mod exclude_matches_nothing;
pub(super) mod fence_unclosed;
pub(super) mod file_empty;
pub(super) mod file_large;
pub(super) mod import_backslash;
pub(super) mod import_case;
pub(super) mod import_cycle;
pub(super) mod import_defeats_scope;
pub(super) mod import_directory;
pub(super) mod import_external;
pub(super) mod import_fragment;
pub(super) mod import_hidden;
pub(super) mod import_loads_anyway;
pub(super) mod import_missing;
pub(super) mod import_not_text;
pub(super) mod import_of_home;
pub(super) mod import_punctuation;
pub(super) mod import_space;
pub(super) mod import_stuck;
pub(super) mod import_too_deep;
pub(super) mod import_trailing_slash;
pub(super) mod import_unreadable;
pub(super) mod imported_readme;
pub(super) mod key_foreign;
pub(super) mod link_as_text;
pub(super) mod loading_switched_off;
pub(super) mod lost_at_compaction;
pub(super) mod memory_cut;
pub(super) mod memory_index_form;
pub(super) mod memory_link_broken;
pub(super) mod memory_off_but_there;
pub(super) mod memory_stray;
pub(super) mod memory_topic_unlinked;
pub(super) mod name_not_read;
pub(super) mod retention_short;
pub(super) mod section_large;
pub(super) mod skill_description_cut;
pub(super) mod skill_not_listed;
pub(super) mod skill_shadowed;
pub(super) mod start_budget;
pub(super) mod text_duplicate;

/// What every rule needs.
mod prelude {
    pub(super) use crate::lint::finding::{Cost, Report};
    pub(super) use crate::lint::fix::{Applicability, Fix};
    pub(super) use crate::lint::place::Place;
    pub(super) use crate::lint::rule::{Example, Page, Rule, Severity};
    pub(super) use crate::lint::subject::Subject;
}
