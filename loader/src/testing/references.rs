//! References as an instruction file writes them.

use proptest::prelude::*;
use proptest::sample::select;

use super::places::{any_name, place};

/// Texts behind an `@` that are no plain path: each ends, is cut, or is refused in its own way
/// (facts 3.2–3.7).
const ODD: &[&str] = &[
    "gone.md",
    "a",
    "..",
    ".",
    "./",
    "a/",
    "x.md#part",
    "#x.md",
    "x.md#",
    "x.md,",
    "x.md.",
    "x.md;",
    "x.md:",
    "x.md!",
    "x.md)",
    "x.md's",
    "x.md?",
    "x.md|",
    "x.md\"",
    "x.md~~",
    "a//x.md",
    "x.md/",
    "a/x.md//",
    "././x.md",
    "a/../x.md",
    "../../../../../../x.md",
    "{root}/proj/x.md/",
    "{root}//proj/./x.md",
    "{root}/out/ln.md",
    "ln.md",
    "ln/x.md",
    "lib/x.md",
    "~/x.md",
    "~",
    "~/",
    "~x.md",
    "~user/x.md",
    "$HOME/x.md",
    "(x.md)",
    "{x.md}",
    "[x.md]",
    "'x.md'",
    "\"x.md\"",
    "+x.md",
    "%x.md",
    "@x.md",
    "-x.md",
    "_x.md",
    "é.md",
    "./é.md",
    "日本.md",
    "org/pkg",
    "Makefile",
    "README",
    ".env",
    "http://x/x.md",
    "x%2Emd",
    "x&#46;md",
    "x\\.md",
    "x.md\\",
    "y\\ z.md",
    "y z.md",
    "c\\ d/x.md",
    "X.MD",
    "x.*",
    "*.md",
    "CLAUDE.md",
    "../CLAUDE.md",
    "AGENTS.md",
    ".claude/rules/r.md",
    ".claude/rules",
];

/// Paths at which a world often has a file.
const LIKELY: &[&str] = &[
    "x.md",
    "./x.md",
    "../x.md",
    "a/x.md",
    "b/x.md",
    "src/x.md",
    "../a/x.md",
    "../../x.md",
    "{root}/proj/x.md",
    "{root}/proj/a/x.md",
    "{root}/out/x.md",
    "{root}/proj/x.md/",
    "~/.claude/x.md",
    "~/.claude/x.md/",
    "a/lib.py",
    "lib.py",
    "y\\ z.md",
    "CLAUDE.md",
    "a/CLAUDE.md",
    "../CLAUDE.md",
    "../.claude/rules/r.md",
];

/// References into the chain of imports of a world.
const CHAIN: &[&str] = &["k1.md", "k3.md", "../k1.md", "{root}/proj/k2.md"];

/// Extensions that are taken and that are not (fact 3.7), with the letter case ignored.
const EXTENSIONS: &[&str] = &[
    "txt", "rst", "json", "yaml", "toml", "env", "lock", "py", "rs", "ts", "html", "sh", "diff",
    "PY", "Yaml", "markdown", "mdx", "tsv", "jsonc", "json5", "svg", "png", "pdf", "ipynb", "rs2",
];

/// What stands behind an `@`: paths in every form of facts 3.2–3.7. Blanks are escaped.
pub fn target() -> BoxedStrategy<String> {
    let name = || any_name().prop_map(escaped);
    let ups = select(
        &[
            "",
            "./",
            "../",
            "../../",
            "a/",
            "b/",
            "c/",
            "src/",
            "~/.claude/",
            "~/",
        ][..],
    );
    prop_oneof![
        12 => select(LIKELY).prop_map(str::to_owned),
        5 => (ups, name()).prop_map(|(up, name)| format!("{up}{name}")),
        2 => place().prop_map(|path| format!("{{root}}/{}", escaped(&path))),
        4 => select(ODD).prop_map(str::to_owned),
        1 => select(CHAIN).prop_map(str::to_owned),
        1 => (select(&["", "{root}/proj/"][..]), select(EXTENSIONS))
            .prop_map(|(directory, extension)| format!("{directory}e.{extension}")),
    ]
    .boxed()
}

fn escaped(path: &str) -> String {
    path.replace(' ', "\\ ")
}

/// A reference: `@` and a [`target`].
pub fn reference() -> BoxedStrategy<String> {
    target().prop_map(|target| format!("@{target}")).boxed()
}

/// Stands for the name of a file beside the one that holds it, made for this reference alone. Only
/// so can a test see of each reference whether it was followed: a file comes once.
pub(super) const OWN: &str = "{own}";

/// A [`reference`], of which a third has a file of its own.
pub(super) fn reference_or_own() -> BoxedStrategy<String> {
    let shapes = ["@%", "@./%", "@%/", "@.//%", "@a/../%", "@%#part"];
    let own = prop_oneof![4 => Just(shapes[0]), 1 => select(shapes.to_vec())];
    prop_oneof![
        2 => reference(),
        1 => own.prop_map(|shape| shape.replace('%', OWN)),
    ]
    .boxed()
}

/// The extensions that a text names after `e.`, as files of the project.
pub(super) fn files_by_extension(text: &str) -> impl Iterator<Item = String> {
    let named = |extension: &&&str| text.contains(&format!("e.{extension}"));
    let extensions: Vec<_> = EXTENSIONS.iter().filter(named).collect();
    let path = |extension: &&str| format!("proj/e.{extension}");
    extensions.into_iter().map(path)
}
