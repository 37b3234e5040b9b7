//! Numbers in variables, as the client's language reads them from the start of a text.

/// As `parseFloat`: the longest number at the start, and what follows it.
pub(super) fn float(text: &str) -> Option<(f64, &str)> {
    let text = text.trim_start();
    let digits = |from: usize| {
        let rest = text.get(from..).unwrap_or_default();
        rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len()
    };
    let sign = usize::from(text.starts_with(['+', '-']));
    let whole = digits(sign);
    let mut end = sign + whole;
    let mut has_digits = whole > 0;
    if text[end..].starts_with('.') {
        let fraction = digits(end + 1);
        if has_digits || fraction > 0 {
            end += 1 + fraction;
            has_digits = true;
        }
    }
    if !has_digits {
        return None;
    }
    if text[end..].starts_with(['e', 'E']) {
        let sign = usize::from(text[end + 1..].starts_with(['+', '-']));
        let exponent = digits(end + 1 + sign);
        if exponent > 0 {
            end += 1 + sign + exponent;
        }
    }
    let value = text[..end].parse().ok()?;
    Some((value, &text[end..]))
}

/// As `parseInt`: the whole number at the start.
pub(super) fn integer(text: &str) -> Option<f64> {
    let text = text.trim_start();
    let sign = usize::from(text.starts_with(['+', '-']));
    let rest = &text[sign..];
    let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    text[..sign + digits].parse().ok().filter(|_| digits > 0)
}

/// A whole number of tokens above zero; fractions go.
pub(super) fn tokens(value: f64) -> Option<u64> {
    let is_number = value >= 1.0 && value.is_finite();
    // Casts saturate.
    is_number.then_some(value as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_start_of_a_text() {
        for (text, value, rest) in [
            ("150000", 150_000.0, ""),
            (" +.2m", 0.2, "m"),
            ("1.5e5", 150_000.0, ""),
            ("1.5ek", 1.5, "ek"),
            ("-5", -5.0, ""),
            ("50%", 50.0, "%"),
            ("1.é", 1.0, "é"),
        ] {
            assert_eq!(float(text), Some((value, rest)), "{text}");
        }
        for text in ["", "abc", ".", "-", "+e5", "é"] {
            assert_eq!(float(text), None, "{text}");
        }
        assert_eq!(integer("1.5e5"), Some(1.0));
        assert_eq!(integer(" 150k"), Some(150.0));
        assert_eq!(integer("-3"), Some(-3.0));
        assert_eq!(integer("k"), None);
        assert_eq!(tokens(0.8), None);
        assert_eq!(tokens(f64::NAN), None);
        assert_eq!(tokens(1e30), Some(u64::MAX));
    }
}
