//! What of a hook's outcome reaches the model (facts C3.1, C3.2, C3.6, C3.7, 60).

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

/// A text of a hook that the model gets.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct HookText {
    /// In which form.
    pub form: Form,
    /// The text as sent: whole, or the beginning of one that is kept in a file.
    pub text: String,
    /// UTF-16 units of the whole text.
    pub characters: usize,
    /// It is over the cap: the model gets the beginning and the name of a file.
    pub kept_in_file: bool,
}

/// What the model hears.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Heard {
    /// The texts: of an error first.
    pub texts: Vec<HookText>,
    /// The prompt is not sent.
    pub no_request: bool,
    /// Why there is nothing.
    pub why: Option<&'static str>,
}

const PROMPT: &str = "UserPromptSubmit";
/// Events whose plain output reaches the model.
const PLAIN: [&str; 2] = ["SessionStart", PROMPT];
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
    let code = match outcome.exit {
        Exit::Code(code) => code,
        Exit::TimedOut => return Heard::nothing("it took longer than it may"),
        Exit::Failed => return Heard::nothing("it did not run to its end"),
    };
    if code == 2 && event == PROMPT {
        return Heard::no_request();
    }
    let printed = javascript::trim(&outcome.stdout);
    let mut heard = match Printed::of(printed, behaviour) {
        Printed::Object(object) => said(event, &object, behaviour),
        Printed::Broken => Heard::nothing("it printed an object that is not JSON"),
        Printed::Text if code != 0 => Heard::nothing("it exited with an error"),
        Printed::Text if printed.is_empty() => Heard::nothing("it printed nothing"),
        Printed::Text if !PLAIN.contains(&event) => {
            Heard::nothing("what a hook of this event prints is not sent")
        }
        Printed::Text if behaviour.hooks_escape_tag => {
            let escaped = printed.replace("</system-reminder", "&lt;/system-reminder");
            Heard::of(text(Form::Plain, &escaped))
        }
        Printed::Text => Heard::of(text(Form::Plain, printed)),
    };
    // Errors are told beside what JSON says (fact 60).
    if code == 2 && ERRORS.contains(&event) {
        heard.texts.insert(0, text(Form::Error, &outcome.stderr));
        heard.why = None;
    }
    heard
}

impl Heard {
    fn nothing(why: &'static str) -> Self {
        Self {
            why: Some(why),
            ..Self::default()
        }
    }

    fn no_request() -> Self {
        Self {
            no_request: true,
            ..Self::default()
        }
    }

    fn of(text: HookText) -> Self {
        Self {
            texts: vec![text],
            ..Self::default()
        }
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

/// What JSON says, whatever the exit code (fact 60).
fn said(event: &str, object: &Value, behaviour: &Behaviour) -> Heard {
    let is = |name: &str, fits: fn(&Value) -> bool| object.get(name).is_none_or(fits);
    let fits = is("suppressOutput", Value::is_boolean)
        && is("continue", Value::is_boolean)
        && is("systemMessage", Value::is_string)
        && is("stopReason", Value::is_string)
        && is("reason", Value::is_string)
        && is("decision", |decision| {
            matches!(decision.as_str(), Some("approve" | "block"))
        });
    if !fits {
        return Heard::nothing("a value in its JSON is of the wrong kind");
    }
    let says = |name: &str| object.get(name).and_then(Value::as_bool);
    if says("async") == Some(true) {
        return Heard::nothing("it runs on in the background");
    }
    let blocks = object.get("decision").and_then(Value::as_str) == Some("block");
    if event == PROMPT && (blocks || says("continue") == Some(false)) {
        return Heard::no_request();
    }
    let specific = object.get("hookSpecificOutput");
    let field = |name: &str| specific.and_then(|specific| specific.get(name)?.as_str());
    if specific.is_some() && field("hookEventName") != Some(event) {
        return Heard::nothing("hookEventName in its JSON is not this event");
    }
    let mut heard = Heard::default();
    let tells = match event {
        "SessionStart" => behaviour.hooks_tell_start_block,
        _ => ERRORS.contains(&event),
    };
    if blocks && tells {
        let reason = object.get("reason").and_then(Value::as_str);
        let reason = reason.unwrap_or_default();
        heard.texts.push(text(Form::Error, reason));
    } else if field("permissionDecision") == Some("deny") {
        let reason = field("permissionDecisionReason").unwrap_or_default();
        heard.texts.push(text(Form::Error, reason));
    }
    let context = field("additionalContext").filter(|context| !context.is_empty());
    if let Some(context) = context.filter(|_| CONTEXT.contains(&event)) {
        heard.texts.push(text(Form::AdditionalContext, context));
    }
    if heard.texts.is_empty() {
        heard.why = Some("its JSON has no additionalContext");
    }
    heard
}

fn text(form: Form, text: &str) -> HookText {
    let characters = javascript::len(text);
    let kept_in_file = characters > CAP && form != Form::Error;
    let text = match kept_in_file {
        true => preview(text),
        false => text.to_owned(),
    };
    HookText {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::Client;

    fn forms(client: &str, event: &str, code: i32, stdout: &str, stderr: &str) -> Vec<Form> {
        let outcome = Outcome {
            exit: Exit::Code(code),
            stdout: stdout.to_owned(),
            stderr: stderr.to_owned(),
        };
        let client = Client::of(client.parse().unwrap()).unwrap();
        let heard = heard(event, &outcome, &client.behaviour);
        assert_eq!(
            heard.texts.is_empty() && !heard.no_request,
            heard.why.is_some()
        );
        heard.texts.iter().map(|text| text.form).collect()
    }

    #[test]
    fn what_is_heard_of_tools() {
        let both = |event: &str, code, stdout: &str| {
            let new = forms("2.1.332", event, code, stdout, "E");
            assert_eq!(new, forms("2.1.197", event, code, stdout, "E"));
            new
        };
        let context = |event: &str| {
            let context = serde_json::json!({ "hookSpecificOutput": {
                "hookEventName": event, "additionalContext": "C"
            } });
            context.to_string()
        };
        use Form::{AdditionalContext, Error};
        for event in ["PreToolUse", "PostToolUse"] {
            assert_eq!(both(event, 0, "P"), []);
            assert_eq!(both(event, 1, "P"), []);
            assert_eq!(both(event, 2, "P"), [Error]);
            assert_eq!(both(event, 1, &context(event)), [AdditionalContext]);
            assert_eq!(both(event, 2, &context(event)), [Error, AdditionalContext]);
        }
        let block = r#"{"decision": "block", "reason": "R"}"#;
        assert_eq!(both("PostToolUse", 0, block), [Error]);
        assert_eq!(both("Stop", 2, ""), [Error]);
        assert_eq!(both("Notification", 2, ""), []);
        assert_eq!(forms("2.1.197", "SessionStart", 0, block, ""), [Error]);
        assert_eq!(forms("2.1.332", "SessionStart", 0, block, ""), []);
    }

    #[test]
    fn what_keeps_a_prompt_back() {
        let stops = |code, stdout: &str| {
            let outcome = Outcome {
                exit: Exit::Code(code),
                stdout: stdout.to_owned(),
                stderr: String::new(),
            };
            heard(PROMPT, &outcome, &Client::newest().behaviour).no_request
        };
        assert!(stops(2, "") && stops(2, r#"{"continue": true}"#));
        assert!(stops(0, r#"{"continue": false}"#) && stops(0, r#"{"decision": "block"}"#));
        assert!(!stops(0, r#"{"decision": "approve"}"#) && !stops(1, ""));
        assert!(!stops(0, r#"{"decision": "odd"}"#));
    }
}
