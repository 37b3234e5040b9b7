//! Lines of a file as far as ignore comments need them: where comments are, and what block follows.

use std::ops::{Range, RangeInclusive};

use memchr::memmem;

/// A file line by line.
pub(super) struct Lines<'t> {
    text: &'t str,
    /// The bytes of each line, without its end.
    lines: Vec<Range<usize>>,
    /// How many lines front matter takes, both fences with it.
    front: usize,
}

impl<'t> Lines<'t> {
    pub(super) fn of(text: &'t str) -> Self {
        let mut lines = Vec::new();
        let mut start = 0;
        for line in text.split_inclusive('\n') {
            lines.push(start..start + line.trim_end_matches(['\r', '\n']).len());
            start += line.len();
        }
        let mut lines = Self {
            text,
            lines,
            front: 0,
        };
        let is_fence =
            |at: usize| lines.line(at).trim_start_matches('\u{feff}').trim_end() == "---";
        if !lines.lines.is_empty() && is_fence(0) {
            let end = (1..lines.lines.len()).find(|at| is_fence(*at));
            lines.front = end.map_or(0, |end| end + 1);
        }
        lines
    }

    fn line(&self, at: usize) -> &'t str {
        &self.text[self.lines[at].clone()]
    }

    fn at(&self, offset: usize) -> usize {
        let after = self.lines.partition_point(|line| line.start <= offset);
        after.saturating_sub(1)
    }

    /// The 1-based line of a byte.
    pub(super) fn number(&self, offset: usize) -> u32 {
        u32::try_from(self.at(offset) + 1).unwrap_or(u32::MAX)
    }

    /// The bytes of each comment that begins with a word: those of front matter, and outside of code
    /// those of HTML.
    pub(super) fn comments(&self, word: &str) -> Vec<Range<usize>> {
        let mut found = Vec::new();
        for line in self.lines.iter().take(self.front) {
            let text = &self.text[line.clone()];
            let mut hashes = text.match_indices('#').map(|(at, _)| at);
            let own = hashes.find(|at| {
                let is_comment = *at == 0 || text[..*at].ends_with([' ', '\t']);
                is_comment && text[at + 1..].trim_start().starts_with(word)
            });
            found.extend(own.map(|at| line.start + at..line.end));
        }
        let code = self.code();
        let body = self
            .lines
            .get(self.front)
            .map_or(self.text.len(), |line| line.start);
        for at in memmem::find_iter(&self.text.as_bytes()[body..], "<!--") {
            let start = body + at;
            let inner = &self.text[start + 4..];
            let line = self.at(start);
            let before = &self.text[self.lines[line].start..start];
            if !inner.trim_start().starts_with(word) || code[line] || in_code_span(before) {
                continue;
            }
            found.extend(inner.find("-->").map(|end| start..start + 4 + end + 3));
        }
        found
    }

    /// Whether each line belongs to a fenced block.
    fn code(&self) -> Vec<bool> {
        let mut code = vec![false; self.lines.len()];
        let mut at = self.front;
        while at < self.lines.len() {
            let end = match fence(self.line(at)) {
                Some(_) => self.fence_end(at),
                None => at,
            };
            if end > at || fence(self.line(at)).is_some() {
                code[at..=end].fill(true);
            }
            at = end + 1;
        }
        code
    }

    /// The line that closes a fence, or the last.
    fn fence_end(&self, at: usize) -> usize {
        let Some((sign, length)) = fence(self.line(at)) else {
            return at;
        };
        let closes = |at: &usize| {
            let line = self.line(*at).trim();
            line.len() >= length && line.chars().all(|letter| letter == sign)
        };
        let end = (at + 1..self.lines.len()).find(closes);
        end.unwrap_or(self.lines.len() - 1)
    }

    /// The lines for which a comment is meant.
    pub(super) fn covered(
        &self,
        comment: &Range<usize>,
        comments: &[Range<usize>],
    ) -> RangeInclusive<u32> {
        let (first, last) = (self.at(comment.start), self.at(comment.end - 1));
        let numbers = |first: usize, last: usize| {
            let number = |at: usize| u32::try_from(at + 1).unwrap_or(u32::MAX);
            number(first)..=number(last)
        };
        if !self.stands_alone(comment) {
            return numbers(first, last);
        }
        let mut next = last + 1;
        while next < self.lines.len() {
            let line = &self.lines[next];
            let here = comments
                .iter()
                .find(|other| other.start >= line.start && other.start < line.end);
            match here {
                Some(other) if self.stands_alone(other) => next = self.at(other.end - 1) + 1,
                None if self.line(next).trim().is_empty() => next += 1,
                _ => break,
            }
        }
        if next >= self.lines.len() {
            return numbers(first, last);
        }
        let end = match next < self.front {
            true => self.key_end(next),
            false => self.block_end(next),
        };
        numbers(next, end)
    }

    /// Whether nothing else is on a comment's lines.
    fn stands_alone(&self, comment: &Range<usize>) -> bool {
        let before = self.lines[self.at(comment.start)].start..comment.start;
        let after = comment.end..self.lines[self.at(comment.end - 1)].end;
        self.text[before].trim().is_empty() && self.text[after].trim().is_empty()
    }

    /// The last line of a key's value.
    fn key_end(&self, first: usize) -> usize {
        let own = indent(self.line(first));
        self.end_of(first, |line| {
            indent(line) > own || line.trim_start().starts_with("- ")
        })
    }

    fn block_end(&self, first: usize) -> usize {
        let line = self.line(first);
        if is_heading(line) {
            return first;
        }
        if fence(line).is_some() {
            return self.fence_end(first);
        }
        if is_item(line) {
            let own = indent(line);
            let mut end = first;
            for at in first + 1..self.lines.len() {
                let line = self.line(at);
                let after_blank = at > end + 1;
                let inside = indent(line) > own;
                match line.trim().is_empty() {
                    true => continue,
                    false if inside || !(after_blank || is_item(line) || is_heading(line)) => {
                        end = at;
                    }
                    false => break,
                }
            }
            return end;
        }
        let mut end = first;
        while end + 1 < self.lines.len() {
            let line = self.line(end + 1);
            let ends = line.trim().is_empty()
                || is_heading(line)
                || is_item(line)
                || fence(line).is_some();
            if ends {
                break;
            }
            end += 1;
        }
        end
    }

    /// The last of the lines behind `first` that belong to it; blank ones between them do.
    fn end_of(&self, first: usize, belongs: impl Fn(&str) -> bool) -> usize {
        let mut end = first;
        for at in first + 1..self.front {
            match self.line(at) {
                line if line.trim().is_empty() => {}
                line if belongs(line) => end = at,
                _ => break,
            }
        }
        end
    }
}

