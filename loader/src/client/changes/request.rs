//! What changed in the other parts of the first request.

use super::{Change, change};

pub(super) const CHANGES: &[Change] = &[
    change(
        // The change point was not searched.
        (2, 1, 198),
        "fact 64",
        "a managed-mcp.json that is not JSON still keeps all other MCP servers out",
        |b| {
            b.mcp_managed_always = true;
        },
    ),
    change(
        (2, 1, 199),
        "fact 60",
        "a SessionStart hook that blocks is not told to the model",
        |b| {
            b.hooks_tell_start_block = false;
        },
    ),
    change(
        (2, 1, 222),
        "fact 58",
        "`opus` and the default model are claude-opus-5 (2.1.218: claude-opus-4-8)",
        |b| {
            b.models.opus = "claude-opus-5";
        },
    ),
    change(
        (2, 1, 239),
        "fact 66",
        "newer models have no TaskCreate, TaskGet, TaskList and TaskUpdate (2.1.232: they have)",
        |b| {
            b.tools.task_lists = false;
        },
    ),
    change(
        (2, 1, 248),
        "fact 60",
        "what a hook prints as an object that is no JSON is not sent (2.1.246: sent as text)",
        |b| {
            b.hooks_drop_broken_json = true;
        },
    ),
    change(
        (2, 1, 248),
        "fact 66",
        "there is a tool ListAgents (2.1.246: none)",
        |b| {
            b.tools.list_agents = true;
        },
    ),
    change(
        (2, 1, 265),
        "fact 58",
        "`fable` is claude-fable-5-1 (2.1.248: claude-fable-5)",
        |b| {
            b.models.fable = "claude-fable-5-1";
        },
    ),
    change(
        (2, 1, 265),
        "fact 62",
        "a hook of the wrong form voids itself only (2.1.248: the settings file)",
        |b| {
            b.hooks_void_settings = false;
        },
    ),
    change(
        (2, 1, 268),
        "C5.1",
        "environment, output style, language and git status stand in messages (2.1.267: in the system prompt)",
        |b| {
            b.session_in_messages = true;
        },
    ),
    change(
        (2, 1, 281),
        "fact 58",
        "`opus` and the default model are claude-opus-5-5 (2.1.265: claude-opus-5)",
        |b| {
            b.models.opus = "claude-opus-5-5";
        },
    ),
    change(
        (2, 1, 281),
        "fact 66",
        "there is no tool TaskOutput (2.1.265: there is)",
        |b| {
            b.tools.task_output = false;
        },
    ),
    change(
        (2, 1, 284),
        "fact 58",
        "`sonnet` is claude-sonnet-5-5",
        |b| {
            b.models.sonnet = "claude-sonnet-5-5";
        },
    ),
    change(
        (2, 1, 285),
        "fact 59",
        "newer models have a window of 1,000,000 tokens without `[1m]`",
        |b| {
            b.models.newer_are_wide = true;
            b.models.default_is_wide = false;
        },
    ),
    change(
        (2, 1, 286),
        "fact 69",
        "--bare leaves git status away",
        |b| {
            b.bare_has_git_status = false;
        },
    ),
    change(
        (2, 1, 294),
        "fact 58",
        "`haiku` is claude-haiku-5-5 (2.1.290: claude-haiku-4-5)",
        |b| {
            b.models.haiku = "claude-haiku-5-5";
        },
    ),
    change(
        (2, 1, 294),
        "fact 60",
        "the end of the client's own tag is escaped in what a hook prints (2.1.290: sent as it is)",
        |b| {
            b.hooks_escape_tag = true;
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
        (2, 1, 300),
        "fact 67",
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
        (2, 1, 316),
        "fact 66",
        "there is a deferred tool Monitor (2.1.309: none)",
        |b| {
            b.tools.monitor = true;
        },
    ),
    change(
        (2, 1, 323),
        "fact 58",
        "`fable` is claude-fable-5-2 (2.1.316: claude-fable-5-1)",
        |b| {
            b.models.fable = "claude-fable-5-2";
        },
    ),
    change(
        (2, 1, 323),
        "fact 59",
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
    change(
        (2, 1, 330),
        "fact 67",
        "of output styles of one name in one folder the last by name is taken",
        |b| {
            b.styles_sorted = true;
        },
    ),
];
