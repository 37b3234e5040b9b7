//! Sentences of a text that are said rather than shown: code, quotations and the output of
//! programs are left out.

use std::borrow::Cow;
use std::ops::Range;

use super::terms;

/// The longest sentence, in bytes: what has no end by then is cut at a blank.
const LONGEST: usize = 1_000;
/// A line that is this long, in bytes, was broken by an editor, not by the writer.
const BROKEN: usize = 60;

/// The sentences of a text, in order, without list marks and the white space around them.
pub(crate) fn sentences(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut fence: Option<&str> = None;
    let mut open: Option<Range<usize>> = None;
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let place = start;
        start += line.len();
        let bare = line.trim();
        let mark = fence_mark(bare);
        if let Some(closing) = fence {
            if mark.is_some_and(|mark| mark.starts_with(closing))
                && bare.len() == mark.map_or(0, str::len)
            {
                fence = None;
            }
            continue;
        }
        if bare.is_empty() || mark.is_some() || bare.starts_with('>') || is_output(bare) {
            fence = mark;
            flush(text, open.take(), &mut found);
            continue;
        }
        let begin = place + (line.len() - line.trim_start().len());
        let item = list_mark(bare);
        let end = begin + bare.len();
        let goes_on = item == 0
            && !bare.starts_with('|')
            && !text[begin..].starts_with(char::is_uppercase)
            && open
                .as_ref()
                .is_some_and(|open| is_broken(&text[last_line(text, open)..open.end]));
        match &mut open {
            Some(open) if goes_on => open.end = end,
            _ => flush(text, open.replace(begin + item..end), &mut found),
        }
    }
    flush(text, open, &mut found);
    found
}

/// Where the last line of a range begins.
fn last_line(text: &str, range: &Range<usize>) -> usize {
    text[range.clone()]
        .rfind('\n')
        .map_or(range.start, |at| range.start + at + 1)
}

/// Whether a line ends where the writer had not ended.
fn is_broken(line: &str) -> bool {
    let last = line.rsplit(char::is_whitespace).next().unwrap_or_default();
    line.len() >= BROKEN || terms::joins(last)
}

/// The marks that open or close a block of code.
pub(crate) fn fence_mark(line: &str) -> Option<&str> {
    let mark = line
        .chars()
        .next()
        .filter(|mark| matches!(mark, '`' | '~'))?;
    let length = line.len() - line.trim_start_matches(mark).len();
    (length >= 3).then(|| &line[..length])
}

/// How many bytes of a line mark it as an item of a list or as a heading.
fn list_mark(line: &str) -> usize {
    let digits = line.len() - line.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let mark = match line.as_bytes().get(digits) {
        Some(b'.' | b')') if (1..4).contains(&digits) => digits + 1,
        Some(b'-' | b'*' | b'+') if digits == 0 => 1,
        Some(b'#') if digits == 0 => line.len() - line.trim_start_matches('#').len(),
        _ => {
            let bullets = ["• ", "・", "· ", "– "];
            let bullet = bullets.iter().find(|bullet| line.starts_with(**bullet));
            return bullet.map_or(0, |bullet| bullet.len());
        }
    };
    let rest = &line[mark..];
    let mut length = line.len() - rest.trim_start().len();
    if length == mark {
        return 0;
    }
    for task in ["[ ]", "[x]", "[X]"] {
        if let Some(rest) = line[length..].strip_prefix(task) {
            length = line.len() - rest.trim_start().len();
        }
    }
    length
}

/// How programs begin the lines that they print. What follows is not the speaker's own.
const OUTPUT: [&str; 18] = [
    "error:",
    "error[",
    "Error:",
    "ERROR",
    "warning:",
    "warning[",
    "WARN",
    "fatal:",
    "FATAL",
    "panic:",
    "thread '",
    "Traceback",
    "npm ERR!",
    "npm error",
    "at ",
    "$ ",
    "INFO",
    "DEBUG",
];

/// Whether a line looks like one that a program printed.
fn is_output(line: &str) -> bool {
    let is_log = OUTPUT.iter().any(|begin| line.starts_with(begin))
        && (!line.starts_with("at ") || line.ends_with(')'));
    let is_numbered = line
        .split_once(['\t', '→', '|'])
        .is_some_and(|(number, _)| {
            let number = number.trim();
            !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
        });
    let digits = |text: &str| text.len() > 3 && text.as_bytes()[..2].iter().all(u8::is_ascii_digit);
    // `[12:03 …`, `2026-…`.
    let is_dated = line.strip_prefix('[').is_some_and(digits)
        || (digits(line)
            && matches!(
                line.as_bytes()[2..5.min(line.len())],
                [b'0'..=b'9', b'0'..=b'9', b'-']
            ));
    is_log || is_numbered || is_dated
}

/// Words behind which a full stop ends no sentence.
const SHORT: [&str; 16] = [
    "e.g", "i.e", "etc", "vs", "cf", "z.B", "d.h", "bzw", "ca", "Nr", "usw", "p.ex", "Mr", "Dr",
    "Sr", "no",
];

