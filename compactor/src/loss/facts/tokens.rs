//! What a run of signs without blanks is: a path, a number, a code, a name.

use std::ops::Range;

use super::FactClass;
use super::numbers::{is_version, number};

/// What signs occur in a token.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) struct Marks(u16);

const SLASH: u16 = 1;
const UNDERSCORE: u16 = 1 << 1;
const DOT: u16 = 1 << 2;
const COLON: u16 = 1 << 3;
const DIGIT: u16 = 1 << 4;
const UPPER: u16 = 1 << 5;
const LOWER: u16 = 1 << 6;
const DASH: u16 = 1 << 7;
const BACKSLASH: u16 = 1 << 8;
/// A capital behind a small letter.
const HUMP: u16 = 1 << 9;
/// `:/`.
const SCHEME: u16 = 1 << 10;
/// `--`.
const DASHES: u16 = 1 << 11;

/// How many bytes of a token each byte begins. Letters of Latin scripts are part of words; other
/// scripts stand without blanks beside them.
const PART: [u8; 256] = {
    let mut part = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        part[byte] = match byte as u8 {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => 1,
            b'_' | b'-' | b'.' | b'/' | b'\\' | b':' | b'~' | b'%' | b'@' | b'+' => 1,
            0xC3..=0xC9 => 2,
            _ => 0,
        };
        byte += 1;
    }
    part
};

/// How many bytes of a token a byte begins; 0 where it is part of none.
pub(super) const fn part(byte: u8) -> usize {
    PART[byte as usize] as usize
}

impl Marks {
    pub(super) fn of(text: &str) -> Self {
        let mut marks = Self::default();
        let mut before = 0;
        for byte in text.bytes() {
            marks.add(before, byte);
            before = byte;
        }
        marks
    }

    pub(super) const fn add(&mut self, before: u8, byte: u8) {
        self.0 |= match byte {
            b'a'..=b'z' => LOWER,
            b'A'..=b'Z' if before.is_ascii_lowercase() => UPPER | HUMP,
            b'A'..=b'Z' => UPPER,
            b'0'..=b'9' => DIGIT,
            b'_' => UNDERSCORE,
            b'.' => DOT,
            b'/' if before == b':' => SLASH | SCHEME,
            b'/' => SLASH,
            b'\\' => BACKSLASH,
            b':' => COLON,
            b'-' if before == b'-' => DASHES,
            b'-' => DASH,
            _ => 0,
        };
    }

    const fn has(self, marks: u16) -> bool {
        self.0 & marks != 0
    }

    /// Whether a token with these can be a fact: plain words are none.
    pub(super) const fn may_be_fact(self) -> bool {
        self.has(SLASH | UNDERSCORE | DOT | COLON | DIGIT | BACKSLASH | HUMP | DASHES)
            || (self.has(UPPER) && !self.has(LOWER))
    }

    pub(super) const fn has_scheme(self) -> bool {
        self.has(SCHEME)
    }
}

/// The address that begins in the token `start..end`.
pub(super) fn url(text: &str, start: usize, end: usize) -> Option<Range<usize>> {
    let colon = start + text[start..end].find("://")?;
    let is_scheme = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.');
    let scheme = text[start..colon].trim_end_matches(is_scheme);
    let begin = start + scheme.len();
    if !text[begin..colon].starts_with(|c: char| c.is_ascii_alphabetic()) {
        return None;
    }
    let ends = |c: char| {
        !(c.is_ascii() || c.is_alphanumeric() && (c as u32) < 0x250)
            || c.is_whitespace()
            || c.is_control()
            || "\"'`<>()[]{}|\\^*,;".contains(c)
    };
    let rest = &text[colon + 3..];
    let address = &rest[..rest.find(ends).unwrap_or(rest.len())];
    let address = address.trim_end_matches(['.', ':', '!', '?']);
    (!address.is_empty()).then(|| begin..colon + 3 + address.len())
}

