//! What changed in the loading of instruction files and memory.

use super::{Change, change};
use crate::client::{Comments, LinkedFiles, Repeats, RuleOrder, TabbedYaml};

pub(super) const CHANGES: &[Change] = &[
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
    change(
        (2, 1, 199),
        "1",
        "a failed read of a missing file loads what waits for it",
        |b| {
            b.reads_of_missing = true;
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
        (2, 1, 211),
        "2",
        "nested rules and conditional project rules follow --setting-sources on a read",
        |b| {
            b.lazy_rules_follow_sources = true;
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
        (2, 1, 246),
        "53",
        "env of project and local settings cannot set CLAUDE_CONFIG_DIR or CLAUDE_CODE_SIMPLE",
        |b| {
            b.project_env_limited = true;
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
        (2, 1, 284),
        "4",
        "rules below a linked .claude folder are judged by their real path",
        |b| {
            b.linked_files = LinkedFiles::ByTarget;
        },
    ),
    change(
        (2, 1, 285),
        "8",
        "the plugin switch turns AGENTS.md off",
        |b| {
            b.agents_switch = true;
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
        (2, 1, 295),
        "58",
        "autoMemoryDirectory follows --setting-sources",
        |b| {
            b.memory_directory_of_all = false;
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
        (2, 1, 331),
        "54",
        "lines of a block quote without `>` are no blocks of their own",
        |b| {
            b.lazy_lines_are_blocks = false;
        },
    ),
];
