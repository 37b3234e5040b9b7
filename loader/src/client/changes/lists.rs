//! What changed in the lists of skills, commands and agents, and in sub-agents.

use super::{Change, change};

pub(super) const CHANGES: &[Change] = &[
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
        "fact 84",
        "sub-agents run in the background with fewer tools, Explore with the parent's model",
        |b| {
            b.agents.background = true;
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
        "fact 72",
        "names of agents with a colon are refused",
        |b| {
            b.agents.plain_names = true;
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
        (2, 1, 243),
        "fact 73",
        "a wrong --agents ends the client (2.1.240: counts for nothing)",
        |b| {
            b.agents.flag_checked = true;
        },
    ),
    change(
        (2, 1, 265),
        "fact 77",
        "an agent with wrong hooks is left out (2.1.248: listed)",
        |b| {
            b.agents.hooks_checked = true;
        },
    ),
    change(
        (2, 1, 268),
        "C2.20",
        "a sub-agent's environment is in the system message, git status apart (2.1.267: in the system prompt)",
        |b| {
            b.agents.parts_apart = true;
        },
    ),
    change(
        (2, 1, 281),
        "fact 73",
        "an agent of --agents may have an empty prompt (2.1.265: refused)",
        |b| {
            b.agents.flag_prompt_empty = true;
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
        (2, 1, 294),
        "fact 74",
        "agents whose names are not ASCII stand last (2.1.290: by collation)",
        |b| {
            b.agents.ascii_first = true;
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
        (2, 1, 304),
        "C4.1",
        "tools of sub-agents are deferred (2.1.300: sent whole)",
        |b| {
            b.agents.defers = true;
        },
    ),
    change(
        (2, 1, 330),
        "fact 76",
        "of agents of one name in a folder the last by path counts",
        |b| {
            b.agents.sorted_files = true;
        },
    ),
];
