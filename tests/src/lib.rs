//! Recorded cases: their format, and two ways to build the world that they describe.
//!
//! A case is a tree of files, a way to start the client, and what the real client was seen to
//! deliver. [`memory`] builds the tree in memory, [`disk`] in a temporary folder.

#![expect(
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::panic,
    reason = "test support: builds real folders, and a broken case should stop the test"
)]

pub mod case;
pub mod disk;
pub mod live;
pub mod memory;
pub mod report;
pub mod resumed;
mod shell;
pub mod tree;

#[cfg(test)]
mod tests {
    use super::tree;

    /// docs/performance.md names these numbers.
    #[test]
    fn the_measured_tree_has_its_size() {
        let files = tree::files(tree::PACKAGES);
        let pages = files.iter().filter(|(path, _)| path.ends_with(".md"));
        assert_eq!((pages.count(), files.len()), (1_996, 2_996));
        for path in tree::ten_files(tree::PACKAGES - 1) {
            assert!(files.iter().any(|(known, _)| *known == path), "{path}");
        }
    }
}
