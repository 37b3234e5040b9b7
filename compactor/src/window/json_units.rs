//! The length of JSON in its shortest form.

/// The UTF-16 units of JSON as the client writes it: without white space between its parts, each
/// character as short as it goes, each number in its shortest form. `json` must be valid; of
/// other text the result means nothing.
#[must_use]
pub fn json_units(json: &str) -> u64 {
    let mut units = 0;
    let mut rest = json;
    while let Some(first) = rest.chars().next() {
        let (more, taken) = match first {
            ' ' | '\t' | '\r' | '\n' => (0, 1),
            '"' => text(rest),
            '-' | '0'..='9' => number(rest),
            // A sign, or a letter of `true`, `false` and `null`.
            other => (1, other.len_utf8()),
        };
        units += more;
        rest = &rest[taken..];
    }
    units
}

/// The units of the text at the start, quotes included, and the bytes that it takes.
fn text(json: &str) -> (u64, usize) {
    let mut units = 1;
    let mut characters = json.char_indices().skip(1);
    while let Some((at, character)) = characters.next() {
        units += match character {
            '"' => return (units + 1, at + 1),
            '\\' => {
                let escaped = characters.next();
                match escaped.map(|(at, escaped)| (escaped, json.get(at + 1..at + 5))) {
                    Some(('u', Some(digits))) => {
                        characters.nth(3);
                        u32::from_str_radix(digits, 16).map_or(1, of_code)
                    }
                    Some(('/', _)) => 1,
                    _ => 2,
                }
            }
            other => other.len_utf16() as u64,
        };
    }
    (units, json.len())
}

/// The units of a character that was written by its number. One half of a pair counts 1: the
/// client has put another character in its place before it counts.
fn of_code(code: u32) -> u64 {
    match code {
        0x22 | 0x5C | 0x08 | 0x09 | 0x0A | 0x0C | 0x0D => 2,
        0x00..0x20 => 6,
        _ => 1,
    }
}

/// The units of the number at the start, and the bytes that it takes.
fn number(json: &str) -> (u64, usize) {
    let is_of_it = |c: char| matches!(c, '0'..='9' | '-' | '+' | '.' | 'e' | 'E');
    let taken = json.find(|c| !is_of_it(c)).unwrap_or(json.len());
    let written = &json[..taken];
    let is_whole = !written.contains(['.', 'e', 'E']);
    let units = match written.parse::<f64>() {
        Ok(0.0) => 1,
        Ok(value) if !is_whole && value.is_finite() => shortest(value),
        _ => taken,
    };
    (units as u64, taken)
}

/// The length of a number as JavaScript prints it.
fn shortest(value: f64) -> usize {
    let size = value.abs();
    if (1e-6..1e21).contains(&size) {
        format!("{value}").len()
    } else {
        // `1e25` is written as `1e+25`.
        format!("{value:e}").len() + usize::from(size >= 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn measures_the_shortest_form() {
        for (json, shortest) in [
            ("{}", "{}"),
            (
                " { \"a\" : [ 1 , true,\n null ] } ",
                r#"{"a":[1,true,null]}"#,
            ),
            (r#""\u0041\/\u00e9\ud83d\ude00""#, r#""A/éxx""#),
            (r#""\n\u000a\"\\\u0022""#, r#""\n\n\"\\\"""#),
            (r#""\u0001\u001f""#, r#""\u0001\u001f""#),
            (r#""日\u2028 : , ""#, r#""日x : , ""#),
            (
                "[1.0,-0,0.0,1.50,10,12345678901]",
                "[1,0,0,1.5,10,12345678901]",
            ),
            ("[1e25,1E-7,1e3,-2.50e-9]", "[1e+25,1e-7,1000,-2.5e-9]"),
        ] {
            let wanted = shortest.encode_utf16().count() as u64;
            assert_eq!(json_units(json), wanted, "{json}");
        }
    }

    #[test]
    fn torn_text_ends() {
        for json in [r#""a"#, r#""\"#, r#""\u00"#, r#"{"a":"#, "-", "\"\\u12é"] {
            assert!(json_units(json) <= json.len() as u64 + 4, "{json}");
        }
    }
}
