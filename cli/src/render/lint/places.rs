//! Places as other programs read them.

use std::sync::Arc;

use outcrop_loader::host::Host;
use outcrop_loader::path::AbsPath;
use rustc_hash::FxHashMap;

/// The largest file in which places are looked for, in bytes.
const BOUND: u64 = 32 * 1024 * 1024;

/// Texts of files.
pub(super) struct Texts<'h> {
    host: &'h dyn Host,
    texts: FxHashMap<AbsPath, Option<Arc<str>>>,
}

impl<'h> Texts<'h> {
    pub(super) fn new(host: &'h dyn Host) -> Self {
        Self {
            host,
            texts: FxHashMap::default(),
        }
    }

    /// The line and column of a byte, from 1 on, in characters.
    pub(super) fn position(&mut self, path: &AbsPath, offset: usize) -> Option<(u32, u32)> {
        let host = self.host;
        let text = self.texts.entry(path.clone()).or_insert_with(|| {
            let bytes = host.read(path, BOUND).ok()?;
            Some(String::from_utf8_lossy(&bytes).into())
        });
        let before = text.as_ref()?.get(..offset)?;
        let start = before.rfind('\n').map_or(0, |end| end + 1);
        let line = before.matches('\n').count() + 1;
        let column = before[start..].chars().count() + 1;
        Some((u32::try_from(line).ok()?, u32::try_from(column).ok()?))
    }
}

/// A file as a URI.
pub(super) fn uri(path: &AbsPath) -> String {
    let path = uri_of(path.as_str());
    let slash = if path.starts_with('/') { "" } else { "/" };
    format!("file://{slash}{path}")
}

/// A path with all that a URI does not hold as `%` and two digits.
pub(super) fn uri_of(path: &str) -> String {
    let mut uri = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'/' | b'-' | b'.' | b'_' | b'~' => uri.push(char::from(byte)),
            _ if byte.is_ascii_alphanumeric() => uri.push(char::from(byte)),
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_become_uris() {
        let path = AbsPath::new("/a b/é#.md").unwrap();
        assert_eq!(uri(&path), "file:///a%20b/%C3%A9%23.md");
    }
}
