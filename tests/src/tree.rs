//! A large monorepo of instruction files, the same on each call: for measurements.
//!
//! Both the benches of the loader and the program `tree` use it, so that they measure one tree.

use std::fmt::Write as _;

/// Packages of the tree that the project measures with: it then has 1,996 Markdown files.
pub const PACKAGES: usize = 200;
/// Packages that share a folder.
const GROUP: usize = 20;
/// Conditional rules at the root.
const AREA_RULES: usize = 190;

const NOUNS: [&str; 8] = [
    "basket", "ledger", "orchard", "parcel", "pump", "sensor", "ticket", "turbine",
];
const VERBS: [&str; 8] = [
    "check", "label", "measure", "rinse", "sort", "stack", "store", "weigh",
];
const ENDS: [&str; 6] = [
    "before it leaves the yard",
    "in the order of arrival",
    "when the `night` shift ends",
    "with **two** witnesses",
    "without a second list",
    "unless the form says otherwise",
];

/// The files of the tree: path below its root, and text.
#[must_use]
pub fn files(packages: usize) -> Vec<(String, String)> {
    let mut tree = Tree {
        files: Vec::new(),
        state: 7,
    };
    tree.root();
    for number in 0..packages {
        tree.package(number);
    }
    for number in 0..AREA_RULES {
        tree.area_rule(number);
    }
    tree.files
}

/// The folder of a package, from the root of the tree.
#[must_use]
pub fn package(number: usize) -> String {
    format!("packages/g{}/p{number}", number / GROUP)
}

/// Ten files of a package that a session may read, from the root of the tree.
#[must_use]
pub fn ten_files(number: usize) -> Vec<String> {
    let folder = package(number);
    let sources = (0..5).map(|module| format!("src/m{module}/index.ts"));
    let pages = [
        "README.md",
        "docs/guide.md",
        "docs/style.md",
        "docs/more/detail.md",
        "CLAUDE.md",
    ];
    let pages = pages.into_iter().map(str::to_owned);
    let files = sources.chain(pages);
    files.map(|file| format!("{folder}/{file}")).collect()
}

/// A list of `lines` invented sentences.
#[must_use]
pub fn prose(lines: usize) -> String {
    let mut tree = Tree {
        files: Vec::new(),
        state: 11,
    };
    tree.sentences(lines)
}

struct Tree {
    files: Vec<(String, String)>,
    state: u64,
}

impl Tree {
    fn add(&mut self, path: String, head: &str, lines: usize) {
        let text = format!("{head}\n{}", self.sentences(lines));
        self.files.push((path, text));
    }

    fn pick<'a>(&mut self, words: &[&'a str]) -> &'a str {
        // A linear congruential generator: the same text on every machine.
        self.state = self
            .state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let place = usize::try_from(self.state >> 33).unwrap_or(0);
        words[place % words.len()]
    }

    fn sentences(&mut self, lines: usize) -> String {
        let mut text = String::new();
        for _ in 0..lines {
            let (verb, noun) = (self.pick(&VERBS), self.pick(&NOUNS));
            let (other, end) = (self.pick(&NOUNS), self.pick(&ENDS));
            let _ = writeln!(text, "- Always {verb} the {noun} beside the {other} {end}.");
        }
        text
    }

    fn root(&mut self) {
        self.add("CLAUDE.md".into(), "# Yard\n\n@docs/common.md\n", 40);
        self.add("docs/common.md".into(), "# Common\n\n@shared/c0.md\n", 20);
        for number in 0..4 {
            let import = match number {
                0 | 1 => format!("@c{}.md\n", number + 1),
                _ => String::new(),
            };
            let head = format!("# Shared {number}\n\n{import}");
            self.add(format!("docs/shared/c{number}.md"), &head, 15);
        }
    }

    fn package(&mut self, number: usize) {
        let folder = package(number);
        let title = |name: &str| format!("# {name} {number}\n");
        let imports = "\n@docs/guide.md\n@docs/style.md\n";
        let head = title("Package") + imports;
        self.add(format!("{folder}/CLAUDE.md"), &head, 25);
        let head = title("Guide") + "\n@more/detail.md\n";
        self.add(format!("{folder}/docs/guide.md"), &head, 30);
        self.add(format!("{folder}/docs/style.md"), &title("Style"), 20);
        let detail = format!("{folder}/docs/more/detail.md");
        self.add(detail, &title("Detail"), 20);
        let paths = "---\npaths:\n  - \"src/**/*.ts\"\n  - \"test/**/*.{ts,tsx}\"\n---\n";
        let head = paths.to_owned() + &title("Rule");
        self.add(format!("{folder}/.claude/rules/r1.md"), &head, 15);
        let head = title("Plain rule");
        self.add(format!("{folder}/.claude/rules/r2.md"), &head, 10);
        let skill = format!("{folder}/.claude/skills/s{number}/SKILL.md");
        let head = format!("---\nname: s{number}\ndescription: Package {number}.\n---\n# Skill\n");
        self.add(skill, &head, 30);
        let agent = format!("{folder}/.claude/agents/a{number}.md");
        let head = format!("---\nname: a{number}\ndescription: Package {number}.\n---\n");
        self.add(agent, &head, 15);
        self.add(format!("{folder}/README.md"), &title("Readme"), 20);
        for module in 0..5 {
            let file = format!("{folder}/src/m{module}/index.ts");
            self.files.push((file, "export const one = 1;\n".into()));
        }
    }

    fn area_rule(&mut self, number: usize) {
        let file = format!(".claude/rules/area{}/rule{number}.md", number / GROUP);
        let group = number % 10;
        let head =
            format!("---\npaths:\n  - \"packages/g{group}/**/*.ts\"\n---\n# Area {number}\n");
        self.add(file, &head, 15);
    }
}

/// A project with many skills, commands and agents: path below the tree → text.
#[must_use]
pub fn listed(skills: usize, commands: usize, agents: usize) -> Vec<(String, String)> {
    let mut files = vec![("CLAUDE.md".to_owned(), "# Yard\n".to_owned())];
    for index in 0..skills {
        let text = format!(
            "---\nname: skill-{index:03}\ndescription: Does thing {index} of this yard, and tells \
             how it is done well.\nwhen_to_use: Whenever somebody asks for thing {index}.\n---\n\
             # Thing {index}\n{}",
            "Some text that tells how it is done.\n".repeat(40)
        );
        files.push((format!(".claude/skills/skill-{index:03}/SKILL.md"), text));
    }
    for index in 0..commands {
        let text = format!("---\ndescription: Command {index}.\n---\nDo it with $ARGUMENTS.\n");
        files.push((
            format!(".claude/commands/g{}/c{index:03}.md", index % 10),
            text,
        ));
    }
    for index in 0..agents {
        let text = format!(
            "---\nname: agent-{index:02}\ndescription: Looks after part {index}.\n\
             tools: Read, Grep, Glob\n---\nYou look after part {index}.\n"
        );
        files.push((format!(".claude/agents/agent-{index:02}.md"), text));
    }
    files
}
