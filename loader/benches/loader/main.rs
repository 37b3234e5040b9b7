//! The benches of the loader, as one program: `cargo bench -p outcrop-loader`.
//!
//! Nothing here touches the disk, so the times are those of the loader alone.

mod counting;
mod listing;
mod loading;
mod reading;
#[expect(unreachable_pub, reason = "the same file is a module of the suites")]
#[path = "../../../tests/src/tree.rs"]
mod tree;

fn main() {
    divan::main();
}
