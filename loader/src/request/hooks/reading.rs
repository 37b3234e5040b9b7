//! From settings and plugins to hooks; what has the wrong form costs itself only.

use super::{Hook, HookSource, HookState, Hooks, Reach, WrongHook};
use crate::json_file;
use crate::path::AbsPath;
use crate::plugins::{self, Plugin};
use crate::record::Diagnostic;
use crate::session::Session;
use crate::settings::Node;

/// The events of 2.1.332, by its own complaint about an unknown one.
pub(crate) const EVENTS: [&str; 31] = [
    "PreToolUse",
    "PostToolUse",
    "PostToolUseFailure",
    "PostToolBatch",
    "Notification",
    "UserPromptSubmit",
    "UserPromptExpansion",
    "SessionStart",
    "SessionEnd",
    "Stop",
    "StopFailure",
    "SubagentStart",
    "SubagentStop",
    "PreCompact",
    "PostCompact",
    "PreModelSwitch",
    "PostModelSwitch",
    "PermissionRequest",
    "PermissionDenied",
    "Setup",
    "TeammateIdle",
    "TaskCreated",
    "TaskCompleted",
    "Elicitation",
    "ElicitationResult",
    "ConfigChange",
    "WorktreeCreate",
    "WorktreeRemove",
    "InstructionsLoaded",
    "CwdChanged",
    "FileChanged",
];

/// The hooks of a value of the key `hooks`.
pub(super) fn take(value: &Node, source: &dyn Fn(u32) -> HookSource, found: &mut Hooks) {
    walk(value, &mut |item| match item {
        Item::Wrong {
            line, what, event, ..
        } => {
            let message = format!("{what}, so it does not count");
            found.diagnostics.push(at(&source(line), message));
            found.wrong.push(WrongHook {
                source: source(line),
                what,
                unknown_event: event.map(str::to_owned),
            });
        }
        Item::Hook {
            event,
            matcher,
            node,
        } => found
            .hooks
            .push(hook(event, matcher, node, source(node.line))),
    });
}

/// What a walk over the key `hooks` meets.
pub(crate) enum Item<'n> {
    /// Something of the wrong form: its line, and what is wrong.
    Wrong {
        line: u32,
        what: String,
        /// The name of an event that the client has not.
        event: Option<&'n str>,
        /// Old clients take nothing of the settings file then.
        voids: bool,
    },
    /// A hook.
    Hook {
        event: &'n str,
        matcher: Option<&'n str>,
        node: &'n Node,
    },
}

fn wrong_form<'n>(line: u32, what: impl Into<String>, voids: bool) -> Item<'n> {
    Item::Wrong {
        line,
        what: what.into(),
        event: None,
        voids,
    }
}

/// The hooks of a value of the key `hooks`, and what is wrong in it (fact 62).
pub(crate) fn walk<'n>(value: &'n Node, each: &mut dyn FnMut(Item<'n>)) {
    if value.as_map().is_none() {
        each(wrong_form(value.line, "hooks must be an object", false));
    }
    for event in value.properties() {
        let name = event.name.as_str();
        if !EVENTS.contains(&name) {
            each(Item::Wrong {
                line: event.line,
                what: format!("{name} is no event of hooks"),
                event: Some(name),
                voids: false,
            });
            continue;
        }
        if event.value.as_list().is_none() {
            let what = format!("hooks of {name} must be a list");
            each(wrong_form(event.line, what, false));
        }
        for group in event.value.items() {
            let matcher = group.get("matcher");
            if matcher.is_some_and(|matcher| matcher.text().is_none()) {
                let what = format!("the matcher of a hook of {name} must be a text");
                each(wrong_form(group.line, what, true));
                continue;
            }
            let Some(hooks) = group.get("hooks").and_then(Node::as_list) else {
                let what = format!("an entry of {name} must be an object with a list of hooks");
                each(wrong_form(group.line, what, true));
                continue;
            };
            for node in hooks {
                match wrong(node) {
                    Some(what) => each(wrong_form(node.line, what, true)),
                    None => each(Item::Hook {
                        event: name,
                        matcher: matcher.and_then(Node::text),
                        node,
                    }),
                }
            }
        }
    }
}

