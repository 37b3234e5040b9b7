//! Settings, agents, skills and hooks.

use super::Form;

pub(super) const FORMS: &[Form] = &[
    (
        "settings as many projects have them",
        &[(
            ".claude/settings.json",
            r##"{
  "$schema": "https://json.schemastore.org/claude-code-settings.json",
  "permissions": {
    "allow": ["Bash(npm test *)", "Bash(npm run lint)", "Bash(gh pr view:*)", "WebFetch(domain:docs.example)", "mcp__github__*", "Read(//tmp/**)", "Skill(pdf)", "Agent(reviewer)", "Bash(rm:*)", "Edit", "Write", "Bash(npm run test:unit)"],
    "ask": ["Bash(git push:*)"],
    "deny": ["Read(./.env)", "Read(.env.*)", "Read(./secrets/**)", "Bash(rm -rf *)", "Bash(sudo:*)", "Edit(.env)", "Read(~/.ssh/**)", "WebFetch"],
    "additionalDirectories": ["../docs"],
    "defaultMode": "acceptEdits",
    "disableBypassPermissionsMode": "disable"
  },
  "env": {"BASH_DEFAULT_TIMEOUT_MS": "60000"},
  "enabledPlugins": {"review@shop": true},
  "includeCoAuthoredBy": false,
  "cleanupPeriodDays": 30,
  "model": "opus",
  "outputStyle": "default",
  "alwaysThinkingEnabled": true,
  "modelOverrides": {},
  "enableAllProjectMcpServers": true,
  "statusLine": {"type": "command", "command": "~/.claude/statusline.sh"}
}
"##,
        )],
    ),
    (
        "hooks as many projects have them",
        &[
            (
                ".claude/settings.json",
                r##"{
  "hooks": {
    "PreToolUse": [
      {"matcher": "Bash", "hooks": [{"type": "command", "command": "\"$CLAUDE_PROJECT_DIR\"/.claude/hooks/guard.sh", "timeout": 5}]}
    ],
    "PostToolUse": [
      {"matcher": "Edit|Write|MultiEdit", "hooks": [{"type": "command", "command": "npx prettier --write \"$CLAUDE_FILE_PATHS\" 2>/dev/null || true"}]},
      {"matcher": "Write|Edit", "hooks": [{"type": "command", "command": "jq -r .tool_input.file_path | { read f; npx tsc --noEmit; }"}]},
      {"matcher": "mcp__.*__write.*", "hooks": [{"type": "command", "command": "python3 \"$CLAUDE_PROJECT_DIR/.claude/hooks/check.py\""}]}
    ],
    "Notification": [{"matcher": "", "hooks": [{"type": "command", "command": "notify-send x"}]}],
    "Stop": [{"matcher": "*", "hooks": [{"type": "prompt", "prompt": "Are the tests green?"}]}],
    "SessionStart": [{"matcher": "startup|resume", "hooks": [{"type": "command", "command": "git status --short"}]}],
    "UserPromptSubmit": [{"hooks": [{"type": "command", "command": "cat .claude/reminder.md"}]}],
    "PreCompact": [{"matcher": "auto", "hooks": [{"type": "command", "command": "bash .claude/hooks/guard.sh"}]}]
  }
}
"##,
            ),
            (
                ".claude/hooks/guard.sh",
                r##"exit 0
"##,
            ),
            (
                ".claude/hooks/check.py",
                r##"
"##,
            ),
            (
                ".claude/reminder.md",
                r##"Run the tests.
"##,
            ),
        ],
    ),
    (
        "agents, skills and commands with keys of many tools",
        &[
            (
                ".claude/agents/reviewer.md",
                r##"---
name: reviewer
description: "Use PROACTIVELY after changes. <example>user: 'check this'</example>"
tools: Read, Write, Edit, Bash, Glob, Grep, WebFetch, TodoWrite, Task, AskUserQuestion, mcp__docs__find
model: sonnet
color: purple
skills: pdf
memory: project
category: quality
---

Review.
"##,
            ),
            (
                ".claude/agents/README.md",
                r##"# Our agents
"##,
            ),
            (
                ".claude/skills/pdf/SKILL.md",
                r##"---
name: pdf-tools
description: >
  Works with PDF files: merge, split, fill. Use when the user
  mentions PDFs.
license: MIT
allowed-tools: [Read, Bash]
metadata:
  version: 1
---
# PDF

See [forms](references/forms.md), `@references/forms.md` and mail a@b.example.
"##,
            ),
            (
                ".claude/skills/pdf/references/forms.md",
                r##"Forms.
"##,
            ),
            (
                ".claude/commands/git/commit.md",
                r##"---
allowed-tools: Bash(git add:*), Bash(git status:*)
description: Make a commit
argument-hint: [message]
---
State: !`git status`
"##,
            ),
            (
                ".claude/commands/review.md",
                r##"Review $ARGUMENTS
"##,
            ),
            (
                ".mcp.json",
                r##"{"mcpServers": {"github": {"type": "http", "url": "https://mcp.example"}, "docs": {"command": "npx", "args": ["-y", "docs"]}}}
"##,
            ),
        ],
    ),
];
