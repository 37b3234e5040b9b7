//! The shapes of Markdown around references.

use proptest::prelude::*;
use proptest::sample::select;

use super::references::reference;

/// Shapes around references, which stand at each `%`: the positions of facts 3.1, 3.8 and 3.9,
/// the endings of 3.2, and comments in all places of 4.3–4.5.
const SHAPES: &[&str] = &[
    "%",
    "see % and more",
    "see % and % .",
    "% %",
    " %",
    "   %",
    "\t%",
    "    %",
    "para\n    %",
    "x%",
    "(%)",
    ":%",
    "\u{FF1A}%",
    "\u{A0}%",
    "a\u{3000}%",
    "%\u{A0}b",
    "%,%",
    "%.",
    "%;",
    "%:",
    "%!",
    "%?",
    "%)",
    "%'s",
    "%|",
    "%\"",
    "%  \nb",
    "%\\\nb",
    "**%**",
    "*%*",
    "_%_ %",
    "***%***",
    "**a**%",
    "~~%~~",
    "`%`",
    "``%``",
    "`` ` % ``",
    "`c`%",
    "%`c`",
    "`%",
    "\\`%\\`",
    "\\%",
    "\\*%",
    "<b>%</b>",
    "<b>%",
    "a <span>%</span> %",
    "%<br>%",
    "[%](u)",
    "[t](%)",
    "[t](u \"%\")",
    "![%](i.png)",
    "![t](i.png)%",
    "[t]%",
    "[%]",
    "# %",
    "## h %",
    "# % #",
    "####### %",
    "%\n===",
    "%\n---",
    "- %",
    "* a %",
    "+ %",
    "1. %",
    "1) x\n   %",
    "- [ ] %",
    "- [x] %",
    "- a\n  - %",
    "- a\n\n  %",
    "- a\n\n      %",
    "- a\n%",
    "> %",
    "> > %",
    "> - %",
    ">     %",
    "> a\n%",
    "```\n%\n```",
    "```md\n%\n```\n%",
    "~~~\n%\n~~~",
    "~~~\n%\n```\n%\n~~~",
    "```\n%",
    "````\n```\n%\n````\n%",
    "- ```\n  %\n  ```",
    "> ```\n> %\n> ```\n%",
    "a\n```\n%\n```\n%",
    "<div>\n%\n</div>\n\n%",
    "<div>%</div>",
    "<p>\n\n%\n",
    "<pre>\n\n%\n</pre>",
    "<script>\n%\n</script>\n%",
    "<details>\n<summary>%</summary>\n\n%\n\n</details>",
    "a\n<div>\n%",
    "<!-- % -->",
    "<!-- % --> rest %",
    "<!-- c\n%\n-->\n",
    "<!-- c -->\n\n\n%",
    "a <!-- % --> %",
    "<!-- a --> <!-- b --> %",
    "<!-- a -->%<!-- b -->",
    "   <!-- c -->\n%",
    "    <!-- c -->\n%",
    "para\n<!-- c -->\n%",
    "- <!-- c --> %",
    "- a\n  <!-- c -->\n- %",
    "> <!-- c -->\n> %",
    "# <!-- c --> %",
    "| <!-- c --> | % |",
    "```\n<!-- % -->\n```",
    "<div>\n<!-- c -->\n%\n</div>\n",
    "<!-- c\n%",
    "<!-->%\n-->",
    "<!--->%",
    "<!-- a --!> %\n-->",
    "<!-- a --->%",
    "<!-- a -- b -->%",
    "<!-- a\n\n% --> %\n\n%",
    "[d]: %",
    "\n[d]: %\n",
    "\n[d]: u '%'\n\n%",
    "\n[^1]: %\n",
    "a[^1]\n[^1]: %",
    "| % | b |\n|---|---|\n| % | c |",
    "a | %",
    "x@y.md %",
    "<me@x.md> %",
    "<http://x/%>",
    "&nbsp;%",
    "&#64;x.md",
    "***\n%",
    "\n---\n%",
    "a\n\n\n%",
];

/// Lines of Markdown with references in and around every kind of block and markup. The shape may
/// leave a block open, so that what follows is inside it.
pub fn lines_with_references() -> BoxedStrategy<String> {
    lines_around(reference())
}

/// The same around references of another strategy.
pub(super) fn lines_around(reference: BoxedStrategy<String>) -> BoxedStrategy<String> {
    let shape = prop_oneof![1 => Just("%"), 4 => select(SHAPES)];
    (shape, reference.clone(), reference)
        .prop_map(|(shape, first, second)| {
            let mut references = [first, second].into_iter().cycle();
            let mut text = String::new();
            for (index, part) in shape.split('%').enumerate() {
                if index > 0 {
                    text.push_str(&references.next().unwrap_or_default());
                }
                text.push_str(part);
            }
            text
        })
        .boxed()
}
