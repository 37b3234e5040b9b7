//! Names that are nearly others.

/// The known name that was meant, if any is near: the same but for the case of letters, dashes and
/// underscores, or at most two letters away, one in short names. Others may be right as well.
pub(crate) fn nearest<'k>(name: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    let most = |least: usize| match least {
        0..4 => 0,
        4..7 => 1,
        _ => 2,
    };
    within(name, known, |one, other| most(one.min(other)))
}

/// The same where no other name can be right: a third of the letters may differ, at least one.
pub(crate) fn nearest_of_all<'k>(
    name: &str,
    all: impl IntoIterator<Item = &'k str>,
) -> Option<&'k str> {
    within(name, all, |one, _| (one / 3).max(1))
}

/// The nearest name that is not farther away than `most` of both lengths.
fn within<'k>(
    name: &str,
    known: impl IntoIterator<Item = &'k str>,
    most: impl Fn(usize, usize) -> usize,
) -> Option<&'k str> {
    let bare = folded(name);
    let mut best: Option<(usize, &str)> = None;
    for candidate in known {
        let other = folded(candidate);
        let most = most(bare.len(), other.len());
        if bare.len().abs_diff(other.len()) > most {
            continue;
        }
        let away = distance(&bare, &other);
        if away <= most && best.is_none_or(|(least, _)| away < least) {
            best = Some((away, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

fn folded(name: &str) -> Vec<char> {
    let kept = name.chars().filter(|c| !matches!(c, '-' | '_'));
    kept.flat_map(char::to_lowercase).collect()
}

/// Letters that are put in, left out, replaced or changed with their neighbour.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, y) in b.iter().enumerate() {
            let replaced = last[j] + usize::from(x != y);
            let mut least = replaced.min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && *x == b[j - 1] && a[i - 1] == *y {
                least = least.min(before[j - 1] + 1);
            }
            row.push(least);
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::{nearest, nearest_of_all};

    #[test]
    fn near_names() {
        let known = [
            "claudeMdExcludes",
            "permissions",
            "hooks",
            "deny",
            "env",
            "baseline",
            "extend",
        ];
        for (name, meant) in [
            ("claudeMdExclude", Some("claudeMdExcludes")),
            ("claude_md_excludes", Some("claudeMdExcludes")),
            ("premissions", Some("permissions")),
            ("hook", Some("hooks")),
            ("deney", Some("deny")),
            ("envs", None),
            ("basline", Some("baseline")),
            ("exetnd", Some("extend")),
            ("model", None),
            ("theme", None),
        ] {
            assert_eq!(nearest(name, known), meant, "{name}");
        }
    }

    #[test]
    fn near_names_of_few() {
        let all = ["off", "info", "warning", "error"];
        assert_eq!(nearest_of_all("of", all), Some("off"));
        assert_eq!(nearest_of_all("warn", all), None);
        assert_eq!(nearest_of_all("Errors", all), Some("error"));
    }
}
