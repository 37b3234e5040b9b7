//! Commands that a document tells: its code spans, and the lines of its shell code.

use std::ops::Range;

use super::prose::Prose;

/// A command with its words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Command<'t> {
    /// The words, without assignments before them and what a shell makes of quotes.
    pub(super) words: Vec<&'t str>,
    /// Its bytes in the source.
    pub(super) range: Range<usize>,
    /// The block of prose whose span holds it; none in a code block.
    pub(super) block: Option<usize>,
    /// A `cd` stands before it, so it runs elsewhere.
    pub(super) is_elsewhere: bool,
}

/// Languages of code blocks that are read line by line.
const SHELLS: &[&str] = &[
    "", "sh", "bash", "shell", "console", "zsh", "fish", "terminal",
];

/// Every command of a document.
pub(super) fn commands<'t>(source: &'t str, prose: &Prose) -> Vec<Command<'t>> {
    let mut found = Vec::new();
    for span in &prose.spans {
        let mut is_elsewhere = false;
        line(
            source,
            span.range.clone(),
            Some(span.block),
            &mut is_elsewhere,
            &mut found,
        );
    }
    for code in &prose.code {
        if !SHELLS.contains(&code.language.as_str()) {
            continue;
        }
        let mut is_elsewhere = false;
        let mut at = code.range.start;
        for text in source[code.range.clone()].split_inclusive('\n') {
            line(
                source,
                at..at + text.len(),
                None,
                &mut is_elsewhere,
                &mut found,
            );
            at += text.len();
        }
    }
    found
}

fn line<'t>(
    source: &'t str,
    range: Range<usize>,
    block: Option<usize>,
    is_elsewhere: &mut bool,
    found: &mut Vec<Command<'t>>,
) {
    let text = &source[range.clone()];
    // A remark behind a command is none.
    let end = if text.trim_start().starts_with('#') {
        0
    } else {
        text.find(" #").unwrap_or(text.len())
    };
    let text = &text[..end];
    let mut at = 0;
    for part in text.split(['&', '|', ';', '\n', '(', ')']) {
        let start = range.start + at;
        at += part.len() + 1;
        let words = part.split_whitespace();
        let words: Vec<&str> = words
            .skip_while(|word| {
                matches!(*word, "$" | ">" | "%" | "sudo" | "time") || is_assignment(word)
            })
            .collect();
        match words.first() {
            None => {}
            Some(&"cd" | &"pushd") => *is_elsewhere = true,
            Some(_) => {
                let lead = part.len() - part.trim_start().len();
                found.push(Command {
                    range: start + lead..start + part.trim_end().len(),
                    words,
                    block,
                    is_elsewhere: *is_elsewhere,
                });
            }
        }
    }
}

fn is_assignment(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty()
            && name
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::Client;
    use crate::document::Document;

    #[test]
    fn spans_and_lines_of_shells_are_commands() {
        let text = "Run `CI=1 npm test && make x`.\n\n```bash\n# all\n$ npm run a   # first\ncd b\nnpm run c\n```\n\n```js\nnpm.run()\n```\n";
        let document = Document::from_text(text.into(), &Client::newest().behaviour);
        let found = commands(text, &Prose::of(&document));
        let told: Vec<(String, bool, &str)> = found
            .iter()
            .map(|one| {
                (
                    one.words.join(" "),
                    one.is_elsewhere,
                    &text[one.range.clone()],
                )
            })
            .collect();
        let wanted = [
            ("npm test", false, "CI=1 npm test"),
            ("make x", false, "make x"),
            ("npm run a", false, "$ npm run a"),
            ("npm run c", true, "npm run c"),
        ];
        let wanted = wanted.map(|(words, elsewhere, text)| (words.to_owned(), elsewhere, text));
        assert_eq!(told, wanted);
    }
}
