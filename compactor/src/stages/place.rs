//! Words that several stages use.

/// Where records stand, as the end of a note; nothing where nowhere.
pub(super) fn lines(lines: impl Iterator<Item = u32>) -> String {
    let mut first = None;
    let mut last = None;
    for line in lines {
        first = Some(first.map_or(line, |first: u32| first.min(line)));
        last = Some(last.map_or(line, |last: u32| last.max(line)));
    }
    match (first, last) {
        (Some(first), Some(last)) if first < last => {
            format!("; transcript lines {first}–{last}")
        }
        (Some(line), Some(_)) => format!("; transcript line {line}"),
        _ => String::new(),
    }
}
