//! Worlds in which the lists of skills, commands and agents have much in them.

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};

use super::World;
use crate::session::ToolCall;

/// Folders whose `.claude`, or for a plugin whose own folder, holds what is listed.
const PLACES: &[&str] = &[
    "proj/.claude",
    "proj/.claude",
    "proj/.claude",
    "home/.claude",
    "home/.claude",
    ".claude",
    "proj/sub/.claude",
    "add/.claude",
    "proj/sub/deep/.claude",
    "proj/sub/deep/er/.claude",
    "plug",
    "managed/.claude",
];

/// Few, so that they meet.
const NAMES: &[&str] = &[
    "a",
    "b",
    "c",
    "B",
    "a-b",
    "a_b",
    "a b",
    "ä",
    "z1",
    "z10",
    "z2",
    "日本",
    "help",
    "run",
    "init",
    "simplify",
    "cost",
    "c<d",
    "x\u{200B}y",
    ".hidden",
    "_u",
    "1n",
    "Explore",
];

const TEXTS: &[&str] = &[
    "plain words",
    "\"quoted: text\"",
    "'it''s'",
    "a <b> & c",
    "x\u{200B}y\u{2028}z",
    "日本語の説明",
    "👍🏽 flags 🇩🇪",
    "e\u{301}e\u{301}",
    "|\n  line one\n  line two",
    ">\n  folded\n  text\n\n  more",
    "[a, b]",
    "[a, b",
    "12",
    "true",
    "",
    "\"\"",
    "key: value",
    "# no comment",
    "\"tab\\tand\\nline\"",
    "{a: b}",
    "~",
];

/// A description; long ones make the budget matter.
fn description() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => select(TEXTS).prop_map(str::to_owned),
        2 => (select(&["x", "wide 日 ", "é"][..]), 1_usize..1700)
            .prop_map(|(unit, length)| unit.repeat(length.div_ceil(unit.len()))),
    ]
}

/// Lines of front matter besides the description.
const LINES: &[&str] = &[
    "when_to_use: now and then",
    "when-to-use: never",
    "disable-model-invocation: true",
    "disable-model-invocation: yes",
    "disable-model-invocation: \"true\"",
    "disable-model-invocation: false",
    "user-invocable: false",
    "allowed-tools: Read, Bash(git *)",
    "tools: Read, Grep",
    "tools: \"*\"",
    "disallowedTools: Bash",
    "memory: project",
    "model: haiku",
    "paths: \"*.txt\"",
    "paths: \"sub/**\"",
    "paths: [\"sub/x.txt\", \"q\"]",
    "paths: \"**\"",
    "name: other",
    "name: a",
    "name: z1",
    "name: two words",
    "version: 1",
];

const BODIES: &[&str] = &["Body.\n", "", "# Head\n\ntext\n", "\n\n  first\n", "---\n"];

fn file() -> impl Strategy<Value = String> {
    let lines = vec(select(LINES), 0..3);
    let front = option::weighted(0.9, (option::weighted(0.85, description()), lines));
    (front, select(BODIES), any::<bool>()).prop_map(|(front, body, name_first)| {
        let Some((description, mut lines)) = front else {
            return body.to_owned();
        };
        // Of a repeated key one reader takes the last and another none.
        let key = |line: &str| line.split(':').next().unwrap_or_default().to_owned();
        let mut keys: Vec<String> = Vec::new();
        lines.retain(|line| {
            let new = !keys.contains(&key(line));
            keys.push(key(line));
            new
        });
        let mut text = String::from("---\n");
        let described = description.map(|text| format!("description: {text}"));
        let lines = lines.into_iter().map(str::to_owned);
        let all: Vec<String> = match name_first {
            true => lines.chain(described).collect(),
            false => described.into_iter().chain(lines).collect(),
        };
        for line in all {
            text.push_str(&line);
            text.push('\n');
        }
        text + "---\n" + body
    })
}

/// A path below a place, and its text.
fn entry() -> impl Strategy<Value = (String, String)> {
    let name = || select(NAMES);
    let below = prop_oneof![
        4 => name().prop_map(|name| format!("skills/{name}/SKILL.md")),
        2 => name().prop_map(|name| format!("commands/{name}.md")),
        1 => (name(), name()).prop_map(|(a, b)| format!("commands/{a}/{b}.md")),
        2 => name().prop_map(|name| format!("agents/{name}.md")),
    ];
    (select(PLACES), below, name(), file()).prop_map(|(place, below, name, text)| {
        let text = match below.starts_with("agents/") {
            // An agent must say its name.
            true if !text.contains("\nname:") => {
                text.replacen("---\n", &format!("---\nname: {name}\n"), 1)
            }
            _ => text,
        };
        (format!("{place}/{below}"), text)
    })
}

