//! What holds for any sources.

use outcrop_compactor::boot::{
    self, Document, ItemKind, Kind, LONGEST_SPINE, Options, Quote, Source, Sources,
};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::sources::{NOW, at, memory, reread, thread};

/// Lines such as people write them, and such as nobody does.
fn line() -> impl Strategy<Value = String> {
    let said = prop::sample::select(vec![
        "The sieve was fixed on 2026-09-14.",
        "- We decided to keep the old port, since the scale needs it and nothing else speaks the protocol of 1998.",
        "The user prefers small commits",
        "- [ ] weigh the empty bag",
        "- [x] weigh the full bag",
        "Never write to the ledger.",
        "# What remains",
        "## Summary",
        "解析器已经修复。用户喜欢简短的回答。",
        "```",
        "---",
        "~~gone~~",
        "<!-- hidden",
        "-->",
        "password = hunter2hunter2",
        "",
        "| a | b |",
        "> quoted",
    ]);
    prop_oneof![8 => said.prop_map(str::to_owned), 1 => "[ -~é文]{0,140}"]
}

fn document() -> impl Strategy<Value = Document> {
    let text = vec(line(), 0..14).prop_map(|lines| lines.join("\n"));
    (text, 0..4_u8, 0..40_i64, "[a-z]{1,40}").prop_map(|(text, kind, days, name)| {
        let mut document = memory(&format!("{name}.md"), NOW, &text);
        document.time -= days * 43_200_000;
        if kind < 2 {
            document.kind = Kind::Handoff {
                consumed: kind == 0,
            };
        }
        document
    })
}

fn sources() -> impl Strategy<Value = Sources> {
    let threads = vec((line(), "[0-9a-f]{4}"), 0..3);
    (vec(document(), 0..6), threads).prop_map(|(mut documents, threads)| {
        documents.sort_by(|a, b| a.name.cmp(&b.name));
        documents.dedup_by(|a, b| a.name == b.name);
        let mut threads: Vec<_> = threads
            .iter()
            .map(|(text, id)| thread(id, NOW, &[(ItemKind::Todo, text)]))
            .collect();
        threads.sort_by(|a, b| a.session.cmp(&b.session));
        threads.dedup_by(|a, b| a.session == b.session);
        Sources {
            now: at(NOW),
            project: "/srv/mill".to_owned(),
            documents,
            threads,
            ..Sources::default()
        }
    })
}

fn collapsed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn all_is_quoted_word_for_word_from_where_it_stands(
        sources in sources(),
        tokens in 0..600_u64,
        forge: bool,
    ) {
        let options = Options { tokens, forge, ..Options::default() };
        let build = || boot::build(&sources, &options, &|source| reread(&sources, source));
        let packet = build();
        prop_assert_eq!(&packet, &build(), "the same sources give the same packet");
        prop_assert!(packet.tokens.count <= tokens);
        let lines = packet.spine.iter().flatten().map(|(_, quote)| quote);
        let lists = packet.boundaries.iter().chain(&packet.open).chain(&packet.recent);
        for Quote { text, source, .. } in lines.chain(lists) {
            let found = reread(&sources, source).unwrap();
            prop_assert!(collapsed(&found).contains(text), "{text} is not at {source}");
            prop_assert!(packet.text.contains(&source.to_string()));
            prop_assert!(!text.contains("hunter2"));
            if forge {
                let is_memory = sources.documents.iter().any(|document| {
                    document.kind == Kind::Memory
                        && matches!(source, Source::File { file, .. } if *file == document.name)
                });
                prop_assert!(is_memory, "{source}");
            }
        }
        match &packet.spine {
            Some(lines) => {
                prop_assert_eq!(lines.len(), 4);
                let start = packet.text.find("## Note to self").unwrap();
                let spine = packet.text[start..].trim_start_matches("## Note to self\n\n");
                prop_assert!(spine.chars().count() <= LONGEST_SPINE);
                prop_assert!(packet.recent.is_empty());
                prop_assert_eq!(packet.reasons[0].code, "spine");
            }
            None => {
                let told = packet.reasons.iter().any(|reason| reason.code.starts_with("spine-"));
                prop_assert!(told, "why there is no spine is told");
                prop_assert!(!packet.text.contains("## Note to self"));
            }
        }
    }
}
