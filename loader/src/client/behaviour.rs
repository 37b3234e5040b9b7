//! What a client does, as far as it changed between versions.

use super::{AgentBehaviour, Counting, Models, Resume, Tools};

/// In which order a rules folder is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RuleOrder {
    /// By name, folders at their sorted place.
    Sorted,
    /// As the directory lists them (fact 1.6).
    Listing,
}

/// What becomes of HTML comments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comments {
    /// Kept.
    Kept,
    /// Block comments go; a text with any comment opener is rebuilt, with LF line ends and
    /// without its link reference definitions (facts 4.6, 4.6b).
    Rebuilt,
    /// Block comments go; nothing else changes unless one went (then LF line ends).
    Removed,
}

/// How front matter that is no YAML because of a tab is taken (versions.md 20).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TabbedYaml {
    /// Broken: the rule has no `paths`.
    Broken,
    /// The tab-indented line is passed over.
    Tolerated,
}

/// What of startup a later read repeats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repeats {
    /// Each new file read delivers matching rules of managed, user and the working directory,
    /// and the `CLAUDE.md` beside it, again (versions.md 29b).
    EachRead,
    /// What startup delivered comes once more, what a read delivered does not.
    Startup,
    /// Nothing is repeated (fact 5.17).
    Nothing,
}

/// Whose link targets decide whether a linked file is external.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkedFiles {
    /// The name of the link decides.
    ByName,
    /// The real path decides, but for rules below a linked `.claude` folder.
    ByTargetButClaudeFolder,
    /// The real path decides.
    ByTarget,
}

