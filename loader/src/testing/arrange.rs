//! Puts the parts of a world together, so that what comes out can stand on a disk.

use std::collections::BTreeMap;

use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use proptest::sample::select;

use super::calls::{call, prompt};
use super::places::{DIRECTORIES, PROJECT, SOURCES, place};
use super::start::{Repository, SettingsFiles, Start, settings, start};
use super::texts::text;
use super::{Options, World};
use crate::memory::folder_name;
use crate::path::AbsPath;

/// Stands for the mark of a text until its file is known.
const MARK: &str = "{mark}";

/// Where links stand, and what they say (facts 2.6, 2.7, 2.10–2.12, 5.23).
const LINK_PLACES: &[&str] = &[
    "proj/ln.md",
    "proj/ln",
    "proj/a/ln.md",
    "proj/a/ln",
    "proj/lib",
    "out/ln.md",
    "proj/CLAUDE.md",
    "proj/CLAUDE.local.md",
    "proj/AGENTS.md",
    "proj/x.md",
    "proj/a/CLAUDE.md",
    "proj/a/x.md",
    "proj/a/.claude",
    "proj/a/b/CLAUDE.md",
    "proj/.claude/CLAUDE.md",
    "proj/.claude/rules/ln.md",
    "proj/.claude/rules/ln",
    "proj/.claude/rules/s",
    "proj/src/.claude/rules",
    "proj/src/CLAUDE.md",
    "home/.claude/CLAUDE.md",
    "home/.claude/rules/ln.md",
    "home/.claude/rules/ln",
];
const LINK_TARGETS: &[&str] = &[
    "x.md",
    "../x.md",
    "CLAUDE.md",
    "CLAUDE.local.md",
    "../CLAUDE.md",
    "{root}/out/x.md",
    "{root}/out/CLAUDE.md",
    "{root}/proj/x.md",
    "{root}/proj/CLAUDE.md",
    "{root}/proj/a",
    "{root}/proj/src",
    "{root}/proj/a/.claude",
    "{root}/proj/.claude/rules",
    "{root}/out",
    "{root}/out/.claude",
    "{root}/home/.claude/x.md",
    "../a",
    "ln.md",
    "ln",
    "nowhere",
    "{root}/proj/CLAUDE.md/",
];

/// A symbolic link: its place below the root, and what it says. It may lead to a file or a folder
/// inside or outside the project, to nothing, or to itself.
pub fn link() -> BoxedStrategy<(String, String)> {
    (select(LINK_PLACES), select(LINK_TARGETS))
        .prop_map(|(place, target)| (place.to_owned(), target.to_owned()))
        .boxed()
}

/// The text of a `MEMORY.md`: short, over one of the client's limits, or over both (facts 6.4,
/// 6.5).
pub fn memory_index() -> BoxedStrategy<String> {
    let head = select(
        &[
            "",
            "T@x.md ",
            "<!-- c -->\n\n",
            "---\nname: n\n---\n",
            "\n\n",
            "# T\n",
        ][..],
    );
    let unit = prop_oneof![3 => Just("n"), 1 => Just("é"), 1 => Just("😀")];
    let lines = prop_oneof![2 => 0..10_usize, 1 => 195..260_usize];
    let width = prop_oneof![3 => 1..20_usize, 2 => 100..150_usize];
    let long = prop_oneof![9 => Just(0_usize), 1 => Just(25_100)];
    (head, unit, lines, width, long)
        .prop_map(|(head, unit, lines, width, long)| {
            let line = format!("- {}\n", unit.repeat(width));
            format!("{head}TM {}{}", "n".repeat(long), line.repeat(lines))
        })
        .boxed()
}

