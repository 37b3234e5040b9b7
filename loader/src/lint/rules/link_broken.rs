//! L410: a link to a file that does not exist.

use super::prelude::*;
use crate::lint::existing::Existing;
use crate::record::Scope;

pub(in crate::lint) static RULE: Rule = Rule {
    id: "L410",
    name: "link-broken",
    severity: Severity::Warning,
    summary: "A link leads to a file that does not exist.",
    page: Page {
        what: "Looks for Markdown links to files that exist neither from the folder of the document, nor \
               from a folder above it up to the root of the checkout, nor at the end of any path below \
               the working directory. Addresses, anchors, placeholders, comments and code are left \
               alone.",
        why: "The client follows no link by itself: the model does, when it thinks that it needs the \
              file. It then spends a call on a file that is not there, and works without what the file \
              would have said.",
        instead: "Let the link lead to where the file is now, or delete it.",
        drawbacks: "A file that is made by a build, or that lies in another repository, is found.",
        evidence: "Fact 3.8: targets of links are no imports; bug bank B164.",
        since: "0.1.0",
    },
    bad: &[Example {
        title: "a document that was renamed",
        files: &[
            (
                "CLAUDE.md",
                "Errors are explained in [the guide](docs/errors.md#codes).\n",
            ),
            ("docs/error-codes.md", "Errors have codes.\n"),
        ],
        fixed: &[],
    }],
    good: &[Example {
        title: "links that hold, addresses, placeholders, comments and code",
        files: &[
            (
                "CLAUDE.md",
                "See [a](docs/a.md), [b](/docs/a.md), [c](<docs/with space.md>), [d](docs/with%20space.md),\n\
                 [folder](docs/), [e](https://shop.example/gone.md), [f](#part), [g](mailto:a@shop.example),\n\
                 [h](url), [i](path/to/file.md), [j](docs/<name>.md), [k](docs/page).\n\
                 <!-- [x](missing.md) --> Write links as `[x](gone.md)`.\n\n```\n[y](gone.md)\n```\n",
            ),
            ("docs/a.md", "A.\n"),
            ("docs/with space.md", "B.\n"),
            (
                "api/CLAUDE.md",
                "See [a](docs/a.md) and [b](../docs/a.md).\n",
            ),
        ],
        fixed: &[],
    }],
    check,
};

fn check(subject: &Subject<'_, '_>, report: &mut Report<'_, '_>) {
    let mut existing = Existing::new(subject);
    for file in &subject.files {
        let is_of_project = matches!(file.scope, Scope::Project | Scope::Local);
        if !is_of_project || !existing.can_tell(&file.path) {
            continue;
        }
        let prose = subject.prose(file);
        for link in &prose.links {
            let Some(path) = target(&link.target) else {
                continue;
            };
            if existing.may_be(&file.path, &path) {
                continue;
            }
            let message = format!("`{path}` does not exist, so the model looks for it in vain");
            report
                .at(Place::Bytes(file.path.clone(), link.range.clone()), message)
                .chain(subject.chain(&file.path))
                .help("let the link lead to where the file is now")
                .report();
        }
    }
}

/// The file to which a link leads, as written, if it leads to one.
fn target(target: &str) -> Option<String> {
    let path = target.split(['#', '?']).next()?.trim();
    let path = path.trim_start_matches('/');
    let has_scheme = path
        .split_once(':')
        .is_some_and(|(scheme, _)| !scheme.contains('/'));
    if has_scheme || target.starts_with("//") || path.contains("path/to") {
        return None;
    }
    let name = path.rsplit('/').next()?;
    let (stem, extension) = name.rsplit_once('.')?;
    let is_extension = (1..=5).contains(&extension.len())
        && extension.bytes().all(|byte| byte.is_ascii_alphanumeric())
        && extension.starts_with(|c: char| c.is_ascii_alphabetic());
    let is_placeholder = path.contains(['<', '>', '{', '}', '*', '$', '@', '|', '\\', '`'])
        || path.contains("...")
        || stem.is_empty();
    // A host without its scheme.
    let is_host = !path.contains('/')
        && !matches!(extension, "md" | "txt" | "json" | "toml" | "yml" | "yaml");
    (is_extension && !is_placeholder && !is_host).then(|| decoded(path))
}

/// Without percent signs, as links write spaces and letters.
fn decoded(path: &str) -> String {
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.as_bytes();
    while let [first, more @ ..] = rest {
        let code = match more {
            [a, b, ..] if *first == b'%' => std::str::from_utf8(&[*a, *b])
                .ok()
                .and_then(|hex| u8::from_str_radix(hex, 16).ok()),
            _ => None,
        };
        bytes.push(code.unwrap_or(*first));
        rest = if code.is_some() { &more[2..] } else { more };
    }
    String::from_utf8(bytes).unwrap_or_else(|_| path.to_owned())
}
