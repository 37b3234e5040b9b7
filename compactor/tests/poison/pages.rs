//! The page of the rules tells of each of them.

use outcrop_compactor::poison::Rule;

#[test]
fn each_rule_is_on_the_page() {
    let page = include_str!("../../../docs/poison.md");
    for rule in Rule::ALL {
        let row = format!("| `{}` | {} |", rule.name(), rule.worst().name());
        assert!(page.contains(&row), "docs/poison.md lacks a row {row}");
    }
    let rows = page.lines().filter(|line| line.starts_with("| `"));
    assert_eq!(rows.count(), Rule::ALL.len());
}
