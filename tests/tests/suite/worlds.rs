//! Random worlds as cases, so that each can be built in memory and on disk.

use outcrop_tests::case::{Case, Step};
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::{FileFailurePersistence, RngSeed};
use serde_json::json;

/// The same worlds in every run; one that once failed is kept in the file named here.
pub(crate) fn config(cases: u32) -> ProptestConfig {
    let kept = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/proptest-regressions/worlds.txt"
    );
    ProptestConfig {
        cases,
        rng_seed: RngSeed::Fixed(0x6f75_7463_726f_7020),
        failure_persistence: Some(Box::new(FileFailurePersistence::Direct(kept))),
        ..ProptestConfig::default()
    }
}

const DIRS: [&str; 10] = [
    "",
    "proj/",
    "proj/a/",
    "proj/a/b/",
    "proj/c d/",
    "proj/wt/",
    "out/",
    "home/",
    "home/.claude/",
    "managed/",
];
/// Files that are found by themselves, in a directory of the walk or below it.
const ROOTS: [&str; 8] = [
    "CLAUDE.md",
    "CLAUDE.md",
    ".claude/CLAUDE.md",
    "CLAUDE.local.md",
    "AGENTS.md",
    ".claude/rules/r.md",
    ".claude/rules/r.md",
    ".claude/rules/s/t.md",
];
/// Files that are found only when they are named, and some that never are.
const NAMED: [&str; 9] = [
    "x.md",
    "x.md",
    "x.md",
    "y z.md",
    "code.rs",
    "w.png",
    ".claude/AGENTS.md",
    "rules/u.md",
    ".claude/rules/no.txt",
];

fn name() -> impl Strategy<Value = &'static str> {
    prop_oneof![1 => select(&ROOTS[..]), 2 => select(&NAMED[..])]
}

fn place() -> impl Strategy<Value = String> {
    let dir = prop_oneof![2 => select(&DIRS[..]), 3 => select(&DIRS[1..4])];
    (dir, name()).prop_map(|(dir, name)| format!("{dir}{name}"))
}

/// A path as it is written behind an `@`.
fn target() -> impl Strategy<Value = String> {
    let name = || name().prop_map(|name| name.replace(' ', "\\ "));
    prop_oneof![
        6 => name(),
        2 => name().prop_map(|name| format!("./{name}")),
        3 => name().prop_map(|name| format!("../{name}")),
        2 => name().prop_map(|name| format!("../../{name}")),
        3 => name().prop_map(|name| format!("a/{name}")),
        2 => name().prop_map(|name| format!("b/{name}")),
        1 => name().prop_map(|name| format!("~/.claude/{name}")),
        2 => place().prop_map(|path| format!("{{root}}/{}", path.replace(' ', "\\ "))),
        2 => select(&["gone.md", "a", "..", "k1.md", "k3.md", "../k1.md", "x.md#part", "x.md,", "a//x.md", "a/x.md/", "ln.md",
            "ln/x.md", "{root}/proj/x.md/", "~/x.md", "{root}/out/ln.md"][..])
            .prop_map(str::to_owned),
    ]
}

fn line() -> impl Strategy<Value = String> {
    let reference = || target().prop_map(|path| format!("@{path}"));
    prop_oneof![
        3 => select(&["# head", "plain text", "> quote", "*em* _em_", "    code", "---", "1. one", "x"][..])
            .prop_map(str::to_owned),
        4 => reference(),
        2 => (reference(), reference()).prop_map(|(a, b)| format!("see {a} and {b} .")),
        1 => reference().prop_map(|text| format!("- item {text}")),
        1 => reference().prop_map(|text| format!("`{text}` (x){text}")),
        1 => reference().prop_map(|text| format!("```\n{text}\n```")),
        1 => reference().prop_map(|text| format!("<!-- {text} --> rest {text}")),
        1 => reference().prop_map(|text| format!("<!-- c\n{text}\n-->\n")),
        1 => Just("é <system-reminder> 日本".to_owned()),
        1 => Just("[d]: @x.md\n".to_owned()),
        1 => Just(String::new()),
    ]
}

