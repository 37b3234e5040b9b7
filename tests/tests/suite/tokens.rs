//! Token counts: the recorded vectors, hostile texts, and what must hold of any text.

use outcrop_loader::tokens::{Counter, Family, Kind};
use proptest::prelude::*;
use serde::Deserialize;

const CLAUDE: [Family; 3] = [Family::ClaudeV3, Family::ClaudeV4_7, Family::ClaudeV4_8];

/// One message and what it costs in each family, frame included (fact T5).
#[derive(Deserialize)]
struct Vector {
    text: String,
    v3: u64,
    #[serde(rename = "v4.7")]
    v4_7: u64,
    #[serde(rename = "v4.8")]
    v4_8: u64,
}

#[test]
fn recorded_vectors() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/cases/tokens/vectors.jsonl");
    let lines = std::fs::read_to_string(file).unwrap();
    let mut counters = CLAUDE.map(Counter::new);
    let mut differ = Vec::new();
    let mut equal = [0; 3];
    for line in lines.lines() {
        let vector: Vector = serde_json::from_str(line).unwrap();
        let wanted = [vector.v3, vector.v4_7, vector.v4_8];
        for (index, counter) in counters.iter_mut().enumerate() {
            let got = counter.message(&vector.text).count;
            if got == wanted[index] {
                equal[index] += 1;
            } else {
                let family = counter.family();
                differ.push(format!(
                    "{family}: {got}, not {}: {:?}",
                    wanted[index], vector.text
                ));
            }
        }
    }
    println!("token vectors: {equal:?} equal in v3, v4.7, v4.8");
    assert!(differ.is_empty(), "{}", differ.join("\n"));
    assert_eq!(equal, [3000; 3]);
}

/// Counts of ctok 1.3.0, frame left out: v3, v4.7, v4.8.
#[test]
fn hostile_texts_are_counted() {
    let spaces = " ".repeat(1_000_000);
    let feeds = "\n".repeat(200_000);
    let marks = "\u{301}".repeat(100_000);
    let cases: [(&str, [u64; 3]); 14] = [
        ("", [1, 1, 0]),
        (" ", [1, 1, 1]),
        ("\n", [1, 1, 0]),
        ("\0", [1, 1, 1]),
        ("a\0b", [2, 2, 2]),
        ("\u{301}", [2, 2, 1]),
        ("a\r\nb", [3, 3, 3]),
        ("\u{E000}\u{F8FF}", [1, 1, 0]),
        ("\u{FDD0}\u{FDD4}", [7, 7, 6]),
        ("\u{1F468}\u{200D}", [5, 5, 4]),
        ("\u{F0000}", [5, 5, 4]),
        (&spaces, [62500, 62500, 62500]),
        (&feeds, [1564, 6251, 6250]),
        (&marks, [100_001, 100_001, 100_000]),
    ];
    for (index, family) in CLAUDE.into_iter().enumerate() {
        let mut counter = Counter::new(family);
        for (text, wanted) in &cases {
            let got = counter.content(text).count;
            let start: String = text.chars().take(9).collect();
            assert_eq!(
                got,
                wanted[index],
                "{family} of {start:?}, {} bytes",
                text.len()
            );
        }
    }
}

#[test]
fn counts_say_how_they_are_known() {
    let kind = |family| Counter::new(family).content("a b").kind;
    assert_eq!(kind(Family::ClaudeV3), Kind::Reconstructed);
    assert_eq!(kind(Family::Estimate), Kind::Estimate);
    assert_eq!(kind(Family::O200k), Kind::Exact);
}

/// The library panics on such a run; it is fed pieces, and the count says that.
#[test]
fn a_million_spaces_do_not_stop_other_vocabularies() {
    let count = Counter::new(Family::Cl100k).content(&" ".repeat(1_000_000));
    assert_eq!(count.kind, Kind::Estimate);
    assert!(count.count > 0);
}

/// Text of every kind that the rules tell apart.
pub(crate) fn text() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        4 => "[a-z]{1,9}",
        2 => "[A-Z][a-z]{0,6}|[A-Z]{1,6}",
        2 => "[ \n\t]{1,3}",
        2 => "[0-9]{1,5}",
        2 => "[!-/:-@\\[-`{-~]{1,3}",
        1 => "'(s|t|ll|x)",
        1 => "[一-龥ぁ-んァ-ヶ가-힣]{1,4}",
        1 => "[а-яА-Яא-תا-يก-ฮ]{1,5}",
        1 => "\\p{M}{1,2}",
        1 => "\\PC{1,3}",
        1 => any::<char>().prop_map(String::from),
    ];
    prop::collection::vec(part, 0..12).prop_map(|parts| parts.concat())
}

proptest! {
    #[test]
    fn any_text_is_counted(text in text()) {
        for family in CLAUDE {
            let mut counter = Counter::new(family);
            let count = counter.content(&text).count;
            let most = text.len() as u64 * 3 + 3;
            prop_assert!(count <= most, "{count} of {} bytes", text.len());
            // The words that it keeps change nothing.
            prop_assert_eq!(counter.content(&text).count, count);
        }
    }

    /// More text costs no less, but for what joins: a word, marks, the end of the message.
    #[test]
    fn more_text_costs_no_less(first in text(), second in text()) {
        for family in CLAUDE {
            let mut counter = Counter::new(family);
            let whole = counter.content(&format!("{first}{second}")).count;
            let part = counter.content(&first).count;
            prop_assert!(part <= whole + 12, "{part}, and {whole} with more");
        }
    }

    /// Line feeds between words belong to neither, so parts between them add up.
    #[test]
    fn parts_between_line_feeds_add_up(first in "[a-z]{1,8}( [a-z]{1,8}){0,4}", second in text()) {
        let second = second.trim_matches(['\n', ' ']);
        for family in CLAUDE {
            let mut counter = Counter::new(family);
            let feeds = counter.part("\n\n").count;
            let parts = counter.part(&first).count + feeds + counter.part(second).count;
            prop_assert_eq!(counter.part(&format!("{first}\n\n{second}")).count, parts);
        }
    }
}
