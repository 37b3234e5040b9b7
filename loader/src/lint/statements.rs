//! Orders in a document that choose a tool: "Use pnpm", "Run `pytest` before each commit", "- Test: `npm test`".
//!
//! Only forms that leave no doubt are read. A sentence that names a place, a language or a case, or
//! two tools beside each other, orders nothing in general.

use std::ops::Range;

use super::prose::{Block, BlockKind, Prose};

/// For what a tool is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Job {
    /// To install packages of JavaScript and to run their scripts.
    Packages,
    /// To install packages of Python.
    PythonPackages,
    /// To run tests of Python.
    PythonTests,
    /// To run tests of JavaScript.
    ScriptTests,
    /// To indent.
    Indent,
}

impl Job {
    /// As a message names it.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Packages => "package manager",
            Self::PythonPackages => "package manager of Python",
            Self::PythonTests => "test runner of Python",
            Self::ScriptTests => "test runner of JavaScript",
            Self::Indent => "indentation",
        }
    }
}

/// An order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Statement {
    pub(super) job: Job,
    pub(super) tool: &'static str,
    pub(super) range: Range<usize>,
}

const TOOLS: &[(&str, Job)] = &[
    ("npm", Job::Packages),
    ("pnpm", Job::Packages),
    ("yarn", Job::Packages),
    ("bun", Job::Packages),
    ("pip", Job::PythonPackages),
    ("uv", Job::PythonPackages),
    ("poetry", Job::PythonPackages),
    ("pipenv", Job::PythonPackages),
    ("pdm", Job::PythonPackages),
    ("pytest", Job::PythonTests),
    ("unittest", Job::PythonTests),
    ("jest", Job::ScriptTests),
    ("vitest", Job::ScriptTests),
    ("mocha", Job::ScriptTests),
];

/// The orders of a document that hold for all of its project.
pub(super) fn statements(source: &str, prose: &Prose) -> Vec<Statement> {
    let mut found: Vec<Statement> = Vec::new();
    for (at, block) in prose.blocks.iter().enumerate() {
        if !matches!(block.kind, BlockKind::Paragraph | BlockKind::Item) {
            continue;
        }
        let mut own = of_block(source, block);
        if !own.is_empty() {
            let mut above = prose.headings_above(at);
            if above.any(|heading| is_of_part(&source[heading.range.clone()])) {
                own.clear();
            }
        }
        found.extend(own);
    }
    found
}

