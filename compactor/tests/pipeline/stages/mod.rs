//! What each stage does, one by one.

mod budget;
mod collapse;
mod form;
mod microcompact;
mod snip;
mod summary;

use outcrop_compactor::conversation::{Block, Message, Placed, Role};
use outcrop_compactor::pipeline::{
    Action, Budget, Change, Context, Pipeline, Recent, Recover, Stage, StageTrace, Start, Why,
    tokens_of,
};
use outcrop_compactor::stages::{
    After, Collapse, Given, Limit, Microcompact, Paper, ResultBudget, Snip, Summary,
};
use outcrop_compactor::testing::{MadeCall, MadeResult, Session, Step};
use outcrop_compactor::transcript::{Transcript, record};
use serde_json::{Value, json};

use crate::world::{context, texts};

fn prompt(text: &str) -> Step {
    Step::Prompt {
        text: text.to_owned(),
        listed: false,
        image: false,
    }
}

fn say(text: &str) -> Step {
    Step::Answer {
        thinking: None,
        text: Some(text.to_owned()),
        calls: Vec::new(),
        reversed: false,
    }
}

fn calls(calls: Vec<MadeCall>) -> Step {
    Step::Answer {
        thinking: None,
        text: None,
        calls,
        reversed: false,
    }
}

fn made(name: &'static str, input: &Value, text: &str, is_error: bool) -> MadeCall {
    MadeCall {
        name,
        input: input.to_string(),
        result: Some(MadeResult {
            text: text.to_owned(),
            is_error,
            listed: false,
            image: false,
        }),
    }
}

fn call(name: &'static str, input: Value, text: &str) -> Step {
    calls(vec![made(name, &input, text, false)])
}

fn fail(name: &'static str, input: Value, text: &str) -> Step {
    calls(vec![made(name, &input, text, true)])
}

fn read(file: &str) -> Step {
    call("Read", json!({"file_path": file}), &lines(400))
}

/// A file's content of so many characters, as `Read` gives it.
fn lines(characters: usize) -> String {
    let line = "1\tlet cursor = 0;\n";
    line.repeat(characters / line.len() + 1)[..characters].to_owned()
}

fn transcript(steps: Vec<Step>) -> Transcript<Vec<u8>> {
    let session = Session { steps, torn: false };
    Transcript::read(session.write().bytes).expect("bytes can be read")
}

/// A stage that works on a session whatever its size.
fn run(stage: &dyn Stage, context: &mut Context<'_>) -> StageTrace {
    stage.run(context, &Budget::of(0))
}

fn sent(context: &Context<'_>) -> Vec<String> {
    texts(context).into_iter().map(|(_, text)| text).collect()
}

/// Nothing at the end is protected but what no answer has seen.
const NOTHING_RECENT: Recent = Recent {
    turns: 1,
    rounds: 1,
};
