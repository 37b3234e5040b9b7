//! What a client makes of an attachment whose text is not in the transcript, by type. The words
//! around what the attachment holds are the client's; only their length is known here, as seen in
//! the cases `attachment-*` (UTF-16 units).

use serde_json::Value;

/// What of a made text is known.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Told {
    /// What the attachment holds, in the order in which it is told.
    pub parts: Vec<String>,
    /// The length of the client's words around it.
    pub frame: u32,
    /// How many parts are of a pretended call, which is a piece of its own.
    pub call_parts: usize,
    /// The length of the client's words around these.
    pub call_frame: u32,
    /// Pictures behind the text, as blocks of the service.
    pub images: Vec<Value>,
    /// It goes into the user message before the prompt, in tags.
    pub is_user: bool,
}

impl Told {
    fn new(frame: u32) -> Option<Self> {
        Some(Self {
            frame,
            ..Self::default()
        })
    }

    fn of(frame: u32, parts: impl IntoIterator<Item = String>) -> Option<Self> {
        Some(Self {
            parts: parts.into_iter().collect(),
            frame,
            ..Self::default()
        })
    }
}

/// Of a newer client, of an older one.
type Sizes = (u32, u32);

/// What a client tells of an attachment; nothing where it says nothing.
pub(super) fn told(attachment: &Value, is_older: bool) -> Option<Told> {
    let text = |key: &str| attachment.get(key)?.as_str().map(str::to_owned);
    let list = |key: &str| texts(attachment.get(key));
    let size = |(newer, older): Sizes| if is_older { older } else { newer };
    let kind = attachment.get("type")?.as_str()?;
    let newer_only = |told: Option<Told>| told.filter(|_| !is_older);
    match kind {
        "agent_listing_delta" | "deferred_tools_delta" | "mcp_instructions_delta" => {
            listing(kind, attachment, is_older)
        }
        "agent_mention" => Told::of(134, text("agentType")),
        "async_hook_response" => {
            let response = attachment.get("response")?;
            let context = response.pointer("/hookSpecificOutput/additionalContext");
            let parts = [response.get("systemMessage"), context];
            Told::of(1, parts.into_iter().flatten().filter_map(owned)).filter(says_something)
        }
        "at_mention_reference" => newer_only(Told::of(402, list("mentions"))),
        "auto_mode" => Told::new(size((948, 464))),
        "auto_mode_exit" => Told::new(195),
        "budget_usd" => Told::new(31),
        "compact_file_reference" => Told::of(143, text("filename")),
        "critical_system_reminder" => Told::of(0, text("content")),
        "date" => newer_only(Told::new(27)),
        "date_change" => Told::new(size((119, 128))),
        "diagnostics" => diagnostics(attachment).filter(says_something),
        "directory" => {
            let parts = [text("path"), text("path"), text("content")];
            called(2, 94, Told::of(37, parts.into_iter().flatten()))
        }
        "edited_text_file" => {
            let parts = [text("filename"), text("snippet")].into_iter().flatten();
            Told::of(size((291, 301)), parts)
        }
        "environment" => newer_only(Told::new(749)),
        "file" => file(attachment, is_older),
        "hook_additional_context" => {
            let context = list("content");
            let name = text("hookName");
            (!context.is_empty()).then(|| Told::of(26, name.into_iter().chain(context)))?
        }
        "hook_blocking_error" => {
            let error = attachment.get("blockingError")?;
            let parts = [error.get("command"), error.get("blockingError")];
            let parts = parts.into_iter().flatten().filter_map(owned);
            Told::of(39, text("hookName").into_iter().chain(parts))
        }
        "hook_stopped_continuation" => {
            let parts = [text("hookName"), text("message")].into_iter().flatten();
            Told::of(28, parts)
        }
        "hook_success" => {
            let event = text("hookEvent")?;
            let content = text("content").filter(|content| !content.is_empty())?;
            let is_told = ["SessionStart", "UserPromptSubmit"].contains(&event.as_str());
            is_told
                .then(|| Told::of(15, text("hookName").into_iter().chain([content])))
                .flatten()
        }
        "instructions" => newer_only(user(instructions(attachment))),
        "invoked_skills" => {
            let skills = attachment.get("skills")?.as_array()?;
            let parts = skills.iter().flat_map(|skill| {
                ["name", "path", "content"]
                    .iter()
                    .filter_map(|key| skill.get(key).and_then(owned))
            });
            let parts: Vec<String> = parts.collect();
            let frame = size((704, 574)) + 25 * u32::try_from(skills.len()).unwrap_or(0);
            (!parts.is_empty())
                .then(|| Told::of(frame, parts))
                .flatten()
        }
        "mcp_resource" => mcp_resource(attachment),
        "model" => newer_only(Told::of(0, text("text"))),
        "nested_memory" => {
            let content = attachment.get("content")?;
            let parts = [content.get("path"), content.get("content")];
            Told::of(15, parts.into_iter().flatten().filter_map(owned))
        }
        "opened_file_in_ide" => Told::of(89, text("filename")),
        "output_style" => {
            let style = text("style")?;
            let is_own = ["Explanatory", "Learning"].contains(&style.as_str());
            match is_own {
                true => Told::new(94),
                false => newer_only(Told::of(83, [style])),
            }
        }
        "output_token_usage" => Told::new(44),
        "pdf_reference" => Told::of(359, text("filename")),
        "plan_file_reference" => {
            let parts = [text("planFilePath"), text("planContent")];
            Told::of(152, parts.into_iter().flatten())
        }
        "plan_mode" => Told::of(plan_mode(attachment, is_older), text("planFilePath")),
        "plan_mode_exit" => match attachment.get("planExists") == Some(&Value::Bool(true)) {
            true => Told::of(158, text("planFilePath")),
            false => Told::new(100),
        },
        "plan_mode_reentry" => Told::of(953, text("planFilePath")),
        "queued_command" => queued(attachment, is_older),
        "relevant_memories" => {
            let memories = attachment.get("memories")?.as_array()?;
            let parts = memories.iter().flat_map(|memory| {
                ["header", "content"]
                    .iter()
                    .filter_map(|key| memory.get(key).and_then(owned))
            });
            Told::of(94, parts).filter(says_something)
        }
        "remote_session_change" => {
            let parts = [text("commit"), text("pr")].into_iter().flatten();
            newer_only(user(Told::of(425, parts)))
        }
        "selected_lines_in_ide" => {
            let parts = [text("filename"), text("content")].into_iter().flatten();
            Told::of(96, parts)
        }
        "session_context" => {
            let context = attachment.get("context")?.as_object()?;
            let parts: Vec<String> = context.values().filter_map(owned).collect();
            let told = (!parts.is_empty()).then(|| Told::of(258, parts)).flatten();
            newer_only(user(told))
        }
        "silent_turn_reminder" => newer_only(Told::of(0, text("text"))),
        "skill_listing" => {
            let content = text("content").filter(|content| !content.is_empty());
            Told::of(65, content).filter(says_something)
        }
        "task_reminder" | "todo_reminder" => {
            let items = attachment.get("content")?.as_array()?;
            let subjects = items
                .iter()
                .filter_map(|item| item.get("subject").or_else(|| item.get("content")))
                .filter_map(owned);
            Told::of(420, subjects)
        }
        "task_status" => {
            let is_running = text("status").as_deref() == Some("running");
            let names = if is_running {
                ["description", "taskId"]
            } else {
                ["taskId", "description"]
            };
            let keys = names.into_iter().chain(["deltaSummary", "outputFilePath"]);
            Told::of(130, keys.filter_map(text))
        }
        "token_usage" => Told::new(33),
        "total_tokens_reminder" => Told::new(9),
        "ultrathink_effort" => Told::new(128),
        _ => None,
    }
}

