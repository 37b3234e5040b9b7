//! The commands of README and what they print; `TRYCMD=overwrite cargo test -p outcrop` rewrites it.

mod cases;

#[test]
fn readme() {
    // The commands run where the test runs, and a reader stands at the top of a checkout.
    std::env::set_current_dir("..").unwrap();
    cases::quiet().case("README.md");
}
