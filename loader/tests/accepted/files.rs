//! Instruction files, rules and what they import.

use super::Form;

const TS: (&str, &str) = ("src/index.ts", "export {};\n");

pub(super) const FORMS: &[Form] = &[
    (
        "a rule without front matter",
        &[(".claude/rules/a.md", "# Tests\n\nUse pytest.\n")],
    ),
    (
        "keys that are common and harmless",
        &[(
            ".claude/rules/a.md",
            "---\nname: a\ndescription: Front end, with care\npriority: 3\n---\nUse hooks.\n",
        )],
    ),
    (
        "paths as a list in double quotes",
        &[
            TS,
            (
                ".claude/rules/a.md",
                "---\npaths:\n  - \"src/**/*.ts\"\n  - \"src/**/*.tsx\"\n---\nA.\n",
            ),
            ("src/a.tsx", "\n"),
        ],
    ),
    (
        "paths with a trailing blank, and a list in single quotes",
        &[
            TS,
            (
                ".claude/rules/a.md",
                "---\npaths: \n  - 'src/**/*.ts'\n---\nA.\n",
            ),
        ],
    ),
    (
        "paths as one string",
        &[
            TS,
            (".claude/rules/a.md", "---\npaths: \"src/**\"\n---\nA.\n"),
        ],
    ),
    (
        "paths without quotes",
        &[
            TS,
            (".claude/rules/a.md", "---\npaths: src/**/*.ts\n---\nA.\n"),
        ],
    ),
    (
        "paths as a comma string",
        &[
            TS,
            ("lib/a.tsx", "\n"),
            (
                ".claude/rules/a.md",
                "---\npaths: \"src/**, lib/**/*.{ts,tsx}\"\n---\nA.\n",
            ),
        ],
    ),
    (
        "paths as a list in brackets",
        &[
            TS,
            (
                ".claude/rules/a.md",
                "---\npaths: [\"src/**/*.ts\"]\n---\nA.\n",
            ),
        ],
    ),
    (
        "braces in a list",
        &[
            TS,
            (
                ".claude/rules/a.md",
                "---\npaths:\n  - \"src/**/*.{ts,tsx}\"\n---\nA.\n",
            ),
        ],
    ),
    (
        "blank lines in front matter",
        &[
            TS,
            (
                ".claude/rules/a.md",
                "---\n\ndescription: A\n\npaths:\n\n  - \"src/**\"\n\n---\nA.\n",
            ),
        ],
    ),
    (
        "lines that end in CR LF",
        &[
            TS,
            (
                ".claude/rules/a.md",
                "---\r\npaths: \"src/**\"\r\n---\r\nA.\r\n",
            ),
            ("CLAUDE.md", "Use pnpm.\r\nSee @docs/a.md\r\n"),
            ("docs/a.md", "A.\r\n"),
        ],
    ),
    (
        "a thin wrapper",
        &[("CLAUDE.md", "@AGENTS.md\n"), ("AGENTS.md", "Use pnpm.\n")],
    ),
    (
        "thin wrappers at two levels",
        &[
            ("CLAUDE.md", "@AGENTS.md\n"),
            ("AGENTS.md", "Use pnpm.\n"),
            ("ui/CLAUDE.md", "@AGENTS.md\n\nMore for the interface.\n"),
            ("ui/AGENTS.md", "Use hooks.\n"),
        ],
    ),
    (
        "an entry file in the folder, with an import from above it",
        &[
            (".claude/CLAUDE.md", "@../AGENTS.md\n"),
            ("AGENTS.md", "Use pnpm.\n"),
        ],
    ),
    (
        "a link to the other tool's file",
        &[("AGENTS.md", "Use pnpm.\n"), ("CLAUDE.md", "-> AGENTS.md")],
    ),
    (
        "imports in sentences, lists and tables",
        &[
            (
                "CLAUDE.md",
                "See @docs/a.md for style and @docs/b.md for tests\n\n- @docs/c.md\n\n\
                 | what | where |\n| --- | --- |\n| style | @docs/d.md |\n",
            ),
            ("docs/a.md", "a\n"),
            ("docs/b.md", "b\n"),
            ("docs/c.md", "c\n"),
            ("docs/d.md", "d\n"),
        ],
    ),
    (
        "mentions in code",
        &[(
            "CLAUDE.md",
            "Use `@docs/x.md` and `@Injectable()`:\n\n```python\n@tool(name=\"x\")\n@app.route(\"/a.md\")\n\
             def f(): ...\n```\n\n    @indented.md\n",
        )],
    ),
    (
        "comments",
        &[(
            "CLAUDE.md",
            "<!-- old: @gone.md and [x](missing.md) -->\n\n<!--\n@also-gone.md\n-->\nUse make.\n",
        )],
    ),
    (
        "mails, handles, annotations, packages, tags",
        &[(
            "CLAUDE.md",
            "Ask dev@team.example or @octo-friend, or run `npx @scope/tool`. Mark classes with\n\
             @Entity and @RestController. Use @acme/ui-kit. Document each @param and @returns.\n\
             Mails must end in (@shop.example) only.\n",
        )],
    ),
    (
        "rules of one name in two folders",
        &[
            (".claude/rules/web/style.md", "Web.\n"),
            (".claude/rules/api/style.md", "Api.\n"),
        ],
    ),
    (
        "fences that are closed",
        &[("CLAUDE.md", "```js\nx()\n```\n\ntext\n\n~~~\ny\n~~~\n")],
    ),
    (
        "other documents with references of their own",
        &[
            ("CLAUDE.md", "Use pnpm.\n"),
            ("README.md", "Contact @team or see @docs/guide.md\n"),
            ("docs/guide.md", "See @nowhere.md\n"),
        ],
    ),
    (
        "nested files, and a rule in a nested folder",
        &[
            ("CLAUDE.md", "Use pnpm.\n"),
            ("api/CLAUDE.md", "Errors have codes.\n"),
            (
                "api/.claude/rules/sql.md",
                "---\npaths: \"db/**/*.sql\"\n---\nName each column.\n",
            ),
            ("api/db/a.sql", "select 1;\n"),
        ],
    ),
    (
        "a file that serves several tools",
        &[
            TS,
            (
                ".claude/rules/a.md",
                "---\nglobs: \"src/**\"\napplyTo: \"src/**\"\npaths: \"src/**\"\n---\nA.\n",
            ),
        ],
    ),
    (
        "files of the user and a personal file that git ignores",
        &[
            ("~/.claude/CLAUDE.md", "Answer briefly. Never push.\n"),
            ("~/.claude/rules/tone.md", "Plain words.\n"),
            ("CLAUDE.md", "Use pnpm.\n"),
            ("CLAUDE.local.md", "My database is on port 5433.\n"),
            (".gitignore", "CLAUDE.local.md\nnode_modules/\n"),
        ],
    ),
    (
        "skills, agents, settings and a memory",
        &[
            ("CLAUDE.md", "Use pnpm.\n"),
            (
                ".claude/skills/release/SKILL.md",
                "---\nname: release\ndescription: Makes a release. Use it when asked to.\n---\nTag it.\n",
            ),
            (
                ".claude/agents/reviewer.md",
                "---\nname: reviewer\ndescription: Reviews a change.\ntools: Read, Grep\nmodel: inherit\n---\nRead it all.\n",
            ),
            (
                ".claude/commands/ship.md",
                "---\ndescription: Ship it\n---\nShip $ARGUMENTS.\n",
            ),
            (
                ".claude/settings.json",
                "{\n  \"permissions\": { \"allow\": [\"Bash(npm run test:*)\"], \"deny\": [\"Read(./.env)\"] },\n  \"env\": { \"FOO\": \"1\" }\n}\n",
            ),
            (
                "~/.claude/projects/-home-dev-shop/memory/MEMORY.md",
                "- [Ports](ports.md): which service listens where\n",
            ),
            (
                "~/.claude/projects/-home-dev-shop/memory/ports.md",
                "The database is on port 5433.\n",
            ),
        ],
    ),
    (
        "other languages",
        &[(
            "CLAUDE.md",
            "# 规则\n\n绝不修改公共接口。请先运行测试。\n\n# Regeln\n\nÄndere niemals die Schnittstelle. 👩‍💻 ok\n",
        )],
    ),
];
