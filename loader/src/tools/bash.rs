//! Which Bash commands the client takes for the read of one file (fact 5.11).
//!
//! The client's recogniser is not fully mapped; what is here was observed form by form, and
//! a form that was not tried counts as no read.

/// The file that a command reads, as written.
///
/// # Errors
/// Why the command counts as no read.
pub(super) fn file_read_by(command: &str) -> Result<String, &'static str> {
    let words = first_command(command)?;
    let Some((name, arguments)) = words.split_first() else {
        return Err("an empty command reads nothing");
    };
    match name.as_str() {
        "cat" | "head" | "tail" | "nl" => one_file(arguments, &["-n", "-c"], name != "cat"),
        "sed" => sed(arguments),
        "grep" | "rg" => grep(arguments),
        _ => Err("only cat, head, tail, nl, sed -n, grep and rg of one file count as a read"),
    }
}

/// Splits off the first simple command of a list joined by `;` or `&&`.
fn first_command(command: &str) -> Result<Vec<String>, &'static str> {
    const NOT_PLAIN: &str = "a command with pipes, redirections, variables or patterns is no read";
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut first = None;
    let mut chars = command.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\'' => {
                let text = word.get_or_insert_default();
                loop {
                    match chars.next() {
                        Some('\'') => break,
                        Some(c) => text.push(c),
                        None => return Err("the command has an unclosed quote"),
                    }
                }
            }
            '"' => {
                let text = word.get_or_insert_default();
                loop {
                    match chars.next() {
                        Some('"') => break,
                        Some('$' | '`') => return Err(NOT_PLAIN),
                        Some('\\') => text.extend(chars.next()),
                        Some(c) => text.push(c),
                        None => return Err("the command has an unclosed quote"),
                    }
                }
            }
            '\\' => word.get_or_insert_default().extend(chars.next()),
            ';' | '\n' => {
                words.extend(word.take());
                first.get_or_insert_with(|| std::mem::take(&mut words));
                words.clear();
            }
            '&' if chars.peek() == Some(&'&') => {
                chars.next();
                words.extend(word.take());
                first.get_or_insert_with(|| std::mem::take(&mut words));
                words.clear();
            }
            '|' | '&' | '<' | '>' | '$' | '`' | '(' | ')' => return Err(NOT_PLAIN),
            '*' | '?' | '[' | '{' if first.is_none() => return Err(NOT_PLAIN),
            c if c.is_whitespace() => words.extend(word.take()),
            c => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    Ok(first.unwrap_or(words))
}

/// One path among options, of which those of `with_value` take the next word.
fn one_file(
    arguments: &[String],
    with_value: &[&str],
    takes_values: bool,
) -> Result<String, &'static str> {
    let mut files = Vec::new();
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        if !argument.starts_with('-') || argument == "-" {
            files.push(argument);
        } else if takes_values && with_value.contains(&argument.as_str()) {
            arguments.next();
        }
    }
    only(&files)
}

fn only(files: &[&String]) -> Result<String, &'static str> {
    match files {
        [file] => Ok((*file).clone()),
        [] => Err("the command names no file"),
        _ => Err("a command that names several files is no read"),
    }
}

fn sed(arguments: &[String]) -> Result<String, &'static str> {
    match arguments {
        [quiet, script, file] if quiet == "-n" && is_print(script) => Ok(file.clone()),
        _ => Err("of sed only `sed -n RANGEp FILE` is a read"),
    }
}

fn is_print(script: &str) -> bool {
    let Some(range) = script.strip_suffix('p') else {
        return false;
    };
    !range.is_empty()
        && range
            .chars()
            .all(|c| c.is_ascii_digit() || matches!(c, ',' | '$'))
}

fn grep(arguments: &[String]) -> Result<String, &'static str> {
    let recursive = |word: &String| {
        word == "--recursive"
            || (word.starts_with('-') && !word.starts_with("--") && word.contains(['r', 'R']))
    };
    if arguments.iter().any(recursive) {
        return Err("a recursive search is no read");
    }
    let plain: Vec<&String> = arguments
        .iter()
        .filter(|word| !word.starts_with('-'))
        .collect();
    match plain.as_slice() {
        [_, file] => Ok((*file).clone()),
        _ => Err("of grep only a search in one file is a read"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_of_one_literal_file() {
        for command in [
            "cat a.ts",
            "cat -n a.ts",
            "head -1 a.ts",
            "head -n 5 a.ts",
            "nl a.ts",
            "cat 'a.ts'",
            "sed -n 1,2p a.ts",
            "grep x a.ts",
            "cat a.ts; true",
            "cat a.ts && echo b",
        ] {
            assert_eq!(file_read_by(command).as_deref(), Ok("a.ts"), "{command}");
        }
    }

    #[test]
    fn everything_else_is_no_read() {
        for command in [
            "cat a b",
            "cat a | head",
            "cat a 2>/dev/null",
            "cd s; cat a",
            "cat a*",
            "cat $X",
            "awk 1 a",
            "sed 1d a",
            "sed -i s/a/b/ a",
            "grep -r x a",
            "cat a || true",
            "",
            "cat",
            "ls a",
            "cat 'a",
            "echo hi > a",
        ] {
            assert!(file_read_by(command).is_err(), "{command}");
        }
    }
}