/// What a client does, as far as it changed between versions. Facts that hold for every
/// version are code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Behaviour {
    /// `AGENTS.md` is read where no `CLAUDE.md` is (fact 1.11).
    pub agents_file: bool,
    /// The plugin switch turns `AGENTS.md` off (fact 1.16).
    pub agents_switch: bool,
    /// `CLAUDE_CODE_ADDITIONAL_DIRECTORIES_CLAUDE_MD` is honoured (fact 7.11).
    pub added_dirs: bool,
    /// Files of an added directory that is given as a relative path have relative names.
    pub added_dirs_by_relative_name: bool,
    /// Added directories give their `CLAUDE.local.md`.
    pub added_dirs_local: bool,
    /// A failed read of a missing file loads what waits for it.
    pub reads_of_missing: bool,
    /// Writing and editing load what waits for the file.
    pub writes_load: bool,
    /// Bash commands that read one file load what waits for it.
    pub bash_loads: bool,
    /// Reads load nested files and matching rules.
    pub lazy: bool,
    /// What a read delivers again.
    pub repeats: Repeats,
    /// Nested rules, and conditional project rules of the working directory, follow
    /// `--setting-sources` on a read.
    pub lazy_rules_follow_sources: bool,
    /// With `--add-dir`, `--bare` and its variable leave the start as it is.
    pub added_dirs_spare_start: bool,
    /// `autoMemoryDirectory` counts whatever `--setting-sources` says.
    pub memory_directory_of_all: bool,
    /// An absolute import with a slash at its end counts as considered.
    pub slash_considers: bool,
    /// The folder of a linked worktree in the main checkout may name it by a relative path.
    pub relative_worktrees: bool,
    /// The switch that disables instruction files also stops nested ones.
    pub disable_stops_lazy: bool,
    /// Linked rules and linked imports.
    pub linked_files: LinkedFiles,
    /// `claudeMdExcludes` has an effect.
    pub excludes: bool,
    /// Excludes test the link path of a linked rule as well as the real one.
    pub excludes_test_link: bool,
    /// Duplicates are told by real path.
    pub duplicates_by_real_path: bool,
    /// Front matter is recognised behind a byte-order mark.
    pub front_matter_behind_bom: bool,
    /// HTML comments.
    pub comments: Comments,
    /// Lazy lines of a block quote are read as blocks; after, they go on with a paragraph or end
    /// the quote.
    pub lazy_lines_are_blocks: bool,
    /// Startup texts are trimmed.
    pub trimmed: bool,
    /// `#` and what follows is cut off an import path.
    pub fragment_cut: bool,
    /// Imports must have a known extension.
    pub extensions_checked: bool,
    /// The order of rules.
    pub rule_order: RuleOrder,
    /// `paths:` lists of several items work.
    pub path_lists: bool,
    /// Repeated YAML keys: the last wins; before, the front matter was broken.
    pub repeated_keys: bool,
    /// Tabs in YAML.
    pub tabbed_yaml: TabbedYaml,
    /// `MEMORY.md` is delivered unless switched off.
    pub memory_by_default: bool,
    /// `autoMemoryDirectory` counts in project settings.
    pub memory_dir_of_project: bool,
    /// The cut notice tells which lines were cut.
    pub memory_notice_lines: bool,
    /// The managed setting `claudeMd` is delivered.
    pub managed_text: bool,
    /// Managed files have a label of their own; before, they carried the user's.
    pub managed_label: bool,
    /// A nested worktree skips project files of its main checkout (fact 2.4).
    pub nested_worktree_skips: bool,
    /// On a read it skips conditional rules of its main checkout too.
    pub nested_worktree_skips_rules: bool,
    /// The client's own tag in a text that a read loads is written with a backslash.
    pub reads_escape_tag: bool,
    /// Project and local settings cannot set every variable.
    pub project_env_limited: bool,
    /// The listing of skills puts hidden characters to blanks and escapes `<` and `>` (facts C1.9,
    /// 54).
    pub catalog_escapes: bool,
    /// A positional argument of a skill that was not given stays as it is written (fact C1.31).
    pub missing_arguments_stay: bool,
    /// Names with hidden characters or angles are not listed (fact 54).
    pub catalog_names: bool,
    /// Of skills and commands of one name one is listed (fact C1.11).
    pub catalog_unique: bool,
    /// The listing gives the name of a skill's front matter as well (fact C1.7).
    pub catalog_display: bool,
    /// `yes` keeps a skill from the model as `true` does (fact C1.10).
    pub catalog_yes: bool,
    /// A hook of the wrong form voids the whole settings file; after, it costs only itself.
    pub hooks_void_settings: bool,
    /// The end of the client's own tag is escaped in what a hook prints.
    pub hooks_escape_tag: bool,
    /// An object that is no JSON is not taken for plain text of a hook.
    pub hooks_drop_broken_json: bool,
    /// A `SessionStart` hook that blocks is told to the model.
    pub hooks_tell_start_block: bool,
    /// Environment, output style, language and git status stand in messages; before, in the
    /// system prompt.
    pub session_in_messages: bool,
    /// The longest description of an MCP tool and instructions of a server, in UTF-16 units.
    pub mcp_cap: usize,
    /// MCP tools are deferred unless told otherwise.
    pub mcp_deferred: bool,
    /// A `managed-mcp.json` that is not JSON still keeps all other servers out.
    pub mcp_managed_always: bool,
    /// Files of output styles are taken by name; before, as the directory lists them.
    pub styles_sorted: bool,
    /// `--bare` leaves git status there.
    pub bare_has_git_status: bool,
    /// Git status is trimmed at its beginning.
    pub git_status_trimmed: bool,
    /// A prompt in a file and one on the command line add up; before, the client refused both.
    pub prompt_files_add: bool,
    /// Which built-in tools there are.
    pub tools: Tools,
    /// Agents and sub-agents.
    pub agents: AgentBehaviour,
    /// What aliases of models stand for.
    pub models: Models,
    /// How the context is counted, and which models compact by themselves.
    pub counting: Counting,
    /// How sessions are resumed.
    pub resume: Resume,
    /// Deny and ask rules see commands in groups and substitutions, and Read denies bind more
    /// programs and redirections.
    pub rules_see_nested: bool,
    /// Deny and ask rules see a program that is named with its folder.
    pub rules_see_program_names: bool,
    /// Deny and ask rules see through quotes in arguments.
    pub rules_see_quoted: bool,
    /// Read denies bind Write and Edit.
    pub read_denies_bind_writes: bool,
    /// Relative patterns of deny rules hold in each directory of the session, not only in the
    /// working directory.
    pub relative_denies_in_directories: bool,
    /// What `timeout N` runs needs no rule where it changes nothing.
    pub timeout_reads: bool,
    /// The allow rules `Read(*)`, `Write(*)` and `Edit(*)` hold in the session's directories only.
    pub star_in_directories: bool,
    /// An assignment by itself asks until a command has run.
    pub first_assignment_asks: bool,
    /// Fewer options of `file` and `which` need no rule.
    pub read_only_options_tight: bool,
    /// acceptEdits lets commands run by themselves only.
    pub accept_edits_plain: bool,
    /// The value of a variable that a command sets itself is taken.
    pub own_variables_told: bool,
    /// Grants of local settings in an untrusted folder count in git only.
    pub local_grants_need_git: bool,
    /// Settings of a project cannot choose bypassPermissions.
    pub project_bypass_ignored: bool,
    /// allowManagedPermissionRulesOnly takes away `--allowedTools` too.
    pub managed_rules_bind_flags: bool,
    /// A rule's pattern that is no regular expression ends the loading under way.
    pub invalid_pattern_breaks: bool,
}

