//! From text to simple commands.

mod redirect;
mod simple;
mod substitution;
mod words;

use super::{Script, Standing, Unclear};
use redirect::Here;

/// How deep groups and substitutions are followed.
const DEPTH: usize = 32;

pub(super) fn read(text: &str) -> Script {
    let mut reader = Reader {
        text,
        at: 0,
        depth: 0,
        standing: Standing::Plain,
        braces: Vec::new(),
        loops: Vec::new(),
        script: Script::default(),
        here: Vec::new(),
        known: Vec::new(),
    };
    if text.contains(is_odd_space) {
        reader.unclear(Unclear::WhiteSpace);
    }
    while reader.at < text.len() {
        reader.list(End::Text);
        if reader.at < text.len() {
            // A closing bracket without an opening one.
            reader.script.broken = true;
            reader.at += 1;
        }
    }
    reader.script
}

/// What ends a list.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Text,
    Parenthesis,
    /// `;;` or `esac`.
    CaseItem,
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
    depth: usize,
    standing: Standing,
    /// How what stands around each open brace stands.
    braces: Vec<Standing>,
    /// The same for each open loop.
    loops: Vec<Standing>,
    script: Script,
    here: Vec<Here>,
    /// Variables that the command set before.
    known: Vec<(String, String)>,
}