/// Splits a run of lines at the ends of its sentences.
fn flush(text: &str, run: Option<Range<usize>>, found: &mut Vec<Range<usize>>) {
    let Some(run) = run else {
        return;
    };
    let mut start = run.start;
    let mut chars = text[run.clone()].char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let end = run.start + at + c.len_utf8();
        let ends = match c {
            '。' | '！' | '？' | '；' => true,
            '.' | '!' | '?' | '…' => {
                let next = chars.peek().map(|(_, next)| *next);
                let before = &text[start..end - c.len_utf8()];
                let is_short = c == '.'
                    && (SHORT.iter().any(|short| ends_in_word(before, short))
                        || ends_in_letter(before));
                next.is_none_or(|next| {
                    next.is_whitespace() || matches!(next, '"' | ')' | '”' | '*' | '_')
                }) && !is_short
            }
            _ => {
                end - start >= LONGEST && c.is_whitespace()
                    || end - start >= 2 * LONGEST && (!c.is_alphanumeric() || terms::is_dense(c))
            }
        };
        if ends {
            add(text, start..end, found);
            start = end;
        }
    }
    add(text, start..run.end, found);
}

fn ends_in_word(text: &str, word: &str) -> bool {
    text.strip_suffix(word)
        .is_some_and(|before| !before.ends_with(|c: char| c.is_alphanumeric()))
        && (word != "no" || text.len() > word.len())
}

/// Whether a text ends in a letter that stands alone, as in `J. S.`.
fn ends_in_letter(text: &str) -> bool {
    let mut chars = text.chars().rev();
    chars
        .next()
        .is_some_and(|last| last.is_uppercase() && last.is_ascii())
        && chars
            .next()
            .is_none_or(|before| before == ' ' || before == '.')
}

fn add(text: &str, range: Range<usize>, found: &mut Vec<Range<usize>>) {
    let piece = &text[range.clone()];
    let is_around = |c: char| c.is_whitespace() || matches!(c, '*' | '"' | '”' | ')');
    let start = range.start + (piece.len() - piece.trim_start_matches(is_around).len());
    let end = range.start
        + piece
            .trim_end_matches(|c: char| c.is_whitespace() || c == '*')
            .len();
    if start < end && text[start..end].chars().any(char::is_alphanumeric) {
        found.push(start..end);
    }
}

/// A sentence with blanks for what stands in quotation marks or is code, so that places stay.
pub(super) fn without_quotations(sentence: &str) -> Cow<'_, str> {
    const PAIRS: [(char, char); 7] = [
        ('`', '`'),
        ('"', '"'),
        ('“', '”'),
        ('„', '“'),
        ('«', '»'),
        ('「', '」'),
        ('『', '』'),
    ];
    if !sentence.contains(PAIRS.map(|(open, _)| open)) && !sentence.contains(['\'', '‘']) {
        return Cow::Borrowed(sentence);
    }
    let mut said = String::with_capacity(sentence.len());
    let mut rest = sentence;
    while let Some(c) = rest.chars().next() {
        let after = &rest[c.len_utf8()..];
        let is_single = matches!(c, '\'' | '‘') && !said.ends_with(char::is_alphanumeric);
        let pair = PAIRS.iter().find(|(open, _)| *open == c);
        let close = pair.and_then(|(_, close)| after.find(*close).map(|at| at + close.len_utf8()));
        let close = close.or_else(|| single(after).filter(|_| is_single));
        let length = match close {
            // Around the whole sentence they quote nothing.
            Some(close) if close < after.len() || !said.trim().is_empty() => c.len_utf8() + close,
            _ => 0,
        };
        if length > 0 {
            said.extend(std::iter::repeat_n(' ', length));
            rest = &rest[length..];
        } else {
            said.push(c);
            rest = after;
        }
    }
    Cow::Owned(said)
}

/// Where a quotation in single marks ends, which also stand in words.
fn single(after: &str) -> Option<usize> {
    let is_end = |(at, mark): &(usize, &str)| {
        let behind = after[at + mark.len()..].chars().next();
        *at > 1 && !behind.is_some_and(char::is_alphanumeric) && !after[..*at].ends_with(' ')
    };
    let mut marks = after.match_indices(['\'', '’']);
    marks.find(is_end).map(|(at, mark)| at + mark.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Vec<&str> {
        sentences(text)
            .into_iter()
            .map(|range| &text[range])
            .collect()
    }

    #[test]
    fn sentences_of_prose() {
        for (text, want) in [
            ("One. Two! Three?", &["One.", "Two!", "Three?"][..]),
            ("e.g. a.rs v1.2 ok", &["e.g. a.rs v1.2 ok"]),
            (
                "1. First\n2) Second\n- [ ] Third",
                &["First", "Second", "Third"],
            ),
            ("不要改。必须测试！", &["不要改。", "必须测试！"]),
            (
                "fix it\nnever touch tests",
                &["fix it", "never touch tests"],
            ),
            (
                "Please change only the parser in this long line that the editor broke\nat the margin.",
                &[
                    "Please change only the parser in this long line that the editor broke\nat the margin.",
                ],
            ),
            ("say\n```\nnever\n```\ndone", &["say", "done"]),
            ("say\n````md\n```\nnever\n````\ndone", &["say", "done"]),
            ("> never\nok", &["ok"]),
            ("error: you must not\n  12\tnever\nok", &["ok"]),
            ("**Never** push.", &["Never** push."]),
            ("...\n\n", &[]),
        ] {
            assert_eq!(of(text), want, "{text}");
        }
    }

    #[test]
    fn quotations_are_blank() {
        assert_eq!(without_quotations("say `never` now"), "say         now");
        assert_eq!(without_quotations("\"Never push.\""), "\"Never push.\"");
        assert_eq!(without_quotations("「絶対」を使う"), "            を使う");
        assert_eq!(without_quotations("5\" never"), "5\" never");
        assert_eq!(
            without_quotations("he said 'never do' it"),
            "he said            it"
        );
        assert_eq!(without_quotations("don't and can't"), "don't and can't");
    }
}
