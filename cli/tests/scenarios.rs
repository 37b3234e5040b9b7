//! Scenarios of the command: a folder and a command line in, output out (`cmd/*.toml`).
//! `TRYCMD=overwrite cargo test -p outcrop` rewrites the outputs.

mod cases;

#[test]
fn scenarios() {
    cases::quiet().case("tests/cmd/*.toml");
}