impl Behaviour {
    /// Version 2.0.64, before every change in [`CHANGES`].
    pub(super) const OLDEST: Self = Self {
        agents_file: false,
        agents_switch: false,
        added_dirs: false,
        added_dirs_by_relative_name: true,
        added_dirs_local: false,
        reads_of_missing: false,
        writes_load: false,
        bash_loads: false,
        lazy: false,
        repeats: Repeats::EachRead,
        lazy_rules_follow_sources: false,
        relative_worktrees: false,
        slash_considers: false,
        memory_directory_of_all: true,
        added_dirs_spare_start: true,
        disable_stops_lazy: false,
        linked_files: LinkedFiles::ByName,
        excludes: false,
        excludes_test_link: false,
        duplicates_by_real_path: false,
        front_matter_behind_bom: false,
        comments: Comments::Kept,
        lazy_lines_are_blocks: true,
        trimmed: false,
        fragment_cut: false,
        extensions_checked: false,
        rule_order: RuleOrder::Sorted,
        path_lists: false,
        repeated_keys: false,
        tabbed_yaml: TabbedYaml::Broken,
        memory_by_default: false,
        memory_dir_of_project: false,
        memory_notice_lines: false,
        managed_text: false,
        managed_label: false,
        nested_worktree_skips: false,
        nested_worktree_skips_rules: false,
        reads_escape_tag: false,
        project_env_limited: false,
        catalog_escapes: false,
        catalog_names: false,
        missing_arguments_stay: false,
        catalog_unique: false,
        catalog_display: false,
        catalog_yes: false,
        hooks_void_settings: true,
        hooks_escape_tag: false,
        hooks_drop_broken_json: false,
        hooks_tell_start_block: true,
        session_in_messages: false,
        mcp_cap: 2048,
        mcp_deferred: false,
        mcp_managed_always: false,
        styles_sorted: false,
        bare_has_git_status: true,
        git_status_trimmed: true,
        prompt_files_add: false,
        tools: Tools::OLDEST,
        agents: AgentBehaviour::OLDEST,
        models: Models::OLDEST,
        counting: Counting::OLDEST,
        resume: Resume::OLDEST,
        rules_see_nested: false,
        rules_see_program_names: false,
        rules_see_quoted: false,
        read_denies_bind_writes: false,
        relative_denies_in_directories: false,
        timeout_reads: false,
        star_in_directories: false,
        first_assignment_asks: false,
        read_only_options_tight: false,
        accept_edits_plain: false,
        own_variables_told: true,
        local_grants_need_git: true,
        project_bypass_ignored: false,
        managed_rules_bind_flags: false,
        invalid_pattern_breaks: true,
    };
}
