//! Absolute paths as the client names them: UTF-8, `/` between parts, lexically normal.
//!
//! The client is a JavaScript program: a path is a string, and a name that is not
//! UTF-8 cannot be opened by it at all. Keeping paths as strings lets a Windows tree
//! be simulated on Linux and makes each path that is printed the path that was used.

use std::fmt;

use serde::{Serialize, Serializer};

/// An absolute, lexically normalised path: no `.`, no `..`, no doubled or trailing `/`.
///
/// The root is `/` or, for Windows trees, a drive such as `C:/` (the letter in upper
/// case, so that `c:\x` and `C:/x` are one path) or a share `//server/`.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AbsPath {
    text: String,
    root: usize,
}

impl AbsPath {
    /// Reads an absolute path. `None` when `text` is relative or empty.
    ///
    /// Backslashes separate parts only behind a drive letter or in a share, since they
    /// are ordinary characters of a name elsewhere.
    #[must_use]
    pub fn new(text: &str) -> Option<Self> {
        let bytes = text.as_bytes();
        if bytes.len() >= 2 && bytes[0].is_ascii_alphabetic() && bytes[1] == b':' {
            let rest = text[2..].replace('\\', "/");
            if !rest.is_empty() && !rest.starts_with('/') {
                return None;
            }
            let drive = char::from(bytes[0].to_ascii_uppercase());
            return Some(Self::normal(format!("{drive}:/"), &rest));
        }
        if let Some(share) = text.strip_prefix("\\\\") {
            let rest = share.replace('\\', "/");
            let server = rest.split('/').next().unwrap_or_default().to_owned();
            let tail = rest[server.len()..].to_owned();
            return Some(Self::normal(format!("//{server}/"), &tail));
        }
        text.strip_prefix('/')
            .map(|rest| Self::normal("/".to_owned(), rest))
    }

    fn normal(root: String, rest: &str) -> Self {
        let mut path = Self {
            root: root.len(),
            text: root,
        };
        path.push_all(rest);
        path
    }

    fn push_all(&mut self, relative: &str) {
        for part in relative.split('/') {
            match part {
                "" | "." => {}
                ".." => {
                    let end = self.text.rfind('/').unwrap_or(0).max(self.root);
                    self.text.truncate(end);
                }
                name => {
                    if self.text.len() > self.root {
                        self.text.push('/');
                    }
                    self.text.push_str(name);
                }
            }
        }
    }

    /// `relative` resolved against this directory; an absolute text replaces it.
    #[must_use]
    pub fn join(&self, relative: &str) -> Self {
        // `C:` is an ordinary name where there are no drives.
        let absolute = relative.starts_with('/') || self.has_drive();
        if let Some(absolute) = Self::new(relative).filter(|_| absolute) {
            return absolute;
        }
        let mut path = self.clone();
        path.push_all(relative);
        path
    }

    fn has_drive(&self) -> bool {
        self.root > 1
    }

    /// This directory's entry `name`, which is taken as it is: not split and not normalised.
    #[must_use]
    pub fn child(&self, name: &str) -> Self {
        let mut text = String::with_capacity(self.text.len() + name.len() + 1);
        text.push_str(&self.text);
        if text.len() > self.root {
            text.push('/');
        }
        text.push_str(name);
        Self {
            text,
            root: self.root,
        }
    }

    /// The path as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Whether this is the root of its file system.
    #[must_use]
    pub fn is_root(&self) -> bool {
        self.text.len() == self.root
    }

    /// The directory that holds this path; `None` for a root.
    #[must_use]
    pub fn parent(&self) -> Option<Self> {
        if self.is_root() {
            return None;
        }
        let end = self.text.rfind('/').unwrap_or(0).max(self.root);
        Some(Self {
            text: self.text[..end].to_owned(),
            root: self.root,
        })
    }

    /// The last part; empty for a root.
    #[must_use]
    pub fn file_name(&self) -> &str {
        if self.is_root() {
            return "";
        }
        let start = self.text.rfind('/').map_or(0, |slash| slash + 1);
        &self.text[start.max(self.root)..]
    }

