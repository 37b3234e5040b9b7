//! What of a hook's outcome reaches the model (facts C3.1, C3.2, C3.6, C3.7, NEW-4).

use serde::Serialize;
use serde_json::Value;

use crate::client::Behaviour;
use crate::javascript;

/// The longest text of a hook, in UTF-16 units; a longer one is kept in a file (fact C3.1).
pub const CAP: usize = 10_000;
/// What of a longer one is sent at most.
pub const PREVIEW: usize = 2_000;

/// How a hook's command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Exit {
    /// With a code.
    Code(i32),
    /// It took longer than it may.
    TimedOut,
    /// By a signal, or it could not be started.
    Failed,
}

/// What a hook's command did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Outcome {
    /// How it ended.
    pub exit: Exit,
    /// What it printed.
    pub stdout: String,
    /// What it printed as errors.
    pub stderr: String,
}

/// In which form a text is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Form {
    /// What was printed, in a line of its own for each hook.
    Plain,
    /// `additionalContext` of JSON; those of all hooks of one start stand in one line, after the
    /// plain ones.
    AdditionalContext,
    /// What was printed as errors, in the client's words.
    Error,
}

/// What the model hears.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "what", rename_all = "kebab-case")]
pub enum Heard {
    /// Nothing.
    Nothing {
        /// Why.
        why: &'static str,
    },
    /// A text.
    Text {
        /// In which form.
        form: Form,
        /// The text as sent: whole, or the beginning of one that is kept in a file.
        text: String,
        /// UTF-16 units of the whole text.
        characters: usize,
        /// It is over the cap: the model gets the beginning and the name of a file.
        kept_in_file: bool,
    },
    /// Nothing, and the prompt is not sent either.
    NoRequest,
}

/// Events whose plain output reaches the model.
const PLAIN: [&str; 2] = ["SessionStart", "UserPromptSubmit"];
/// Events whose `additionalContext` does.
pub(super) const CONTEXT: [&str; 5] = [
    "PostToolUse",
    "PreToolUse",
    "SessionStart",
    "SubagentStart",
    "UserPromptSubmit",
];
/// Events whose errors do when a hook exits with 2.
pub(super) const ERRORS: [&str; 3] = ["PostToolUse", "PreToolUse", "Stop"];

/// What the model hears of a hook of `event` that ended so.
#[must_use]
pub fn heard(event: &str, outcome: &Outcome, behaviour: &Behaviour) -> Heard {
    let nothing = |why| Heard::Nothing { why };
    let code = match outcome.exit {
        Exit::Code(code) => code,
        Exit::TimedOut => return nothing("it took longer than it may"),
        Exit::Failed => return nothing("it did not run to its end"),
    };
    let printed = javascript::trim(&outcome.stdout);
    match Printed::of(printed, behaviour) {
        Printed::Object(object) => said(event, &object, behaviour),
        Printed::Broken => nothing("it printed an object that is not JSON"),
        Printed::Text if code == 2 => match event {
            "UserPromptSubmit" => Heard::NoRequest,
            _ if ERRORS.contains(&event) => text(Form::Error, &outcome.stderr),
            _ => nothing("it exited with 2"),
        },
        Printed::Text if code != 0 => nothing("it exited with an error"),
        Printed::Text if printed.is_empty() => nothing("it printed nothing"),
        Printed::Text if !PLAIN.contains(&event) => {
            nothing("what a hook of this event prints is not sent")
        }
        Printed::Text if behaviour.hooks_escape_tag => text(
            Form::Plain,
            &printed.replace("</system-reminder", "&lt;/system-reminder"),
        ),
        Printed::Text => text(Form::Plain, printed),
    }
}

enum Printed {
    Text,
    Object(Value),
    Broken,
}

impl Printed {
    fn of(printed: &str, behaviour: &Behaviour) -> Self {
        if !printed.starts_with('{') {
            return Self::Text;
        }
        match serde_json::from_str(printed) {
            Ok(value) => Self::Object(value),
            Err(_) if behaviour.hooks_drop_broken_json && printed.ends_with('}') => Self::Broken,
            Err(_) => Self::Text,
        }
    }
}

/// What JSON says, whatever the exit code (fact NEW-4).
fn said(event: &str, object: &Value, behaviour: &Behaviour) -> Heard {
    let nothing = |why| Heard::Nothing { why };
    let is = |name: &str, fits: fn(&Value) -> bool| object.get(name).is_none_or(fits);
    let fits = is("suppressOutput", Value::is_boolean)
        && is("continue", Value::is_boolean)
        && is("systemMessage", Value::is_string)
        && is("stopReason", Value::is_string)
        && is("reason", Value::is_string);
    if !fits {
        return nothing("a value in its JSON is of the wrong kind");
    }
    if object.get("async").and_then(Value::as_bool) == Some(true) {
        return nothing("it runs on in the background");
    }
    if object.get("decision").and_then(Value::as_str) == Some("block") {
        let tells = match event {
            "UserPromptSubmit" => return Heard::NoRequest,
            "SessionStart" => behaviour.hooks_tell_start_block,
            _ => ERRORS.contains(&event),
        };
        if tells {
            let reason = object.get("reason").and_then(Value::as_str);
            return text(Form::Error, reason.unwrap_or_default());
        }
    }
    let Some(specific) = object.get("hookSpecificOutput") else {
        return nothing("its JSON has no hookSpecificOutput");
    };
    if specific.get("hookEventName").and_then(Value::as_str) != Some(event) {
        return nothing("hookEventName in its JSON is not this event");
    }
    match specific.get("additionalContext") {
        Some(Value::String(context)) if !context.is_empty() && CONTEXT.contains(&event) => {
            text(Form::AdditionalContext, context)
        }
        _ => nothing("its JSON has no additionalContext"),
    }
}

fn text(form: Form, text: &str) -> Heard {
    let characters = javascript::len(text);
    let kept_in_file = characters > CAP && form != Form::Error;
    let text = match kept_in_file {
        true => preview(text),
        false => text.to_owned(),
    };
    Heard::Text {
        form,
        text,
        characters,
        kept_in_file,
    }
}

/// The first units of a text, back to the end of a line where there is one.
fn preview(text: &str) -> String {
    let mut units = 0;
    let end = text.char_indices().find(|(_, c)| {
        units += c.len_utf16();
        units > PREVIEW
    });
    let head = &text[..end.map_or(text.len(), |(at, _)| at)];
    let line_end = head.rfind('\n').filter(|at| *at > 0);
    head[..line_end.unwrap_or(head.len())].to_owned()
}