fn front_matter() -> impl Strategy<Value = &'static str> {
    prop_oneof![
        6 => Just(""),
        3 => select(&[
            "---\npaths: \"*.rs\"\n---\n",
            "---\npaths: [\"a/**\", \"!a/b\"]\n---\n",
            "---\npaths: **/x.*\n---\n",
            "---\npaths: code.rs\n---\n",
            "\u{FEFF}---\npaths: [a, b]\n---\n",
            "---\ntitle: [\n---\n",
            "---\nname: n\n---\n\n\n",
        ][..]),
    ]
}

fn text() -> impl Strategy<Value = String> {
    let ends = prop_oneof![3 => Just("\n"), 1 => Just("\r\n")];
    let lines = prop::collection::vec(line(), 0..5);
    let first = select(&["T ", "T\n", "T\n\n", ""][..]);
    let parts = (front_matter(), first, lines, ends, any::<bool>());
    parts.prop_map(|(front, first, lines, end, closed)| {
        let body = lines.join("\n") + if closed { "\n" } else { "" };
        format!("{front}{first}{body}").replace('\n', end)
    })
}

/// Links stand where no file of a world does.
fn link() -> impl Strategy<Value = (String, String)> {
    let places = [
        "proj/ln.md",
        "proj/ln",
        "out/ln.md",
        "proj/a/ln.md",
        "proj/CLAUDE.md",
        "proj/a/CLAUDE.md",
        "proj/.claude/rules/ln.md",
        "proj/.claude/rules/ln",
        "proj/a/.claude",
        "home/.claude/rules/ln.md",
    ];
    let targets = [
        "x.md",
        "../x.md",
        "{root}/out/x.md",
        "{root}/proj/x.md",
        "{root}/proj/a",
        "{root}/out",
        "ln.md",
        "ln",
        "nowhere",
        "CLAUDE.local.md",
    ];
    let pair = (select(places.to_vec()), select(targets.to_vec()));
    pair.prop_map(|(place, target)| (place.to_owned(), target.to_owned()))
}

/// A pattern of `claudeMdExcludes`.
fn exclude() -> impl Strategy<Value = String> {
    prop_oneof![
        1 => name().prop_map(|name| format!("**/{name}")),
        3 => place().prop_map(|path| format!("{{root}}/{path}")),
        1 => select(&DIRS[2..5]).prop_map(|dir| format!("{{root}}/{dir}**")),
    ]
}

fn step() -> impl Strategy<Value = Step> {
    let path = prop_oneof![
        6 => place(),
        6 => select(&["proj/a/code.rs", "proj/a/b/code.rs", "proj/a/b/x.md", "proj/code.rs"][..])
            .prop_map(str::to_owned),
        1 => (select(&DIRS[..])).prop_map(|dir| format!("{dir}new.rs")),
        1 => Just("proj/ln/code.rs".to_owned()),
        1 => Just("proj/a".to_owned()),
    ];
    let tool = select(&["Read", "Read", "Read", "Write", "Edit", "Bash", "Grep"][..]);
    (path, tool).prop_map(|(path, tool)| {
        let path = format!("{{root}}/{path}");
        let input = match tool {
            "Bash" => json!({ "command": format!("cat '{path}'") }),
            "Grep" => json!({ "pattern": "x", "path": path }),
            "Write" => json!({ "file_path": path, "content": "" }),
            "Edit" => json!({ "file_path": path, "old_string": "", "new_string": "x" }),
            _ => json!({ "file_path": path }),
        };
        let tool = tool.to_owned();
        Step { tool, input }
    })
}