    /// Whether this path is `other` or lies below it.
    #[must_use]
    pub fn is_within(&self, other: &Self) -> bool {
        self.below(other).is_some()
    }

    /// The path relative to `base`: empty for `base` itself, `None` outside it.
    #[must_use]
    pub fn below<'a>(&'a self, base: &Self) -> Option<&'a str> {
        let rest = self.text.strip_prefix(base.text.as_str())?;
        if rest.is_empty() || base.is_root() {
            Some(rest)
        } else {
            rest.strip_prefix('/')
        }
    }

    /// The path as a user standing in `base` would write it, with `..` where needed.
    #[must_use]
    pub fn relative_to(&self, base: &Self) -> String {
        if let Some(rest) = self.below(base) {
            return if rest.is_empty() { "." } else { rest }.to_owned();
        }
        let mut ups = String::new();
        let mut dir = base.clone();
        while let Some(parent) = dir.parent() {
            ups.push_str("../");
            if let Some(rest) = self.below(&parent) {
                ups.push_str(rest);
                return ups.trim_end_matches('/').to_owned();
            }
            dir = parent;
        }
        self.text.clone()
    }

    /// This path and the directories above it, innermost first, the root last.
    pub fn ancestors(&self) -> impl Iterator<Item = Self> {
        std::iter::successors(Some(self.clone()), Self::parent)
    }
}

impl fmt::Display for AbsPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl fmt::Debug for AbsPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.text)
    }
}

impl Serialize for AbsPath {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text)
    }
}

/// A relative path and a name below it as one path, normalised: `./b` and `c` are `b/c`.
pub(crate) fn joined(relative: &str, name: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in relative.split('/').chain(name.split('/')) {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn abs(text: &str) -> AbsPath {
        AbsPath::new(text).unwrap()
    }

    #[test]
    fn relative_paths_are_joined() {
        assert_eq!(joined("./b/../../c//", "x/y"), "../c/x/y");
        assert_eq!(joined(".", "x"), "x");
    }

    #[test]
    fn normalises_dots_and_slashes() {
        assert_eq!(abs("/a//b/./c/../d/").as_str(), "/a/b/d");
        assert_eq!(abs("/../..").as_str(), "/");
        assert!(AbsPath::new("a/b").is_none());
        assert!(AbsPath::new("").is_none());
    }

    #[test]
    fn knows_drives_and_shares() {
        assert_eq!(abs("c:\\Users\\dev").as_str(), "C:/Users/dev");
        assert_eq!(abs("C:/Users/dev"), abs("c:/Users/dev/."));
        assert_eq!(abs("C:/").parent(), None);
        assert_eq!(abs("C:/a").parent(), Some(abs("C:/")));
        assert_eq!(abs("\\\\srv\\share\\x").as_str(), "//srv/share/x");
        assert!(AbsPath::new("c:relative").is_none());
    }

    #[test]
    fn below_compares_whole_parts() {
        assert_eq!(abs("/a/bc").below(&abs("/a/b")), None);
        assert_eq!(abs("/a/b/c").below(&abs("/a/b")), Some("c"));
        assert_eq!(abs("/a").below(&abs("/")), Some("a"));
        assert_eq!(abs("/a").below(&abs("/a")), Some(""));
    }

    #[test]
    fn relative_text_climbs_where_needed() {
        assert_eq!(abs("/w/a/x.md").relative_to(&abs("/w/b/c")), "../../a/x.md");
        assert_eq!(abs("/w").relative_to(&abs("/w/b")), "..");
        assert_eq!(abs("/w").relative_to(&abs("/w")), ".");
    }

    #[test]
    fn join_takes_absolute_and_relative_texts() {
        assert_eq!(abs("/w/a").join("../b").as_str(), "/w/b");
        assert_eq!(abs("/w/a").join("/etc/x").as_str(), "/etc/x");
        assert_eq!(abs("/w/a").join("C:").as_str(), "/w/a/C:");
        assert_eq!(abs("D:/w").join("c:/x").as_str(), "C:/x");
        assert_eq!(abs("/").child("x").as_str(), "/x");
    }
}
