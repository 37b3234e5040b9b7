//! A simple command: its words, assignments and redirections.

use super::{End, Reader};
use crate::permissions::shell::{Assignment, Redirect, Simple, Standing, Unclear, Word};

/// A simple command that is being read.
#[derive(Default)]
pub(super) struct Begun {
    pieces: String,
    assignments: Vec<Assignment>,
    words: Vec<Word>,
    pub(super) redirects: Vec<Redirect>,
    grouped: bool,
}

impl Reader<'_> {
    pub(super) fn simple(&mut self) {
        let mut begun = Begun::default();
        let (mut from, outer) = (self.at, self.script.commands.len());
        loop {
            self.blanks();
            let Some(c) = self.peek() else { break };
            match c {
                '\n' | ';' | '|' | ')' => break,
                '&' if !self.rest().starts_with("&>") => break,
                '#' => break,
                '(' if begun.words.is_empty() && self.text[..self.at].ends_with('=') => {
                    self.array();
                }
                '(' => {
                    self.at += 1;
                    self.blanks();
                    let defines = self.take(")") && begun.words.len() == 1;
                    if defines {
                        self.script.commands.truncate(outer);
                        self.function_body();
                        return;
                    }
                    self.group(Unclear::Group, |reader| reader.nested(End::Parenthesis));
                }
                _ if self.redirection_starts() => {
                    begun.pieces.push_str(&self.text[from..self.at]);
                    begun.grouped |= begun.words.is_empty();
                    self.redirection(&mut begun);
                    from = self.at;
                }
                _ if self.rest().starts_with("[[") && begun.words.is_empty() => {
                    self.test(&mut begun);
                }
                _ => {
                    let offset = begun.pieces.len() + (self.at - from);
                    let word = self.word(offset);
                    begun.add(word);
                }
            }
        }
        begun.pieces.push_str(&self.text[from..self.at]);
        self.finish(begun);
    }

    /// The values of `A=( … )`.
    fn array(&mut self) {
        self.unclear(Unclear::Array);
        self.at += 1;
        loop {
            self.skip_blank_lines();
            match self.peek() {
                None => {
                    self.script.broken = true;
                    return;
                }
                Some(')') => {
                    self.at += 1;
                    return;
                }
                Some(c) => {
                    let before = self.at;
                    let _value = self.word(0);
                    if self.at == before {
                        self.at += c.len_utf8();
                    }
                }
            }
        }
    }

    /// `[[ … ]]`: its words are looked at for substitutions only.
    fn test(&mut self, begun: &mut Begun) {
        self.at += 2;
        let mut word = Word {
            text: "[[".to_owned(),
            bare: true,
            ..Word::default()
        };
        loop {
            while self.peek().is_some_and(char::is_whitespace) {
                self.next();
            }
            if self.at >= self.text.len() {
                self.script.broken = true;
                break;
            }
            if self.take("]]") {
                break;
            }
            if self.peek().is_some_and(|c| "&|<>();".contains(c)) {
                self.next();
                continue;
            }
            let inner = self.word(0);
            word.unclear = word.unclear.or(inner.unclear);
        }
        begun.words.push(word);
    }

    fn finish(&mut self, begun: Begun) {
        let leading = begun.pieces.len() - begun.pieces.trim_start().len();
        let text = begun.pieces.trim().to_owned();
        let mut words = begun.words;
        for word in &mut words {
            word.start = word.start.saturating_sub(leading).min(text.len());
            self.fill_known(word);
        }
        if begun.assignments.is_empty() && words.is_empty() && begun.redirects.is_empty() {
            return;
        }
        let mut grouped = begun.grouped && !words.is_empty();
        mark_builtins(&mut words);
        for word in &words {
            self.unclear_word(word);
        }
        if words.is_empty() {
            if begun.assignments.len() > 1 {
                self.unclear(Unclear::Assignments);
            }
            for assignment in &begun.assignments {
                self.assigned(assignment);
            }
        } else {
            for assignment in &begun.assignments {
                match assignment.value.unclear {
                    Some(Unclear::Substitution) => {
                        grouped = true;
                        self.unclear(Unclear::Assigned);
                    }
                    what => what.into_iter().for_each(|what| self.unclear(what)),
                }
            }
        }
        for redirect in &begun.redirects {
            self.unclear_word(&redirect.target);
        }
        let standing = if grouped {
            self.standing.max_with(Standing::Grouped)
        } else {
            self.standing
        };
        self.script.commands.push(Simple {
            text,
            assignments: begun.assignments,
            words,
            redirects: begun.redirects,
            standing,
        });
    }

    pub(super) fn unclear_word(&mut self, word: &Word) {
        if let Some(what) = word.unclear {
            self.unclear(what);
        }
    }

    /// An assignment by itself. What a substitution gives it may be told if it is the whole value,
    /// or stands in quotes beside something else.
    fn assigned(&mut self, assignment: &Assignment) {
        let value = &assignment.value;
        let text = value.text.as_str();
        let known = match value.unclear {
            Some(Unclear::Substitution) => {
                let alone = matches!(text, "$()" | "``");
                if value.bare != alone || text.is_empty() {
                    self.unclear(Unclear::Substitution);
                }
                false
            }
            Some(what) => {
                self.unclear(what);
                false
            }
            None if value.tilde || value.escaped => {
                self.unclear(Unclear::Escaped);
                false
            }
            None => !assignment.appends,
        };
        let name = assignment.name.as_str();
        self.known.retain(|(other, _)| other != name);
        if known {
            self.known.push((name.to_owned(), text.to_owned()));
        }
    }

    /// A word that is one variable set before, with its value.
    fn fill_known(&self, word: &mut Word) {
        if word.unclear != Some(Unclear::Variable) {
            return;
        }
        let [variable] = word.variables.as_slice() else {
            return;
        };
        let known = self.known.iter().rev().find(|(name, _)| name == variable);
        if let (Some((_, value)), true) = (known, word.text == format!("${variable}")) {
            word.text.clone_from(value);
            word.unclear = Some(Unclear::Told);
        }
    }
}

