//! What the block about the repository tells of the start of a session.

/// Whether git listed no changes, by the block about the repository (fact 69 of
/// `docs/facts.md`): what stands between `Status:` and the blank line behind it.
pub(super) fn was_clean(block: &str) -> Option<bool> {
    let (_, status) = block.split_once("\nStatus:\n")?;
    let status = status.split("\n\n").next().unwrap_or_default().trim();
    Some(status.is_empty() || status == "(clean)")
}

/// The branch that the block about the repository names.
pub(super) fn branch(block: &str) -> Option<String> {
    let mut lines = block.lines();
    let name = lines.find_map(|line| line.strip_prefix("Current branch: "))?;
    Some(name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_block_about_the_repository_tells_branch_and_changes() {
        let block = |status: &str| {
            format!(
                "M_WORDS\n\nCurrent branch: dev\n\nStatus:\n{status}\n\nRecent commits:\n1a one"
            )
        };
        assert_eq!(was_clean(&block("(clean)")), Some(true));
        assert_eq!(was_clean(&block(" M CLAUDE.md\n?? x")), Some(false));
        assert_eq!(was_clean("M_WORDS"), None);
        assert_eq!(branch(&block("(clean)")).as_deref(), Some("dev"));
    }
}