fn of_block(source: &str, block: &Block) -> Vec<Statement> {
    let text = &source[block.range.clone()];
    if text.len() > 2_000 {
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut at = block.range.start;
    // A sentence ends at a full stop before white space, or with its line.
    for sentence in text.split_inclusive(['\n', '.']) {
        let start = at + (sentence.len() - sentence.trim_start().len());
        let end = at + sentence.trim_end_matches(['.', '\n', '\r', ' ']).len();
        at += sentence.len();
        // What follows a sentence at once belongs to it: `3.12`, `pytest.ini`, and "Use npm" above "in web".
        let goes_on = source[at..block.range.end].starts_with(|c: char| c.is_alphanumeric());
        if start >= end || (goes_on && !source[..at].ends_with('\n')) {
            continue;
        }
        let is_cut = goes_on && source[at..].starts_with(|c: char| c.is_lowercase());
        if let Some((job, tool)) = order(&source[start..end]).filter(|_| !is_cut) {
            found.push(Statement {
                job,
                tool,
                range: start..end,
            });
        }
    }
    found
}

/// What a sentence orders.
fn order(sentence: &str) -> Option<(Job, &'static str)> {
    let plain = sentence.replace("**", "").replace("__", "").to_lowercase();
    let plain = plain.trim().trim_end_matches(['!', ';', ',']);
    let mut rest = plain;
    for lead in [
        "important:",
        "please ",
        "you must ",
        "always ",
        "only ",
        "we ",
    ] {
        rest = rest.strip_prefix(lead).unwrap_or(rest).trim_start();
    }
    if let Some(indent) = indent(rest) {
        return Some((Job::Indent, indent));
    }
    if let Some((label, command)) = rest.split_once(':') {
        let known = [
            "test",
            "tests",
            "install",
            "build",
            "lint",
            "run tests",
            "run the tests",
            "install dependencies",
            "package manager",
            "dev",
        ];
        let label = label.trim().trim_matches('`');
        let command = command.trim();
        let is_name = label == "package manager";
        if known.contains(&label) {
            return if is_name {
                tool_alone(command)
            } else {
                of_command(spanned(command).filter(|(_, after)| after.is_empty())?.0)
            };
        }
        return None;
    }
    let verbs = [
        "use ",
        "run ",
        "run all tests with ",
        "run tests with ",
        "run the tests with ",
        "install dependencies with ",
        "test with ",
        "prefer ",
    ];
    let rest = verbs
        .iter()
        .filter_map(|verb| rest.strip_prefix(verb))
        .min_by_key(|rest| rest.len())?;
    if let Some((command, after)) = spanned(rest) {
        if !holds_for_all(after) || names_other(after) {
            return None;
        }
        return of_command(command);
    }
    let end = rest
        .find(|c: char| !c.is_alphanumeric())
        .unwrap_or(rest.len());
    let (name, after) = rest.split_at(end);
    let known = tool(name)?;
    (plain.contains("use ") && holds_for_all(after.trim()) && !names_other(after)).then_some(known)
}

fn tool(name: &str) -> Option<(Job, &'static str)> {
    let found = TOOLS.iter().find(|(known, _)| *known == name)?;
    Some((found.1, found.0))
}

fn tool_alone(text: &str) -> Option<(Job, &'static str)> {
    tool(text.trim().trim_matches('`'))
}

/// The code span at the start of a text, and what follows it.
fn spanned(text: &str) -> Option<(&str, &str)> {
    let (command, after) = text.strip_prefix('`')?.split_once('`')?;
    Some((command.trim(), after.trim()))
}

/// What a command says of the tool by which a job is done.
fn of_command(command: &str) -> Option<(Job, &'static str)> {
    let words: Vec<&str> = command.split_whitespace().collect();
    if command.contains(['&', '|', ';', '/', '<', '=']) {
        return None;
    }
    if let ["python" | "python3", "-m", "unittest" | "pytest", ..] = words[..] {
        return tool(words[2]);
    }
    let (name, verb) = (words.first()?, words.get(1));
    let known = tool(name)?;
    let is_plain = match known.0 {
        Job::Packages => match verb {
            None => true,
            Some(verb) => {
                let verbs = [
                    "install",
                    "i",
                    "ci",
                    "test",
                    "run",
                    "build",
                    "start",
                    "lint",
                    "dev",
                    "typecheck",
                    "format",
                ];
                // `bun test` and the like are runners of their own.
                verbs.contains(verb) && !(*name == "bun" && *verb == "test") && words.len() <= 3
            }
        },
        Job::PythonPackages => {
            matches!(verb, None | Some(&"install" | &"sync")) && words.len() <= 2
        }
        Job::PythonTests | Job::ScriptTests => words.len() == 1,
        Job::Indent => false,
    };
    (is_plain && !words.contains(&"-g")).then_some(known)
}

/// Whether what follows an order leaves it an order for everything.
fn holds_for_all(after: &str) -> bool {
    let after = after.trim_start_matches(['`', ' ']);
    let starts = [
        "as the package manager",
        "as package manager",
        "as our package manager",
        "for everything",
        "for all packages",
        "for package management",
        "for packages",
        "for dependencies",
        "for all dependencies",
        "for all tests",
        "for tests",
        "for testing",
        "to install",
        "to run tests",
        "to run the tests",
        "before ",
        "after ",
        "to build",
        "to test",
        "to lint",
        "everywhere",
        ", not ",
        ", never ",
        "not ",
        "never ",
        "instead of ",
        "rather than ",
        "(not ",
        "(never ",
        "exclusively",
        "only",
    ];
    after.is_empty() || starts.iter().any(|start| after.starts_with(start))
}

/// Whether what follows an order names another tool as one to use, or a place.
fn names_other(after: &str) -> bool {
    let mut is_denied = false;
    let words = after.split(|c: char| !(c.is_alphanumeric() || c == '\''));
    for word in words.filter(|word| !word.is_empty()) {
        is_denied |= matches!(word, "not" | "never" | "instead" | "rather" | "don't");
        let is_place = matches!(
            word,
            "in" | "inside" | "within" | "under" | "when" | "if" | "unless" | "except" | "from"
        );
        if is_place || (!is_denied && tool(word).is_some()) {
            return true;
        }
    }
    false
}

/// How a sentence orders to indent.
fn indent(text: &str) -> Option<&'static str> {
    let wide = |width: &str| match width {
        "2" | "two" => Some("2 spaces"),
        "4" | "four" => Some("4 spaces"),
        "8" | "eight" => Some("8 spaces"),
        _ => None,
    };
    let after_verb = text
        .strip_prefix("indent with ")
        .or_else(|| text.strip_prefix("use "));
    let rest = match after_verb {
        Some(rest) => rest,
        None => text
            .strip_prefix("indentation:")
            .or_else(|| text.strip_prefix("indent by "))?
            .trim(),
    };
    let whole = text.starts_with("indent");
    let end = [
        "",
        " for indentation",
        " for indenting",
        ", not spaces",
        ", not tabs",
        ", never tabs",
        ", never spaces",
    ];
    let (tool, after) = if let Some(after) = rest.strip_prefix("tabs") {
        ("tabs", after)
    } else {
        let (width, after) = rest.split_once([' ', '-'])?;
        let after = after
            .strip_prefix("spaces")
            .or_else(|| after.strip_prefix("space indentation"))?;
        (wide(width)?, after)
    };
    let is_clear = whole
        || rest.contains("indent")
        || rest.contains("not ")
        || rest.contains("never ")
        || rest == "tabs";
    (end.contains(&after) && is_clear).then_some(tool)
}