fn says_something(told: &Told) -> bool {
    !told.parts.is_empty()
}

fn owned(value: &Value) -> Option<String> {
    value.as_str().map(str::to_owned)
}

fn texts(value: Option<&Value>) -> Vec<String> {
    let items = value.and_then(Value::as_array).into_iter().flatten();
    items.filter_map(owned).collect()
}

fn user(told: Option<Told>) -> Option<Told> {
    told.map(|told| Told {
        is_user: true,
        ..told
    })
}

fn listing(kind: &str, attachment: &Value, is_older: bool) -> Option<Told> {
    let list = |key: &str| texts(attachment.get(key));
    let (added, gone, frames) = match kind {
        "agent_listing_delta" => ("addedLines", "removedTypes", (41, 168)),
        "deferred_tools_delta" => {
            let gone = if is_older { 259 } else { 243 };
            ("addedLines", "removedNames", (248, gone))
        }
        _ => ("addedBlocks", "removedNames", (121, 202)),
    };
    let (added, gone) = (list(added), list(gone));
    if added.is_empty() && gone.is_empty() {
        return None;
    }
    let frame =
        if added.is_empty() { 0 } else { frames.0 } + if gone.is_empty() { 0 } else { frames.1 };
    Told::of(frame, added.into_iter().chain(gone))
}

fn diagnostics(attachment: &Value) -> Option<Told> {
    let files = attachment.get("files")?.as_array()?;
    let mut parts = Vec::new();
    for file in files {
        let name = file.get("uri").and_then(Value::as_str).unwrap_or_default();
        let name = name.rsplit('/').next().unwrap_or(name);
        parts.push(name.to_owned());
        let found = file.get("diagnostics").and_then(Value::as_array);
        for diagnostic in found.into_iter().flatten() {
            let keys = ["message", "code", "source"];
            parts.extend(
                keys.iter()
                    .filter_map(|key| diagnostic.get(key).and_then(owned)),
            );
        }
    }
    Told::of(112, parts)
}

