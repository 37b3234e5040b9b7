//! The programs that read one file, and the options with which they still count.

use super::bash::{FileRead, Part, Word};

const OTHER: &str = "only cat, head, tail, nl, sed -n, grep and rg of one file, with plain options, count as a read";

/// The read that a program's words amount to. `alone` tells that the command is no list.
pub(super) fn read_of(name: &str, words: &[Word], alone: bool) -> Result<FileRead, &'static str> {
    match name {
        "cat" => one_file(words, |option| matches!(option, "-n" | "--number")),
        "nl" => one_file(words, |_| false),
        "head" | "tail" => slice(name, words),
        "sed" => sed(words),
        "grep" | "egrep" | "fgrep" | "rg" if !alone => {
            Err("a search counts as a read only when it is the whole command")
        }
        "grep" | "egrep" | "fgrep" => search(words, &GREP),
        "rg" => search(words, &RG),
        _ => Err(OTHER),
    }
}

fn literal(word: &Word) -> Result<String, &'static str> {
    // A pattern counts only where a file has just that name, which is looked up later.
    if word.replaced || word.text.is_empty() {
        return Err("the file must be written literally, without variables");
    }
    Ok(word.text.clone())
}

fn only<'w>(files: &[&'w Word]) -> Result<&'w Word, &'static str> {
    match files {
        [file] => Ok(file),
        [] => Err("the command names no file"),
        _ => Err("a command that names several files is no read"),
    }
}

fn one_file(words: &[Word], allowed: impl Fn(&str) -> bool) -> Result<FileRead, &'static str> {
    let (options, files): (Vec<&Word>, Vec<&Word>) =
        words.iter().partition(|word| word.text.starts_with('-'));
    if options.iter().any(|option| !allowed(&option.text)) {
        return Err(OTHER);
    }
    let file = literal(only(&files)?)?;
    let part = Part::Whole;
    Ok(FileRead { file, part })
}

fn slice(name: &str, words: &[Word]) -> Result<FileRead, &'static str> {
    let mut files = Vec::new();
    let mut count = 10;
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let text = word.text.as_str();
        let number = match text {
            "-n" | "--lines" => words.next().map(|next| next.text.as_str()),
            _ => text
                .strip_prefix("--lines=")
                .or_else(|| text.strip_prefix("-n"))
                .or_else(|| text.strip_prefix('-')),
        };
        if !text.starts_with('-') {
            files.push(word);
            continue;
        }
        count = number.and_then(positive).ok_or(OTHER)?;
    }
    let file = literal(only(&files)?)?;
    let part = if name == "head" {
        Part::First(count)
    } else {
        Part::Last(count)
    };
    Ok(FileRead { file, part })
}

fn positive(text: &str) -> Option<usize> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|number| digits && *number > 0)
}

fn sed(words: &[Word]) -> Result<FileRead, &'static str> {
    let mut quiet = false;
    let mut operands = Vec::new();
    let mut options_end = false;
    for word in words {
        let text = word.text.as_str();
        if options_end || !text.starts_with('-') || text == "-" {
            operands.push(word);
        } else if text == "--" {
            options_end = true;
        } else if let Some(long) = text.strip_prefix("--") {
            if long.starts_with("expression") || long.starts_with("in-place") {
                return Err(OTHER);
            }
            quiet |= matches!(long, "quiet" | "silent");
        } else if text == "-e" || text.contains('i') {
            return Err(OTHER);
        } else {
            quiet |= text.contains('n');
        }
    }
    let [script, file] = operands.as_slice() else {
        return Err("of sed only `sed -n RANGEp FILE` is a read");
    };
    let range = script
        .text
        .strip_suffix('p')
        .filter(|_| quiet && !script.replaced);
    let (from, to) = match range.and_then(|range| range.split_once(',')) {
        Some((from, to)) => (positive(from), positive(to)),
        None => (range.and_then(positive), range.and_then(positive)),
    };
    match (from, to) {
        (Some(from), Some(to)) => Ok(FileRead {
            file: literal(file)?,
            part: Part::Lines(from, to),
        }),
        _ => Err("of sed only `sed -n RANGEp FILE` is a read"),
    }
}

/// The options of a search with which it still counts.
struct Search {
    letters: &'static str,
    long: &'static [&'static str],
    spaced_context: bool,
}

const GREP: Search = Search {
    letters: "niwxhHEFGP",
    long: &[
        "--line-number",
        "--ignore-case",
        "--word-regexp",
        "--line-regexp",
        "--no-filename",
        "--with-filename",
        "--extended-regexp",
        "--fixed-strings",
        "--perl-regexp",
        "--basic-regexp",
        "--color=never",
    ],
    spaced_context: false,
};

const RG: Search = Search {
    letters: "niwxHFPSsUN",
    long: &[
        "--line-number",
        "--no-line-number",
        "--ignore-case",
        "--smart-case",
        "--case-sensitive",
        "--word-regexp",
        "--line-regexp",
        "--no-filename",
        "--with-filename",
        "--fixed-strings",
        "--multiline",
        "--pcre2",
    ],
    spaced_context: true,
};

fn search(words: &[Word], program: &Search) -> Result<FileRead, &'static str> {
    let mut operands = Vec::new();
    let mut ignores_case = false;
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let text = word.text.as_str();
        let Some(option) = text.strip_prefix('-') else {
            operands.push(word);
            continue;
        };
        let context = option.strip_prefix(['A', 'B', 'C']);
        let known = match context {
            Some("") => words
                .next()
                .is_some_and(|next| next.text.parse::<usize>().is_ok()),
            Some(number) => number.parse::<usize>().is_ok(),
            None if text == "--context" && program.spaced_context => words
                .next()
                .is_some_and(|next| next.text.parse::<usize>().is_ok()),
            None if text.starts_with("--") => program.long.contains(&text) || is_context(text),
            None => !option.is_empty() && option.chars().all(|c| program.letters.contains(c)),
        };
        if !known {
            return Err("of grep and rg only a plain search with common options is a read");
        }
        ignores_case |=
            text == "--ignore-case" || (!text.starts_with("--") && option.contains('i'));
    }
    let [pattern, file] = operands.as_slice() else {
        return Err("of grep and rg only a search in one file is a read");
    };
    let plain = !pattern.replaced && !ignores_case && pattern.text.chars().all(is_plain);
    Ok(FileRead {
        file: literal(file)?,
        part: Part::Matching(plain.then(|| pattern.text.clone())),
    })
}

fn is_plain(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, ' ' | '_' | '-' | ':' | ',' | '/' | '@' | '=')
}

fn is_context(text: &str) -> bool {
    ["--after-context=", "--before-context=", "--context="]
        .into_iter()
        .filter_map(|name| text.strip_prefix(name))
        .any(|number| number.parse::<usize>().is_ok())
}
