//! L128: instruction files at the root of the file system.

use super::prelude::*;

pub(in crate::lint) static RULE: Rule = Rule {
    id: "L128",
    name: "root-not-read",
    severity: Severity::Warning,
    summary: "An instruction file lies at the root of the file system, where none is read.",
    page: Page {
        what: "Looks for `CLAUDE.md`, `CLAUDE.local.md` and `AGENTS.md` at the root of the file \
               system, as images of containers have them.",
        why: "The client looks from the working directory upwards and stops below the root: the file \
              is in no session, and nothing says so.",
        instead: "Put instructions for the whole machine into the managed folder, \
                  `/etc/claude-code/CLAUDE.md` on Linux, or work in a folder and put them there.",
        drawbacks: "None is known: nothing else reads the file there.",
        evidence: "Fact 2.1; bug bank B057.",
        since: "0.1.0",
    },
    bad: &[Example {
        title: "a file of an image",
        files: &[
            ("/CLAUDE.md", "Use pnpm.\n"),
            ("CLAUDE.md", "Run the tests.\n"),
        ],
        fixed: &[],
    }],
    good: &[Example {
        title: "a folder below the root",
        files: &[("/home/CLAUDE.md", "Use pnpm.\n")],
        fixed: &[],
    }],
    check,
};

fn check(subject: &Subject<'_, '_>, report: &mut Report<'_, '_>) {
    let Some(root) = subject.session.cwd().ancestors().last() else {
        return;
    };
    for name in ["CLAUDE.md", "CLAUDE.local.md", "AGENTS.md"] {
        let path = root.child(name);
        if !subject.is_file(&path) || subject.comes(&path) {
            continue;
        }
        let message = format!("`{path}` is not read: the client stops below the root");
        let managed = subject.session.origin().managed.child("CLAUDE.md");
        let mut draft = report
            .at(Place::File(path.clone()), message)
            .help(format!("put it into `{managed}`"));
        if let Some(lost) = subject.lost_file(&path) {
            draft = draft.costs(lost);
        }
        draft.report();
    }
}