fn instructions(attachment: &Value) -> Option<Told> {
    let files = attachment.get("files")?.as_array()?;
    let parts = files.iter().flat_map(|file| {
        let keys = ["path", "content"];
        keys.into_iter()
            .filter_map(|key| file.get(key).and_then(owned))
    });
    Told::of(206 + 56 * u32::try_from(files.len()).unwrap_or(0), parts)
}

fn mcp_resource(attachment: &Value) -> Option<Told> {
    let contents = attachment.pointer("/content/contents")?.as_array()?;
    if contents.is_empty() {
        let keys = ["server", "uri"];
        return Told::of(
            58,
            keys.into_iter()
                .filter_map(|key| attachment.get(key).and_then(owned)),
        );
    }
    let parts: Vec<String> = contents
        .iter()
        .filter_map(|content| content.get("text").and_then(owned))
        .collect();
    Told::of(if parts.is_empty() { 27 } else { 137 }, parts)
}

fn plan_mode(attachment: &Value, is_older: bool) -> u32 {
    let is = |key: &str| attachment.get(key) == Some(&Value::Bool(true));
    if attachment.get("reminderType").and_then(Value::as_str) == Some("sparse") {
        return 275;
    }
    match (is("isSubAgent"), is("planExists"), is_older) {
        (true, ..) => 934,
        (false, true, false) => 4_860,
        (false, true, true) => 4_847,
        (false, false, false) => 4_842,
        (false, false, true) => 4_829,
    }
}

fn queued(attachment: &Value, is_older: bool) -> Option<Told> {
    let is_task =
        attachment.get("commandMode").and_then(Value::as_str) == Some("task-notification");
    let is_meta = attachment.get("isMeta") == Some(&Value::Bool(true));
    let frame = match (is_task, is_meta, is_older) {
        (true, _, true) => 211,
        (true, _, false) => 494,
        (false, true, false) => 48,
        (false, false, false) => 282,
        (false, _, true) => 161,
    };
    let prompt = attachment.get("prompt")?;
    let Some(blocks) = prompt.as_array() else {
        let server = attachment.pointer("/origin/server").and_then(owned);
        return Told::of(frame, server.into_iter().chain(owned(prompt)));
    };
    let parts = blocks
        .iter()
        .filter_map(|block| block.get("text").and_then(owned));
    let images = blocks
        .iter()
        .filter(|block| block.get("source").is_some())
        .cloned();
    let images: Vec<Value> = images.collect();
    Some(Told {
        parts: parts.collect(),
        frame,
        is_user: !images.is_empty(),
        images,
        ..Told::default()
    })
}

/// Says how much of a text is a pretended call.
fn called(call_parts: usize, call_frame: u32, told: Option<Told>) -> Option<Told> {
    told.map(|told| Told {
        call_parts,
        call_frame,
        ..told
    })
}

/// The words around the name of a file in a pretended call.
const CALL_FRAME: u32 = 63;

fn file(attachment: &Value, is_older: bool) -> Option<Told> {
    let name = attachment.get("filename").and_then(owned)?;
    let content = attachment.get("content")?;
    let file = content.get("file")?;
    match content.get("type")?.as_str()? {
        "text" => {
            let text = file.get("content").and_then(owned).unwrap_or_default();
            let is_cut = attachment.get("truncated") == Some(&Value::Bool(true));
            let cut = if is_older { 168 } else { 160 };
            let empty = if is_older { 91 } else { 52 };
            let numbers = u32::try_from(text.lines().count())
                .unwrap_or(0)
                .saturating_mul(2);
            let frame = match (is_cut, text.is_empty()) {
                (true, _) => 35 + numbers + cut,
                (false, true) => 70 + empty,
                (false, false) => 35 + numbers,
            };
            called(1, CALL_FRAME, Told::of(frame, [name, text]))
        }
        "notebook" => {
            let cells = file.get("cells").and_then(Value::as_array);
            let sources = cells.into_iter().flatten();
            let sources = sources.filter_map(|cell| cell.get("source").and_then(owned));
            called(
                1,
                CALL_FRAME,
                Told::of(94, [name].into_iter().chain(sources)),
            )
        }
        "pdf" => {
            let path = file.get("filePath").and_then(owned);
            called(1, CALL_FRAME, Told::of(57, [name].into_iter().chain(path)))
        }
        "image" => {
            let data = file.get("base64")?;
            let media_type = file.get("type")?;
            let source = serde_json::json!({
                "type": "base64", "media_type": media_type, "data": data,
            });
            Some(Told {
                parts: vec![name],
                call_parts: 1,
                call_frame: CALL_FRAME,
                frame: 0,
                images: vec![serde_json::json!({"type": "image", "source": source})],
                is_user: true,
            })
        }
        _ => None,
    }
}
