//! The few shell commands that cases use to prepare a tree, for trees in memory.

use outcrop_loader::host::{Host, Kind, MemoryHost};
use outcrop_loader::path::AbsPath;

/// Runs a line of a case's `setup` on a tree in memory.
pub(crate) fn run(host: &mut MemoryHost, root: &AbsPath, line: &str) {
    let mut cwd = root.clone();
    for command in line.split("&&").flat_map(|part| part.split(';')) {
        let words: Vec<&str> = command.split_whitespace().collect();
        match words.as_slice() {
            [] => {}
            ["cd", folder] => cwd = cwd.join(folder),
            ["mkdir", "-p", folders @ ..] => {
                for folder in folders {
                    host.dir(&cwd.join(folder));
                }
            }
            ["echo", text @ .., ">", file] => {
                host.file(
                    &cwd.join(file),
                    format!("{}\n", text.join(" ")).into_bytes(),
                );
            }
            ["git", "init", ..] => host.dir(&cwd.child(".git")),
            ["git", "add", ..] | ["git", "commit", ..] => {}
            // The raw order of folders, for whoever reads the recording.
            ["ls", ..] => {}
            ["git", "worktree", "add", options @ .., folder] => {
                assert!(
                    options.iter().all(|option| option.starts_with('-')),
                    "{line}"
                );
                worktree(host, &cwd, &cwd.join(folder));
            }
            ["git", .., "submodule", _, "add", from, to] => {
                submodule(host, &cwd, &cwd.join(from), &cwd.join(to));
            }
            ["ln", "-s", target, link] => host.link(&cwd.join(link), target),
            other => panic!("the test shell does not know {other:?}"),
        }
    }
}

fn worktree(host: &mut MemoryHost, main: &AbsPath, folder: &AbsPath) {
    copy(host, main, folder);
    let name = folder.file_name();
    let git_dir = main.join(".git/worktrees").child(name);
    host.file(&git_dir.child("commondir"), *b"../..\n");
    let back = format!("{}\n", folder.child(".git"));
    host.file(&git_dir.child("gitdir"), back.into_bytes());
    let pointer = format!("gitdir: {git_dir}\n");
    host.file(&folder.child(".git"), pointer.into_bytes());
}

fn submodule(host: &mut MemoryHost, main: &AbsPath, from: &AbsPath, to: &AbsPath) {
    copy(host, from, to);
    let git_dir = main.join(".git/modules").child(to.file_name());
    host.dir(&git_dir);
    let pointer = format!("gitdir: {git_dir}\n");
    host.file(&to.child(".git"), pointer.into_bytes());
}

/// Copies what a commit of everything would hold.
fn copy(host: &mut MemoryHost, from: &AbsPath, to: &AbsPath) {
    let entries = host.read_dir(from).expect("the copied folder exists");
    for entry in entries.iter().filter(|entry| entry.name != ".git") {
        let (source, target) = (from.child(&entry.name), to.child(&entry.name));
        match entry.kind {
            Some(Kind::Directory) => copy(host, &source, &target),
            Some(Kind::File) => {
                let bytes = host
                    .read(&source, u64::MAX)
                    .expect("a copied file is readable");
                host.file(&target, bytes);
            }
            _ => {}
        }
    }
}