pub(super) fn arranged(options: &Options) -> BoxedStrategy<World> {
    let managed = options.managed;
    let written = btree_map(place(), text(MARK), options.files.clone());
    let links = if options.links {
        prop_oneof![1 => Just(vec![]), 2 => vec(link(), 1..4)].boxed()
    } else {
        Just(vec![]).boxed()
    };
    let memory = prop_oneof![1 => Just(None), 1 => memory_index().prop_map(Some)];
    let prompt = if options.prompts {
        prop_oneof![12 => Just(None), 1 => prompt().prop_map(Some)].boxed()
    } else {
        Just(None).boxed()
    };
    let calls = vec(call(&options.calls), options.call_count.clone());
    let with_way = options.links;
    let parts = (
        start(options),
        settings(options),
        written,
        links,
        memory,
        prompt,
        calls,
    );
    parts
        .prop_map(
            move |(start, settings, mut written, links, memory, prompt, calls)| {
                if !managed {
                    written.retain(|path, _| !path.starts_with("managed/"));
                }
                let mut world = base(&start);
                if with_way {
                    world.links.insert("way".to_owned(), "proj/a".to_owned());
                }
                for (path, text) in written {
                    let text = text.replace(MARK, &mark(&path));
                    world.files.insert(path, text);
                }
                put_settings(&mut world, &start, settings);
                world.links.extend(links);
                make_room(&mut world);
                if let Some(text) = memory {
                    put_memory(&mut world, &text);
                }
                world.prompt = prompt;
                world.calls = calls;
                world
            },
        )
        .boxed()
}

/// What every world has: its directories, sources, a chain of imports longer than the client
/// follows (fact 3.14), and the folders of git.
fn base(start: &Start) -> World {
    let mut files = BTreeMap::new();
    let mut put = |path: String, text: String| {
        files.insert(path, text);
    };
    for directory in DIRECTORIES {
        put(format!("{directory}.keep"), String::new());
    }
    for directory in PROJECT.iter().chain(&["out/"]) {
        for name in SOURCES {
            put(format!("{directory}{name}"), "// one\n// two\n".to_owned());
        }
    }
    for n in 1..7 {
        put(format!("proj/k{n}.md"), format!("TK{n} @k{}.md", n + 1));
    }
    for (path, text) in git_files(start.repository) {
        put(path, text);
    }
    World {
        files,
        links: BTreeMap::new(),
        cwd: start.cwd.to_owned(),
        args: start.args.clone(),
        env: start.env.clone(),
        asked: start.asked,
        prompt: None,
        calls: Vec::new(),
    }
}

/// Just enough for the real git to take the folders as its own.
fn git_files(repository: Repository) -> Vec<(String, String)> {
    let checkout = |root: &str| {
        let file = |name: &str, text: &str| (format!("{root}/.git/{name}"), text.to_owned());
        [
            file("HEAD", "ref: refs/heads/main\n"),
            file(
                "config",
                "[core]\n\trepositoryformatversion = 0\n\tbare = false\n",
            ),
            file("objects/.keep", ""),
            file("refs/heads/.keep", ""),
        ]
    };
    let worktree = |name: &str, path: &str| {
        let folder = format!("proj/.git/worktrees/{name}");
        [
            (
                format!("{folder}/HEAD"),
                format!("ref: refs/heads/{name}\n"),
            ),
            (format!("{folder}/commondir"), "../..\n".to_owned()),
            (
                format!("{folder}/gitdir"),
                format!("{{root}}/{path}/.git\n"),
            ),
            (
                format!("{path}/.git"),
                format!("gitdir: {{root}}/{folder}\n"),
            ),
        ]
    };
    let mut files = Vec::new();
    if repository != Repository::None {
        files.extend(checkout("proj"));
    }
    match repository {
        Repository::None | Repository::Project => {}
        Repository::Inner => files.extend(checkout("proj/a")),
        Repository::Worktrees => {
            files.extend(worktree("wt", "proj/wt"));
            files.extend(worktree("beside", "out/wt"));
        }
    }
    files
}