/// Extensions by which a name without folder is one of a file.
const EXTENSIONS: &[&str] = &[
    "bash",
    "bat",
    "c",
    "cc",
    "cfg",
    "cjs",
    "conf",
    "cpp",
    "cs",
    "css",
    "csv",
    "cts",
    "dart",
    "diff",
    "env",
    "erl",
    "ex",
    "exs",
    "gif",
    "go",
    "gradle",
    "graphql",
    "h",
    "hpp",
    "hs",
    "htm",
    "html",
    "ini",
    "ipynb",
    "java",
    "jpeg",
    "jpg",
    "js",
    "json",
    "jsonc",
    "jsonl",
    "jsx",
    "kt",
    "kts",
    "less",
    "lock",
    "log",
    "lua",
    "md",
    "mdx",
    "mjs",
    "ml",
    "mts",
    "nix",
    "patch",
    "pdf",
    "php",
    "pl",
    "png",
    "properties",
    "proto",
    "ps1",
    "py",
    "pyi",
    "rb",
    "rs",
    "rst",
    "sass",
    "scala",
    "scss",
    "sh",
    "sql",
    "sqlite",
    "svelte",
    "svg",
    "swift",
    "tf",
    "tgz",
    "toml",
    "ts",
    "tsv",
    "tsx",
    "txt",
    "vue",
    "wasm",
    "webp",
    "xml",
    "yaml",
    "yml",
    "zig",
    "zip",
    "zsh",
];

/// Folders by which two words with a slash are a path.
const FOLDERS: &[&str] = &[
    ".claude",
    ".github",
    "api",
    "app",
    "apps",
    "assets",
    "benches",
    "bin",
    "build",
    "cli",
    "client",
    "cmd",
    "components",
    "config",
    "core",
    "crates",
    "dist",
    "docs",
    "examples",
    "internal",
    "lib",
    "migrations",
    "packages",
    "pkg",
    "public",
    "scripts",
    "server",
    "spec",
    "src",
    "target",
    "test",
    "tests",
    "tools",
    "vendor",
    "web",
];

/// Tells the facts of the token `start..end`.
pub(super) fn classify<'t>(
    text: &'t str,
    start: usize,
    end: usize,
    marks: Marks,
    found: &mut impl FnMut(FactClass, &'t str),
) {
    let token = &text[start..end];
    let bare = token.trim_end_matches(['.', ':', '-', '@', '+', '~']);
    let bare = bare.trim_start_matches([':', '@', '+']);
    if bare.len() < 2 {
        return;
    }
    if marks.has(SLASH | BACKSLASH) {
        if let Some(path) = path(bare) {
            return found(FactClass::Path, path);
        }
        return;
    }
    if bare.as_bytes()[0].is_ascii_digit() {
        let at = start + (bare.as_ptr() as usize - token.as_ptr() as usize);
        if number(text, at, bare, found) || !is_hash(bare) {
            return;
        }
        return found(FactClass::Identifier, bare);
    }
    if marks.has(COLON) && !bare.contains("::") {
        for piece in bare.split(':').filter(|piece| !piece.is_empty()) {
            plain(piece, found);
        }
        return;
    }
    plain(bare, found);
}

/// A path, without line and column behind it.
fn path(token: &str) -> Option<&str> {
    let drive = token.as_bytes().get(1) == Some(&b':') && token.as_bytes()[0].is_ascii_alphabetic();
    let from = if drive { 2 } else { 0 };
    let end = token[from..].find(':').map_or(token.len(), |at| from + at);
    let path = token[..end].trim_end_matches(['.', '-']);
    if token.contains('\\') && !drive && !path.starts_with("\\\\") {
        return None;
    }
    let path_only = path.trim_start_matches("./").trim_start_matches("../");
    let mut parts = path_only.split(['/', '\\']).filter(|part| !part.is_empty());
    let first = parts.next()?;
    let rest: Vec<&str> = parts.collect();
    let is_anchored = path.starts_with(['/', '~', '.']) || drive;
    let last = rest.last().copied().unwrap_or(first);
    let is_path = if path.starts_with("//") {
        false
    } else if is_anchored {
        !rest.is_empty() || path.len() > path_only.len() || has_extension(last)
    } else {
        has_extension(last)
            || (FOLDERS.contains(&first) && !rest.is_empty())
            || rest.len() >= 2 && !is_listing(first, &rest)
    };
    (is_path && path.bytes().any(|byte| byte.is_ascii_alphabetic())).then_some(path)
}

/// Short alternatives, as in `a/b/c`, and dates.
fn is_listing(first: &str, rest: &[&str]) -> bool {
    let is_short = |part: &&str| part.len() <= 2 || part.bytes().all(|byte| byte.is_ascii_digit());
    is_short(&first) || rest.iter().all(is_short)
}

fn has_extension(name: &str) -> bool {
    name.rsplit_once('.')
        .is_some_and(|(stem, extension)| !stem.is_empty() && EXTENSIONS.contains(&extension))
}

