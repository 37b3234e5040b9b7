//! How the client is started in a random world: the directory, git, flags, settings.

use std::collections::BTreeMap;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Map, Value, json};

use super::patterns::exclude;
use super::{Asked, Options};

/// Where git knows a repository.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Repository {
    None,
    /// `proj` is one.
    Project,
    /// `proj` is one, with another in `proj/a` (fact 2.2).
    Inner,
    /// `proj` is one, with a linked worktree inside it and one beside it (facts 2.4, 2.5).
    Worktrees,
}

/// What decides how a session starts.
#[derive(Clone, Debug)]
pub(super) struct Start {
    pub(super) cwd: &'static str,
    pub(super) repository: Repository,
    pub(super) args: Vec<String>,
    pub(super) env: BTreeMap<String, String>,
    pub(super) asked: Asked,
}

const SWITCH: &str = "CLAUDE_CODE_ADDITIONAL_DIRECTORIES_CLAUDE_MD";

/// The flags of a start: mostly none (facts 7.4, 7.5, 7.10–7.12).
const FLAGS: &[&[&str]] = &[
    &["--add-dir", "{root}/out"],
    &["--add-dir", "../out", "{root}/proj/src"],
    &["--add-dir", "{root}/out/wt", "--add-dir", "{root}/home"],
    &["--add-dir", "{root}/gone"],
    &["--setting-sources", "user"],
    &["--setting-sources", "project"],
    &["--setting-sources", "local"],
    &["--setting-sources", "user,project"],
    &["--setting-sources", "project,local"],
    &["--setting-sources", ""],
];

/// The switches of the environment, each seldom (facts 6.6, 7.5, 7.6).
const SWITCHES: &[(&str, &str)] = &[
    ("CLAUDE_CONFIG_DIR", "{root}/conf"),
    ("CLAUDE_CONFIG_DIR", "{root}/conf"),
    ("CLAUDE_CONFIG_DIR", "{root}/conf"),
    ("CLAUDE_CONFIG_DIR", "{root}/proj/a"),
    ("CLAUDE_CODE_DISABLE_AUTO_MEMORY", "1"),
    ("CLAUDE_CODE_DISABLE_AUTO_MEMORY", "0"),
    ("CLAUDE_CODE_DISABLE_CLAUDE_MDS", "1"),
    (SWITCH, "0"),
];

pub(super) fn start(options: &Options) -> BoxedStrategy<Start> {
    let mut directories = vec![
        (24, "proj"),
        (4, "proj/a"),
        (2, "proj/a/b"),
        (2, "proj/src"),
        (1, "proj/c d"),
        (1, "proj/.hid"),
        (1, "home"),
        (1, "out"),
        (1, "home/.claude"),
    ];
    let mut repositories = vec![
        (4, Just(Repository::None)),
        (3, Just(Repository::Project)),
        (1, Just(Repository::Inner)),
    ];
    if options.worktrees {
        directories.extend([(2, "proj/wt"), (1, "proj/wt/in"), (1, "out/wt")]);
        repositories.push((4, Just(Repository::Worktrees)));
    }
    if options.links {
        directories.push((3, "way"));
    }
    let directories = directories
        .into_iter()
        .map(|(weight, path)| (weight, Just(path)));
    let cwd = proptest::strategy::Union::new_weighted(directories.collect());
    let repository = proptest::strategy::Union::new_weighted(repositories);
    let flags = prop_oneof![5 => Just(&[][..]), 3 => select(FLAGS)];
    let bare = prop_oneof![60 => Just(false), 1 => Just(true)];
    let env = prop_oneof![5 => Just(None), 1 => select(SWITCHES).prop_map(Some)];
    let asked = select(&[Asked::Never, Asked::Approved, Asked::Declined][..]);
    (cwd, repository, flags, bare, env, any::<bool>(), asked)
        .prop_map(|(cwd, repository, flags, bare, variable, adds, asked)| {
            let mut env = BTreeMap::new();
            if let Some((name, value)) = variable {
                env.insert(name.to_owned(), value.to_owned());
            }
            // Added directories give files only with this switch.
            if adds && flags.first() == Some(&"--add-dir") {
                env.insert(SWITCH.to_owned(), "1".to_owned());
            }
            let mut args: Vec<String> = flags.iter().map(|flag| (*flag).to_owned()).collect();
            if bare {
                args.push("--bare".to_owned());
            }
            Start {
                cwd,
                repository,
                args,
                env,
                asked,
            }
        })
        .boxed()
}

/// The settings of every kind that a world may have; `None` is no file.
#[derive(Clone, Debug)]
pub(super) struct SettingsFiles {
    pub(super) user: Option<Value>,
    pub(super) project: Option<Value>,
    pub(super) local: Option<Value>,
    pub(super) managed: Option<Value>,
    pub(super) flag: Option<(bool, Value)>,
}

pub(super) fn settings(options: &Options) -> BoxedStrategy<SettingsFiles> {
    let seldom = |value: BoxedStrategy<Value>| {
        prop_oneof![4 => Just(None), 1 => value.prop_map(Some)].boxed()
    };
    let managed = if options.managed {
        seldom(managed())
    } else {
        Just(None).boxed()
    };
    let flag = prop_oneof![8 => Just(None), 1 => (any::<bool>(), of_user()).prop_map(Some)];
    (
        seldom(of_user()),
        seldom(of_user()),
        seldom(of_user()),
        managed,
        flag,
    )
        .prop_map(|(user, project, local, managed, flag)| SettingsFiles {
            user,
            project,
            local,
            managed,
            flag,
        })
        .boxed()
}

fn excludes() -> BoxedStrategy<Value> {
    vec(exclude(), 1..3).prop_map(|list| json!(list)).boxed()
}

/// One or two keys, of which excludes are the most common.
fn of_user() -> BoxedStrategy<Value> {
    let others = [
        ("autoMemoryDirectory", json!("{root}/out/mem")),
        ("autoMemoryDirectory", json!("~/mem")),
        ("autoMemoryDirectory", json!("out/mem")),
        ("autoMemoryEnabled", json!(false)),
        ("autoMemoryEnabled", json!(true)),
        ("claudeMd", json!("only managed settings may say this")),
        ("env", json!({ SWITCH: "1" })),
        (
            "enabledPlugins",
            json!({ "cc-plugin-agents-md@builtin": false }),
        ),
        // A text instead of a list makes the file void (fact 7.3).
        ("claudeMdExcludes", json!("**/x.md")),
    ];
    let other = prop_oneof![2 => Just(None), 1 => select(others.to_vec()).prop_map(Some)];
    (excludes(), other)
        .prop_map(|(list, other)| object(list, other))
        .boxed()
}

/// Managed settings have a text of their own (fact 7.13).
fn managed() -> BoxedStrategy<Value> {
    let others = [
        ("claudeMd", json!(" TM @x.md <!-- kept --> \n")),
        ("claudeMd", json!("TM")),
        ("claudeMd", json!("")),
        ("autoMemoryDirectory", json!("{root}/out/mem")),
    ];
    (excludes(), select(others.to_vec()))
        .prop_map(|(list, other)| object(list, Some(other)))
        .boxed()
}

fn object(excludes: Value, other: Option<(&str, Value)>) -> Value {
    let mut object = Map::new();
    object.insert("claudeMdExcludes".to_owned(), excludes);
    if let Some((name, value)) = other {
        object.insert(name.to_owned(), value);
    }
    Value::Object(object)
}