fn settings() -> impl Strategy<Value = Option<Value>> {
    let overrides = vec(
        (
            select(NAMES),
            select(&["off", "on", "name-only", "user-invocable-only"][..]),
        ),
        0..4,
    );
    let overrides = overrides.prop_map(|list| {
        let list = list
            .into_iter()
            .map(|(name, value)| (name.to_owned(), json!(value)));
        Value::Object(list.collect())
    });
    let most = option::weighted(0.2, select(&[20_u32, 100, 2000][..]));
    let fraction = option::weighted(0.3, select(&[0.0002, 0.001, 0.003, 0.02][..]));
    let bundled = option::weighted(0.2, any::<bool>());
    let all =
        (overrides, most, fraction, bundled).prop_map(|(overrides, most, fraction, bundled)| {
            let mut settings = json!({ "skillOverrides": overrides });
            let mut set = |key: &str, value: Option<Value>| {
                if let Some(value) = value {
                    settings[key] = value;
                }
            };
            set("skillListingMaxDescChars", most.map(|most| json!(most)));
            set(
                "skillListingBudgetFraction",
                fraction.map(|share| json!(share)),
            );
            set("disableBundledSkills", bundled.map(|off| json!(off)));
            settings
        });
    option::weighted(0.5, all)
}

fn flags() -> impl Strategy<Value = Vec<String>> {
    let sources = select(&["user,project,local", "user", "project", "local", ""][..]);
    let model = select(
        &[
            "claude-sonnet-4-5",
            "claude-opus-4-8",
            "claude-sonnet-5",
            "haiku",
        ][..],
    );
    (
        any::<bool>(),
        option::weighted(0.15, sources),
        option::weighted(0.3, any::<()>()),
        option::weighted(0.3, model),
    )
        .prop_map(|(added, sources, plugin, model)| {
            let mut flags = Vec::new();
            let mut flag = |name: &str, value: &str| {
                flags.extend([name.to_owned(), value.to_owned()]);
            };
            if added {
                flag("--add-dir", "{root}/add");
            }
            if let Some(sources) = sources {
                flag("--setting-sources", sources);
            }
            if plugin.is_some() {
                flag("--plugin-dir", "{root}/plug");
            }
            if let Some(model) = model {
                flag("--model", model);
            }
            flags
        })
}

/// Worlds with skills, commands and agents in every place, and reads of files below.
/// `managed` allows managed ones.
pub fn listings(managed: bool) -> BoxedStrategy<World> {
    let budget = option::weighted(0.3, select(&["300", "3000", "8000", "20000"][..]));
    let git = option::weighted(0.4, select(&["proj", "proj/sub", ""][..]));
    let reads = vec(
        select(
            &[
                "top.txt",
                "sub/x.txt",
                "sub/deep/er/y.txt",
                "sub/deep/none.txt",
            ][..],
        ),
        0..3,
    );
    let parts = (vec(entry(), 0..40), settings(), flags(), budget, git, reads);
    let world = parts.prop_map(move |(entries, settings, args, budget, git, reads)| {
        let mut world = World {
            cwd: "proj".to_owned(),
            args,
            ..World::default()
        };
        for (path, text) in entries {
            if managed || !path.starts_with("managed/") {
                world.files.insert(path, text);
            }
        }
        for file in ["top.txt", "sub/x.txt", "sub/deep/er/y.txt"] {
            world
                .files
                .insert(format!("proj/{file}"), "text\n".to_owned());
        }
        world.files.insert(
            "plug/.claude-plugin/plugin.json".to_owned(),
            r#"{"name": "plug"}"#.to_owned(),
        );
        world
            .files
            .insert("add/top.txt".to_owned(), "text\n".to_owned());
        if let Some(settings) = settings {
            world.files.insert(
                "home/.claude/settings.json".to_owned(),
                settings.to_string(),
            );
        }
        if let Some(budget) = budget {
            world.env.insert(
                "SLASH_COMMAND_TOOL_CHAR_BUDGET".to_owned(),
                budget.to_owned(),
            );
        }
        if let Some(folder) = git {
            let folder = if folder.is_empty() {
                String::new()
            } else {
                format!("{folder}/")
            };
            // What makes a folder a checkout to git and to the client.
            for (file, text) in [
                ("HEAD", "ref: refs/heads/main\n"),
                ("objects/info/none", ""),
                ("refs/heads/none", ""),
            ] {
                world
                    .files
                    .insert(format!("{folder}.git/{file}"), text.to_owned());
            }
        }
        let read = |path: &str| ToolCall {
            tool: "Read".to_owned(),
            input: json!({ "file_path": format!("{{root}}/proj/{path}") }),
        };
        world.calls = reads.into_iter().map(read).collect();
        world
    });
    world.boxed()
}
