//! Scenarios of the command: a folder and a command line in, output out (`cmd/*.toml`).
//! `TRYCMD=overwrite cargo test -p outcrop` rewrites the outputs.

mod support;

#[test]
fn scenarios() {
    support::cases().case("tests/cmd/*.toml");
}
