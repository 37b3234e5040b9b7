//! No form of `lint` prints a secret, also where another finding stands on its line.

mod support;

use std::fs;

#[test]
fn no_output_shows_a_secret() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    // Put together here, so that no line of this file has its form.
    let body = "q7RbZ2kTm9WxLc4VnP8sJd3HgF6yEa5UoQ1i";
    let secret = ["ghp", body].join("_");
    let text = format!("Use {secret} and @docs/a.md, @docs/gone.md\n");
    fs::create_dir_all(root.join("docs")).unwrap();
    fs::write(root.join("CLAUDE.md"), text).unwrap();
    fs::write(root.join("docs/a.md"), "A.\n").unwrap();
    let forms: [&[&str]; 7] = [
        &[],
        &["--format", "concise"],
        &["--json"],
        &["--format", "sarif"],
        &["--format", "github"],
        &["--diff", "--unsafe-fixes"],
        // Its own finding is not told, its line is.
        &["CLAUDE.md", "--write-baseline", "base.json"],
    ];
    for form in forms {
        let output = support::outcrop(&root)
            .arg("lint")
            .args(form)
            .args([
                "--home",
                "home",
                "--managed",
                "managed",
                "--client",
                "2.1.332",
            ])
            .output()
            .unwrap();
        let mut told = String::from_utf8_lossy(&output.stdout).into_owned();
        told.push_str(&String::from_utf8_lossy(&output.stderr));
        assert!(!told.contains(body), "{form:?}: {told}");
        assert!(output.status.code() != Some(2), "{form:?}: {told}");
        if form.is_empty() {
            assert!(told.contains("L404") && told.contains("***"), "{told}");
        }
    }
    let written = fs::read_to_string(root.join("base.json")).unwrap();
    assert!(!written.contains(body));
}
