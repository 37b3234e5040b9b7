//! The table of rules.

use super::rule::Rule;
use super::rules::*;

/// Every rule, by id.
pub static RULES: &[&Rule] = &[
    &import_missing::RULE,
    &import_external::RULE,
    &import_too_deep::RULE,
    &import_cycle::RULE,
    &import_directory::RULE,
    &import_loads_anyway::RULE,
    &import_punctuation::RULE,
    &import_space::RULE,
    &import_backslash::RULE,
    &import_case::RULE,
    &import_hidden::RULE,
    &import_not_text::RULE,
    &import_defeats_scope::RULE,
    &import_of_home::RULE,
    &import_trailing_slash::RULE,
    &agents_not_read::RULE,
    &name_not_read::RULE,
    &exclude_matches_nothing::RULE,
    &exclude_hides_import::RULE,
    &link_as_text::RULE,
    &fence_unclosed::RULE,
    &import_stuck::RULE,
    &import_unreadable::RULE,
    &file_empty::RULE,
    &loading_switched_off::RULE,
    &import_fragment::RULE,
    &link_not_import::RULE,
    &root_not_read::RULE,
    &client_differs::RULE,
    &front_matter_invalid::RULE,
    &paths_type::RULE,
    &key_foreign::RULE,
    &pattern_matches_nothing::RULE,
    &paths_empty::RULE,
    &pattern_base::RULE,
    &rule_unintended::RULE,
    &rules_overlap::RULE,
    &broad_and_large::RULE,
    &glob_negated::RULE,
    &key_misspelt::RULE,
    &front_matter_late::RULE,
    &front_matter_unclosed::RULE,
    &front_matter_tab::RULE,
    &pattern_unquoted::RULE,
    &pattern_ignored_files::RULE,
    &scope_lost::RULE,
    &rule_not_markdown::RULE,
    &paths_in_claude_md::RULE,
    &pattern_invalid::RULE,
    &front_matter_not_removed::RULE,
    &start_budget::RULE,
    &file_large::RULE,
    &section_large::RULE,
    &memory_cut::RULE,
    &text_duplicate::RULE,
    &directory_listing::RULE,
    &imported_readme::RULE,
    &commands_conflict::RULE,
    &path_stale::RULE,
    &script_missing::RULE,
    &secret::RULE,
    &path_personal::RULE,
    &local_not_ignored::RULE,
    &hidden_characters::RULE,
    &encoding_invalid::RULE,
    &document_list::RULE,
    &link_broken::RULE,
    &html_comment_open::RULE,
    &placeholder_left::RULE,
    &lost_at_compaction::RULE,
    &compaction_loop::RULE,
    &memory_topic_unlinked::RULE,
    &memory_link_broken::RULE,
    &memory_index_form::RULE,
    &memory_off_but_there::RULE,
    &retention_short::RULE,
    &memory_stray::RULE,
    &skill_shadowed::RULE,
    &skill_not_listed::RULE,
    &skill_description_cut::RULE,
    &agent_invalid::RULE,
    &agent_shadowed::RULE,
    &agent_key_ignored::RULE,
    &agent_tools_empty::RULE,
    &settings_invalid::RULE,
    &setting_key_misspelt::RULE,
    &setting_ignored_here::RULE,
    &allow_does_not_count::RULE,
    &permission_rule_inert::RULE,
    &hook_file_missing::RULE,
    &hook_matcher_odd::RULE,
    &mcp_server_shadowed::RULE,
    &output_style_unknown::RULE,
    &agent_skill_missing::RULE,
    &import_in_skill::RULE,
    &ignore_without_reason::RULE,
    &ignore_unused::RULE,
    &ignore_unknown_rule::RULE,
    &config_unknown_key::RULE,
    &config_invalid::RULE,
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn ids_and_names_are_in_order_and_used_once() {
        let ids: Vec<&str> = RULES.iter().map(|rule| rule.id).collect();
        assert!(ids.is_sorted(), "{ids:?}");
        let names: BTreeSet<&str> = RULES.iter().map(|rule| rule.name).collect();
        let ids: BTreeSet<&str> = ids.into_iter().collect();
        assert_eq!((ids.len(), names.len()), (RULES.len(), RULES.len()));
    }
}
