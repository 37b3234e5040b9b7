//! Open items: what was still to be done, and the state in which the client was.

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::Compared;
use super::aside::{self, Aside};
use super::finding::{Finding, Findings, State};
use super::lessons;
use super::talk::{Call, Voice};
use super::terms;

/// How much of a request is shown, in bytes.
const SHOWN: usize = 2_000;

/// What kind of thing is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum OpenKind {
    /// The user's last request.
    Request,
    /// An item of the last to-do list.
    Todo,
    /// A task of the task list.
    Task,
    /// A call without result.
    Call,
    /// The file of the plan.
    Plan,
}

/// One open item.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct OpenItem {
    /// What kind of thing it is.
    pub kind: OpenKind,
    /// Its text; of a call its target, of a plan its path. A request is cut to 2,000 bytes.
    pub text: String,
    /// The status of a to-do item or task, the tool of a call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<String>,
}

/// The permission mode before the compaction (facts C7.4, I30). The running client keeps it; what is
/// resumed in print mode begins anew.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PermissionMode {
    /// Its name: `plan`, `acceptEdits` …
    pub mode: String,
    /// The line of the record that tells it, from 1.
    pub line: u32,
    /// Whether a message that is left tells the model of it.
    pub told_after: bool,
}

/// What was still to be done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct OpenItems {
    /// The items.
    #[serde(flatten)]
    pub items: Findings<OpenItem>,
    /// The permission mode, where the transcript tells it.
    pub permission_mode: Option<PermissionMode>,
}

pub(super) fn of(compared: &Compared<'_>, aside: &Aside) -> OpenItems {
    let mut items: Vec<Finding<OpenItem>> = Vec::new();
    items.extend(request(compared));
    items.extend(todos(compared));
    items.extend(tasks(compared));
    items.extend(calls(compared));
    items.extend(plan(compared, aside));
    OpenItems {
        items: items.into_iter().collect(),
        permission_mode: permission_mode(compared, aside),
    }
}

fn item(
    compared: &Compared<'_>,
    kind: OpenKind,
    text: &str,
    status: Option<&str>,
    spot: usize,
) -> Finding<OpenItem> {
    Finding {
        what: OpenItem {
            kind,
            text: text.to_owned(),
            status: status.map(str::to_owned),
        },
        place: compared.place(spot),
        state: compared.after.state(text),
    }
}

fn request(compared: &Compared<'_>) -> Option<Finding<OpenItem>> {
    let passages = &compared.before.passages;
    let last = passages
        .iter()
        .rfind(|passage| passage.voice == Voice::User)?;
    // The client's reminders may stand within one prompt.
    let mut parts = passages
        .iter()
        .filter(|passage| passage.voice == Voice::User && passage.spot == last.spot);
    let longest = parts.by_ref().max_by_key(|passage| passage.text.len())?;
    let text = longest.text.trim();
    let mut request = item(compared, OpenKind::Request, text, None, last.spot);
    request.what.text = terms::cut(text, SHOWN).to_owned();
    Some(request)
}

#[derive(Deserialize)]
struct TodoList {
    todos: Vec<Todo>,
}

/// An item of a to-do list.
#[derive(Deserialize)]
pub(crate) struct Todo {
    pub(crate) content: String,
    #[serde(default)]
    status: String,
}

/// The open items in the input of a call of `TodoWrite`.
pub(crate) fn open_todos(input: &str) -> Vec<Todo> {
    let list = serde_json::from_str::<TodoList>(input);
    let mut todos = list.map(|list| list.todos).unwrap_or_default();
    todos.retain(|todo| !is_done(&todo.status) && !todo.content.trim().is_empty());
    todos
}

fn is_done(status: &str) -> bool {
    matches!(status, "completed" | "deleted" | "cancelled")
}

fn succeeded(call: &&Call<'_>) -> bool {
    call.result.as_ref().is_none_or(|answer| !answer.is_error)
}

/// What is open on the last to-do list (bug bank B091).
fn todos(compared: &Compared<'_>) -> Vec<Finding<OpenItem>> {
    let mut lists = compared
        .before
        .calls
        .iter()
        .rev()
        .filter(|call| call.tool == "TodoWrite");
    let Some(call) = lists.find(succeeded) else {
        return Vec::new();
    };
    let open = open_todos(call.input.get());
    open.iter()
        .map(|todo| {
            item(
                compared,
                OpenKind::Todo,
                &todo.content,
                Some(&todo.status),
                call.spot,
            )
        })
        .collect()
}

