//! The name that somebody likely meant.

/// The name nearest to `written`, if one is near enough to be meant.
pub(crate) fn nearest<'n>(
    written: &str,
    names: impl IntoIterator<Item = &'n str>,
) -> Option<&'n str> {
    let written = written.to_lowercase();
    // A third of the letters may be others, which still tells names of a few letters apart.
    let bound = (written.chars().count() / 3).max(1);
    let near = names
        .into_iter()
        .map(|name| (distance(&written, &name.to_lowercase()), name));
    let near = near.filter(|(distance, _)| *distance <= bound);
    near.min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}

/// How many letters must be put in, left out, changed, or changed with their neighbours.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut before: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=b.len()).collect();
    for row in 1..=a.len() {
        let mut here = vec![row];
        for column in 1..=b.len() {
            let same = a[row - 1] == b[column - 1];
            let mut least = (above[column - 1] + usize::from(!same))
                .min(above[column] + 1)
                .min(here[column - 1] + 1);
            let is_swap =
                row > 1 && column > 1 && a[row - 1] == b[column - 2] && a[row - 2] == b[column - 1];
            if is_swap {
                least = least.min(before[column - 2] + 1);
            }
            here.push(least);
        }
        before = std::mem::replace(&mut above, here);
    }
    above[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names_are_found() {
        let names = ["lint", "extend", "baseline", "budgets"];
        assert_eq!(nearest("basline", names), Some("baseline"));
        assert_eq!(nearest("exetnd", names), Some("extend"));
        assert_eq!(nearest("Budget", names), Some("budgets"));
        assert_eq!(nearest("severity", names), None);
        assert_eq!(distance("ab", "ba"), 1);
        assert_eq!(distance("", "abc"), 3);
    }
}
