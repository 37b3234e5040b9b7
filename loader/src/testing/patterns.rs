//! The two pattern languages: `paths:` of rules, and `claudeMdExcludes`.

use proptest::prelude::*;
use proptest::sample::select;

use super::places::{PROJECT, any_name, place};

/// Patterns of `paths:` in every form of facts 5.4–5.6: those that match, and those that never do.
const PATTERNS: &[&str] = &[
    "*.rs",
    "*.ts",
    "*",
    "**",
    "**/*",
    "**/**",
    "**/*.rs",
    "code.rs",
    "/code.rs",
    "/*.rs",
    "a",
    "a/",
    "/a",
    "a/*",
    "a/**",
    "/a/**",
    "a/b",
    "b/*",
    "src/**/*.tsx",
    "**/b/**",
    "**/b/*.rs",
    "a/**/code.rs",
    "a/**/*",
    "*/code.rs",
    "*/*/*.rs",
    "a**",
    "**a",
    "a/***",
    "*.{rs,ts}",
    "{a,src}/**",
    "**/*.{ts,tsx}",
    "{code,a}.{rs,ts}",
    "{a,{b,c}}/*.rs",
    "{1..3}.rs",
    "{a..c}.rs",
    "{,x}code.rs",
    "{a}/*.rs",
    "{a",
    "a}",
    "{}",
    "?ode.rs",
    "c?de.*",
    "[ac]*",
    "[a-d]ode.rs",
    "[!x]ode.rs",
    "[^x]ode.rs",
    "[[:alpha:]]ode.rs",
    "[",
    "\\*.rs",
    "\\code.rs",
    "c\\ d/*",
    "\\[x\\]",
    "c d/**",
    "./a/*",
    "./code.rs",
    "../**",
    "../proj/a/*",
    "{root}/proj/a/*",
    "{root}/**",
    "~/x",
    "A/*.RS",
    "CODE.RS",
    "src/web/*",
    "#x",
    "# *.rs",
    "\\#x",
    "!a.ts",
    "!code.rs",
    "!a/b/**",
    "!a/b/code.rs",
    "\\!a.ts",
    "!(a).rs",
    "@(a|code).rs",
    "//a",
    "a//b",
    "code.rs/",
    "a/code.rs/",
    ".*",
    ".env",
    ".hid",
    "**/.hid/**",
    "node_modules/**",
    "Web/*",
    "*.md",
    "CLAUDE.md",
    "new.rs",
    "gone.rs",
    " ",
    "*.rs ",
    "é*",
];

/// A pattern of `paths:`: one that often matches, one of the odd forms, or one made of a directory
/// and a file of the world.
pub fn pattern() -> BoxedStrategy<String> {
    let start = select(&["", "", "/", "**/", "!"][..]);
    let directory = select(PROJECT).prop_map(|path| path.strip_prefix("proj/").unwrap_or(path));
    let end = select(&["**", "*", "code.rs", "*.rs", "**/*.ts", "*.{ts,tsx}", ""][..]);
    let built = (start, directory, end)
        .prop_map(|(start, directory, end)| format!("{start}{directory}{end}"))
        .prop_filter("an empty pattern has its own forms", |text| {
            !text.is_empty()
        });
    let common = select(&["*.rs", "**/*.rs", "*.ts", "**/*", "a/**"][..]).prop_map(str::to_owned);
    prop_oneof![2 => common, 3 => select(PATTERNS).prop_map(str::to_owned), 2 => built].boxed()
}

/// Patterns of `claudeMdExcludes` that are no plain path (fact 7.1).
const EXCLUDES: &[&str] = &[
    "**/.claude/rules/**",
    "**/rules/*.md",
    "{root}/proj/*/CLAUDE.md",
    "{root}/proj/**/x.md",
    "{root}/*/x.md",
    "**/*.local.md",
    "**/{CLAUDE,AGENTS}.md",
    "{root}/proj/{a,src}/**",
    "**/C?AUDE.md",
    "**/[CA]*.md",
    "**/@(CLAUDE|x).md",
    "**/!(CLAUDE).md",
    "**/+(x).md",
    "**/?(y )z.md",
    "**/claude.md",
    "{root}/home/.claude/**",
    "{root}/way/**",
    "{root}/proj/ln/**",
    "{root}/managed/**",
    // No base is known for these, so they match nothing.
    "CLAUDE.md",
    "proj/CLAUDE.md",
    "./CLAUDE.md",
    "~/.claude/CLAUDE.md",
    "{root}/proj",
    "{root}/proj/a/",
    "*",
    "*.md",
];

/// A pattern of `claudeMdExcludes`, in every form of fact 7.1. A few begin with
/// `!`, which leaves out nearly everything.
pub fn exclude() -> BoxedStrategy<String> {
    prop_oneof![
        8 => any_name().prop_map(|name| format!("**/{name}")),
        16 => place().prop_map(|path| format!("{{root}}/{path}")),
        6 => select(PROJECT).prop_map(|directory| format!("{{root}}/{directory}**")),
        20 => select(EXCLUDES).prop_map(str::to_owned),
        1 => Just("!**/*.md".to_owned()),
        1 => Just("!{root}/proj/**".to_owned()),
        1 => Just("**".to_owned()),
    ]
    .boxed()
}
