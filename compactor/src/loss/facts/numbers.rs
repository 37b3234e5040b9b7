//! Numbers with their units, versions, and numbers that are codes.

use super::FactClass;

/// Three numbers or more between dots.
pub(super) fn is_version(token: &str) -> bool {
    let mut parts = token.split('.');
    parts.clone().count() >= 3
        && parts.all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()))
}

const UNITS: &[&str] = &[
    "%",
    "B",
    "GB",
    "GHz",
    "GiB",
    "Hz",
    "K",
    "KB",
    "KiB",
    "MB",
    "MHz",
    "MiB",
    "TB",
    "bytes",
    "characters",
    "chars",
    "commits",
    "cores",
    "d",
    "days",
    "errors",
    "failures",
    "files",
    "fps",
    "h",
    "hours",
    "items",
    "k",
    "kB",
    "kHz",
    "km",
    "lines",
    "m",
    "messages",
    "min",
    "minutes",
    "mm",
    "ms",
    "ns",
    "px",
    "records",
    "requests",
    "retries",
    "rows",
    "s",
    "sec",
    "seconds",
    "tests",
    "threads",
    "times",
    "tokens",
    "us",
    "users",
    "warnings",
    "weeks",
    "workers",
    "x",
    "years",
    "Dateien",
    "Minuten",
    "Sekunden",
    "Stunden",
    "Tage",
    "Zeilen",
    "fichiers",
    "heures",
    "jours",
    "lignes",
    "secondes",
    "archivos",
    "días",
    "horas",
    "líneas",
    "minutos",
    "segundos",
];
const SIGNS: &[&str] = &[
    "毫秒", "秒", "分钟", "分", "小时", "時間", "天", "日", "行", "个", "個", "件", "条", "次",
    "倍", "字节", "回", "名",
];
/// Words before a number that make it a code.
const CODES: [&str; 6] = ["code", "status", "HTTP", "errno", "Status", "Code"];

/// Tells a number with its unit, a version, or a code. `at` is the token's place.
pub(super) fn number<'t>(
    text: &'t str,
    at: usize,
    token: &'t str,
    found: &mut impl FnMut(FactClass, &'t str),
) -> bool {
    if is_version(token) {
        found(FactClass::Number, token);
        return true;
    }
    let end = at + token.len();
    // `1,000`: the signs before the comma are a token of their own.
    let at = thousands(text, at, token);
    let is_figure = |c: char| c.is_ascii_digit() || matches!(c, '.' | '_');
    let figures = token.len() - token.trim_start_matches(is_figure).len();
    let unit = &token[figures..];
    if !unit.is_empty() {
        let is_unit = UNITS.contains(&unit);
        if is_unit {
            found(FactClass::Number, &text[at..end]);
        }
        return is_unit;
    }
    let before = text[..at].trim_end_matches(' ');
    if at - before.len() == 1
        && let Some(word) = CODES.iter().find(|word| before.ends_with(**word))
        && token.len() <= 5
    {
        found(FactClass::ErrorCode, &text[before.len() - word.len()..end]);
        return true;
    }
    let behind = text[end..].strip_prefix(' ').unwrap_or(&text[end..]);
    let blank = text.len() - end - behind.len();
    let word = behind.find(|c: char| !(c.is_alphabetic() && (c as u32) < 0x250) && c != '%');
    let word = &behind[..word.unwrap_or(behind.len())];
    let unit = match UNITS.contains(&word) && blank == 1 {
        true => Some(word),
        false => SIGNS.iter().copied().find(|sign| behind.starts_with(*sign)),
    };
    if let Some(unit) = unit {
        found(FactClass::Number, &text[at..end + blank + unit.len()]);
    }
    unit.is_some()
}

/// The groups of three figures in a number, at most.
const GROUPS: usize = 6;

/// Where a number begins of which the token is the last three figures.
fn thousands(text: &str, at: usize, token: &str) -> usize {
    let figures = token.len() - token.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let bytes = text.as_bytes();
    let mut start = at;
    for _ in 0..GROUPS {
        if figures != 3 || start < 2 || bytes[start - 1] != b',' {
            break;
        }
        let before = &text[..start - 1];
        let group = before.len() - before.trim_end_matches(|c: char| c.is_ascii_digit()).len();
        if !(1..=3).contains(&group) {
            break;
        }
        start = before.len() - group;
        if group < 3 {
            break;
        }
    }
    start
}
