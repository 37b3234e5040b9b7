//! L126: imports that name a part of a file.

use super::prelude::*;
use crate::document::Places;
use crate::lint::reach::is_prose;
use crate::record::{Mention, Scope};

pub(in crate::lint) static RULE: Rule = Rule {
    id: "L126",
    name: "import-fragment",
    severity: Severity::Info,
    summary: "An import names one part of a file, and the whole file is imported.",
    page: Page {
        what: "Looks for imports with a `#` behind the path of a Markdown file that exists, as in \
               `@docs/parts.md#greeting`.",
        why: "The client cuts the `#` and what follows off and imports the whole file, with all of its \
              tokens.",
        instead: "Put the part into a file of its own and import that.",
        drawbacks: "The `#` may be meant for readers, who then know where to look.",
        evidence: "Fact 3.3; bug bank B013.",
        since: "0.1.0",
    },
    bad: &[Example {
        title: "one heading",
        files: &[
            ("CLAUDE.md", "@docs/parts.md#greeting\n"),
            (
                "docs/parts.md",
                "# greeting\nSay hello.\n\n# other\nIgnore.\n",
            ),
        ],
        fixed: &[],
    }],
    good: &[Example {
        title: "the whole file, and a mention",
        files: &[
            (
                "CLAUDE.md",
                "@docs/parts.md with `@docs/parts.md#greeting`, see issue @team#12\n",
            ),
            ("docs/parts.md", "# greeting\nSay hello.\n"),
        ],
        fixed: &[],
    }],
    check,
};

fn check(subject: &Subject<'_, '_>, report: &mut Report<'_, '_>) {
    if !subject.session.world().behaviour.fragment_cut {
        return;
    }
    for file in &subject.files {
        if file.scope == Scope::AutoMemory || !is_prose(&file.path) {
            continue;
        }
        let source = &file.document.source;
        let mut places = Places::new(source);
        for import in &file.document.imports {
            let written = &source[import.range.clone()];
            let Some((path, part)) = written.split_once('#') else {
                continue;
            };
            let Some(target) = subject.target(&file.path, path) else {
                continue;
            };
            let Some(imported) = subject.file(&target).filter(|_| path.ends_with(".md")) else {
                continue;
            };
            let mention = Mention::at(&mut places, &file.path, &import.range);
            let message = format!(
                "`#{part}` is cut off, so the whole of `{}` is imported",
                subject.name(&target)
            );
            report
                .at(Place::Mention(mention), message)
                .chain(subject.chain(&file.path))
                .costs(Cost::Start(subject.tokens(&imported.text)))
                .help("put the part into a file of its own")
                .report();
        }
    }
}
