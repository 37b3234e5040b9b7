//! Which tool calls and prompts count as a read of a file (facts 5.10–5.12, 5.21).

mod bash;
mod mentions;

use serde_json::Value;

use crate::path::AbsPath;
use crate::session::{Read, ToolCall, World};

pub(crate) use mentions::mentioned;

/// What a tool call does.
pub(crate) enum Effect {
    /// It counts as a read of a file.
    Reads(AbsPath, Read),
    /// It loads nothing, and why.
    Nothing(String),
}

/// What a tool call does in this client.
pub(crate) fn effect_of(call: &ToolCall, world: &World<'_>) -> Effect {
    let behaviour = world.behaviour;
    let path = |key: &str| {
        call.input
            .get(key)
            .and_then(Value::as_str)
            .map(|text| world.resolve(text))
    };
    let nothing = |why: &str| Effect::Nothing(why.to_owned());
    match call.tool.as_str() {
        "Read" => match path("file_path") {
            Some(path) => Effect::Reads(path, Read::Tool),
            None => nothing("Read needs a file_path"),
        },
        "Write" | "Edit" => match path("file_path") {
            Some(path) if behaviour.writes_load => Effect::Reads(path, Read::Write),
            Some(_) => nothing("before 2.1.288 writing and editing load nothing"),
            None => nothing("the call needs a file_path"),
        },
        "Bash" if !behaviour.bash_loads => nothing("before 2.1.293 Bash loads nothing"),
        "Bash" => {
            let command = call.input.get("command").and_then(Value::as_str);
            match bash::file_read_by(command.unwrap_or_default()) {
                Ok(file) => Effect::Reads(world.resolve(&file), Read::Bash),
                Err(why) => Effect::Nothing(why.to_owned()),
            }
        }
        "Grep" | "Glob" => nothing("searching loads nothing"),
        _ => nothing("this tool is not known to load anything"),
    }
}
