//! Paths as addresses, and bytes as the protocol's positions: lines from 0 and UTF-16 units.

use std::ops::Range;

use lsp_types::{Position, Uri};
use outcrop_loader::path::AbsPath;

/// The path of a `file:` address.
pub(super) fn path(uri: &Uri) -> Option<AbsPath> {
    let text = uri.as_str().strip_prefix("file://")?;
    let text = &text[text.find('/')?..];
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let mut digit = || char::from(rest.next()?).to_digit(16);
            let (high, low) = (digit()?, digit()?);
            bytes.push(u8::try_from(high * 16 + low).ok()?);
        } else {
            bytes.push(byte);
        }
    }
    let text = String::from_utf8(bytes).ok()?;
    // `/c:/x` names a drive.
    let is_drive = text.as_bytes().get(2) == Some(&b':');
    AbsPath::new(if is_drive { &text[1..] } else { &text })
}

/// The address of a path.
pub(super) fn uri(path: &AbsPath) -> Option<Uri> {
    let mut text = "file://".to_owned();
    if !path.as_str().starts_with('/') {
        text.push('/');
    }
    for byte in path.as_str().bytes() {
        let plain = byte.is_ascii_alphanumeric() || b"/-._~:@".contains(&byte);
        if plain {
            text.push(char::from(byte));
        } else {
            text.push_str(&format!("%{byte:02X}"));
        }
    }
    text.parse().ok()
}

/// The position of a byte.
pub(super) fn position(text: &str, offset: usize) -> Position {
    let offset = (0..=offset.min(text.len()))
        .rev()
        .find(|offset| text.is_char_boundary(*offset))
        .unwrap_or(0);
    let before = &text[..offset];
    let line = before.matches('\n').count();
    let start = before.rfind('\n').map_or(0, |end| end + 1);
    let units = before[start..].encode_utf16().count();
    let short = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    Position::new(short(line), short(units))
}

/// The byte at a position; the end of the line where that is shorter.
pub(super) fn offset(text: &str, position: Position) -> usize {
    let line = usize::try_from(position.line).unwrap_or(usize::MAX);
    let start = match line {
        0 => 0,
        _ => match text.match_indices('\n').nth(line - 1) {
            Some((end, _)) => end + 1,
            None => return text.len(),
        },
    };
    let mut units = position.character;
    for (at, c) in text[start..].char_indices() {
        let width = u32::try_from(c.len_utf16()).unwrap_or(1);
        if c == '\n' || units < width {
            return start + at;
        }
        units -= width;
    }
    text.len()
}

/// The range of some bytes.
pub(super) fn range(text: &str, bytes: &Range<usize>) -> lsp_types::Range {
    lsp_types::Range::new(position(text, bytes.start), position(text, bytes.end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_utf16_units() {
        let text = "a😀b\r\n\né@x";
        for offset in [0, 1, 5, 6, 8, 9, 11, 12, 13] {
            if text.is_char_boundary(offset) {
                assert_eq!(
                    super::offset(text, position(text, offset)),
                    offset,
                    "{offset}"
                );
            }
        }
        assert_eq!(position(text, 5), Position::new(0, 3));
        assert_eq!(offset(text, Position::new(0, 99)), text.find('\n').unwrap());
        assert_eq!(offset(text, Position::new(9, 0)), text.len());
    }

    #[test]
    fn addresses_lead_back() {
        for name in ["/srv/a b/ü%.md", "/srv/@x/CLAUDE.md"] {
            let path = AbsPath::new(name).unwrap();
            assert_eq!(super::path(&uri(&path).unwrap()), Some(path));
        }
        assert_eq!(path(&"untitled:x".parse().unwrap()), None);
    }
}
