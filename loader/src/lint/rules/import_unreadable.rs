//! L123: files that should load and cannot be read.

use super::prelude::*;
use crate::lint::reach::path_of;
use crate::path::AbsPath;
use crate::record::{Reason, Skip};

pub(in crate::lint) static RULE: Rule = Rule {
    id: "L123",
    name: "import-unreadable",
    severity: Severity::Error,
    summary: "A file that should load cannot be read.",
    page: Page {
        what: "Looks for instruction files, rules and imports that cannot be read: for lack of rights, \
               since they are pipes or devices, since a link leads nowhere, or since an import in them \
               has a NUL character in its path. A file that is too large for Outcrop is told as well.",
        why: "The client passes over such a file without a word, and all of its text is missing. For \
              the NUL character in one path it drops the whole file that holds it.",
        instead: "Mend the rights or the link, and take the NUL character out.",
        drawbacks: "Rights differ from machine to machine.",
        evidence: "Facts 2.8, 3.15 and 9; case import-nul.",
        since: "0.1.0",
    },
    bad: &[
        Example {
            title: "a NUL character in a path",
            files: &[("CLAUDE.md", "Use pnpm.\n\n@docs/a\0b.md\n")],
            fixed: &[],
        },
        Example {
            title: "a link that leads nowhere",
            files: &[("CLAUDE.md", "-> AGENTS.md")],
            fixed: &[],
        },
        Example {
            title: "a rule that is such a link",
            files: &[(".claude/rules/style.md", "-> ../../shared/style.md")],
            fixed: &[],
        },
    ],
    good: &[Example {
        title: "a link to a file",
        files: &[("CLAUDE.md", "-> AGENTS.md"), ("AGENTS.md", "Use pnpm.\n")],
        fixed: &[],
    }],
    check,
};

fn check(subject: &Subject<'_, '_>, report: &mut Report<'_, '_>) {
    for skip in &subject.skips {
        one(subject, report, skip);
    }
    let host = subject.session.world().host;
    let mut links: Vec<AbsPath> = Vec::new();
    for folder in subject.session.cwd().ancestors() {
        links.extend(["CLAUDE.md", "AGENTS.md"].map(|name| folder.child(name)));
    }
    let below = subject.tree().files.iter().filter(|path| {
        matches!(
            path.rsplit('/').next(),
            Some("CLAUDE.md" | "CLAUDE.local.md")
        )
    });
    links.extend(below.map(|path| subject.session.cwd().join(path)));
    links.sort();
    links.dedup();
    for link in links {
        let leads_nowhere =
            host.is_link(&link) && host.metadata(&link).is_err_and(|error| error.is_absent());
        if leads_nowhere {
            dangling(subject, report, &link);
        }
    }
}

fn dangling(subject: &Subject<'_, '_>, report: &mut Report<'_, '_>, link: &AbsPath) {
    let name = subject.name(link);
    let message = format!("`{name}` is a link that leads nowhere, so nothing loads");
    report
        .at(Place::File(link.clone()), message)
        .help("make what it leads to, or take the link out")
        .report();
}

fn one(subject: &Subject<'_, '_>, report: &mut Report<'_, '_>, skip: &Skip) {
    let name = subject.name(&skip.path);
    let (message, severity) = match (skip.case, skip.reason) {
        ("dangling-link", _) => return dangling(subject, report, &skip.path),
        ("nul-in-import", _) => (
            format!("the path holds a NUL character, for which the client drops all of `{name}`"),
            Severity::Error,
        ),
        ("special-file", _) => (
            format!("`{name}` is a pipe, a socket or a device and does not load"),
            Severity::Error,
        ),
        ("too-large", _) => (
            format!("`{name}` is too large for Outcrop: it is left out of what is told here"),
            Severity::Warning,
        ),
        (_, Reason::Unreadable) => (
            format!("`{name}` cannot be read, and the client passes over it without a word"),
            Severity::Error,
        ),
        _ => return,
    };
    let mut place = Place::File(skip.path.clone());
    let mut chain = Vec::new();
    if let Some(mention) = &skip.mention {
        // A name that the system refuses, such as one of a thousand letters, may be no path.
        let is_path = path_of(&mention.reference).is_some_and(|path| path.ends_with(".md"));
        if skip.case == "unreadable" && !is_path {
            return;
        }
        place = Place::Mention(mention.clone());
        chain = subject.chain(&mention.by);
    }
    report
        .at(place, message)
        .severity(severity)
        .chain(chain)
        .known(skip.evidence)
        .report();
}
