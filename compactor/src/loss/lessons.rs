//! Error lessons: a failed call, and what worked instead.

use rustc_hash::FxHashMap;
use serde::Serialize;

use super::Compared;
use super::files::Action;
use super::finding::{Finding, Findings, Part, State};
use super::talk::{Call, Talk};
use super::terms;

/// The longest text of one line, in bytes.
const LINE: usize = 200;
/// How many changed files are named.
const CHANGED: usize = 5;

/// A failed call, and the next one of the same tool with the same program or file that worked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Lesson {
    /// The tool.
    pub tool: String,
    /// The command, file or other target that failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failed: Option<String>,
    /// The line of the answer that says why.
    pub error: String,
    /// What worked; none where the same call did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub worked: Option<String>,
    /// Files that were changed between the two, at most five.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub changed: Vec<String>,
    /// How often it failed in this way.
    pub times: u32,
}

pub(super) fn of(compared: &Compared<'_>) -> Findings<Lesson> {
    let talk = compared.before;
    // From behind, the next success of each kind is the last one seen.
    let mut worked: FxHashMap<(&str, &str), usize> = FxHashMap::default();
    let mut pairs = Vec::new();
    for (number, call) in talk.calls.iter().enumerate().rev() {
        let Some(answer) = call.result.as_ref().filter(|answer| !answer.is_interrupted) else {
            continue;
        };
        let key = (call.tool, subject(talk, call));
        if !answer.failed() {
            worked.insert(key, number);
        } else if let Some(success) = worked.get(&key) {
            pairs.push((number, *success));
        }
    }
    pairs.reverse();
    let mut lessons: Vec<Finding<Lesson>> = Vec::new();
    let mut known: FxHashMap<(String, usize), usize> = FxHashMap::default();
    for (failed, success) in pairs {
        let call = &talk.calls[failed];
        let Some(error) = call.result.as_ref().and_then(|answer| reason(&answer.text)) else {
            continue;
        };
        if let Some(number) = known.get(&(error.to_owned(), success)) {
            lessons[*number].what.times += 1;
            continue;
        }
        known.insert((error.to_owned(), success), lessons.len());
        let target_failed = target(talk, call);
        let target_worked = target(talk, &talk.calls[success]);
        let target_worked = target_worked.filter(|worked| Some(*worked) != target_failed);
        lessons.push(Finding {
            what: Lesson {
                tool: call.tool.to_owned(),
                failed: target_failed.map(str::to_owned),
                error: error.to_owned(),
                worked: target_worked.map(str::to_owned),
                changed: changed(talk, failed, success),
                times: 1,
            },
            place: compared.place(call.spot),
            state: state(compared, error, target_worked),
        });
    }
    lessons.into_iter().collect()
}

/// What two calls of a tool must share to be tries of one thing: the program, or the file.
fn subject<'t>(talk: &'t Talk<'_>, call: &Call<'_>) -> &'t str {
    match call.tool {
        "Bash" => program(talk.input(call, "command").unwrap_or_default()),
        _ => {
            let path = talk.input(call, "file_path");
            path.or_else(|| talk.input(call, "notebook_path"))
                .unwrap_or_default()
        }
    }
}

/// The first program of a command that does more than enter a folder.
fn program(command: &str) -> &str {
    for part in command.split(['&', ';', '|', '\n']) {
        let mut words = part.split_whitespace().skip_while(|word| {
            matches!(*word, "sudo" | "time" | "env" | "timeout")
                || word.contains('=')
                || word.parse::<f64>().is_ok()
        });
        match words.next() {
            None | Some("cd" | "export" | "source" | "set") => {}
            Some(word) => return word,
        }
    }
    ""
}

