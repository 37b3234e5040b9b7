//! A case's world in a temporary folder, and what the command prints in it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use outcrop_loader::client::Version;
use outcrop_loader::host::DiskHost;
use outcrop_loader::origin::Origin;
use serde_json::Value;
use tempfile::TempDir;

use crate::case::{self, Case, Content, Entry};
use crate::memory;

/// A materialised case.
pub struct World {
    folder: TempDir,
    root: PathBuf,
}

impl World {
    /// Builds the tree of a case.
    ///
    /// # Panics
    /// When a file cannot be written or a command of the case fails.
    #[must_use]
    pub fn build(case: &Case) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        // Recorded paths are real ones.
        let real = fs::canonicalize(folder.path()).expect("its real path");
        let root = real.join("w");
        fs::create_dir_all(root.join("home/.claude")).expect("a home folder");
        let world = Self { folder, root };
        let root = world.root_text();
        for (path, bytes) in case::file_bytes(case, &root) {
            let path = world.place(&path);
            fs::write(&path, bytes).expect("a file");
        }
        for (path, target) in &case.links {
            let path = world.place(&case::fill(path, &root));
            symlink(&case::fill(target, &root), &path);
        }
        for folder in &case.git {
            let folder = world.place(folder);
            let folder = folder.to_string_lossy();
            let main = ["-c", "init.defaultBranch=main", "init", "-q", &folder];
            world.command("git", &main);
        }
        for line in &case.setup {
            world.command("bash", &["-c", line]);
        }
        let cwd = world.root.join(&case.cwd);
        if fs::metadata(&cwd).is_err() && fs::symlink_metadata(&cwd).is_ok() {
            fs::remove_file(&cwd).expect("a link that leads nowhere goes");
        }
        fs::create_dir_all(&cwd).expect("the working directory");
        if let Some(state) = memory::state(case, &root, &DiskHost::new()) {
            fs::write(world.root.join("home/.claude.json"), state).expect("the state file");
        }
        world
    }

    /// Where the client is started in it, for a client.
    #[must_use]
    pub fn origin(&self, case: &Case, client: Version) -> Origin {
        memory::origin_at(case, &self.root_text(), client)
    }

    /// Its root as text.
    ///
    /// # Panics
    /// On a path that is no UTF-8.
    #[must_use]
    pub fn root_text(&self) -> String {
        self.root.to_str().expect("a UTF-8 path").to_owned()
    }

    fn place(&self, path: &str) -> PathBuf {
        let path = self.root.join(path);
        let parent = path.parent().expect("a folder");
        fs::create_dir_all(parent).expect("the folder of a file");
        path
    }

    fn command(&self, program: &str, args: &[&str]) {
        let status = Command::new(program)
            .args(args)
            .current_dir(&self.root)
            .env("HOME", "/nonexistent")
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_AUTHOR_NAME", "a")
            .env("GIT_AUTHOR_EMAIL", "a@example.invalid")
            .env("GIT_COMMITTER_NAME", "a")
            .env("GIT_COMMITTER_EMAIL", "a@example.invalid")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .unwrap_or_else(|error| panic!("{program} {args:?}: {error}"));
        assert!(status.success(), "{program} {args:?} failed");
    }

    /// What `outcrop show --json` prints for the case and a client.
    ///
    /// # Panics
    /// When the command fails or prints no JSON.
    #[must_use]
    pub fn show(&self, outcrop: &Path, case: &Case, client: &str) -> Value {
        let root = self.root_text();
        let mut command = Command::new(outcrop);
        command
            .arg("show")
            .arg(self.root.join(&case.cwd))
            .args(["--json", "--client", client])
            .arg("--home")
            .arg(self.root.join("home"))
            .arg("--managed")
            .arg(self.root.join("managed"))
            .env_clear()
            .stdin(Stdio::null());
        for (name, value) in &case.env {
            command.env(name, case::fill(value, &root));
        }
        if let Some(prompt) = &case.prompt {
            command.args(["--prompt", &case::fill(prompt, &root)]);
        }
        let calls = case.calls();
        if !calls.is_empty() {
            let calls: Vec<Value> = calls
                .iter()
                .map(|call| {
                    let input = case::fill_value(&call.input, &root);
                    serde_json::json!({ "tool": call.tool, "input": input })
                })
                .collect();
            let steps = self.folder.path().join("steps.json");
            fs::write(&steps, Value::from(calls).to_string()).expect("the steps");
            command.arg("--steps").arg(steps);
        }
        command.args(case.args.iter().map(|arg| case::fill(arg, &root)));
        let output = command.output().expect("the command runs");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{}: {stderr}", case.name);
        serde_json::from_slice(&output.stdout).expect("JSON")
    }

    /// The printed deliveries in the form of a recorded answer.
    ///
    /// # Panics
    /// When the document has another form.
    #[must_use]
    pub fn answer(&self, shown: &Value) -> (Vec<Entry>, Vec<Vec<Entry>>) {
        let root = self.root_text();
        let text = |value: &Value| value.as_str().expect("a text").to_owned();
        let entry = |layer: &Value| Entry {
            path: match &layer["heading"] {
                Value::String(heading) => heading.clone(),
                _ => memory::relative(&text(&layer["path"]), &root),
            },
            kind: text(&layer["scope"]),
            content: Content::Text(match layer.get("notice") {
                Some(_) => format!("{}\n\n{{notice}}", text(&layer["text"])),
                None => text(&layer["text"]),
            }),
        };
        let layers = |delivery: &Value| -> Vec<Entry> {
            let layers = delivery["layers"].as_array().expect("layers");
            layers.iter().map(entry).collect()
        };
        let deliveries = shown["deliveries"].as_array().expect("deliveries");
        let mut deliveries = deliveries.iter().map(layers);
        let startup = deliveries.next().expect("a first delivery");
        (startup, deliveries.collect())
    }

    /// The root as text, for comparisons.
    #[must_use]
    pub fn root(&self) -> String {
        self.root_text()
    }
}

#[cfg(unix)]
fn symlink(target: &str, path: &Path) {
    std::os::unix::fs::symlink(target, path).expect("a link");
}

#[cfg(not(unix))]
fn symlink(_: &str, path: &Path) {
    panic!("{} needs symbolic links", path.display());
}

/// The `outcrop` program, built by cargo beside the test programs.
///
/// # Panics
/// When it is not there and cannot be built.
#[must_use]
pub fn program() -> PathBuf {
    let test = std::env::current_exe().expect("the path of this test");
    let folder = test.ancestors().nth(2).expect("the folder of programs");
    let program = folder.join(format!("outcrop{}", std::env::consts::EXE_SUFFIX));
    // A test of this package alone does not build the program of another.
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let mut build = Command::new(cargo);
    build.args([
        "build",
        "--quiet",
        "--package",
        "outcrop",
        "--bin",
        "outcrop",
    ]);
    if folder.file_name().is_some_and(|name| name == "release") {
        build.arg("--release");
    }
    let built = build.current_dir(env!("CARGO_MANIFEST_DIR")).status();
    assert!(
        built.is_ok_and(|status| status.success()),
        "outcrop can be built"
    );
    assert!(program.exists(), "{} exists", program.display());
    program
}
