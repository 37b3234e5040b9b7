//! Which characters of names and texts the client lets into the listing (fact 54).

use icu_properties::props::{
    DefaultIgnorableCodePoint, EmojiPresentation, ExtendedPictographic, GeneralCategory,
    GeneralCategoryGroup,
};
use icu_properties::{CodePointMapData, CodePointSetData};

fn is_in(group: GeneralCategoryGroup, c: char) -> bool {
    group.contains(CodePointMapData::<GeneralCategory>::new().get(c))
}

/// Characters that show nothing: control and format characters, unassigned and private ones, line
/// and paragraph separators, and what may be ignored.
fn is_hidden(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_control();
    }
    let group = GeneralCategoryGroup::Other
        .union(GeneralCategoryGroup::LineSeparator)
        .union(GeneralCategoryGroup::ParagraphSeparator);
    is_in(group, c) || CodePointSetData::new::<DefaultIgnorableCodePoint>().contains(c)
}

fn is_picture(c: char) -> bool {
    !c.is_ascii() && CodePointSetData::new::<ExtendedPictographic>().contains(c)
}

/// Whether the hidden character at `at` is part of an emoji. The client knows the list of
/// sequences in use; this takes every sequence of their form.
fn is_of_emoji(chars: &[char], at: usize) -> bool {
    let next = chars.get(at + 1).copied();
    let Some(before) = at.checked_sub(1).map(|before| chars[before]) else {
        return false;
    };
    match chars[at] {
        '\u{FE0F}' if next == Some('\u{20E3}') => {
            matches!(before, '0'..='9' | '#' | '*')
        }
        '\u{FE0F}' => {
            let coloured = CodePointSetData::new::<EmojiPresentation>().contains(before);
            is_picture(before) && !coloured
        }
        '\u{200D}' => {
            let modifies = matches!(before, '\u{FE0F}' | '\u{1F3FB}'..='\u{1F3FF}');
            next.is_some_and(is_picture) && (modifies || is_picture(before))
        }
        _ => false,
    }
}

/// A text with each run of hidden characters as one blank, and `<` and `>` as entities.
pub(super) fn visible(text: &str) -> String {
    let mut visible = String::with_capacity(text.len());
    if text.bytes().all(|byte| (0x20..0x7F).contains(&byte)) {
        visible.push_str(text);
    } else {
        let chars: Vec<char> = text.chars().collect();
        let mut in_run = false;
        for (at, c) in chars.iter().enumerate() {
            let hidden = is_hidden(*c) && !is_of_emoji(&chars, at);
            if !hidden {
                visible.push(*c);
            } else if !in_run {
                visible.push(' ');
            }
            in_run = hidden;
        }
    }
    visible.replace('<', "&lt;").replace('>', "&gt;")
}

/// Whether a name may stand in the listing: nothing hidden, no angles, no blanks but plain single
/// ones between other characters.
pub(super) fn is_listable(name: &str, emoji: bool) -> bool {
    if name.starts_with(' ') || name.ends_with(' ') || name.contains("  ") {
        return false;
    }
    let chars: Vec<char> = name.chars().collect();
    chars.iter().enumerate().all(|(at, c)| {
        let blank = *c != ' ' && is_in(GeneralCategoryGroup::SpaceSeparator, *c);
        let hidden = is_hidden(*c) && !(emoji && is_of_emoji(&chars, at));
        !(blank || hidden || matches!(c, '<' | '>'))
    })
}

/// Whether a name of front matter may stand beside that of the folder: letters, marks and
/// numbers, `_`, `.`, `:` and `-`.
pub(super) fn is_displayable(name: &str) -> bool {
    let group = GeneralCategoryGroup::Letter
        .union(GeneralCategoryGroup::Mark)
        .union(GeneralCategoryGroup::Number);
    let fits = |c: char| matches!(c, '_' | '.' | ':' | '-') || is_in(group, c);
    !name.is_empty() && name.chars().all(fits)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Seen in 2.1.332.
    #[test]
    fn hidden_characters_become_blanks() {
        for (text, seen) in [
            ("X\u{200B}\u{200B}Y\u{200B}", "X Y "),
            ("X\u{200B} \u{200B}Y", "X   Y"),
            ("X\r\nY\u{378}Z\u{34F}", "X Y Z "),
            ("X\u{A0}Y\u{2003}Z", "X\u{A0}Y\u{2003}Z"),
            ("<b>", "&lt;b&gt;"),
            ("\u{260E}\u{FE0F}Y", "\u{260E}\u{FE0F}Y"),
            ("1\u{FE0F}\u{20E3}1\u{FE0F}x", "1\u{FE0F}\u{20E3}1 x"),
            ("\u{1F600}\u{FE0F}Y", "\u{1F600} Y"),
            (
                "\u{2764}\u{FE0F}\u{200D}\u{1F525}",
                "\u{2764}\u{FE0F}\u{200D}\u{1F525}",
            ),
        ] {
            assert_eq!(visible(text), seen, "{text:?}");
        }
    }

    /// Seen in 2.1.332.
    #[test]
    fn names_are_checked() {
        for name in ["a b", "ké", "l:m", "(r", "日本", "\u{2764}\u{FE0F}", "|p"] {
            assert!(is_listable(name, true), "{name:?}");
        }
        for name in ["c<d", "e>f", "n\no", "q\u{A0}r", "p\u{200B}q", "x\u{FE0F}y"] {
            assert!(!is_listable(name, true), "{name:?}");
        }
        for name in ["a-b", "é1", ":x", "x.", "xⅫ", "x²", "1"] {
            assert!(is_displayable(name), "{name:?}");
        }
        for name in ["a b", "a/b", "x·y", "☃", "it's", ""] {
            assert!(!is_displayable(name), "{name:?}");
        }
    }
}
