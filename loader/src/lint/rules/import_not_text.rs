//! L112: imports of files whose extension the client does not take for text.

use super::prelude::*;

pub(in crate::lint) static RULE: Rule = Rule {
    id: "L112",
    name: "import-not-text",
    severity: Severity::Warning,
    summary: "An import names a file whose extension is not imported.",
    page: Page {
        what: "Looks for imports of files that exist, with an extension that is not on the client's \
               list of texts, such as `.mdc`, `.mdx`, `.markdown`, `.ipynb` or `.png`.",
        why: "The client passes over the file without a word, though it may be plain text.",
        instead: "Rename the file so that it ends in `.md`, or make a link of such a name. A picture \
                  is not shown to the model by an import.",
        drawbacks: "The list was read off some 300 extensions; another one may be imported all the \
                    same.",
        evidence: "Fact 3.7; bug bank B016.",
        since: "0.1.0",
    },
    bad: &[Example {
        title: "the rule of another editor",
        files: &[
            ("CLAUDE.md", "@.cursor/rules/web.mdc\n"),
            (".cursor/rules/web.mdc", "Use semantic elements.\n"),
        ],
        fixed: &[],
    }],
    good: &[Example {
        title: "texts, and a mention",
        files: &[
            (
                "CLAUDE.md",
                "@notes.txt\n@config.YAML\nThe logo is `@logo.png`.\n",
            ),
            ("notes.txt", "Notes.\n"),
            ("config.YAML", "a: b\n"),
            ("logo.png", "PNG"),
        ],
        fixed: &[],
    }],
    check,
};

/// Extensions of texts that the client does not import.
const TEXTS: [&str; 8] = [
    "mdc", "mdx", "markdown", "jsonc", "json5", "tsv", "rmd", "qmd",
];

fn check(subject: &Subject<'_, '_>, report: &mut Report<'_, '_>) {
    for skip in &subject.skips {
        let (Some(mention), "non-text-extension") = (&skip.mention, skip.case) else {
            continue;
        };
        let name = subject.name(&skip.path);
        let extension = skip.path.file_name().rsplit('.').next().unwrap_or_default();
        let message = format!("`{name}` is not imported: the client takes no `.{extension}` files");
        let mut draft = report
            .at(Place::Mention(mention.clone()), message)
            .chain(subject.chain(&mention.by))
            .known(skip.evidence);
        if TEXTS.contains(&extension.to_ascii_lowercase().as_str()) {
            draft = draft.help("give it a name that ends in `.md`, or make a link of such a name");
            if let Some(lost) = subject.lost_file(&skip.path) {
                draft = draft.costs(lost);
            }
        } else {
            draft = draft.help("put a mention that is no import into back-ticks");
        }
        draft.report();
    }
}
