//! `outcrop verify` itself, with the sample hierarchy and real clients: everything is equal, and
//! nothing of the user's is changed.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use outcrop_tests::disk;
use outcrop_tests::live::LiveClient;
use outcrop_verify::sandbox::Namespace;

use crate::options::Options;
use crate::report::{Found, Report};

/// How the user's files are kept.
const WAYS: [&str; 2] = ["namespace", "mirror"];

pub(crate) fn run(options: &Options, clients: &[LiveClient], report: &mut Report) {
    if options.only.is_some() {
        return;
    }
    let program = disk::program();
    report.part("differential, outcrop verify", 1, clients.len(), |index| {
        let of_way = |way: &&str| verify(&program, &clients[index], way);
        WAYS.iter().map(of_way).collect()
    });
}

fn verify(program: &Path, client: &LiveClient, way: &str) -> Found {
    let spaces = Namespace::available().is_ok();
    if way == "namespace" && !spaces {
        return Found::LeftOut("there is no private mount namespace");
    }
    let folder = tempfile::tempdir().unwrap();
    let root = fs::canonicalize(folder.path()).unwrap();
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples");
    copy(&examples, &root);
    let before = files(&root);
    let mut command = Command::new(program);
    command
        .current_dir(&root)
        .args(["verify", "monorepo", "--read", "packages/web/src/app.ts"])
        .args(["--home", "home", "--isolation", way, "--client"])
        .arg(&client.program)
        .env_clear()
        .env("PATH", "/usr/local/bin:/usr/bin:/bin")
        .stdin(Stdio::null());
    if spaces {
        command.args(["--managed", "managed"]);
    }
    let output = command.output().unwrap();
    let name = format!("{} {way}", client.version);
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    let said = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() || !printed.contains("equal: ") {
        return Found::Differs(format!("{name}: {printed}{said}"));
    }
    if files(&root) != before {
        return Found::Differs(format!("{name}: a file of the user's has changed"));
    }
    Found::Equal
}

/// Every file and folder below `root`, with the bytes of files.
fn files(root: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut todo = vec![root.to_owned()];
    while let Some(folder) = todo.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let bytes = if path.is_dir() {
                todo.push(path.clone());
                Vec::new()
            } else {
                fs::read(&path).unwrap()
            };
            found.insert(path, bytes);
        }
    }
    found
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let target = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy(&path, &target);
        } else {
            fs::copy(&path, &target).unwrap();
        }
    }
}
