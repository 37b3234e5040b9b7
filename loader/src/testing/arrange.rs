//! Puts the parts of a world together, so that what comes out can stand on a disk.

use proptest::collection::{btree_map, vec};
use proptest::prelude::*;

use super::calls::{call, prompt};
use super::parts::{git_files, link, memory_index};
use super::places::{DIRECTORIES, PROJECT, SOURCES, place};
use super::references::{OWN, files_by_extension};
use super::start::{SettingsFiles, Start, settings, start};
use super::texts::text_with_own;
use super::{Options, World};
use crate::memory::folder_name;
use crate::path::AbsPath;

/// Stands for the mark of a text until its file is known.
const MARK: &str = "{mark}";

pub(super) fn arranged(options: &Options) -> BoxedStrategy<World> {
    let managed = options.managed;
    let written = btree_map(place(), text_with_own(MARK), options.files.clone());
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
                    put_text(&mut world, path, &text);
                }
                put_settings(&mut world, &start, settings);
                world.links.extend(links);
                world.prompt = prompt;
                world.calls = calls;
                put_the_rest(&mut world);
                make_room(&mut world);
                if let Some(text) = memory {
                    put_memory(&mut world, &text);
                }
                world
            },
        )
        .boxed()
}

/// The start, and the folders of git.
fn base(start: &Start) -> World {
    World {
        files: git_files(start.repository).into_iter().collect(),
        cwd: start.cwd.to_owned(),
        args: start.args.clone(),
        env: start.env.clone(),
        asked: start.asked,
        ..World::default()
    }
}

/// Writes a text with its mark, and the files that its references have of their own.
fn put_text(world: &mut World, path: String, text: &str) {
    let mark = mark(&path);
    let folder = path.rfind('/').map_or("", |slash| &path[..=slash]);
    let mut whole = String::new();
    for (count, part) in text.replace(MARK, &mark).split(OWN).enumerate() {
        if count > 0 {
            // Not in `.md`, so that none is a rule by its place.
            let name = format!("i{mark}{count}.txt");
            let own = format!("TI{mark}{count}\n");
            world.files.insert(format!("{folder}{name}"), own);
            whole.push_str(&name);
        }
        whole.push_str(part);
    }
    world.files.insert(path, whole);
}

/// The files that are no instructions, as far as the world has a use for them: where it starts,
/// what its calls and its prompt name, and a chain of imports longer than the client follows
/// (fact 3.14). Worlds that were made small stay readable in this way.
fn put_the_rest(world: &mut World) {
    let calls = world.calls.iter().map(|call| call.input.to_string());
    let named: Vec<String> = calls.chain(world.prompt.clone()).collect();
    let is_named = |path: &str| named.iter().any(|text| text.contains(path));
    let mut paths = vec![format!("{}/.keep", world.cwd)];
    for directory in DIRECTORIES {
        if is_named(directory.trim_end_matches('/')) {
            paths.push(format!("{directory}.keep"));
        }
    }
    for directory in PROJECT.iter().chain(&["out/"]) {
        let sources = SOURCES.iter().map(|name| format!("{directory}{name}"));
        paths.extend(sources.filter(|path| is_named(path)));
    }
    // These are also reached by relative paths and through links.
    if !named.is_empty() {
        paths.extend(["proj/code.rs", "proj/a/code.rs", "proj/a/b/code.rs"].map(str::to_owned));
        paths.extend(["proj/a.ts", "proj/src/code.rs", "out/code.rs"].map(str::to_owned));
    }
    let extensions: Vec<String> = world
        .files
        .values()
        .flat_map(|text| files_by_extension(text))
        .collect();
    for path in extensions {
        let text = format!("TE{} @x.md\n", mark(&path));
        world.files.entry(path).or_insert(text);
    }
    for path in paths {
        let text = if path.ends_with(".keep") {
            ""
        } else {
            "// one\n// two\n"
        };
        world.files.entry(path).or_insert_with(|| text.to_owned());
    }
    let chained = |text: &String| text.contains("k1.md") || text.contains("k2.md");
    if world
        .files
        .values()
        .any(|text| chained(text) || text.contains("k3.md"))
    {
        for n in 1..7 {
            let text = format!("TK{n} @k{}.md", n + 1);
            world.files.insert(format!("proj/k{n}.md"), text);
        }
    }
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
    use std::collections::BTreeMap;

    use super::super::start::Repository;
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
