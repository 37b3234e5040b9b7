//! Forms of real set-ups in which something is found, with its rule and level: what the survey of
//! public repositories asks of a linter.

use outcrop_loader::lint::Severity::{self, Error, Info, Warning};

use super::Files;

/// A name, the rule and level, and the files of a set-up.
type Told = (&'static str, &'static str, Severity, Files);

const TS: (&str, &str) = ("src/index.ts", "export {};\n");

pub(super) const FORMS: &[Told] = &[
    (
        "an import of a rule that loads by itself",
        "L106",
        Info,
        &[
            ("CLAUDE.md", "@.claude/rules/a.md\n"),
            (".claude/rules/a.md", "A.\n"),
        ],
    ),
    (
        "a personal file that git does not ignore",
        "L406",
        Info,
        &[
            ("CLAUDE.local.md", "Mine.\n"),
            (".git/HEAD", "ref: refs/heads/main\n"),
        ],
    ),
    (
        "a home path in a shared file",
        "L114",
        Info,
        &[
            ("CLAUDE.md", "@~/.claude/notes.md\n"),
            ("~/.claude/notes.md", "A.\n"),
            (".git/HEAD", "ref: refs/heads/main\n"),
        ],
    ),
    (
        "a README among rules",
        "L208",
        Info,
        &[(
            ".claude/rules/README.md",
            "# Our rules\n\nOne file a subject.\n",
        )],
    ),
    (
        "a nested AGENTS.md that nobody imports",
        "L116",
        Info,
        &[
            ("CLAUDE.md", "Use pnpm.\n"),
            ("api/AGENTS.md", "Errors have codes.\n"),
        ],
    ),
    (
        "a list of documents",
        "L409",
        Info,
        &[
            (
                "CLAUDE.md",
                "Read these first:\n\n- docs/a.md\n- docs/b.md\n- docs/c.md\n",
            ),
            ("docs/a.md", "a\n"),
            ("docs/b.md", "b\n"),
            ("docs/c.md", "c\n"),
        ],
    ),
    (
        "an external import that nobody approved",
        "L102",
        Info,
        &[("CLAUDE.md", "@../house.md\n"), ("../house.md", "A.\n")],
    ),
    (
        "a file above 40,000 characters",
        "L302",
        Info,
        &[(
            "CLAUDE.md",
            "900 × - Rule {n}: write a test for each change that is made here.\n",
        )],
    ),
    (
        "a broad pattern on a large rule",
        "L210",
        Warning,
        &[
            TS,
            ("src/a.ts", "\n"),
            (
                ".claude/rules/a.md",
                "---\npaths: \"**/*\"\n---\n400 × - Rule {n}: write a test for each change that is made here.\n",
            ),
        ],
    ),
    (
        "the same text twice",
        "L305",
        Info,
        &[
            (
                "CLAUDE.md",
                "40 × - Rule {n}: write a test for each change that is made here.\n",
            ),
            (
                ".claude/rules/a.md",
                "40 × - Rule {n}: write a test for each change that is made here.\n",
            ),
        ],
    ),
    (
        "a negated pattern",
        "L211",
        Info,
        &[
            TS,
            ("src/a.ts", "\n"),
            (
                ".claude/rules/a.md",
                "---\npaths:\n  - \"src/*.ts\"\n  - \"!src/index.ts\"\n---\nA.\n",
            ),
        ],
    ),
    (
        "a pattern that begins with a star, without quotes",
        "L216",
        Warning,
        &[TS, (".claude/rules/a.md", "---\npaths: **/*.ts\n---\nA.\n")],
    ),
    (
        "a key of another tool",
        "L203",
        Warning,
        &[
            TS,
            (".claude/rules/a.md", "---\nglobs: \"src/**\"\n---\nA.\n"),
        ],
    ),
    (
        "empty paths",
        "L205",
        Warning,
        &[TS, (".claude/rules/a.md", "---\npaths: []\n---\nA.\n")],
    ),
    (
        "front matter that is not on the first line",
        "L213",
        Warning,
        &[
            TS,
            (
                ".claude/rules/a.md",
                "# A\n\n---\npaths: \"src/**\"\n---\nA.\n",
            ),
        ],
    ),
    (
        "front matter that is not closed",
        "L214",
        Warning,
        &[TS, (".claude/rules/a.md", "---\npaths: \"src/**\"\n\nA.\n")],
    ),
    (
        "a tab in front matter",
        "L215",
        Warning,
        &[
            TS,
            (
                ".claude/rules/a.md",
                "---\npaths:\n\t- \"src/**\"\n---\nA.\n",
            ),
        ],
    ),
    (
        "punctuation behind an import",
        "L107",
        Warning,
        &[("CLAUDE.md", "@docs/a.md: names\n"), ("docs/a.md", "a\n")],
    ),
    (
        "a space in the path of an import",
        "L108",
        Warning,
        &[("CLAUDE.md", "@docs/a b.md\n"), ("docs/a b.md", "a\n")],
    ),
    (
        "a backslash in the path of an import",
        "L109",
        Warning,
        &[("CLAUDE.md", "@docs\\a.md\n"), ("docs/a.md", "a\n")],
    ),
    (
        "an import in other letters",
        "L110",
        Warning,
        &[("CLAUDE.md", "@docs/A.md\n"), ("docs/a.md", "a\n")],
    ),
    (
        "an instruction file in other letters",
        "L117",
        Warning,
        &[("claude.md", "Use pnpm.\n")],
    ),
    (
        "a link that was checked out as text",
        "L120",
        Warning,
        &[("CLAUDE.md", "AGENTS.md"), ("AGENTS.md", "Use pnpm.\n")],
    ),
    (
        "an open fence with an import below",
        "L121",
        Warning,
        &[
            ("CLAUDE.md", "```sh\nmake\n\n@docs/a.md\n"),
            ("docs/a.md", "a\n"),
        ],
    ),
    (
        "a memory index of more than 200 lines",
        "L304",
        Warning,
        &[(
            "~/.claude/projects/-home-dev-shop/memory/MEMORY.md",
            "230 × - Note {n}\n",
        )],
    ),
    (
        "an exclude that matches nothing",
        "L118",
        Warning,
        &[
            ("CLAUDE.md", "Use pnpm.\n"),
            (
                ".claude/settings.json",
                "{\"claudeMdExcludes\": [\"vendor/CLAUDE.md\"]}\n",
            ),
        ],
    ),
    (
        "an import of a file that does not exist",
        "L101",
        Error,
        &[("CLAUDE.md", "@docs/gone.md\n")],
    ),
    (
        "an import beyond the last hop",
        "L103",
        Error,
        &[
            ("CLAUDE.md", "@a.md\n"),
            ("a.md", "@b.md\n"),
            ("b.md", "@c.md\n"),
            ("c.md", "@d.md\n"),
            ("d.md", "@e.md\n"),
            ("e.md", "Too far.\n"),
        ],
    ),
    (
        "paths of the wrong type",
        "L202",
        Error,
        &[TS, (".claude/rules/a.md", "---\npaths: 3\n---\nA.\n")],
    ),
];
