//! A text as words that can be compared: without endings in English, pairs of signs in Chinese,
//! Japanese and Korean.

use std::sync::LazyLock;

use rustc_hash::{FxHashMap, FxHashSet};

/// Words that say nothing of what a text is about.
const EMPTY: &str = "\
    a about after again all also an and any anything are as ask asks at be been before but \
    by can could did do does each etc even every for from get give go had has have he help \
    her here him his how i if in into is it its just let like make may me more most my need \
    no not now of ok okay on one only or other our out over please really she should skill \
    so some something still such than that the their them then there these they thing this \
    those to today too up us use user using very via want was way we were what when where \
    whether which while who why will with work works would yes you your";
/// Words of nearly every prompt about programs: they say little.
const USUAL: &str = "\
    add app back branch bug build button call change check class clear client code command \
    commit config create current data default delete end error fail feature file find first \
    fix folder function good implement input issue key last left line list log long look \
    message method module move name new next number old open option output package page part \
    path place plan point print problem project push read remove rename repository result \
    right run save see server service set short show small start step stop store string \
    system task tell test text time tool try turn two type update user value version view \
    web write wrong";

static IS_EMPTY: LazyLock<FxHashSet<&str>> = LazyLock::new(|| EMPTY.split(' ').collect());
static IS_USUAL: LazyLock<FxHashSet<&str>> = LazyLock::new(|| USUAL.split(' ').map(stem).collect());

/// Whether a word stands in nearly every prompt.
pub(super) fn is_usual(word: &str) -> bool {
    IS_USUAL.contains(word)
}

/// The words of a text, and how often each stands there.
pub(super) fn words(text: &str) -> FxHashMap<String, u32> {
    let mut found: FxHashMap<String, u32> = FxHashMap::default();
    let mut add = |word: String| *found.entry(word).or_default() += 1;
    let mut word = String::new();
    let mut signs: Vec<char> = Vec::new();
    // A blank behind the end closes the last word.
    for c in text.chars().chain(std::iter::once(' ')) {
        if is_sign(c) {
            close(&mut word, &mut add);
            signs.push(c);
            continue;
        }
        pairs(&mut signs, &mut add);
        if c.is_alphanumeric() {
            word.extend(c.to_lowercase());
        } else if c != '\'' && c != '’' {
            close(&mut word, &mut add);
        }
    }
    found
}

fn close(word: &mut String, add: &mut impl FnMut(String)) {
    let whole = std::mem::take(word);
    let is_number = whole.chars().all(|c| c.is_ascii_digit());
    if whole.chars().count() > 1 && !is_number && !IS_EMPTY.contains(whole.as_str()) {
        add(stem(&whole).to_owned());
    }
}

/// Signs stand without blanks between words; two of them make most words.
fn pairs(signs: &mut Vec<char>, add: &mut impl FnMut(String)) {
    for pair in signs.windows(2) {
        if !pair.iter().any(|sign| PARTICLES.contains(*sign)) {
            add(pair.iter().collect());
        }
    }
    signs.clear();
}

/// Signs that bind words and say nothing.
const PARTICLES: &str =
    "的了在是我你他她它们们把被和与或就都也还很这那个吗吧呢啊请给让用帮一下不要の";

fn is_sign(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3134f}')
}

/// A word without its English ending, so that `reviews`, `reviewed` and `reviewing` are one.
fn stem(word: &str) -> &str {
    if !word.is_ascii() {
        return word;
    }
    let cut = |ending: &str, least: usize| {
        let rest = word.strip_suffix(ending)?;
        let has_vowel = rest.contains(['a', 'e', 'i', 'o', 'u', 'y']);
        (rest.len() >= least && has_vowel).then_some(rest)
    };
    let rest = cut("ions", 4)
        .or_else(|| cut("ion", 4))
        .or_else(|| cut("ings", 3))
        .or_else(|| cut("ing", 3))
        .or_else(|| cut("ers", 4))
        .or_else(|| cut("er", 4))
        .or_else(|| cut("ies", 3))
        .or_else(|| cut("ied", 3))
        .or_else(|| cut("ed", 3))
        .or_else(|| cut("es", 3))
        .or_else(|| (!word.ends_with("ss") && !word.ends_with("us")).then(|| cut("s", 3))?)
        .unwrap_or(word);
    let bytes = rest.as_bytes();
    // `stopping` and `stop`, `write` and `writing`, `query` and `queries`.
    match bytes {
        [.., a, b] if a == b && rest.len() > 3 && !b"ls".contains(a) && rest != word => {
            &rest[..rest.len() - 1]
        }
        [.., b'e' | b'y'] if rest.len() > 3 => &rest[..rest.len() - 1],
        _ => rest,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sorted(text: &str) -> Vec<String> {
        let mut words: Vec<String> = words(text).into_keys().collect();
        words.sort();
        words
    }

    #[test]
    fn forms_of_a_word_are_one() {
        for forms in [
            "review reviews reviewed reviewing reviewer",
            "write writes writing",
            "query queries",
            "stop stops stopped stopping",
            "migrate migrates migrating migration migrations",
        ] {
            assert_eq!(sorted(forms).len(), 1, "{:?}", sorted(forms));
        }
        assert_eq!(sorted("status class bus"), ["bus", "class", "status"]);
    }

    #[test]
    fn signs_are_paired_and_empty_words_left_out() {
        assert_eq!(sorted("请审查代码"), ["代码", "审查", "查代"]);
        assert_eq!(sorted("the PDF of it, 42 a"), ["pdf"]);
        assert_eq!(sorted("don't / . !"), ["dont"]);
    }
}