impl<'t> Reader<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn next(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += c.len_utf8();
        Some(c)
    }

    fn take(&mut self, prefix: &str) -> bool {
        let has = self.rest().starts_with(prefix);
        if has {
            self.at += prefix.len();
        }
        has
    }

    fn unclear(&mut self, what: Unclear) {
        if !self.script.has(what) {
            self.script.unclear.push(what);
        }
    }

    fn blanks(&mut self) {
        loop {
            let rest = self.rest();
            let blank = rest.trim_start_matches(|c: char| is_blank(c) && c != '\n');
            self.at += rest.len() - blank.len();
            if !self.take("\\\n") {
                return;
            }
        }
    }

    /// A word of the shell's own at a command's place.
    fn keyword(&mut self, word: &str) -> bool {
        let Some(after) = self.rest().strip_prefix(word) else {
            return false;
        };
        let ends = after
            .chars()
            .next()
            .is_none_or(|c| c.is_whitespace() || ";&|()<>".contains(c));
        if ends {
            self.at += word.len();
        }
        ends
    }

    fn list(&mut self, end: End) {
        loop {
            self.blanks();
            let Some(c) = self.peek() else { return };
            match c {
                '\n' => {
                    self.at += 1;
                    self.here_documents();
                }
                '#' => self.comment(),
                ')' => return,
                ';' if end == End::CaseItem && self.rest().starts_with(";;") => return,
                ';' => self.at += 1,
                '|' => {
                    self.at += 1;
                    let _ = self.take("|") || self.take("&");
                }
                '&' if !self.rest().starts_with("&>") => {
                    self.at += 1;
                    if !self.take("&") {
                        self.script.background = true;
                    }
                }
                _ if end == End::CaseItem && self.rest().starts_with("esac") => return,
                _ => self.command(),
            }
        }
    }

    fn comment(&mut self) {
        let end = memchr::memchr(b'\n', self.rest().as_bytes());
        self.at += end.unwrap_or(self.rest().len());
    }

    fn command(&mut self) {
        if self.rest().starts_with("((") {
            self.unclear(Unclear::Group);
            self.at += 2;
            self.skip_to("))");
            return;
        }
        if self.take("(") {
            self.group(Unclear::Subshell, |reader| {
                reader.nested(End::Parenthesis);
            });
            return;
        }
        if self.keyword("{") {
            // Braces end a list only as a word, so they are followed by the same loop.
            self.unclear(Unclear::Group);
            self.braces.push(self.standing);
            self.standing = self.standing.max_with(Standing::Grouped);
            return;
        }
        if self.keyword("}") {
            if let Some(outer) = self.braces.pop() {
                self.standing = outer;
            }
            self.compound_end();
            return;
        }
        if self.keyword("fi") {
            self.compound_end();
            return;
        }
        if self.keyword("done") {
            if let Some(outer) = self.loops.pop() {
                self.standing = outer;
            }
            self.compound_end();
            return;
        }
        for word in ["!", "if", "then", "elif", "else", "do"] {
            if self.keyword(word) {
                return;
            }
        }
        if self.keyword("while") || self.keyword("until") {
            self.loops.push(self.standing);
            return;
        }
        if self.keyword("for") {
            self.loops.push(self.standing);
            self.blanks();
            if self.take("((") {
                self.unclear(Unclear::Group);
                self.skip_to("))");
            } else {
                self.words_until_end();
            }
            return;
        }
        if self.keyword("select") {
            self.unclear(Unclear::Select);
            self.loops.push(self.standing);
            self.standing = self.standing.max_with(Standing::Grouped);
            self.words_until_end();
            return;
        }
        if self.keyword("case") {
            self.case();
            return;
        }
        if self.keyword("function") {
            self.blanks();
            let _name = self.word(0);
            let _ = self.take("()");
            self.function_body();
            return;
        }
        self.simple();
    }

    /// Behind the end of a loop, a condition or a group.
    fn compound_end(&mut self) {
        self.blanks();
        if self.redirection_starts() {
            self.unclear(Unclear::Redirected);
        }
    }

    /// What follows a function's name: it is read as commands that stand in a group.
    fn function_body(&mut self) {
        self.unclear(Unclear::Function);
        self.skip_blank_lines();
        if self.take("(") {
            self.group(Unclear::Function, |reader| {
                reader.nested(End::Parenthesis);
            });
        }
    }

    fn group(&mut self, what: Unclear, read: impl FnOnce(&mut Self)) {
        self.unclear(what);
        let outer = self.standing;
        self.standing = outer.max_with(Standing::Grouped);
        read(self);
        self.standing = outer;
    }

    /// A list up to its closing parenthesis.
    fn nested(&mut self, end: End) {
        if self.depth >= DEPTH {
            self.script.broken = true;
            self.at = self.text.len();
            return;
        }
        self.depth += 1;
        self.list(end);
        self.depth -= 1;
        if end == End::Parenthesis && !self.take(")") {
            self.script.broken = true;
        }
    }

    fn skip_to(&mut self, end: &str) {
        match self.rest().find(end) {
            Some(found) => self.at += found + end.len(),
            None => {
                self.script.broken = true;
                self.at = self.text.len();
            }
        }
    }

    /// `NAME in WORDS` of `for` and `select`.
    fn words_until_end(&mut self) {
        loop {
            self.blanks();
            match self.peek() {
                None | Some('\n' | ';') => return,
                Some('&' | '|' | '<' | '>' | '(' | ')') => {
                    self.at += 1;
                }
                Some(_) => {
                    let word = self.word(0);
                    self.unclear_word(&word);
                }
            }
        }
    }

    fn case(&mut self) {
        self.blanks();
        let word = self.word(0);
        self.unclear_word(&word);
        self.group(Unclear::Case, |reader| {
            reader.skip_blank_lines();
            if !reader.keyword("in") {
                reader.script.broken = true;
                return;
            }
            loop {
                reader.skip_blank_lines();
                if reader.at >= reader.text.len() {
                    reader.script.broken = true;
                    return;
                }
                if reader.keyword("esac") {
                    return;
                }
                reader.skip_to(")");
                reader.nested(End::CaseItem);
                let _ = reader.take(";;&") || reader.take(";;") || reader.take(")");
            }
        });
    }

    fn skip_blank_lines(&mut self) {
        let trimmed = self.rest().trim_start();
        self.at = self.text.len() - trimmed.len();
    }
}

/// What parts words. Other white space is a letter to the shell.
const fn is_blank(c: char) -> bool {
    c.is_ascii_whitespace()
}

/// White space that is none to the shell, and may be taken for it by a reader.
const fn is_odd_space(c: char) -> bool {
    matches!(
        c,
        '\u{a0}' | '\u{1680}' | '\u{2000}'
            ..='\u{200b}'
                | '\u{2028}'
                | '\u{2029}'
                | '\u{202f}'
                | '\u{205f}'
                | '\u{3000}'
                | '\u{feff}'
    )
}

impl Standing {
    /// The less plain of two.
    fn max_with(self, other: Self) -> Self {
        if self == Self::Plain { other } else { self }
    }
}