/// Where the session starts, what git knows there, and the flags.
fn origin() -> impl Strategy<Value = Case> {
    let cwd = select(
        &[
            "proj", "proj", "proj/a", "proj/a/b", "proj/wt", "home", "out", "way",
        ][..],
    );
    let git = prop_oneof![2 => Just(None), 1 => Just(Some("proj")), 1 => Just(Some("worktree"))];
    let args = prop_oneof![
        5 => Just(vec![]),
        1 => select(&["user", "project", "local", "user,local", ""][..])
            .prop_map(|sources| vec!["--setting-sources", sources]),
        1 => Just(vec!["--add-dir", "{root}/out"]),
    ];
    (cwd, git, args, any::<bool>()).prop_map(|(cwd, git, args, approved)| {
        let value = json!({ "name": "random", "cwd": cwd, "args": args });
        let mut case: Case = serde_json::from_value(value).unwrap();
        case.settings_approved_external = approved;
        if args.first() == Some(&"--add-dir") {
            let switch = "CLAUDE_CODE_ADDITIONAL_DIRECTORIES_CLAUDE_MD".to_owned();
            case.env.insert(switch, "1".to_owned());
        }
        let files = match git {
            None => vec![],
            Some("proj") => vec![("proj/.git/HEAD", "ref: refs/heads/main\n")],
            Some(_) => vec![
                ("proj/.git/worktrees/wt/commondir", "../..\n"),
                ("proj/.git/worktrees/wt/gitdir", "{root}/proj/wt/.git\n"),
                ("proj/wt/.git", "gitdir: {root}/proj/.git/worktrees/wt\n"),
            ],
        };
        for (path, text) in files {
            case.files.insert(path.to_owned(), text.to_owned());
        }
        for n in 1..7 {
            let text = format!("K @k{}.md", n + 1);
            case.files.insert(format!("proj/k{n}.md"), text);
        }
        // Every place that a session may start in is there, and one is only a link.
        for dir in &DIRS[1..] {
            case.files.insert(format!("{dir}.keep"), String::new());
        }
        case.links.insert("way".to_owned(), "proj/a".to_owned());
        case
    })
}

fn settings() -> impl Strategy<Value = Vec<(&'static str, String)>> {
    let excludes = || {
        prop_oneof![
            3 => Just(vec![]),
            1 => prop::collection::vec(exclude(), 1..3),
        ]
    };
    let managed = prop_oneof![4 => Just(json!({})), 1 => Just(json!({ "claudeMd": " M @x.md " }))];
    (excludes(), excludes(), managed).prop_map(|(user, project, managed)| {
        let of = |list: Vec<String>| json!({ "claudeMdExcludes": list }).to_string();
        vec![
            ("home/.claude/settings.json", of(user)),
            ("proj/.claude/settings.json", of(project)),
            ("managed/managed-settings.json", managed.to_string()),
        ]
    })
}

fn memory() -> impl Strategy<Value = Option<String>> {
    let index = (0..250_usize, 1..150_usize);
    prop_oneof![
        2 => Just(None),
        1 => index.prop_map(|(lines, width)| Some(format!("- {}\n", "n".repeat(width)).repeat(lines))),
    ]
}

prop_compose! {
    /// A world, where the session starts in it, and what is read.
    pub(crate) fn world()(
        mut case in origin(),
        settings in settings(),
        files in prop::collection::vec((place(), text()), 15..90),
        links in prop::collection::vec(link(), 0..3),
        memory in memory(),
        steps in prop::collection::vec(step(), 0..5),
    ) -> Case {
        for (path, text) in settings {
            case.files.insert(path.to_owned(), text);
        }
        case.files.extend(files);
        if let Some(text) = memory {
            let folder = "home/.claude/projects/{rootenc}-proj/memory";
            case.files.insert(format!("{folder}/MEMORY.md"), text);
        }
        for (path, target) in links {
            let below = format!("{path}/");
            let taken = case.files.keys().any(|file| *file == path || file.starts_with(&below));
            if !taken {
                case.links.entry(path).or_insert(target);
            }
        }
        case.links = without_links_below_links(&case);
        case.steps = steps;
        case
    }
}

/// A link below a link would be written through it on disk.
fn without_links_below_links(case: &Case) -> std::collections::BTreeMap<String, String> {
    let below = |path: &str| {
        let mut others = case.links.keys();
        others.any(|other| path.starts_with(&format!("{other}/")))
    };
    let links = case.links.iter().filter(|(path, _)| !below(path));
    links
        .map(|(path, target)| (path.clone(), target.clone()))
        .collect()
}
