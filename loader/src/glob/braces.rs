//! Braces in a rule's `paths` (fact 5.6).

/// How many patterns one `paths` value may become.
const BOUND: usize = 10_000;

/// Expands brace groups from left to right. A group ends at the first `}`, so groups do not
/// nest, and `a..c` is no range (cases `paths-forms-*`).
#[must_use]
pub fn expand_braces_once(pattern: &str) -> Vec<String> {
    let mut done = Vec::new();
    let mut open = vec![pattern.to_owned()];
    while let Some(pattern) = open.pop() {
        match first_group(&pattern) {
            Some((before, inner, after)) if done.len() + open.len() < BOUND => {
                for part in inner.split(',').rev() {
                    let part = part.trim();
                    open.push(format!("{before}{part}{after}"));
                }
            }
            _ => done.push(pattern),
        }
    }
    done
}

fn first_group(pattern: &str) -> Option<(&str, &str, &str)> {
    let open = pattern.find('{')?;
    let close = open + 1 + pattern[open + 1..].find('}')?;
    let inner = &pattern[open + 1..close];
    (!inner.is_empty()).then(|| (&pattern[..open], inner, &pattern[close + 1..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expands_groups_left_to_right() {
        assert_eq!(
            expand_braces_once("{a,b}/{c,d}"),
            ["a/c", "a/d", "b/c", "b/d"]
        );
        assert_eq!(expand_braces_once("x{,y}"), ["x", "xy"]);
        assert_eq!(expand_braces_once("a{}b"), ["a{}b"]);
        assert_eq!(expand_braces_once("a{b"), ["a{b"]);
    }

    #[test]
    fn groups_do_not_nest() {
        assert!(!expand_braces_once("{a,{b,c}}/*").contains(&"c/*".to_owned()));
    }

    #[test]
    fn growth_is_bounded() {
        assert!(expand_braces_once(&"{a,b}".repeat(40)).len() <= BOUND * 2);
    }
}