/// The line of a failed answer that says most: the first that names an error, else the first.
fn reason(text: &str) -> Option<&str> {
    const NAMES: [&str; 10] = [
        "error",
        "fail",
        "fatal",
        "panic",
        "exception",
        "not found",
        "no such",
        "denied",
        "cannot",
        "undefined",
    ];
    let lines = text.lines().map(|line| {
        let line = line.trim();
        let line = line.strip_prefix("<tool_use_error>").unwrap_or(line);
        line.strip_suffix("</tool_use_error>")
            .unwrap_or(line)
            .trim()
    });
    let mut lines = lines
        .filter(|line| line.chars().any(char::is_alphanumeric) && !line.starts_with("Exit code "));
    let first = lines.next()?;
    let names = |line: &&str| {
        let line = terms::cut(line, LINE).to_ascii_lowercase();
        NAMES.iter().any(|name| line.contains(name))
    };
    let best = match names(&first) {
        true => first,
        false => lines.take(200).find(names).unwrap_or(first),
    };
    Some(terms::cut_at_word(best, LINE))
}

/// What a call is about: its command, file, pattern or the like, in one line.
pub(super) fn target<'t>(talk: &'t Talk<'_>, call: &Call<'_>) -> Option<&'t str> {
    const KEYS: [&str; 10] = [
        "command",
        "file_path",
        "notebook_path",
        "pattern",
        "path",
        "url",
        "query",
        "skill",
        "subject",
        "description",
    ];
    let text = KEYS.iter().find_map(|key| talk.input(call, key))?;
    let line = text.trim().lines().next()?.trim();
    (!line.is_empty()).then(|| terms::cut_at_word(line, LINE))
}

/// The files that were changed between two calls.
fn changed(talk: &Talk<'_>, from: usize, to: usize) -> Vec<String> {
    let mut paths: Vec<String> = Vec::new();
    for call in talk.calls.get(from + 1..to).unwrap_or_default() {
        let worked = call.result.as_ref().is_some_and(|answer| !answer.failed());
        let changes =
            super::files::tool(call.tool).filter(|(_, action): &(_, Action)| action.changes());
        let path = changes.and_then(|(key, _)| talk.input(call, key));
        if let Some(path) = path.filter(|path| worked && !paths.iter().any(|known| known == path)) {
            paths.push(path.to_owned());
            if paths.len() == CHANGED {
                break;
            }
        }
    }
    paths
}

/// A lesson is kept where both the error and what worked are.
fn state(compared: &Compared<'_>, error: &str, worked: Option<&str>) -> State {
    let after = &compared.after;
    let parts: Vec<&str> = std::iter::once(error).chain(worked).collect();
    let found: Vec<Option<usize>> = parts.iter().map(|part| after.find(part)).collect();
    let Some(first) = found.iter().flatten().next().copied() else {
        return State::Lost;
    };
    if found.iter().all(Option::is_some) {
        return after.kept(first);
    }
    let of = |is_found: bool| {
        let both = parts.iter().zip(&found);
        let chosen = both.filter(|(_, found)| found.is_some() == is_found);
        chosen
            .map(|(part, _)| (*part).to_owned())
            .collect::<Vec<_>>()
    };
    let survives = of(true);
    State::Part(Part {
        found: after.place_of(first),
        passage: survives.first().cloned().unwrap_or_default(),
        survives,
        missing: of(false),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_of_commands() {
        for (command, want) in [
            ("cargo test", "cargo"),
            ("cd x && RUST_LOG=1 sudo cargo test | tail", "cargo"),
            ("timeout 5 npm test", "npm"),
            ("cd x", ""),
            ("", ""),
        ] {
            assert_eq!(program(command), want, "{command}");
        }
    }

    #[test]
    fn the_line_that_says_why() {
        for (answer, want) in [
            (
                "Exit code 101\n   Compiling x\nerror[E0382]: moved\n",
                Some("error[E0382]: moved"),
            ),
            (
                "<tool_use_error>File does not exist.</tool_use_error>",
                Some("File does not exist."),
            ),
            ("Exit code 1\n\n", None),
        ] {
            assert_eq!(reason(answer), want, "{answer}");
        }
    }
}