/// Settings of the project stand in the working directory; those of a parent do not count
/// (fact 7.3).
fn put_settings(world: &mut World, start: &Start, settings: SettingsFiles) {
    let cwd = if start.cwd == "way" {
        "proj/a"
    } else {
        start.cwd
    };
    let user = match world.env.get("CLAUDE_CONFIG_DIR") {
        Some(folder) => folder.trim_start_matches("{root}/"),
        None => "home/.claude",
    };
    let places = [
        (
            format!("{cwd}/.claude/settings.json"),
            settings.project.clone(),
        ),
        ("proj/.claude/settings.json".to_owned(), settings.project),
        (format!("{cwd}/.claude/settings.local.json"), settings.local),
        (format!("{user}/settings.json"), settings.user),
        ("managed/managed-settings.json".to_owned(), settings.managed),
    ];
    for (path, value) in places {
        if let Some(value) = value {
            world.files.insert(path, value.to_string());
        }
    }
    if let Some((as_text, value)) = settings.flag {
        let mut value = value.to_string();
        if !as_text {
            world.files.insert("flag.json".to_owned(), value);
            value = "{root}/flag.json".to_owned();
        }
        world.args.extend(["--settings".to_owned(), value]);
    }
}

/// A link takes the place of files; no link stands below another, where a disk would write
/// through it.
fn make_room(world: &mut World) {
    let links = world.links.clone();
    let is_below = |path: &str, link: &str| {
        path.strip_prefix(link)
            .is_some_and(|rest| rest.starts_with('/'))
    };
    world
        .links
        .retain(|path, _| !links.keys().any(|link| is_below(path, link)));
    let links = &world.links;
    world.files.retain(|path, _| {
        !links
            .keys()
            .any(|link| path == link || is_below(path, link))
    });
}

/// The index stands where the client looks for it, and in the folders that settings may name
/// instead, each with its own mark (facts 6.1, 6.7).
fn put_memory(world: &mut World, text: &str) {
    let Some(root) = AbsPath::new("/") else {
        return;
    };
    let project = world.project(&world.host(&root), &root);
    let below = project.below(&root).unwrap_or_default();
    let folder = format!("{{rootenc}}{}", folder_name(&format!("/{below}")));
    let config = match world.env.get("CLAUDE_CONFIG_DIR") {
        Some(folder) => folder.trim_start_matches("{root}/").to_owned(),
        None => "home/.claude".to_owned(),
    };
    let mut settings = world.files.values().chain(&world.args);
    let named = settings.any(|text| text.contains("autoMemoryDirectory"));
    let mut places = vec![format!("{config}/projects/{folder}/memory")];
    if named {
        places.extend(["out/mem".to_owned(), "home/mem".to_owned()]);
    }
    for place in places {
        let text = text.replacen("TM", &format!("T{}", mark(&place)), 1);
        world.files.insert(format!("{place}/MEMORY.md"), text);
    }
}

/// Tells texts apart: four letters computed from the path (FNV-1a).
fn mark(path: &str) -> String {
    let hash = path.bytes().fold(0x811c_9dc5_u32, |hash, byte| {
        (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
    });
    format!("{:05x}", hash & 0x000F_FFFF)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Links win over files, and outer links over inner ones.
    #[test]
    fn links_have_room() {
        let mut world = World::default();
        for path in ["p/l/x", "p/l", "p/lx", "q/f"] {
            world.files.insert(path.to_owned(), String::new());
        }
        for path in ["p/l", "p/l/inner", "q/f"] {
            world.links.insert(path.to_owned(), "t".to_owned());
        }
        make_room(&mut world);
        assert_eq!(world.files.keys().collect::<Vec<_>>(), ["p/lx"]);
        assert_eq!(world.links.keys().collect::<Vec<_>>(), ["p/l", "q/f"]);
    }

    #[test]
    fn the_index_lies_in_the_folder_of_the_main_checkout() {
        let start = Start {
            cwd: "proj/wt/in",
            repository: Repository::Worktrees,
            args: vec![],
            env: BTreeMap::new(),
            asked: super::super::Asked::Never,
        };
        let mut world = base(&start);
        put_memory(&mut world, "TM");
        let wanted = "home/.claude/projects/{rootenc}-proj/memory/MEMORY.md";
        assert!(world.files.contains_key(wanted), "{:?}", world.files.keys());
    }
}
