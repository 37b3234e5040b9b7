//! `outcrop tokens`.

use std::fs;
use std::io::{self, BufRead, Read, Write};
use std::path::Path;

use anyhow::{Context, Result, bail};
use outcrop_loader::tokens::{Counter, Family, Model};
use rayon::prelude::*;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::args::{Global, Tokens};
use crate::commands::{DONE, USAGE};
use crate::render::Output;
use crate::render::tokens::{self as render, Counted, Section};
use crate::start::{Place, tokenizer};

/// What is counted unless tokenizers are named.
const USUAL: [Family; 3] = [Family::ClaudeV4_8, Family::ClaudeV4_7, Family::ClaudeV3];
/// What each line of `--jsonl` is answered with.
const LINES: [Family; 5] = [
    Family::ClaudeV3,
    Family::ClaudeV4_7,
    Family::ClaudeV4_8,
    Family::O200k,
    Family::Cl100k,
];
/// How many lines are counted at a time, on all cores.
const BATCH: usize = 256;

pub(crate) fn run(global: &Global, args: &Tokens, output: &mut Output) -> Result<u8> {
    if args.jsonl {
        return lines(output);
    }
    let place = Place::new(global)?;
    let models = models(&args.tokenizer, output)?;
    let mut texts = Vec::new();
    let mut failed = false;
    for file in &args.files {
        match read(&place, file) {
            Ok(text) => texts.push((file.display().to_string(), text)),
            // One that cannot be read hides none of the others.
            Err(error) => {
                writeln!(anstream::stderr(), "outcrop: {error:#}")?;
                failed = true;
            }
        }
    }
    let counted: Vec<Counted> = texts
        .into_par_iter()
        .map_init(
            || models.iter().map(Model::counter).collect::<Vec<Counter>>(),
            |counters, (name, text)| counted(&models, counters, name, &text, args.by_heading),
        )
        .collect();
    if global.json {
        render::write_json(output, &models, &counted)?;
    } else {
        render::write_table(output, &models, &counted)?;
    }
    Ok(if failed { USAGE } else { DONE })
}

fn models(names: &[String], output: &mut Output) -> Result<Vec<Model>> {
    if names.is_empty() {
        return Ok(USUAL.map(Model::plain).to_vec());
    }
    if names.iter().any(|name| name == "all") {
        let mut all = Family::ALL.to_vec();
        // The newest first, as without a choice.
        all[..USUAL.len()].reverse();
        return Ok(all.into_iter().map(Model::plain).collect());
    }
    let mut models = Vec::new();
    for name in names {
        let (model, note) = tokenizer(name);
        output.diagnostics(note.as_slice())?;
        models.push(model);
    }
    Ok(models)
}

fn read(place: &Place, file: &Path) -> Result<String> {
    let bytes = if file.as_os_str() == "-" {
        let mut bytes = Vec::new();
        let read = io::stdin().lock().read_to_end(&mut bytes);
        read.context("standard input cannot be read")?;
        bytes
    } else {
        let path = place.path(file)?;
        fs::read(path.as_str()).with_context(|| format!("{} cannot be read", file.display()))?
    };
    match String::from_utf8(bytes) {
        Ok(text) => Ok(text),
        Err(error) => {
            let at = error.utf8_error().valid_up_to();
            let before = &error.as_bytes()[..at];
            let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
            bail!(
                "{}:{line}: no UTF-8 from byte {at} on; only texts have tokens",
                file.display()
            )
        }
    }
}

fn counted(
    models: &[Model],
    counters: &mut [Counter],
    name: String,
    text: &str,
    by_heading: bool,
) -> Counted {
    let both = models.iter().zip(counters.iter_mut());
    let tokens = both.map(|(model, counter)| model.judged(counter.content(text), text));
    let tokens = tokens.collect();
    let sections = if by_heading {
        let mut sections = Section::all(text);
        for section in &mut sections {
            let text = &text[section.range.clone()];
            section.tokens = counters
                .iter_mut()
                .map(|counter| counter.part(text))
                .collect();
        }
        sections
    } else {
        Vec::new()
    };
    Counted {
        name,
        bytes: text.len(),
        characters: outcrop_loader::javascript::len(text),
        tokens,
        sections,
    }
}

#[derive(Deserialize)]
struct Line {
    text: String,
}

/// Answers each line with a line; one that is no such object with an `error`.
fn lines(output: &mut Output) -> Result<u8> {
    let mut input = io::stdin().lock();
    let (mut failed, mut number) = (false, 0);
    loop {
        let mut batch = Vec::new();
        while batch.len() < BATCH {
            let mut line = Vec::new();
            if input.read_until(b'\n', &mut line)? == 0 {
                break;
            }
            number += 1;
            batch.push((number, line));
            // What is there is answered before more is waited for.
            if input.fill_buf().is_ok_and(<[u8]>::is_empty) {
                break;
            }
        }
        if batch.is_empty() {
            break;
        }
        let answers: Vec<Value> = batch
            .into_par_iter()
            .map_init(
                || LINES.map(Counter::new),
                |counters, (number, line)| answer(counters, number, &line),
            )
            .collect();
        for answer in answers {
            failed |= answer.get("error").is_some();
            writeln!(output, "{answer}")?;
        }
        output.flush()?;
    }
    Ok(if failed { USAGE } else { DONE })
}

fn answer(counters: &mut [Counter], number: usize, line: &[u8]) -> Value {
    match serde_json::from_slice::<Line>(line) {
        Ok(Line { text }) => {
            let counts = counters.iter_mut().map(|counter| {
                let name = counter.family().name().to_owned();
                (name, json!(counter.message(&text).count))
            });
            Value::Object(counts.collect::<Map<_, _>>())
        }
        Err(error) => json!({ "error": format!("line {number}: {error}") }),
    }
}