/// Words of headings under which an order holds for a part.
const PARTS: &[&str] = &[
    "api",
    "android",
    "app",
    "apps",
    "backend",
    "cli",
    "client",
    "deploy",
    "deployment",
    "desktop",
    "docs",
    "documentation",
    "e2e",
    "example",
    "examples",
    "frontend",
    "go",
    "golang",
    "infra",
    "infrastructure",
    "ios",
    "java",
    "javascript",
    "js",
    "kotlin",
    "legacy",
    "mobile",
    "old",
    "php",
    "plugin",
    "plugins",
    "publishing",
    "python",
    "release",
    "releases",
    "ruby",
    "rust",
    "scripts",
    "sdk",
    "server",
    "site",
    "swift",
    "typescript",
    "ts",
    "ui",
    "web",
    "website",
    "yaml",
    "css",
    "sql",
    "package",
    "service",
];

/// Whether a heading or the name of a file speaks of a part of the project.
pub(super) fn is_of_part(name: &str) -> bool {
    let lower = name.to_lowercase();
    lower.contains(['/', '`'])
        || lower
            .split(|c: char| !c.is_alphanumeric())
            .any(|word| PARTS.contains(&word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::Client;
    use crate::document::Document;

    fn told(text: &str) -> Vec<&'static str> {
        let document = Document::from_text(text.into(), &Client::newest().behaviour);
        let found = statements(text, &Prose::of(&document));
        found.iter().map(|one| one.tool).collect()
    }

    #[test]
    fn orders_are_read() {
        for (text, wanted) in [
            ("Use pnpm.\n", "pnpm"),
            ("- **Always use `pnpm`**, never npm.\n", "pnpm"),
            ("We use yarn as the package manager.\n", "yarn"),
            ("Run `npm test` before each commit.\n", "npm"),
            ("- Test: `npm test`\n", "npm"),
            ("- **Package manager**: bun\n", "bun"),
            ("Run tests with `pytest`.\n", "pytest"),
            ("Run `python -m unittest`.\n", "unittest"),
            ("Use uv for dependencies.\n", "uv"),
            ("Use tabs.\n", "tabs"),
            ("Use 2 spaces for indentation.\n", "2 spaces"),
            ("Indent with four spaces.\n", "4 spaces"),
            ("Intro. Use vitest. More.\n", "vitest"),
        ] {
            assert_eq!(told(text), [wanted], "{text}");
        }
    }

    #[test]
    fn what_holds_for_a_part_is_no_order() {
        for text in [
            "Never use yarn.\n",
            "Use npm in `web`.\n",
            "Use npm or pnpm.\n",
            "Use npm to publish.\n",
            "Run `npm publish`.\n",
            "Run `npm test` in `web/`.\n",
            "Run `npm install -g pnpm`.\n",
            "## Frontend\n\nUse npm.\n",
            "## `apps/web`\n\nUse npm.\n",
            "In web, use npm.\n",
            "Use npm\nin the folder of pages.\n",
            "Use tabs in Go.\n",
            "Use 2 spaces after a full stop.\n",
            "Use tabs to switch views.\n",
            "Use pytest.mark.slow for slow tests.\n",
            "If there is no lock file, use npm.\n",
            "You can use npm.\n",
            "Use bun to run scripts and pnpm to install.\n",
            "Use jest mocks.\n",
            "Use `uv run pytest`.\n",
            "```\nUse npm.\n```\n",
            "# Use npm\n",
        ] {
            assert_eq!(told(text), [""; 0], "{text}");
        }
    }
}
