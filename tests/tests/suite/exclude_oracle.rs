//! A second, naive reader of `claudeMdExcludes`, to check the library's own against (fact 7.1).
//!
//! It tries every way to match, one character after another, and knows no more than the forms
//! that random worlds have: `*`, `**`, `?`, classes, braces, `@( )`, `+( )`, `?( )` and `!( )`.

/// Whether a pattern leaves out the file that is shown under this path.
pub(crate) fn excludes(pattern: &str, path: &str) -> bool {
    match pattern.strip_prefix('!') {
        Some(rest) if !rest.starts_with('(') => !matches(rest, path),
        _ => matches(pattern, path),
    }
}

fn matches(pattern: &str, path: &str) -> bool {
    let chars = |text: &str| text.chars().collect::<Vec<_>>();
    braces(pattern)
        .iter()
        .any(|pattern| here(&chars(pattern), &chars(path)))
}

/// The patterns that a pattern with braces stands for.
fn braces(pattern: &str) -> Vec<String> {
    let Some((before, rest)) = pattern.split_once('{') else {
        return vec![pattern.to_owned()];
    };
    let (inner, after) = rest.split_once('}').unwrap();
    let one = |part: &str| braces(&format!("{before}{part}{after}"));
    inner.split(',').flat_map(one).collect()
}

fn here(pattern: &[char], path: &[char]) -> bool {
    // How much of the path the first part of the pattern may take.
    let rest_after = |rest: &[char], allowed: &dyn Fn(&[char]) -> bool| {
        (0..=path.len()).any(|taken| allowed(&path[..taken]) && here(rest, &path[taken..]))
    };
    let level = |text: &[char]| !text.contains(&'/');
    match pattern {
        [] => path.is_empty(),
        ['*', '*', '/', rest @ ..] => {
            rest_after(rest, &|text| text.is_empty() || text.ends_with(&['/']))
        }
        ['*', '*'] => true,
        [kind @ ('@' | '+' | '?' | '!'), '(', rest @ ..] => {
            let end = rest.iter().position(|letter| *letter == ')').unwrap();
            let (group, rest) = (&rest[..end], &rest[end + 1..]);
            let choices: Vec<&[char]> = group.split(|letter| *letter == '|').collect();
            let is_one = |text: &[char]| choices.contains(&text);
            rest_after(rest, &|text| match kind {
                '@' => is_one(text),
                '?' => text.is_empty() || is_one(text),
                // Before the end of a pattern, nothing that begins so (case excludes-not-extglob).
                '!' if rest.is_empty() => level(text) && !is_one(text),
                '!' => level(text) && !choices.iter().any(|choice| path.starts_with(choice)),
                _ => {
                    let unit = choices[0];
                    !text.is_empty() && text.chunks(unit.len()).all(|part| part == unit)
                }
            })
        }
        ['*', rest @ ..] => rest_after(rest, &level),
        ['?', rest @ ..] => path.first().is_some_and(|c| *c != '/') && here(rest, &path[1..]),
        ['[', rest @ ..] => {
            let end = rest.iter().position(|letter| *letter == ']').unwrap();
            path.first().is_some_and(|c| rest[..end].contains(c))
                && here(&rest[end + 1..], &path[1..])
        }
        [letter, rest @ ..] => path.first() == Some(letter) && here(rest, &path[1..]),
    }
}

#[test]
fn the_naive_reader_knows_each_form() {
    for (pattern, path, wanted) in [
        ("**/x.md", "/a/b/x.md", true),
        ("**/x.md", "/a/b/yx.md", false),
        ("/a/**", "/a/.b/x.md", true),
        ("/a/*/x.md", "/a/b/c/x.md", false),
        ("**/{A,B}.md", "/a/B.md", true),
        ("**/C?A*.md", "/a/CLAUDE.md", true),
        ("**/[CA]*.md", "/a/AGENTS.md", true),
        ("**/@(a|b).md", "/b.md", true),
        ("**/!(a).md", "/a.md", false),
        ("**/!(a).md", "/a.local.md", false),
        ("**/!(a).md", "/b.local.md", true),
        ("**/!(a.md)", "/a.md.md", true),
        ("**/+(x).md", "/xx.md", true),
        ("**/?(y )z.md", "/z.md", true),
        ("!/a/**", "/b", true),
        ("x.md", "/x.md", false),
        ("*", "/x.md", false),
    ] {
        assert_eq!(excludes(pattern, path), wanted, "{pattern} {path}");
    }
}
