//! `outcrop lsp` with a scripted editor at its standard input and output.
#![expect(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

mod support;

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use serde_json::{Value, json};

struct Editor {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    id: u64,
}

impl Editor {
    /// Starts the server in a folder and says hello.
    fn open(folder: &Path) -> Self {
        Self::open_with(folder, &[])
    }

    fn open_with(folder: &Path, args: &[&str]) -> Self {
        let mut child = support::outcrop(folder)
            .args(["lsp", "--client", "2.1.332"])
            .args(args)
            .arg("--home")
            .arg(folder.join("home"))
            .arg("--managed")
            .arg(folder.join("managed"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let input = child.stdin.take().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let mut editor = Self {
            child,
            input,
            output,
            id: 0,
        };
        let root = address(&folder.join("shop"));
        let capabilities =
            json!({"workspace": {"didChangeWatchedFiles": {"dynamicRegistration": true}}});
        let params = json!({"processId": null, "rootUri": root, "capabilities": capabilities});
        let answer = editor.ask("initialize", params);
        assert_eq!(answer["capabilities"]["hoverProvider"], true);
        editor.tell("initialized", json!({}));
        editor
    }

    fn send(&mut self, message: &Value) {
        let text = message.to_string();
        write!(self.input, "Content-Length: {}\r\n\r\n{text}", text.len()).unwrap();
        self.input.flush().unwrap();
    }

    fn tell(&mut self, method: &str, params: Value) {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    fn ask(&mut self, method: &str, params: Value) -> Value {
        self.id += 1;
        let id = self.id;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        loop {
            let message = self.receive();
            if message["id"] == id {
                assert_eq!(message["error"], Value::Null, "{method}");
                return message["result"].clone();
            }
        }
    }

    fn receive(&mut self) -> Value {
        let mut length = 0;
        loop {
            let mut line = String::new();
            assert!(
                self.output.read_line(&mut line).unwrap() > 0,
                "the server is gone"
            );
            match line.trim().split_once(": ") {
                Some(("Content-Length", value)) => length = value.parse().unwrap(),
                Some(_) => {}
                None => break,
            }
        }
        let mut bytes = vec![0; length];
        self.output.read_exact(&mut bytes).unwrap();
        serde_json::from_slice(&bytes).unwrap()
    }

    /// The next diagnostics of a file, each as rule and first place.
    fn diagnostics(&mut self, uri: &str) -> Vec<(String, u64, u64)> {
        loop {
            let message = self.receive();
            let params = &message["params"];
            if message["method"] == "textDocument/publishDiagnostics" && params["uri"] == uri {
                let told = params["diagnostics"].as_array().unwrap().iter();
                let told = told.map(|told| {
                    let start = &told["range"]["start"];
                    (
                        told["code"].as_str().unwrap().to_owned(),
                        start["line"].as_u64().unwrap(),
                        start["character"].as_u64().unwrap(),
                    )
                });
                return told.collect();
            }
        }
    }

    fn close(mut self) {
        self.ask("shutdown", Value::Null);
        self.tell("exit", Value::Null);
        drop(self.input);
        assert!(self.child.wait().unwrap().success());
    }
}

fn address(path: &Path) -> String {
    format!("file://{}", path.to_str().unwrap())
}

/// A set-up in which a comma keeps an import out.
fn folder() -> (tempfile::TempDir, std::path::PathBuf) {
    let kept = tempfile::tempdir().unwrap();
    let folder = kept.path().canonicalize().unwrap();
    for (path, text) in [
        ("shop/CLAUDE.md", "😀 See @docs/a.md, and @docs/b.md\n"),
        ("shop/docs/a.md", "Indent by two.\n"),
        ("shop/docs/b.md", "Run the tests.\n"),
    ] {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    (kept, folder)
}

#[test]
fn findings_follow_what_is_written() {
    let (_kept, folder) = folder();
    let uri = address(&folder.join("shop/CLAUDE.md"));
    let mut editor = Editor::open(&folder);
    let comma = ("L107".to_owned(), 0, 7);
    assert_eq!(editor.diagnostics(&uri), std::slice::from_ref(&comma));
    let text = "Use pnpm.\n@docs/a.md and @docs/b.md\n";
    let document = json!({"uri": uri, "languageId": "markdown", "version": 1, "text": text});
    editor.tell("textDocument/didOpen", json!({"textDocument": document}));
    assert_eq!(editor.diagnostics(&uri), []);
    let document = json!({"uri": uri, "version": 2});
    let changes = json!([{"text": "\n@docs/b.md. That is all.\n"}]);
    let params = json!({"textDocument": document, "contentChanges": changes});
    editor.tell("textDocument/didChange", params);
    assert_eq!(editor.diagnostics(&uri), [("L107".to_owned(), 1, 0)]);
    // What is not saved is gone when it is closed.
    let params = json!({"textDocument": {"uri": uri}});
    editor.tell("textDocument/didClose", params);
    assert_eq!(editor.diagnostics(&uri), [comma]);
    editor.close();
    let kept = fs::read_to_string(folder.join("shop/CLAUDE.md")).unwrap();
    assert!(kept.starts_with("😀 See @docs/a.md, "));
}

#[test]
fn imports_are_explained_and_mended() {
    let (_kept, folder) = folder();
    let uri = address(&folder.join("shop/CLAUDE.md"));
    let mut editor = Editor::open(&folder);
    let at = |character: u64| json!({"textDocument": {"uri": uri}, "position": {"line": 0, "character": character}});
    let hover = editor.ask("textDocument/hover", at(25));
    let text = hover["contents"]["value"].as_str().unwrap();
    assert!(
        text.contains("docs/b.md`: delivered when a session starts, "),
        "{text}"
    );
    assert_eq!(hover["range"]["start"]["character"], 23);
    assert_eq!(editor.ask("textDocument/hover", at(4)), Value::Null);
    let definition = editor.ask("textDocument/definition", at(25));
    assert_eq!(definition["uri"], address(&folder.join("shop/docs/b.md")));
    let range = json!({"start": at(8)["position"], "end": at(8)["position"]});
    let params =
        json!({"textDocument": {"uri": uri}, "range": range, "context": {"diagnostics": []}});
    let actions = editor.ask("textDocument/codeAction", params);
    assert_eq!(
        actions[0]["title"],
        "Put a space behind `@docs/a.md` (L107)"
    );
    let edit = &actions[0]["edit"]["changes"][&uri][0];
    assert_eq!(edit["newText"], " ");
    assert_eq!(edit["range"]["start"]["character"], 17);
    editor.close();
}

#[test]
fn odd_requests_end_nothing() {
    let (_kept, folder) = folder();
    let mut editor = Editor::open(&folder);
    editor.send(&json!({"jsonrpc": "2.0", "id": "x", "method": "no/such", "params": {}}));
    loop {
        let message = editor.receive();
        if message["id"] == "x" {
            assert_eq!(message["error"]["code"], -32601);
            break;
        }
    }
    editor
        .send(&json!({"jsonrpc": "2.0", "id": "y", "method": "textDocument/hover", "params": {}}));
    loop {
        let message = editor.receive();
        if message["id"] == "y" {
            assert_eq!(message["error"]["code"], -32602);
            break;
        }
    }
    let params =
        json!({"textDocument": {"uri": "untitled:1"}, "position": {"line": 0, "character": 0}});
    assert_eq!(editor.ask("textDocument/hover", params), Value::Null);
    editor.close();
}

/// Writes the baseline of what is found in `shop` now.
fn write_baseline(folder: &Path, args: &[&str]) {
    let mut command = support::outcrop(folder);
    command
        .current_dir(folder)
        .args(["lint", "shop"])
        .args(args);
    command.args(["--write-baseline", "shop/known.json", "--managed", "none"]);
    command.args(["--home", "home", "--client", "2.1.332"]);
    assert!(command.status().unwrap().success());
}

#[test]
fn known_findings_are_not_told() {
    let (_kept, folder) = folder();
    let uri = address(&folder.join("shop/CLAUDE.md"));
    fs::write(folder.join("shop/docs/c.md"), "Sign commits.\n").unwrap();
    fs::write(
        folder.join("shop/outcrop.toml"),
        "[lint]\nbaseline = \"known.json\"\n",
    )
    .unwrap();
    // A baseline that is not written yet hides nothing.
    let mut editor = Editor::open(&folder);
    assert_eq!(editor.diagnostics(&uri), [("L107".to_owned(), 0, 7)]);
    write_baseline(&folder, &[]);
    let changed =
        json!({"changes": [{"uri": address(&folder.join("shop/known.json")), "type": 1}]});
    editor.tell("workspace/didChangeWatchedFiles", changed);
    assert_eq!(editor.diagnostics(&uri), []);
    // What is written besides is new, and only that has a fix.
    let text = "Use pnpm.\n\n😀 See @docs/a.md, and @docs/b.md\nRead @docs/c.md, too.\n";
    let document = json!({"uri": uri, "languageId": "markdown", "version": 1, "text": text});
    editor.tell("textDocument/didOpen", json!({"textDocument": document}));
    assert_eq!(editor.diagnostics(&uri), [("L107".to_owned(), 3, 5)]);
    let place = |line: u64| json!({"line": line, "character": 8});
    let mut actions = |line: u64| {
        let range = json!({"start": place(line), "end": place(line)});
        let params =
            json!({"textDocument": {"uri": uri}, "range": range, "context": {"diagnostics": []}});
        let actions = editor.ask("textDocument/codeAction", params);
        actions.as_array().map_or(0, Vec::len)
    };
    assert_eq!((actions(2), actions(3)), (0, 1));
    // A file that is no baseline hides nothing, and the editor goes on.
    fs::write(folder.join("shop/known.json"), "{").unwrap();
    let params = json!({"textDocument": {"uri": uri}});
    editor.tell("textDocument/didSave", params);
    let told = editor.diagnostics(&uri);
    assert_eq!(told, [("L107".to_owned(), 2, 7), ("L107".to_owned(), 3, 5)]);
    editor.close();
}

#[test]
fn another_configuration_may_count() {
    let (_kept, folder) = folder();
    let uri = address(&folder.join("shop/CLAUDE.md"));
    let off = "[lint]\nrules = { L107 = \"off\" }\n";
    fs::write(folder.join("shop/outcrop.toml"), off).unwrap();
    let baseline = "[lint]\nbaseline = \"shop/known.json\"\n";
    fs::write(folder.join("team.toml"), baseline).unwrap();
    let comma = [("L107".to_owned(), 0, 7)];
    for args in [&["--isolated"][..], &["--config", "team.toml"]] {
        let mut editor = Editor::open_with(&folder, args);
        assert_eq!(editor.diagnostics(&uri), comma);
        editor.close();
    }
    write_baseline(&folder, &["--isolated"]);
    let mut editor = Editor::open_with(&folder, &["--config", "team.toml"]);
    // Of a file in which nothing is found nothing is told, so the first that is told is what is new.
    let text = "Read @docs/b.md, too.\n";
    let document = json!({"uri": uri, "languageId": "markdown", "version": 1, "text": text});
    editor.tell("textDocument/didOpen", json!({"textDocument": document}));
    assert_eq!(editor.diagnostics(&uri), [("L107".to_owned(), 0, 5)]);
    editor.close();
}
