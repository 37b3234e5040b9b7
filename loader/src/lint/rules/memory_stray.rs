//! L607: a memory folder beside the one that is read.

use super::prelude::*;
use crate::lint::memory_folder::{self, MemoryFolder};
use crate::memory;
use crate::path::AbsPath;

pub(in crate::lint) static RULE: Rule = Rule {
    id: "L607",
    name: "memory-stray",
    severity: Severity::Warning,
    summary: "There is a memory for this directory that no session reads.",
    page: Page {
        what: "Looks for Markdown files in the memory folders that belong to the working directory and \
               to the root of its worktree by their names, and in the usual one where \
               `autoMemoryDirectory` names another (this alone is good to know, and no warning).",
        why: "The client reads one folder: that of the main checkout of the repository, which all \
              worktrees and all folders in it share, or the one that the settings name. What another \
              folder holds reaches no session, though it has the name of this directory.",
        instead: "Move what is worth keeping into the folder that is read, and delete the other.",
        drawbacks: "Older versions are reported to have used such folders, and a colleague's may do so.",
        evidence: "Facts 6.1 and 6.7; bug bank B064; client threads 30667 and 39920.",
        since: "0.1.0",
    },
    bad: &[Example {
        title: "a worktree with a memory of its own",
        files: &[
            (".git", "gitdir: /home/dev/main/.git/worktrees/shop\n"),
            ("~/main/.git/HEAD", "ref: refs/heads/main\n"),
            ("~/main/.git/worktrees/shop/commondir", "../..\n"),
            ("~/main/.git/worktrees/shop/gitdir", "/home/dev/shop/.git\n"),
            (
                "~/.claude/projects/-home-dev-main/memory/MEMORY.md",
                "- The cart needs a server.\n",
            ),
            (
                "~/.claude/projects/-home-dev-shop/memory/MEMORY.md",
                "- The till rounds.\n",
            ),
        ],
        fixed: &[],
    }],
    good: &[Example {
        title: "the memory of another project",
        files: &[
            (".git/HEAD", "ref: refs/heads/main\n"),
            (
                "~/.claude/projects/-home-dev-shop/memory/MEMORY.md",
                "- The till rounds.\n",
            ),
            (
                "~/.claude/projects/-home-dev-shop-web/memory/MEMORY.md",
                "- The page is narrow.\n",
            ),
        ],
        fixed: &[],
    }],
    check,
};

fn check(subject: &Subject<'_, '_>, report: &mut Report<'_, '_>) {
    if !memory_folder::is_on(subject) {
        return;
    }
    let session = subject.session;
    let read = memory_folder::index(subject);
    let usual = |directory: &AbsPath| {
        let projects = session.origin().config().child("projects");
        let project = projects.child(&memory::folder_name(directory.as_str()));
        project.child("memory").child("MEMORY.md")
    };
    let git = session.git();
    let main = usual(git.map_or(session.cwd(), |git| &git.main_checkout));
    let mut strays = vec![usual(session.cwd())];
    strays.extend(git.map(|git| usual(&git.root)));
    strays.push(main.clone());
    strays.sort_unstable();
    strays.dedup();
    for index in strays.iter().filter(|index| **index != read) {
        let Some(stray) = MemoryFolder::at(subject, index) else {
            continue;
        };
        let message = format!(
            "no session here reads `{}`: memory is in `{}`",
            subject.name(&stray.path),
            read.parent()
                .map_or_else(String::new, |read| subject.name(&read))
        );
        let first = stray.topics.first().map(|name| stray.path.child(name));
        let file = match first {
            Some(first) if !stray.has_index => first,
            _ => stray.index.clone(),
        };
        let mut draft = report
            .at(Place::File(file), message)
            .help("move what is worth keeping there, and delete this folder");
        // The settings say so, which is hardly an accident.
        if *index == main {
            draft = draft.severity(Severity::Info);
        }
        if let Some(text) = subject.text(&stray.index).filter(|_| stray.has_index) {
            draft = draft.costs(Cost::Lost(subject.tokens(&text)));
        }
        draft.report();
    }
}
