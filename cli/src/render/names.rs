//! Paths, numbers and counts as people read them.

use outcrop_loader::path::AbsPath;
use outcrop_loader::session::Session;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// How many `..` a path may begin with before the form from home, or the whole, reads better.
const CLIMBS: usize = 4;

/// A path as the user would write it: from the session's directory, from home, or whole.
pub(crate) fn short(session: &Session<'_>, path: &AbsPath) -> String {
    let relative = path.relative_to(session.cwd());
    let climbs = relative.matches("../").count();
    let home = &session.origin().home;
    let config = session.origin().config();
    if !relative.starts_with('/') && climbs <= CLIMBS && !path.is_within(&config) {
        return relative;
    }
    match path.below(home) {
        Some(rest) => format!("~/{rest}"),
        None => path.to_string(),
    }
}

/// A sentence with the paths in it shortened: those below the session's directory start there,
/// those below home with `~`.
pub(crate) fn shortened(session: &Session<'_>, text: &str) -> String {
    let cwd = format!("{}/", session.cwd());
    let home = format!("{}/", session.origin().home);
    replaced(&replaced(text, &cwd, ""), &home, "~/")
}

/// The text with `folder` replaced where a path of the sentence begins with it: neither inside
/// another path nor in what is quoted as written.
fn replaced(text: &str, folder: &str, by: &str) -> String {
    let mut shorter = String::with_capacity(text.len());
    let mut done = 0;
    for (at, _) in text.match_indices(folder) {
        let before = text[..at].chars().next_back();
        if before.is_none_or(|c| c.is_whitespace() || c == '(') {
            shorter.push_str(&text[done..at]);
            shorter.push_str(by);
            done = at + folder.len();
        }
    }
    shorter.push_str(&text[done..]);
    shorter
}

/// `1,234,567`.
pub(crate) fn number(number: impl TryInto<u64>) -> String {
    let digits = number.try_into().unwrap_or(u64::MAX).to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `1 layer`, `2 layers`.
pub(crate) fn count(n: usize, one: &str, many: &str) -> String {
    format!("{} {}", number(n), if n == 1 { one } else { many })
}

/// The text padded on the right to a width in terminal cells.
pub(crate) fn padded(text: &str, width: usize) -> String {
    let missing = width.saturating_sub(text.width());
    format!("{text}{}", " ".repeat(missing))
}

/// The text cut to a width in terminal cells, with `…` where something is missing.
pub(crate) fn cut(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let mut taken = 0;
    let fits = |c: &char| {
        taken += c.width().unwrap_or(0);
        taken < width
    };
    let start: String = text.chars().take_while(fits).collect();
    format!("{start}…")
}

/// The end of a text, as of a path, cut to a width in terminal cells.
pub(crate) fn cut_start(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let mut taken = 0;
    let fits = |c: &char| {
        taken += c.width().unwrap_or(0);
        taken < width
    };
    let end: Vec<char> = text.chars().rev().take_while(fits).collect();
    let end: String = end.into_iter().rev().collect();
    format!("…{end}")
}

/// `512 B`, `1.5 kB`, `12 MB`.
pub(crate) fn bytes(bytes: u64) -> String {
    let mut tenths = bytes.saturating_mul(10);
    if bytes < 1000 {
        return format!("{bytes} B");
    }
    for unit in ["kB", "MB", "GB"] {
        tenths /= 1000;
        if tenths < 100 {
            return format!("{}.{} {unit}", tenths / 10, tenths % 10);
        }
        if tenths < 10_000 || unit == "GB" {
            return format!("{} {unit}", tenths / 10);
        }
    }
    String::new()
}

/// The text broken into lines of at most `width` cells at spaces; a longer word stands alone.
pub(crate) fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let line = lines.len() - 1;
        let full = lines[line].width() + 1 + word.width() > width;
        if full && !lines[line].is_empty() {
            lines.push(word.to_owned());
        } else {
            if !lines[line].is_empty() {
                lines[line].push(' ');
            }
            lines[line].push_str(word);
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_groups() {
        assert_eq!(number(0), "0");
        assert_eq!(number(999), "999");
        assert_eq!(number(1234567), "1,234,567");
    }

    #[test]
    fn texts_are_cut_at_either_end() {
        assert_eq!(
            (cut("abc", 3), cut("abcd", 3)),
            ("abc".into(), "ab…".into())
        );
        assert_eq!(cut("中文字", 5), "中文…");
        assert_eq!(cut_start("src/lib.rs", 7), "…lib.rs");
    }

    #[test]
    fn sizes_have_two_figures_or_more() {
        let sizes = [
            0,
            999,
            1_000,
            9_990,
            12_345,
            999_999,
            1_000_000,
            100_007_379,
        ];
        assert_eq!(
            sizes.map(bytes),
            [
                "0 B", "999 B", "1.0 kB", "9.9 kB", "12 kB", "999 kB", "1.0 MB", "100 MB"
            ]
        );
        assert_eq!(bytes(u64::MAX), bytes(u64::MAX / 10 + 1));
    }

    #[test]
    fn only_whole_paths_are_shortened() {
        let text = "`/a/x` in /a/b and /srv/a/b:1 (/a/c)";
        assert_eq!(replaced(text, "/a/", ""), "`/a/x` in b and /srv/a/b:1 (c)");
    }

    #[test]
    fn texts_wrap_at_spaces() {
        assert_eq!(wrapped("aa bb cc", 5), ["aa bb", "cc"]);
        assert_eq!(wrapped("aaaaaaa b", 3), ["aaaaaaa", "b"]);
    }
}
