//! The change points: which behaviour changed at which published version.
//!
//! Each was found by binary search between published versions and confirmed on both
//! neighbours; numbers are those of the project's notes on versions.

use super::{Behaviour, Comments, LinkedFiles, Repeats, RuleOrder, TabbedYaml, Version};

/// One change of behaviour.
#[derive(Clone, Copy, Debug)]
pub struct Change {
    /// The first published version with the new behaviour.
    pub from: Version,
    /// The number under which the change was recorded.
    pub fact: &'static str,
    /// What changed, as a sentence.
    pub what: &'static str,
    /// Applies the change.
    pub(super) apply: fn(&mut Behaviour),
}

const fn change(
    version: (u16, u16, u16),
    fact: &'static str,
    what: &'static str,
    apply: fn(&mut Behaviour),
) -> Change {
    Change {
        from: Version::new(version.0, version.1, version.2),
        fact,
        what,
        apply,
    }
}

/// Every change point, oldest first.
pub const CHANGES: &[Change] = &[
    change(
        (2, 1, 2),
        "37",
        "imports must have a known extension",
        |b| {
            b.extensions_checked = true;
        },
    ),
    change(
        (2, 1, 20),
        "36",
        "added directories give instruction files when the switch is set",
        |b| {
            b.added_dirs = true;
        },
    ),
    change(
        (2, 1, 41),
        "35",
        "`#` and what follows is cut off an import path",
        |b| {
            b.fragment_cut = true;
        },
    ),
    change((2, 1, 48), "34", "claudeMdExcludes has an effect", |b| {
        b.excludes = true;
    }),
    change((2, 1, 59), "33", "MEMORY.md is delivered by default", |b| {
        b.memory_by_default = true;
    }),
    change(
        (2, 1, 64),
        "30",
        "reads load nested files and matching rules in print mode",
        |b| {
            b.lazy = true;
        },
    ),
    // 2.1.65 and 2.1.66 were not published.
    change(
        (2, 1, 67),
        "30",
        "reads load nothing in print mode (a step back)",
        |b| {
            b.lazy = false;
        },
    ),
    change(
        (2, 1, 69),
        "30",
        "reads load nested files and matching rules in print mode",
        |b| {
            b.lazy = true;
        },
    ),
    change(
        (2, 1, 69),
        "32",
        "a nested worktree skips project files of its main checkout",
        |b| {
            b.nested_worktree_skips = true;
        },
    ),
    change((2, 1, 72), "29", "block comments are removed", |b| {
        b.comments = Comments::Rebuilt;
    }),
    change(
        (2, 1, 75),
        "29b",
        "a second read does not repeat what the first delivered",
        |b| {
            b.repeats = Repeats::Startup;
        },
    ),
    change((2, 1, 79), "28", "startup texts are trimmed", |b| {
        b.trimmed = true;
    }),
    change(
        (2, 1, 84),
        "27b",
        "`paths:` lists of several items work",
        |b| {
            b.path_lists = true;
        },
    ),
    change(
        (2, 1, 105),
        "27",
        "added directories give their CLAUDE.local.md",
        |b| {
            b.added_dirs_local = true;
        },
    ),
    change(
        (2, 1, 113),
        "26",
        "rules come in directory-listing order",
        |b| {
            b.rule_order = RuleOrder::Listing;
        },
    ),
    change((2, 1, 113), "20b", "of a repeated key the last wins", |b| {
        b.repeated_keys = true;
    }),
    change(
        (2, 1, 113),
        "20",
        "a tab-indented line does not break front matter",
        |b| {
            b.tabbed_yaml = TabbedYaml::Tolerated;
        },
    ),
    change(
        (2, 1, 136),
        "25",
        "managed files have a label of their own",
        |b| {
            b.managed_label = true;
        },
    ),
    change(
        (2, 1, 139),
        "24",
        "the managed setting claudeMd is delivered",
        |b| {
            b.managed_text = true;
        },
    ),
    change((2, 1, 142), "23", "duplicates are told by real path", |b| {
        b.duplicates_by_real_path = true;
    }),
    change(
        (2, 1, 149),
        "22",
        "the disabling switch also stops nested files",
        |b| {
            b.disable_stops_lazy = true;
        },
    ),
    change(
        (2, 1, 157),
        "21",
        "autoMemoryDirectory counts in project settings",
        |b| {
            b.memory_dir_of_project = true;
        },
    ),
    change(
        (2, 1, 181),
        "20",
        "a tab-indented line breaks front matter",
        |b| {
            b.tabbed_yaml = TabbedYaml::Broken;
        },
    ),
    change(
        (2, 1, 198),
        "55",
        "a linked worktree may be named by a relative path",
        |b| {
            b.relative_worktrees = true;
        },
    ),
    change(
        (2, 1, 198),
        "56",
        "an absolute import with a slash at its end keeps the file out",
        |b| {
            b.slash_considers = true;
        },
    ),
    // The change point was not searched.
    change(
        (2, 1, 198),
        "NEW-10",
        "fewer options of `file` and `which` need no permission rule",
        |b| {
            b.read_only_options_tight = true;
        },
    ),
    // The change point was not searched.
    change(
        (2, 1, 198),
        "NEW-11",
        "relative patterns of deny rules hold in every directory of the session",
        |b| {
            b.relative_denies_in_directories = true;
        },
    ),
    change(
        // The change point was not searched.
        (2, 1, 198),
        "NEW-8",
        "a managed-mcp.json that is not JSON still keeps all other MCP servers out",
        |b| {
            b.mcp_managed_always = true;
        },
    ),
    change(
        (2, 1, 198),
        "C2",
        "agents as in 2.1.332: hooks and MCP servers in trusted folders only, no bypassPermissions, fork, a skill once (change points not searched)",
        |b| {
            // Change point not searched.
            b.agents.trusted_only = true;
            b.agents.more_artifact_tools = true;
            b.agents.no_bypass = true;
            b.agents.auto_mode = true;
            b.agents.forks = true;
            b.agents.skills_once = true;
            b.agents.needs_tool = true;
            b.agents.own_model_first = true;
        },
    ),
    change(
        (2, 1, 198),
        "NEW-A15",
        "sub-agents run in the background with fewer tools, Explore with the parent's model",
        |b| {
            b.agents.background = true;
        },
    ),
    change(
        (2, 1, 199),
        "1",
        "a failed read of a missing file loads what waits for it",
        |b| {
            b.reads_of_missing = true;
        },
    ),
    change(
        (2, 1, 199),
        "NEW-4",
        "a SessionStart hook that blocks is not told to the model",
        |b| {
            b.hooks_tell_start_block = false;
        },
    ),
    change(
        (2, 1, 200),
        "NEW-1",
        "in an untrusted folder local settings grant outside git too",
        |b| {
            b.local_grants_need_git = false;
        },
    ),
    change(
        (2, 1, 207),
        "52",
        "a pattern that is no regular expression counts for nothing",
        |b| {
            b.invalid_pattern_breaks = false;
        },
    ),
    change(
        (2, 1, 210),
        "65",
        "a positional argument that a skill's call does not give stays in the text as written",
        |b| {
            b.missing_arguments_stay = true;
        },
    ),
    change(
        (2, 1, 211),
        "2",
        "nested rules and conditional project rules follow --setting-sources on a read",
        |b| {
            b.lazy_rules_follow_sources = true;
        },
    ),
    // 2.1.212 and 2.1.213 were not tried.
    change(
        (2, 1, 214),
        "NEW-2",
        "allowManagedPermissionRulesOnly takes away --allowedTools",
        |b| {
            b.managed_rules_bind_flags = true;
        },
    ),
    change(
        (2, 1, 216),
        "60",
        "of skills and commands of one name the first is listed, not all",
        |b| {
            b.catalog_unique = true;
        },
    ),
    change(
        (2, 1, 217),
        "C2.23",
        "sub-agents start no others (a step back)",
        |b| {
            b.agents.levels = 0;
        },
    ),
    change(
        (2, 1, 218),
        "61",
        "disable-model-invocation: yes counts",
        |b| {
            b.catalog_yes = true;
        },
    ),
    change(
        (2, 1, 218),
        "NEW-A3",
        "names of agents with a colon are refused",
        |b| {
            b.agents.plain_names = true;
        },
    ),
    change(
        (2, 1, 222),
        "NEW-2",
        "`opus` and the default model are claude-opus-5 (2.1.218: claude-opus-4-8)",
        |b| {
            b.models.opus = "claude-opus-5";
        },
    ),
    change(
        (2, 1, 222),
        "C2.23",
        "two levels of sub-agents may start others (2.1.218: none)",
        |b| {
            b.agents.levels = 2;
        },
    ),
    change(
        (2, 1, 222),
        "C2.9",
        "effort of an agent counts (2.1.218: ignored)",
        |b| {
            b.agents.effort = true;
        },
    ),
    change(
        (2, 1, 227),
        "50",
        "a read in a nested worktree skips rules of its main checkout",
        |b| {
            b.nested_worktree_skips_rules = true;
        },
    ),
    // 2.1.228 was not tried.
    change(
        (2, 1, 229),
        "NEW-3",
        "Read denies bind Write and Edit",
        |b| {
            b.read_denies_bind_writes = true;
        },
    ),
    change(
        (2, 1, 232),
        "3",
        "linked rules and imports are judged by their real path",
        |b| {
            b.linked_files = LinkedFiles::ByTargetButClaudeFolder;
        },
    ),
    change(
        (2, 1, 239),
        "5",
        "excludes test the link path of a linked rule too",
        |b| {
            b.excludes_test_link = true;
        },
    ),
    change(
        (2, 1, 239),
        "6",
        "front matter is recognised behind a byte-order mark",
        |b| {
            b.front_matter_behind_bom = true;
        },
    ),
    change(
        (2, 1, 239),
        "NEW-10",
        "newer models have no TaskCreate, TaskGet, TaskList and TaskUpdate (2.1.232: they have)",
        |b| {
            b.tools.task_lists = false;
        },
    ),
    change(
        (2, 1, 243),
        "NEW-A4",
        "a wrong --agents ends the client (2.1.240: counts for nothing)",
        |b| {
            b.agents.flag_checked = true;
        },
    ),
    change(
        (2, 1, 246),
        "53",
        "env of project and local settings cannot set CLAUDE_CONFIG_DIR or CLAUDE_CODE_SIMPLE",
        |b| {
            b.project_env_limited = true;
        },
    ),
    change(
        (2, 1, 248),
        "NEW-4",
        "what a hook prints as an object that is no JSON is not sent (2.1.246: sent as text)",
        |b| {
            b.hooks_drop_broken_json = true;
        },
    ),
    change(
        (2, 1, 248),
        "NEW-10",
        "there is a tool ListAgents (2.1.246: none)",
        |b| {
            b.tools.list_agents = true;
        },
    ),
    change(
        (2, 1, 265),
        "NEW-2",
        "`fable` is claude-fable-5-1 (2.1.248: claude-fable-5)",
        |b| {
            b.models.fable = "claude-fable-5-1";
        },
    ),
    change(
        (2, 1, 265),
        "NEW-6",
        "a hook of the wrong form voids itself only (2.1.248: the settings file)",
        |b| {
            b.hooks_void_settings = false;
        },
    ),
    // 2.1.249 to 2.1.264 were not tried.
    change(
        (2, 1, 265),
        "NEW-4",
        "permission rules see commands in groups and substitutions, and more readers",
        |b| {
            b.rules_see_nested = true;
        },
    ),
    change(
        (2, 1, 265),
        "NEW-8",
        "settings of a project cannot choose bypassPermissions",
        |b| {
            b.project_bypass_ignored = true;
        },
    ),
    change(
        (2, 1, 265),
        "NEW-A8",
        "an agent with wrong hooks is left out (2.1.248: listed)",
        |b| {
            b.agents.hooks_checked = true;
        },
    ),
    change((2, 1, 268), "7", "the memory cut notice names lines", |b| {
        b.memory_notice_lines = true;
    }),
    change(
        (2, 1, 281),
        "8",
        "AGENTS.md is read where no CLAUDE.md is",
        |b| {
            b.agents_file = true;
        },
    ),
    change(
        (2, 1, 281),
        "9",
        "a read does not repeat what startup delivered",
        |b| {
            b.repeats = Repeats::Nothing;
        },
    ),
    change(
        (2, 1, 281),
        "NEW-2",
        "`opus` and the default model are claude-opus-5-5 (2.1.265: claude-opus-5)",
        |b| {
            b.models.opus = "claude-opus-5-5";
        },
    ),
    change(
        (2, 1, 281),
        "C5.1",
        "environment, output style, language and git status stand in messages (2.1.265: in the system prompt)",
        |b| {
            b.session_in_messages = true;
        },
    ),
    change(
        (2, 1, 281),
        "NEW-10",
        "there is no tool TaskOutput (2.1.265: there is)",
        |b| {
            b.tools.task_output = false;
        },
    ),
    change(
        (2, 1, 281),
        "C2.20",
        "a sub-agent's environment is in the system message, git status apart (2.1.265: in the system prompt)",
        |b| {
            b.agents.parts_apart = true;
        },
    ),
    change(
        (2, 1, 281),
        "NEW-A4",
        "an agent of --agents may have an empty prompt (2.1.265: refused)",
        |b| {
            b.agents.flag_prompt_empty = true;
        },
    ),
    change(
        (2, 1, 284),
        "4",
        "rules below a linked .claude folder are judged by their real path",
        |b| {
            b.linked_files = LinkedFiles::ByTarget;
        },
    ),
    change((2, 1, 284), "NEW-2", "`sonnet` is claude-sonnet-5-5", |b| {
        b.models.sonnet = "claude-sonnet-5-5";
    }),
    change(
        (2, 1, 285),
        "8",
        "the plugin switch turns AGENTS.md off",
        |b| {
            b.agents_switch = true;
        },
    ),
    change(
        (2, 1, 285),
        "NEW-3",
        "newer models have a window of 1,000,000 tokens without `[1m]`",
        |b| {
            b.models.newer_are_wide = true;
            b.models.default_is_wide = false;
        },
    ),
    change(
        (2, 1, 285),
        "NEW-5",
        "deny rules see programs named with their folder, and through quotes",
        |b| {
            b.rules_see_program_names = true;
            b.rules_see_quoted = true;
        },
    ),
    change(
        (2, 1, 286),
        "57",
        "--bare loads nothing at the start, with --add-dir too",
        |b| {
            b.added_dirs_spare_start = false;
        },
    ),
    change(
        (2, 1, 286),
        "62",
        "the listing of skills gives the name of the front matter as well",
        |b| {
            b.catalog_display = true;
        },
    ),
    change(
        (2, 1, 286),
        "NEW-13",
        "--bare leaves git status away",
        |b| {
            b.bare_has_git_status = false;
        },
    ),
    change(
        (2, 1, 288),
        "10",
        "writing and editing load nested files",
        |b| {
            b.writes_load = true;
        },
    ),
    change(
        (2, 1, 293),
        "11",
        "Bash commands that read one file load nested files",
        |b| {
            b.bash_loads = true;
        },
    ),
    change(
        (2, 1, 294),
        "NEW-2",
        "`haiku` is claude-haiku-5-5 (2.1.290: claude-haiku-4-5)",
        |b| {
            b.models.haiku = "claude-haiku-5-5";
        },
    ),
    change(
        (2, 1, 294),
        "NEW-4",
        "the end of the client's own tag is escaped in what a hook prints (2.1.290: sent as it is)",
        |b| {
            b.hooks_escape_tag = true;
        },
    ),
    change(
        (2, 1, 294),
        "NEW-A5",
        "agents whose names are not ASCII stand last (2.1.290: by collation)",
        |b| {
            b.agents.ascii_first = true;
        },
    ),
    change(
        (2, 1, 295),
        "58",
        "autoMemoryDirectory follows --setting-sources",
        |b| {
            b.memory_directory_of_all = false;
        },
    ),
    change(
        (2, 1, 296),
        "C4.4",
        "MCP descriptions and instructions are cut at 4,096 characters, no longer at 2,048",
        |b| {
            b.mcp_cap = 4096;
        },
    ),
    change(
        (2, 1, 299),
        "64",
        "skills and commands with hidden characters or angles in their names are not listed",
        |b| {
            b.catalog_names = true;
        },
    ),
    change(
        (2, 1, 300),
        "63",
        "texts of skills are listed in one line, with entities",
        |b| {
            b.catalog_escapes = true;
        },
    ),
    change(
        (2, 1, 300),
        "NEW-11",
        "a prompt in a file and one on the command line add up (2.1.265: refused)",
        |b| {
            b.prompt_files_add = true;
        },
    ),
    change(
        (2, 1, 304),
        "C4.1",
        "MCP tools are deferred by default (2.1.300: sent with their schemas)",
        |b| {
            b.mcp_deferred = true;
        },
    ),
    change(
        (2, 1, 304),
        "C4.1",
        "tools of sub-agents are deferred (2.1.300: sent whole)",
        |b| {
            b.agents.defers = true;
        },
    ),
    change(
        (2, 1, 307),
        "51",
        "the client's own tag is escaped in texts that a read loads",
        |b| {
            b.reads_escape_tag = true;
        },
    ),
    change(
        (2, 1, 309),
        "NEW-6",
        "acceptEdits lets commands run by themselves only",
        |b| {
            b.accept_edits_plain = true;
        },
    ),
    // 2.1.310 to 2.1.314 were not tried.
    change(
        (2, 1, 315),
        "NEW-9",
        "the value of a variable that a command sets itself is not taken",
        |b| {
            b.own_variables_told = false;
        },
    ),
    change(
        (2, 1, 316),
        "NEW-10",
        "there is a deferred tool Monitor (2.1.309: none)",
        |b| {
            b.tools.monitor = true;
        },
    ),
    change(
        (2, 1, 323),
        "NEW-2",
        "`fable` is claude-fable-5-2 (2.1.316: claude-fable-5-1)",
        |b| {
            b.models.fable = "claude-fable-5-2";
        },
    ),
    change(
        (2, 1, 323),
        "NEW-3",
        "models of unknown names have a window of 1,000,000 tokens (2.1.316: 200,000)",
        |b| {
            b.models.unknown_are_wide = true;
        },
    ),
    change(
        (2, 1, 323),
        "C8.1",
        "git status keeps the blank at its beginning (2.1.316: trimmed)",
        |b| {
            b.git_status_trimmed = false;
        },
    ),
    // 2.1.317 to 2.1.322 were not tried.
    change(
        (2, 1, 323),
        "NEW-7",
        "what `timeout N` runs needs no rule where it changes nothing",
        |b| {
            b.timeout_reads = true;
        },
    ),
    change(
        (2, 1, 327),
        "59",
        "files of an --add-dir that is given as a relative path are named by their full paths",
        |b| {
            b.added_dirs_by_relative_name = false;
        },
    ),
    change(
        (2, 1, 330),
        "12",
        "removing comments keeps link reference definitions and line ends",
        |b| {
            b.comments = Comments::Removed;
        },
    ),
    change(
        (2, 1, 330),
        "NEW-11",
        "of output styles of one name in one folder the last by name is taken",
        |b| {
            b.styles_sorted = true;
        },
    ),
    change(
        (2, 1, 330),
        "NEW-A7",
        "of agents of one name in a folder the last by path counts",
        |b| {
            b.agents.sorted_files = true;
        },
    ),
    change(
        (2, 1, 331),
        "54",
        "lines of a block quote without `>` are no blocks of their own",
        |b| {
            b.lazy_lines_are_blocks = false;
        },
    ),
];
