//! From text to simple commands.

use super::{Assignment, Direction, Redirect, Script, Simple, Standing, Unclear, Word};

/// How deep groups and substitutions are followed.
const DEPTH: usize = 32;

pub(super) fn read(text: &str) -> Script {
    let mut reader = Reader {
        text,
        at: 0,
        depth: 0,
        standing: Standing::Plain,
        script: Script::default(),
        here: Vec::new(),
        known: Vec::new(),
    };
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

/// A here-document whose text is still to come.
struct Here {
    delimiter: String,
    replaces: bool,
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
    depth: usize,
    standing: Standing,
    script: Script,
    here: Vec<Here>,
    /// Variables that the command set before.
    known: Vec<(String, String)>,
}

/// A simple command that is being read.
#[derive(Default)]
struct Begun {
    pieces: String,
    assignments: Vec<Assignment>,
    words: Vec<Word>,
    redirects: Vec<Redirect>,
    grouped: bool,
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
        self.script.unclear.get_or_insert(what);
    }

    fn blanks(&mut self) {
        loop {
            let rest = self.rest();
            // Every white space that ends a word, so that reading always gets on.
            let blank = rest.trim_start_matches(|c: char| c.is_whitespace() && c != '\n');
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
            self.standing = self.standing.max_with(Standing::Grouped);
            return;
        }
        if self.keyword("!") || self.keyword("}") {
            return;
        }
        for word in [
            "if", "then", "elif", "else", "fi", "while", "until", "do", "done",
        ] {
            if self.keyword(word) {
                return;
            }
        }
        if self.keyword("for") {
            self.words_until_end();
            return;
        }
        if self.keyword("select") {
            self.unclear(Unclear::Select);
            self.standing = self.standing.max_with(Standing::Grouped);
            self.words_until_end();
            return;
        }
        if self.keyword("case") {
            self.case();
            return;
        }
        if self.keyword("function") {
            self.unclear(Unclear::Function);
            self.standing = self.standing.max_with(Standing::Grouped);
            self.blanks();
            let _name = self.word(0);
            let _ = self.take("()");
            return;
        }
        self.simple();
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
                    if let Some(what) = word.unclear {
                        self.unclear(what);
                    }
                }
            }
        }
    }

    fn case(&mut self) {
        self.blanks();
        let word = self.word(0);
        if let Some(what) = word.unclear {
            self.unclear(what);
        }
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

    fn simple(&mut self) {
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

    fn redirection_starts(&self) -> bool {
        let rest = self.rest().trim_start_matches(|c: char| c.is_ascii_digit());
        let digits = self.rest().len() - rest.len();
        let process = rest.starts_with("<(") || rest.starts_with(">(");
        (rest.starts_with(['<', '>']) && !process) || (digits == 0 && rest.starts_with("&>"))
    }

    fn redirection(&mut self, begun: &mut Begun) {
        while self.peek().is_some_and(|c| c.is_ascii_digit()) {
            self.next();
        }
        if self.take("<<<") {
            self.blanks();
            let word = self.word(0);
            if let Some(what) = word.unclear {
                self.unclear(what);
            }
            return;
        }
        if self.take("<<-") || self.take("<<") {
            self.blanks();
            let word = self.word(0);
            let replaces = word.bare;
            if replaces {
                self.unclear(Unclear::HereDocument);
            }
            self.here.push(Here {
                delimiter: word.text,
                replaces,
            });
            return;
        }
        let direction = match self.peek() {
            Some('<') => Direction::Input,
            _ => Direction::Output,
        };
        for operator in ["&>>", "&>", ">>", ">|", ">&", "<&", "<>", ">", "<"] {
            if self.take(operator) {
                break;
            }
        }
        self.blanks();
        let target = self.word(0);
        let is_descriptor = target.text.chars().all(|c| c.is_ascii_digit() || c == '-');
        if target.text.is_empty() {
            self.script.broken = true;
        } else if !is_descriptor && target.text != "/dev/null" {
            begun.redirects.push(Redirect { direction, target });
        }
    }

    /// The texts of here-documents, at a line's end.
    fn here_documents(&mut self) {
        for here in std::mem::take(&mut self.here) {
            loop {
                if self.at >= self.text.len() {
                    break;
                }
                let rest = self.rest();
                let end = memchr::memchr(b'\n', rest.as_bytes());
                let line = &rest[..end.unwrap_or(rest.len())];
                if line.trim_start_matches('\t') == here.delimiter {
                    self.at += line.len();
                    break;
                }
                if here.replaces {
                    self.substitutions_of(line);
                }
                self.at += line.len() + usize::from(end.is_some());
            }
        }
    }

    /// Reads the commands that a text's substitutions run.
    fn substitutions_of(&mut self, text: &'t str) {
        let (whole, at) = (self.text, self.at);
        self.text = text;
        self.at = 0;
        while let Some(c) = self.next() {
            match c {
                '\\' => {
                    self.next();
                }
                '$' if self.rest().starts_with('(') => {
                    self.at += 1;
                    self.substituted();
                }
                '`' => self.backquotes(),
                _ => {}
            }
        }
        (self.text, self.at) = (whole, at);
    }

    /// The inside of `$( )`, whose opening was taken.
    fn substituted(&mut self) {
        let outer = self.standing;
        self.standing = Standing::Substituted;
        let here = std::mem::take(&mut self.here);
        self.nested(End::Parenthesis);
        self.here = here;
        self.standing = outer;
    }

    /// The inside of backquotes, the first of which was taken.
    fn backquotes(&mut self) {
        let rest = self.rest();
        let mut end = None;
        let mut escaped = false;
        for (index, c) in rest.char_indices() {
            match c {
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                '`' => {
                    end = Some(index);
                    break;
                }
                _ => {}
            }
        }
        let Some(end) = end else {
            self.script.broken = true;
            self.at = self.text.len();
            return;
        };
        let (whole, after) = (self.text, self.at + end + 1);
        (self.text, self.at) = (&rest[..end], 0);
        let outer = self.standing;
        self.standing = Standing::Substituted;
        if self.depth < DEPTH {
            self.depth += 1;
            self.list(End::Text);
            self.depth -= 1;
        } else {
            self.script.broken = true;
        }
        self.standing = outer;
        (self.text, self.at) = (whole, after);
    }

    fn word(&mut self, start: usize) -> Word {
        let mut word = Word {
            start,
            bare: true,
            tilde: self.rest().starts_with('~'),
            ..Word::default()
        };
        while let Some(c) = self.peek() {
            match c {
                _ if c.is_whitespace() => break,
                ';' | '&' | '|' | ')' => break,
                '<' | '>' if !self.rest()[1..].starts_with('(') => break,
                '(' => break,
                '<' | '>' => {
                    self.at += 2;
                    word.unclear.get_or_insert(Unclear::Process);
                    self.substituted();
                    word.text.push_str("<()");
                }
                '\'' => self.single(&mut word),
                '"' => self.double(&mut word),
                '\\' => {
                    self.at += 1;
                    word.bare = false;
                    match self.next() {
                        Some('\n') => {}
                        Some(c) => word.text.push(c),
                        None => self.script.broken = true,
                    }
                }
                '$' => self.dollar(&mut word, false),
                '`' => {
                    self.at += 1;
                    word.unclear.get_or_insert(Unclear::Substitution);
                    word.text.push_str("``");
                    self.backquotes();
                }
                _ => {
                    word.pattern |= matches!(c, '*' | '?' | '[');
                    word.text.push(c);
                    self.at += c.len_utf8();
                }
            }
        }
        if word.bare && has_braces(&word.text) {
            word.unclear.get_or_insert(Unclear::Braces);
        }
        word
    }

    fn single(&mut self, word: &mut Word) {
        word.bare = false;
        self.at += 1;
        let rest = self.rest();
        match memchr::memchr(b'\'', rest.as_bytes()) {
            Some(end) => {
                quoted_comment(word, &rest[..end]);
                word.text.push_str(&rest[..end]);
                self.at += end + 1;
            }
            None => {
                self.script.broken = true;
                word.text.push_str(rest);
                self.at = self.text.len();
            }
        }
    }

    fn double(&mut self, word: &mut Word) {
        word.bare = false;
        self.at += 1;
        let from = word.text.len();
        loop {
            match self.peek() {
                None => {
                    self.script.broken = true;
                    break;
                }
                Some('"') => {
                    self.at += 1;
                    break;
                }
                Some('\\') => {
                    self.at += 1;
                    match self.next() {
                        Some('\n') => {}
                        Some(c @ ('"' | '\\' | '`' | '$')) => word.text.push(c),
                        Some(c) => word.text.extend(['\\', c]),
                        None => self.script.broken = true,
                    }
                }
                Some('$') => self.dollar(word, true),
                Some('`') => {
                    self.at += 1;
                    word.unclear.get_or_insert(Unclear::Substitution);
                    self.backquotes();
                }
                Some(c) => {
                    word.text.push(c);
                    self.at += c.len_utf8();
                }
            }
        }
        let inside = word.text[from..].to_owned();
        quoted_comment(word, &inside);
    }

    fn dollar(&mut self, word: &mut Word, quoted: bool) {
        self.at += 1;
        if self.take("((") {
            word.unclear.get_or_insert(Unclear::Other);
            self.skip_to("))");
            return;
        }
        if self.take("(") {
            word.unclear.get_or_insert(Unclear::Substitution);
            word.text.push_str("$()");
            self.substituted();
            return;
        }
        if self.take("{") {
            word.unclear.get_or_insert(Unclear::Expansion);
            self.skip_to("}");
            return;
        }
        if !quoted && self.peek() == Some('\'') {
            word.unclear.get_or_insert(Unclear::Other);
            self.single(word);
            return;
        }
        let rest = self.rest();
        let named = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        let name = &rest[..named.unwrap_or(rest.len())];
        word.text.push('$');
        if name.is_empty() {
            if self.peek().is_some_and(|c| "?@*#$!-".contains(c)) {
                word.unclear.get_or_insert(Unclear::Variable);
                word.text.extend(self.next());
            }
            return;
        }
        self.at += name.len();
        word.text.push_str(name);
        // `$HOME` is known wherever it stands, `$PWD` in quotes (case perm-bash-unclear).
        if name != "HOME" && !(quoted && name == "PWD") {
            word.unclear.get_or_insert(Unclear::Variable);
        }
        word.variables.push(name.to_owned());
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

impl Standing {
    /// The less plain of two.
    fn max_with(self, other: Self) -> Self {
        if self == Self::Plain { other } else { self }
    }
}

fn has_braces(text: &str) -> bool {
    let Some((_, inside)) = text.split_once('{') else {
        return false;
    };
    inside
        .split_once('}')
        .is_some_and(|(inside, _)| inside.contains(',') || inside.contains(".."))
}

fn quoted_comment(word: &mut Word, inside: &str) {
    let hides = |line: &str| line.trim_start().starts_with('#');
    if inside.lines().skip(1).any(hides) {
        word.unclear.get_or_insert(Unclear::QuotedComment);
    }
}
