//! The commands of README and what they print; `TRYCMD=overwrite cargo test -p outcrop` rewrites it.

mod support;

#[test]
fn readme() {
    // The commands run where the test runs, and a reader stands at the top of a checkout.
    std::env::set_current_dir("..").unwrap();
    support::cases().case("README.md");
}
