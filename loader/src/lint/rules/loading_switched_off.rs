//! L125: switches that turn instruction files off.

use super::prelude::*;

pub(in crate::lint) static RULE: Rule = Rule {
    id: "L125",
    name: "loading-switched-off",
    severity: Severity::Info,
    summary: "A setting or variable keeps instruction files out.",
    page: Page {
        what: "Looks for variables, settings and flags that turn all instruction files or `AGENTS.md` \
               off, where there are files that would load without them.",
        why: "Nothing in a session tells that such a switch is on. Where it turns instruction files \
              off, Outcrop has nothing to look at either, and finds nothing else.",
        instead: "Take the switch out where it is not meant, or keep it in the personal settings.",
        drawbacks: "A switch is mostly turned on purpose.",
        evidence: "Facts 1.16, 7.5 and 20.",
        since: "0.1.0",
    },
    bad: &[
        Example {
            title: "all instruction files",
            files: &[
                ("CLAUDE.md", "Use pnpm.\n"),
                (
                    ".claude/settings.json",
                    "{\n  \"env\": {\n    \"CLAUDE_CODE_DISABLE_CLAUDE_MDS\": \"1\"\n  }\n}\n",
                ),
            ],
            fixed: &[],
        },
        Example {
            title: "`AGENTS.md`",
            files: &[
                ("AGENTS.md", "Use pnpm.\n"),
                (
                    ".claude/settings.json",
                    "{\n  \"enabledPlugins\": {\n    \"cc-plugin-agents-md@builtin\": false\n  }\n}\n",
                ),
            ],
            fixed: &[],
        },
    ],
    good: &[Example {
        title: "nothing that would load, and a switch that is off",
        files: &[
            ("CLAUDE.md", "Use pnpm.\n"),
            (
                ".claude/settings.json",
                "{\"enabledPlugins\": {\"cc-plugin-agents-md@builtin\": false}, \
                 \"env\": {\"CLAUDE_CODE_DISABLE_CLAUDE_MDS\": \"0\"}}\n",
            ),
        ],
        fixed: &[],
    }],
    check,
};

fn check(subject: &Subject<'_, '_>, report: &mut Report<'_, '_>) {
    let switches = &subject.session.world().switches;
    let kinds = [
        (
            "switched-off",
            switches.instructions_off.as_ref(),
            "instruction files",
        ),
        (
            "agents-switched-off",
            switches.agents_off.as_ref(),
            "`AGENTS.md` files",
        ),
    ];
    for (case, switch, what) in kinds {
        let mut out = subject.skips.iter().filter(|skip| skip.case == case);
        let (Some(switch), Some(first)) = (switch, out.next()) else {
            continue;
        };
        let more = out.count();
        let named = subject.name(&first.path);
        let files = match more {
            0 => format!("`{named}` stays"),
            1 => format!("`{named}` and another file stay"),
            _ => format!("`{named}` and {more} more files stay"),
        };
        let message = format!("`{}` turns {what} off here: {files} out", switch.name);
        let place = switch.place.as_ref().and_then(Place::setting);
        let place = place.unwrap_or_else(|| Place::File(first.path.clone()));
        report.at(place, message).known(first.evidence).report();
    }
}