/// The tasks that are not done, in the order of their making.
fn tasks(compared: &Compared<'_>) -> Vec<Finding<OpenItem>> {
    let mut tasks: Vec<(String, String, usize)> = Vec::new();
    let mut by_id: FxHashMap<String, usize> = FxHashMap::default();
    let talk = compared.before;
    for call in talk.calls.iter().filter(succeeded) {
        let text = |key: &str| talk.input(call, key).unwrap_or_default();
        match call.tool {
            "TaskCreate" if !text("subject").trim().is_empty() => {
                let answer = call.result.as_ref().map(|answer| &*answer.text);
                let id = answer
                    .and_then(id_in)
                    .unwrap_or_else(|| (tasks.len() + 1).to_string());
                by_id.insert(id, tasks.len());
                tasks.push((text("subject").to_owned(), "pending".to_owned(), call.spot));
            }
            "TaskUpdate" => {
                let id = text("taskId").trim_start_matches('#');
                if let Some(task) = by_id.get(id).and_then(|number| tasks.get_mut(*number)) {
                    if !text("subject").trim().is_empty() {
                        task.0 = text("subject").to_owned();
                    }
                    if !text("status").is_empty() {
                        task.1 = text("status").to_owned();
                    }
                    task.2 = call.spot;
                }
            }
            _ => {}
        }
    }
    let open = tasks.iter().filter(|(_, status, _)| !is_done(status));
    open.map(|(subject, status, spot)| item(compared, OpenKind::Task, subject, Some(status), *spot))
        .collect()
}

/// The number behind the first `#` of the answer to a new task, else the first number.
fn id_in(answer: &str) -> Option<String> {
    let from = answer.find('#').map_or(0, |at| at + 1);
    let start = from + answer[from..].find(|c: char| c.is_ascii_digit())?;
    let digits = answer[start..]
        .split(|c: char| !c.is_ascii_digit())
        .next()?;
    Some(digits.to_owned())
}

/// Calls that nobody answered. They are left where the call itself is.
fn calls(compared: &Compared<'_>) -> Vec<Finding<OpenItem>> {
    let open = compared
        .before
        .calls
        .iter()
        .filter(|call| call.result.is_none());
    open.map(|call| {
        let target = lessons::target(compared.before, call).unwrap_or_default();
        let mut left = compared.left.calls.iter();
        let left = left.find(|other| other.id == call.id);
        let state = left.map_or(State::Lost, |left| State::Kept {
            found: compared.left.place(compared.index, left.spot),
        });
        Finding {
            what: OpenItem {
                kind: OpenKind::Call,
                text: target.to_owned(),
                status: Some(call.tool.to_owned()),
            },
            place: compared.place(call.spot),
            state,
        }
    })
    .collect()
}

/// The file of the last plan (fact I41, bug bank B092).
fn plan(compared: &Compared<'_>, aside: &Aside) -> Option<Finding<OpenItem>> {
    let talk = compared.before;
    let written = talk.calls.iter().filter_map(|call| {
        let path = match call.tool {
            "Write" | "Edit" => talk.input(call, "file_path").filter(|path| is_plan(path)),
            "ExitPlanMode" => talk.input(call, "planFilePath"),
            _ => None,
        };
        let path = path.filter(|path| !path.trim().is_empty());
        path.map(|path| (path, call.spot, None))
    });
    let told = aside.plans.iter().filter_map(|(path, record)| {
        let spot = talk.spot_of(*record)?;
        Some((path.as_str(), spot, Some(*record)))
    });
    let (path, spot, record) = written.chain(told).max_by_key(|(_, spot, _)| *spot)?;
    let mut plan = item(compared, OpenKind::Plan, path, None, spot);
    // An attachment may name it without that its text is known.
    let left = record.and_then(|record| compared.left.spot_of(record));
    if let Some(left) = left {
        let found = compared.left.place(compared.index, left);
        plan.state = State::Kept { found };
    } else if !matches!(plan.state, State::Kept { .. }) {
        let name = compared.after.file_name(path);
        plan.state = name.map_or(State::Lost, State::Part);
    }
    Some(plan)
}

fn is_plan(path: &str) -> bool {
    let parts: Vec<&str> = path.rsplit(['/', '\\']).take(3).collect();
    matches!(parts.as_slice(), [file, "plans", folder] if file.ends_with(".md") && folder.starts_with(".claude"))
}

fn permission_mode(compared: &Compared<'_>, aside: &Aside) -> Option<PermissionMode> {
    let (mode, record) = aside.mode.as_ref()?;
    let tells = |kind: &str| match mode.as_str() {
        "plan" => aside::is_plan(kind) && kind != "plan_mode_exit",
        "auto" => kind == "auto_mode",
        _ => false,
    };
    let told_after = compared.left.spots.iter().any(|spot| {
        let entry = spot
            .record
            .and_then(|record| compared.index.entries().get(record));
        let kind = entry.and_then(|entry| entry.detail);
        kind.is_some_and(|kind| tells(compared.index.text(kind)))
    });
    Some(PermissionMode {
        mode: mode.clone(),
        line: compared.index.entries()[*record].place.line,
        told_after,
    })
}
