//! Scenarios of the command: a folder and a command line in, output out (`cmd/*.toml`).
//! `TRYCMD=overwrite cargo test -p outcrop` rewrites the outputs.

#[test]
fn scenarios() {
    trycmd::TestCases::new()
        .env("NO_COLOR", "1")
        .env("CLAUDE_CONFIG_DIR", "")
        .case("tests/cmd/*.toml");
}