impl Begun {
    fn add(&mut self, word: Word) {
        let name = word.text.split('=').next().unwrap_or_default();
        let (name, appends) = match name.strip_suffix('+') {
            Some(name) => (name, true),
            None => (name, false),
        };
        let (name, indexed) = match name.split_once('[') {
            Some((name, index)) => (name, index.ends_with(']')),
            None => (name, false),
        };
        let is_name = !name.is_empty()
            && !name.starts_with(|c: char| c.is_ascii_digit())
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        let equals = word.text.find('=');
        if let (true, true, Some(equals)) = (self.words.is_empty(), is_name, equals) {
            let name = name.to_owned();
            let mut value = word;
            value.text.drain(..=equals);
            value.tilde = value.text.starts_with('~') && value.bare;
            if indexed {
                value.mark(Unclear::Array);
            }
            self.assignments.push(Assignment {
                name,
                value,
                appends,
            });
        } else {
            self.words.push(word);
        }
    }
}

/// Commands that run their words, or change how the shell reads what follows.
const EVALUATING: [&str; 18] = [
    ".",
    "-",
    "alias",
    "bind",
    "complete",
    "coproc",
    "enable",
    "eval",
    "exec",
    "hash",
    "let",
    "mapfile",
    "nocorrect",
    "readarray",
    "repeat",
    "shopt",
    "source",
    "trap",
];

/// Marks the words of commands of the shell that the client takes apart.
fn mark_builtins(words: &mut [Word]) {
    let leads = |word: &&Word| matches!(word.text.as_str(), "command" | "builtin");
    let skip = words.iter().take_while(leads).count();
    let Some((first, rest)) = words[skip..].split_first_mut() else {
        return;
    };
    match first.text.as_str() {
        name if EVALUATING.contains(&name) => first.mark(Unclear::Evaluated),
        name @ ("export" | "declare" | "local" | "readonly" | "typeset") => {
            for word in rest {
                let kinds = word.text.strip_prefix('-').unwrap_or_default();
                if matches!(name, "declare" | "local" | "typeset")
                    && kinds.contains(['a', 'A', 'i', 'n'])
                {
                    word.mark(Unclear::Array);
                }
                if word.text.contains('=') && word.unclear == Some(Unclear::Substitution) {
                    word.unclear = Some(Unclear::Declared);
                }
            }
        }
        "unset" if rest.iter().any(|word| word.text.contains('[')) => first.mark(Unclear::Array),
        _ => {}
    }
}
