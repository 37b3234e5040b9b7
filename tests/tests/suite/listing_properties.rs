//! What holds of every listing of skills and commands.

use outcrop_loader::catalog::{Catalog, EntryKind};
use outcrop_loader::client::Client;
use outcrop_loader::host::Host;
use outcrop_loader::path::AbsPath;
use outcrop_loader::testing::{World, listings};
use proptest::prelude::*;

use crate::worlds::config;

fn root() -> AbsPath {
    AbsPath::new("/sand/w").unwrap()
}

fn catalog(world: &World, client: &str) -> Catalog {
    let host = world.host(&root());
    let client = Client::of(client.parse().unwrap()).unwrap();
    world.session(&host, &root(), client).catalog()
}

const CLIENTS: [&str; 2] = ["2.1.332", "2.1.197"];

proptest! {
    #![proptest_config(config(256))]

    /// A listing takes no more than its room, unless names and the client's own texts do.
    #[test]
    fn a_listing_keeps_to_its_budget(world in listings(true)) {
        for client in CLIENTS {
            let catalog = catalog(&world, client);
            let budget = catalog.budget.clone().unwrap();
            let texts = catalog.entries.iter().filter(|entry| entry.text.is_some());
            prop_assert!(budget.used <= budget.room || texts.count() == 0, "{budget:?}");
            prop_assert!(budget.used <= budget.wanted);
            let dropped = catalog.entries.iter().filter(|entry| entry.bare.is_some());
            prop_assert!(budget.wanted > budget.room || budget.used == budget.wanted || dropped.count() > 0);
        }
    }

    /// Each file is listed or left out, once, and each name is listed once.
    #[test]
    fn each_file_once(world in listings(true)) {
        let catalog = catalog(&world, CLIENTS[0]);
        let listed = catalog.entries.iter().map(|entry| &entry.path);
        let absent = catalog.absent.iter().map(|absent| &absent.path);
        let mut paths: Vec<_> = listed.chain(absent).collect();
        let count = paths.len();
        paths.sort();
        paths.dedup();
        prop_assert_eq!(paths.len(), count);
        let mut names: Vec<_> = catalog.entries.iter().map(|entry| &entry.name).collect();
        names.sort();
        names.dedup();
        prop_assert_eq!(names.len(), catalog.entries.len());
    }

    /// A skill with a name that a stronger one has changes nothing.
    #[test]
    fn a_weaker_duplicate_changes_nothing(world in listings(true), pick in any::<prop::sample::Index>()) {
        let before = catalog(&world, CLIENTS[0]);
        let skills = before.entries.iter().filter(|entry| entry.kind == EntryKind::Skill && entry.note.is_none());
        // Ancestors stand behind managed, user and the working directory's skills.
        let stronger: Vec<_> = skills
            .filter(|entry| {
                let path = entry.path.as_str();
                ["/sand/w/managed/", "/sand/w/home/", "/sand/w/proj/"].iter().any(|place| path.starts_with(place))
            })
            .collect();
        prop_assume!(!stronger.is_empty());
        let name = &stronger[pick.index(stronger.len())].name;
        let file = format!(".claude/skills/{name}/SKILL.md");
        prop_assume!(!world.files.contains_key(&file));
        let mut more = world;
        more.files.insert(file.clone(), "---\ndescription: weaker\n---\n".to_owned());
        let after = catalog(&more, CLIENTS[0]);
        prop_assert_eq!(&after.entries, &before.entries);
        prop_assert_eq!(&after.own, &before.own);
        prop_assert_eq!(&after.budget, &before.budget);
        let host = more.host(&root());
        prop_assert!(host.metadata(&root().join(&file)).is_ok());
    }

    /// What reads announce was not listed before, and is announced once.
    #[test]
    fn announced_once(world in listings(true)) {
        for client in CLIENTS {
            let host = world.host(&root());
            let client = Client::of(client.parse().unwrap()).unwrap();
            let session = world.session(&host, &root(), client);
            let mut names: Vec<String> = session.catalog().entries.into_iter().map(|entry| entry.name).collect();
            names.sort();
            names.dedup();
            for entry in session.announced().into_iter().flat_map(|list| list.entries) {
                prop_assert!(!names.contains(&entry.name), "{}", entry.name);
                names.push(entry.name);
            }
        }
    }

    /// Any text at all is a skill that hides no other, with a body that can be asked for.
    #[test]
    fn hostile_skills_hide_no_other(
        text in prop_oneof![
            any::<String>(),
            "(---\\n)?(name|description|when_to_use|paths|arguments): [^\n]{0,12}\\n(.{0,20}\\n){0,3}(---)?\\n?.{0,9}",
            "---\n[$!`{}\\[\\]0-9A-Z_ a\\\\]{0,60}",
        ],
        arguments in "[$ '\"\\\\a-c0-9\n]{0,20}",
    ) {
        let mut world = World { cwd: "proj".to_owned(), ..World::default() };
        world.files.insert("proj/.claude/skills/odd/SKILL.md".to_owned(), text.clone());
        world.files.insert("proj/.claude/commands/odd.md".to_owned(), text);
        world.files.insert("home/.claude/skills/good/SKILL.md".to_owned(), "---\ndescription: d\n---\nB".to_owned());
        for client in CLIENTS {
            let host = world.host(&root());
            let client = Client::of(client.parse().unwrap()).unwrap();
            let session = world.session(&host, &root(), client);
            let catalog = session.catalog();
            prop_assert!(catalog.entries.iter().any(|entry| entry.name == "good"));
            let odd = catalog.entries.iter().map(|entry| &entry.name);
            let odd = odd.chain(catalog.absent.iter().map(|absent| &absent.name));
            prop_assert_eq!(odd.filter(|name| *name == "odd").count(), 2);
            if let Some(body) = session.body("odd", &arguments, None) {
                let _ = body.text(|command| command.to_owned());
            }
        }
    }
}
