//! Texts of random sessions.

use proptest::prelude::*;
use proptest::sample::select;

const SENTENCES: &[&str] = &[
    "We should check the stale parser before the registry sees it.",
    "Decision: we retry the noisy socket because the old path loses data.",
    "Never move the public ledger in place.",
    "The tests pass now.",
    "No, that is wrong: use the other adapter instead.",
    "Always run `cargo test -p ledger` first; it needs 42 s and 3 GB.",
    "Look at src/core/parser.rs, line 88: error E0382.",
    "当前任务是修复缓存失效的问题。",
    "记得不要改动公共接口，因为旧的客户端还在使用。",
    "下一步先跑测试再提交。",
    "公開インターフェースは変更しないでください。",
    "Ändere niemals die öffentliche Schnittstelle, weil ältere Clients sie brauchen.",
    "Smile 😀 and go on — naïvely.",
    "line one\nline two\n\n- a list\n- of things",
    "\u{2028}odd\u{0}signs\u{FEFF} \\ \" '",
];

/// Prose of some sentences in several languages.
pub fn prose(sentences: std::ops::RangeInclusive<usize>) -> impl Strategy<Value = String> {
    prop::collection::vec(select(SENTENCES), sentences).prop_map(|texts| texts.join(" "))
}

const LINES: &[&str] = &[
    "    let cursor = parse_stale(&mut buffer, 17)?; // stale",
    "pub fn merge(left: &Ledger, right: &Ledger) -> Ledger {",
    "[12:44] WARN queue::drain took 8123us id=9f3c2a",
    "",
    "}",
    "    // 这里的边界条件还没有覆盖",
    "test ledger::tests::merges ... ok",
];

/// Numbered lines of about so many characters.
pub fn code(characters: usize) -> impl Strategy<Value = String> {
    (
        prop::collection::vec(select(LINES), 1..8),
        1..=characters.max(1),
    )
        .prop_map(|(lines, characters)| {
            let mut text = String::new();
            let mut number = 1;
            while text.len() < characters {
                let line = lines[number % lines.len()];
                text.push_str(&format!("{number}\t{line}\n"));
                number += 1;
            }
            text
        })
}
