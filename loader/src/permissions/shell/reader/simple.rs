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
                '(' => {
                    self.at += 1;
                    self.blanks();
                    let defines = self.take(")") && begun.words.len() == 1;
                    if defines {
                        // `name() …`: the body is read as the commands that follow.
                        self.unclear(Unclear::Function);
                        self.standing = self.standing.max_with(Standing::Grouped);
                        self.script.commands.truncate(outer);
                        return;
                    }
                    self.group(Unclear::Subshell, |reader| reader.nested(End::Parenthesis));
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
        let declares = words.first().is_some_and(|word| {
            let name = word.text.as_str();
            matches!(
                name,
                "export" | "declare" | "local" | "readonly" | "typeset"
            )
        });
        for word in words
            .iter_mut()
            .filter(|word| declares && word.text.contains('='))
        {
            // What it runs is known, and its output goes into a variable.
            word.unclear.take_if(|what| *what == Unclear::Substitution);
        }
        let mut grouped = begun.grouped && !words.is_empty();
        let mut unclear = words.iter().find_map(|word| word.unclear);
        if words.is_empty() {
            if begun.assignments.len() > 1 {
                unclear = unclear.or(Some(Unclear::Assignments));
            }
            for assignment in &begun.assignments {
                let value = match assignment.value.unclear {
                    None => assignment.value.text.clone(),
                    Some(_) => continue,
                };
                self.known.push((assignment.name.clone(), value));
            }
        } else {
            let values = begun.assignments.iter().map(|assignment| &assignment.value);
            let of_values = values.filter_map(|value| value.unclear).next();
            grouped |= of_values == Some(Unclear::Substitution);
            unclear = unclear.or(of_values);
        }
        let targets = begun.redirects.iter().filter_map(|one| one.target.unclear);
        unclear = unclear.or_else(|| targets.into_iter().next());
        if let Some(what) = unclear {
            self.unclear(what);
        }
        let standing = if grouped {
            self.standing.max_with(Standing::Grouped)
        } else {
            self.standing
        };
        let told = words.iter().all(|word| word.told || word.unclear.is_none());
        self.script.commands.push(Simple {
            text,
            assignments: begun.assignments,
            words,
            redirects: begun.redirects,
            standing,
            unclear: unclear.filter(|_| !told),
        });
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
            word.told = true;
        }
    }
}

impl Begun {
    fn add(&mut self, word: Word) {
        let name = word.text.split('=').next().unwrap_or_default();
        let is_name = !name.is_empty()
            && !name.starts_with(|c: char| c.is_ascii_digit())
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        if self.words.is_empty() && is_name && word.text.contains('=') {
            let name = name.to_owned();
            let mut value = word;
            value.text.drain(..=name.len());
            self.assignments.push(Assignment { name, value });
        } else {
            self.words.push(word);
        }
    }
}