/// Codes of the operating system.
const ERRNO: &[&str] = &[
    "EACCES",
    "EADDRINUSE",
    "EAGAIN",
    "EBADF",
    "EBUSY",
    "ECONNREFUSED",
    "ECONNRESET",
    "EEXIST",
    "EFAULT",
    "EINVAL",
    "EIO",
    "EISDIR",
    "EMFILE",
    "ENOENT",
    "ENOMEM",
    "ENOSPC",
    "ENOTDIR",
    "ENOTEMPTY",
    "ENOTFOUND",
    "EPERM",
    "EPIPE",
    "ERANGE",
    "EROFS",
    "ESRCH",
    "ETIMEDOUT",
    "EXDEV",
    "SIGABRT",
    "SIGBUS",
    "SIGFPE",
    "SIGHUP",
    "SIGILL",
    "SIGINT",
    "SIGKILL",
    "SIGPIPE",
    "SIGSEGV",
    "SIGTERM",
];

/// What a token is that is neither a path nor a number.
fn plain<'t>(token: &'t str, found: &mut impl FnMut(FactClass, &'t str)) {
    let marks = Marks::of(token);
    if is_code(token) || ERRNO.contains(&token) || (token.starts_with("ERR_") && token.len() > 5) {
        return found(FactClass::ErrorCode, token);
    }
    if marks.has(DOT) && (has_extension(token) || is_dotfile(token)) {
        return found(FactClass::Path, token);
    }
    if token.starts_with("--") && token.len() > 4 && token.as_bytes()[2].is_ascii_alphabetic() {
        return found(FactClass::Identifier, token);
    }
    if is_version(token.strip_prefix('v').unwrap_or_default()) {
        return found(FactClass::Number, token);
    }
    let name = token.trim_matches(['.', '-', '%']);
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte >= 0x80;
    let snake = name.as_bytes().windows(3).any(|three| {
        three[1] == b'_'
            && (is_word(three[0]) || three[0] == b'_')
            && (is_word(three[2]) || three[2] == b'_')
    });
    let is_name =
        snake || marks.has(HUMP) || (name.contains("::") && name.len() > 4) || is_hash(name);
    if is_name && name.len() >= 3 && name.bytes().any(|byte| byte.is_ascii_alphabetic()) {
        found(FactClass::Identifier, name);
    }
}

fn is_dotfile(token: &str) -> bool {
    let name = token.strip_prefix('.').unwrap_or_default();
    name.len() > 2
        && name.bytes().all(|byte| byte.is_ascii_lowercase())
        && matches!(
            name,
            "env"
                | "gitignore"
                | "npmrc"
                | "eslintrc"
                | "prettierrc"
                | "editorconfig"
                | "dockerignore"
                | "nvmrc"
                | "mcp"
        )
}

/// `E0382`, `TS2345`, `ORA-00942`, `CVE-…`.
fn is_code(token: &str) -> bool {
    const NONE: [&str; 14] = [
        "SHA", "SHA-", "UTF", "UTF-", "ISO", "ISO-", "RFC", "RFC-", "AES", "HTTP", "MD", "GPT-",
        "FY", "COVID-",
    ];
    let digits = token.len() - token.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    let letters = &token[..token.len() - digits];
    let bare = letters.trim_end_matches('-');
    let is_upper = !bare.is_empty() && bare.bytes().all(|byte| byte.is_ascii_uppercase());
    is_upper
        && !NONE.contains(&letters)
        && match bare.len() {
            1 => matches!(bare, "E" | "F" | "W" | "C" | "D" | "N") && (3..=5).contains(&digits),
            2..=6 => (3..=5).contains(&digits),
            _ => false,
        }
}

/// A hash of a commit or a uuid: figures of base 16, both digits and letters.
fn is_hash(token: &str) -> bool {
    let is_figure = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    let bytes = token.as_bytes();
    let is_mixed = bytes.iter().any(u8::is_ascii_digit) && bytes.iter().any(u8::is_ascii_lowercase);
    let is_uuid = bytes.len() == 36 && [8, 13, 18, 23].iter().all(|at| bytes[*at] == b'-');
    is_mixed
        && ((7..=64).contains(&bytes.len()) && bytes.iter().all(|byte| is_figure(*byte))
            || is_uuid && bytes.iter().all(|byte| is_figure(*byte) || *byte == b'-'))
}
