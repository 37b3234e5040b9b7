//! What changed in how the context is counted.

use super::super::{Compacted, Numbers, WIDE_LINE};
use super::{Change, change};

pub(super) const CHANGES: &[Change] = &[
    change(
        (2, 1, 209),
        "fact 245",
        "CLAUDE_CODE_AUTO_COMPACT_WINDOW and CLAUDE_CODE_MAX_OUTPUT_TOKENS take 1.5e5 (2.1.207: 1)",
        |b| {
            b.counting.numbers = Numbers::Decimal;
        },
    ),
    change(
        (2, 1, 211),
        "fact 245",
        "CLAUDE_CODE_AUTO_COMPACT_WINDOW and CLAUDE_CODE_MAX_OUTPUT_TOKENS take 150_000 and 150,000 (2.1.210: 150)",
        |b| {
            b.counting.numbers = Numbers::Separated;
        },
    ),
    change(
        (2, 1, 217),
        "fact 251",
        "claude-opus-4-8 is compacted before its window is full (2.1.216: not)",
        |b| {
            b.counting.compacted = Compacted::Lines(&[WIDE_LINE, "claude-opus-4-8"]);
        },
    ),
    change(
        (2, 1, 222),
        "fact 251",
        "claude-opus-5 is compacted before its window is full (2.1.218: not)",
        |b| {
            let lines = &[WIDE_LINE, "claude-opus-4-8", "claude-opus-5"];
            b.counting.compacted = Compacted::Lines(lines);
        },
    ),
    change(
        (2, 1, 223),
        "fact 251",
        "all newer models but claude-opus-4-7 and claude-fable-5 are compacted before their window is full, unknown names too (2.1.222: not)",
        |b| {
            b.counting.compacted = Compacted::AllBut(&["claude-opus-4-7", "claude-fable-5"]);
        },
    ),
    change(
        (2, 1, 270),
        "fact 242",
        "a session with one answer is compacted at the block limit (2.1.268: the turn ends)",
        |b| {
            b.counting.single_answer_compacts = true;
        },
    ),
    change(
        (2, 1, 273),
        "fact 235",
        "of an answer that took several rounds the usage of the last counts (2.1.270: the sum)",
        |b| {
            b.counting.last_round_counts = true;
        },
    ),
    change(
        (2, 1, 281),
        "fact 227",
        "attachments are estimated by what the transcript says they contributed (2.1.273: made anew)",
        |b| {
            b.counting.measures_rendered = true;
        },
    ),
    change(
        (2, 1, 284),
        "fact 226",
        "the text of a document is estimated by its length (2.1.282: 2,000 tokens)",
        |b| {
            b.counting.measures_document_texts = true;
        },
    ),
    change(
        (2, 1, 284),
        "fact 251",
        "claude-sonnet-5-5 is not compacted before its window is full (2.1.282: it is)",
        |b| {
            let others = &["claude-opus-4-7", "claude-fable-5", "claude-sonnet-5-5"];
            b.counting.compacted = Compacted::AllBut(others);
        },
    ),
    change(
        (2, 1, 285),
        "fact 251",
        "all newer models are compacted before their window is full, with `[1m]` too (2.1.284: claude-sonnet-5 only)",
        |b| {
            b.counting.compacted = Compacted::AllBut(&[]);
            b.counting.wide_are_compacted = true;
        },
    ),
    change(
        (2, 1, 290),
        "fact 234",
        "a usage of which nothing was sent is passed over (2.1.286: it counts 0)",
        |b| {
            b.counting.passes_over_empty_usage = true;
        },
    ),
    change(
        (2, 1, 304),
        "fact 245",
        "CLAUDE_CODE_AUTO_COMPACT_WINDOW takes 150k and 0.2m (2.1.303: 150 and 0.2)",
        |b| {
            b.counting.window_has_units = true;
        },
    ),
];
