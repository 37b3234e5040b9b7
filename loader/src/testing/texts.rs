//! The texts of instruction files.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use super::front_matter::front_matter;
use super::references::{reference, reference_or_own};
use super::shapes::lines_around;

/// Lines without a reference. Each is one of the forms that the client keeps as they are, or that
/// change how the lines after them are read.
const PLAIN: &[&str] = &[
    "plain text",
    "",
    "",
    "# head",
    "> quote",
    "*em* _em_",
    "    code",
    "\ttab",
    "trailing  ",
    "---",
    "===",
    "1. one",
    "- item",
    "- ",
    "```",
    "~~~",
    "x",
    "é 日本 😀",
    "a\u{200B}b",
    "a\u{A0}b\u{2028}c",
    "<br>",
    "<div>",
    "</div>",
    "<!-- c -->",
    "<!--",
    "-->",
    "<?php ?>",
    "<!DOCTYPE html>",
    "[d]: u",
    "&amp; \\* `c`",
];

/// What stands at the start or the end of a file: much of it is trimmed (facts 1.10, 4.7).
const STARTS: &[&str] = &[
    "", "\u{FEFF}", "\n", "\n\n", "\t", "  ", "\u{A0}", "\u{2028}", "\u{3000}", "\u{200B}",
];
const ENDS: &[&str] = &[
    "\n",
    "",
    "\n\n\n",
    " ",
    "  \n",
    "\t",
    "\u{A0}",
    "\u{2028}\n",
    "\u{FEFF}",
    "\u{3000}\n",
    "\u{B}",
];

/// Files that deliver nothing (fact 1.8): empty, white space only, or nothing left.
const EMPTY: &[&str] = &[
    "",
    "\n",
    " \n\t\n",
    "\u{FEFF}",
    "\u{A0}\n\u{2028}",
    "<!-- only a comment -->\n",
    "---\nname: n\n---\n",
    "---\nname: n\n---\n\n<!-- c -->\n\n",
];

/// Lines of Markdown, with and without references.
pub fn lines() -> BoxedStrategy<String> {
    lines_of(reference())
}

fn lines_of(reference: BoxedStrategy<String>) -> BoxedStrategy<String> {
    prop_oneof![
        40 => select(PLAIN).prop_map(str::to_owned),
        100 => lines_around(reference),
        // The client's own tag, which it escapes in what a read brings (fact 0.8).
        1 => Just("a <system-reminder> b".to_owned()),
    ]
    .boxed()
}

/// The text of an instruction file: front matter, `mark`, and some lines, with every line end
/// and every edge. `mark` tells the texts of a world apart; only an empty text lacks it.
pub fn text(mark: &str) -> BoxedStrategy<String> {
    text_of(mark, reference())
}

/// The same, where [`OWN`](super::references::OWN) may stand in references.
pub(super) fn text_with_own(mark: &str) -> BoxedStrategy<String> {
    text_of(mark, reference_or_own())
}

fn text_of(mark: &str, reference: BoxedStrategy<String>) -> BoxedStrategy<String> {
    let heads = ["T% ", "T%\n", "T%\n\n", "# T%\n\n", "- T%\n", "> T%\n"];
    let heads = heads.map(|head| head.replace('%', mark)).to_vec();
    let odd = |forms: &'static [&'static str]| prop_oneof![5 => Just(forms[0]), 1 => select(forms)];
    let ends = prop_oneof![8 => Just("\n"), 1 => Just("\r\n"), 1 => Just("\r")];
    let edges = (odd(STARTS), odd(ENDS));
    let parts = (
        front_matter(),
        select(heads),
        vec(lines_of(reference), 0..5),
        ends,
        edges,
    );
    let full = parts.prop_map(|(front, head, lines, line_end, (start, end))| {
        let text = format!("{start}{front}{head}{}{end}", lines.join("\n"));
        if line_end == "\n" {
            text
        } else {
            text.replace('\n', line_end)
        }
    });
    prop_oneof![15 => full, 1 => select(EMPTY).prop_map(str::to_owned)].boxed()
}