/// The sign and length of a code fence.
fn fence(line: &str) -> Option<(char, usize)> {
    let line = line.trim_start();
    let sign = line
        .chars()
        .next()
        .filter(|sign| matches!(sign, '`' | '~'))?;
    let length = line.len() - line.trim_start_matches(sign).len();
    let is_span = sign == '`' && line[length..].contains('`');
    (length >= 3 && !is_span).then_some((sign, length))
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

fn is_heading(line: &str) -> bool {
    let line = line.trim_start();
    let rest = line.trim_start_matches('#');
    rest.len() < line.len() && (rest.is_empty() || rest.starts_with([' ', '\t']))
}

fn is_item(line: &str) -> bool {
    let line = line.trim_start();
    let rest = match line.trim_start_matches(|letter: char| letter.is_ascii_digit()) {
        same if same.len() == line.len() => line.strip_prefix(['-', '*', '+']),
        numbered => numbered.strip_prefix(['.', ')']),
    };
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t']))
}

/// Whether a code span is open at the end of a piece of a line.
fn in_code_span(before: &str) -> bool {
    let mut open = 0;
    let mut rest = before;
    while let Some(at) = rest.find('`') {
        let run = &rest[at..];
        let length = run.len() - run.trim_start_matches('`').len();
        match open {
            0 => open = length,
            _ if open == length => open = 0,
            _ => {}
        }
        rest = &run[length..];
    }
    open > 0
}