/// What made an old client take nothing of a settings file: an entry of the wrong form. A value
/// that is no object, an event that holds no list, and an unknown event cost only themselves.
pub(crate) fn voiding(settings: &Node) -> Option<(u32, String)> {
    let mut first = None;
    let hooks = settings.get("hooks")?;
    walk(hooks, &mut |item| {
        if let Item::Wrong {
            line,
            what,
            voids: true,
            ..
        } = item
        {
            first.get_or_insert((line, what));
        }
    });
    first
}

/// What a hook lacks.
fn wrong(node: &Node) -> Option<&'static str> {
    let kind = node.get("type").and_then(Node::text);
    let needed = match kind {
        Some("command") => "command",
        Some("prompt" | "agent") => "prompt",
        Some("http") => "url",
        Some("mcp_tool") => "server",
        _ => return Some("the type of a hook must be command, prompt, agent, http or mcp_tool"),
    };
    if node.get(needed).and_then(Node::text).is_none() {
        return Some("a hook must have a text as command, prompt, url or server, by its type");
    }
    let timeout = node.get("timeout");
    let is_good = |timeout: &Node| timeout.number::<f64>().is_some_and(|seconds| seconds > 0.0);
    (!timeout.is_none_or(is_good)).then_some("the timeout of a hook must be a number above 0")
}

fn hook(event: &str, matcher: Option<&str>, node: &Node, source: HookSource) -> Hook {
    let text = |name: &str| node.get(name).and_then(Node::text).map(str::to_owned);
    let args = node.get("args").and_then(Node::as_list).map(|args| {
        let texts = args.iter().filter_map(Node::text);
        texts.map(str::to_owned).collect()
    });
    let is_async = node.get("async").and_then(Node::bool) == Some(true);
    Hook {
        event: event.to_owned(),
        matcher: matcher.map(str::to_owned),
        kind: text("type").unwrap_or_default(),
        command: text("command"),
        args,
        timeout: node.get("timeout").and_then(Node::number),
        is_async,
        condition: text("if"),
        source,
        state: HookState::Later,
        reach: if is_async {
            Reach::Nowhere
        } else {
            Reach::of(event)
        },
        missing: None,
    }
}

fn at(source: &HookSource, message: String) -> Diagnostic {
    let (file, line) = match source {
        HookSource::Settings { place } => (place.file.as_ref(), place.line),
        HookSource::Plugin { file, line, .. } => (Some(file), *line),
    };
    let diagnostic = Diagnostic::warning(message);
    let mut diagnostic = match file {
        Some(file) => diagnostic.about(file),
        None => diagnostic,
    };
    diagnostic.line = Some(line);
    diagnostic
}

/// Hooks of plugins: `hooks/hooks.json`, and what the manifest names or holds (fact 63).
pub(super) fn of_plugins(session: &Session<'_>, found: &mut Hooks) {
    for plugin in plugins::of(session.world(), &mut found.diagnostics) {
        let mut files = vec![plugin.root.join("hooks/hooks.json")];
        let in_manifest = plugin.manifest.as_ref();
        let in_manifest = in_manifest.and_then(|(file, node)| Some((file, node.get("hooks")?)));
        if let Some((manifest, hooks)) = in_manifest {
            for named in std::iter::once(hooks).chain(hooks.items()) {
                let file = named.text().map(|file| plugin.root.join(file));
                files.extend(file.filter(|file| *file != files[0]));
            }
            if hooks.as_map().is_some() {
                take(hooks, &|line| plugin.hook_source(manifest, line), found);
            }
        }
        for file in files {
            let root = match json_file::read(session.world().host, &file) {
                Ok(None) => continue,
                Ok(Some(root)) => root,
                Err(wrong) => {
                    found.diagnostics.push(wrong);
                    continue;
                }
            };
            let source = |line| plugin.hook_source(&file, line);
            if let Some(hooks) = root.get("hooks") {
                take(hooks, &source, found);
            } else {
                let what = "a plugin's file of hooks must have the key hooks";
                let wrong = at(&source(root.line), what.to_owned());
                found.diagnostics.push(wrong);
            }
        }
    }
}

impl Plugin {
    fn hook_source(&self, file: &AbsPath, line: u32) -> HookSource {
        HookSource::Plugin {
            plugin: self.name.clone(),
            root: self.root.clone(),
            file: file.clone(),
            line,
        }
    }
}
