//! What a packet says, and why a spine is dropped.

use outcrop_compactor::boot::{
    self, Document, HOOK_UNITS, ItemKind, Line, Options, Packet, Source, Sources,
};

use crate::sources::{handoff, memory, reread, thread, whole};

fn packet(sources: &Sources) -> Packet {
    with(sources, Options::default())
}

fn with(sources: &Sources, options: Options) -> Packet {
    boot::build(sources, &options, &|source| reread(sources, source))
}

fn codes(packet: &Packet) -> Vec<&'static str> {
    packet.reasons.iter().map(|reason| reason.code).collect()
}

fn document<'s>(sources: &'s mut Sources, name: &str) -> &'s mut Document {
    let mut documents = sources.documents.iter_mut();
    documents.find(|one| one.name.contains(name)).unwrap()
}

#[test]
fn the_spine_quotes_one_statement_of_each_kind() {
    let packet = packet(&whole());
    let spine = packet.spine.as_ref().unwrap();
    let said: Vec<(Line, &str, String)> = spine
        .iter()
        .map(|(line, quote)| (*line, quote.text.as_str(), quote.source.to_string()))
        .collect();
    let mill = "handoffs/2026-09-15_090000_mill.md";
    assert_eq!(
        said,
        [
            (
                Line::Progress,
                "We decided to keep the old port.",
                format!("{mill}:7")
            ),
            (
                Line::Today,
                "The scale of the mill is read in grams now.",
                format!("{mill}:3")
            ),
            (
                Line::BetweenUs,
                "The user prefers small commits.",
                "memory/user.md:4".to_owned()
            ),
            (
                Line::DontForget,
                "The label printer still prints two pages.",
                format!("{mill}:11")
            ),
        ]
    );
    assert_eq!(codes(&packet), ["spine"]);
    assert!(packet.recent.is_empty());
    assert_eq!(
        packet.boundaries[0].text,
        "Never write to the ledger of a closed day."
    );
    assert_eq!(packet.open[0].text, "weigh the empty bag");
    assert!(
        packet
            .text
            .contains("- todo, pending: “weigh the empty bag” (session 5a:4, 2026-09-14)")
    );
}

#[test]
fn without_one_kind_of_evidence_there_is_no_spine() {
    let mut sources = whole();
    sources
        .documents
        .retain(|one| !one.name.contains("user.md"));
    let packet = packet(&sources);
    assert_eq!(packet.spine, None);
    assert_eq!(codes(&packet), ["spine-evidence-missing"]);
    assert!(packet.reasons[0].text.ends_with("Between us"));
    assert!(!packet.recent.is_empty());
    assert!(packet.text.contains("## Recent") && !packet.text.contains("## Note to self"));
}

#[test]
fn what_is_not_at_its_place_any_more_is_not_quoted() {
    let sources = whole();
    let changed = |source: &Source| match source {
        Source::File { file, .. } if file.contains("user.md") => Some("Other words.".to_owned()),
        _ => reread(&sources, source),
    };
    let packet = boot::build(&sources, &Options::default(), &changed);
    assert_eq!(packet.spine, None);
    assert_eq!(codes(&packet), ["spine-unresolved", "unresolved"]);
    assert!(!packet.text.contains("small commits"));
    let gone = boot::build(&sources, &Options::default(), &|_| None);
    assert!(gone.boundaries.is_empty() && gone.open.is_empty() && gone.recent.is_empty());
}

#[test]
fn a_spine_that_would_be_too_long_is_dropped_whole() {
    let mut sources = whole();
    let long = "x".repeat(600);
    document(&mut sources, "user.md").name = format!("memory/{long}-user.md");
    let packet = packet(&sources);
    assert_eq!(packet.spine, None);
    assert_eq!(codes(&packet)[0], "spine-too-long");
}

#[test]
fn fresher_statements_come_first_and_then_those_that_tell_of_a_turn() {
    let mut sources = whole();
    sources.documents.push(memory(
        "days.md",
        "2026-09-15T08:00:00Z",
        "- 2026-09-14: the sieve was fixed.\n- The belt of the mill is red.\n- 确认了新的端口。\n",
    ));
    sources.documents.retain(|one| !one.name.contains("_mill"));
    sources.documents.push(handoff(
        "2026-09-13_090000_old_done.md",
        "# Summary\n\nThe door was fixed and released.\n\n# Next\n\n- Oil the hinge of the door.\n",
    ));
    let packet = packet(&sources);
    let spine = packet.spine.unwrap();
    assert_eq!(spine[0].1.text, "确认了新的端口。");
    assert_eq!(spine[1].1.text, "The belt of the mill is red.");
    // What a handoff that was taken calls open is not open.
    assert_eq!(spine[3].1.text, "weigh the empty bag");
    assert!(!packet.text.contains("hinge"));
}

#[test]
fn what_is_excluded_is_counted_and_never_quoted() {
    let mut sources = whole();
    for (name, text) in [
        (
            "gone.md",
            "---\nexpires: 2026-09-01\n---\nSECRET-A was decided.\n",
        ),
        (
            "hush.md",
            "---\nmetadata:\n  no-recall: true\n---\nSECRET-A was decided.\n",
        ),
        ("auto.md", "---\nsource: hook\n---\nSECRET-A was decided.\n"),
        ("void.md", "---\ntype: user\n---\n\n"),
        (
            "lines.md",
            "~~SECRET-A was fixed.~~\n\nSECRET-A was fixed. <!-- no-recall -->\n\n\
             <system-reminder>SECRET-A was fixed.</system-reminder>\n\n\
             SECRET-A was fixed, it expires 2026-09-01.\n\n\
             The token {TOKEN} was fixed: SECRET-A.\n\n\
             - [SECRET-A was fixed](cart.md): a pointer\n\n**Why:** SECRET-A was fixed.\n\n<!-- SECRET-A was fixed. -->\n",
        ),
    ] {
        let token = format!("{}{}", "ghp_", "q7RbZ2kTm9WxLc4VnP8sJd3HgF6yEa5UoQ1i");
        let text = text.replace("{TOKEN}", &token);
        sources
            .documents
            .push(memory(name, "2026-09-15T11:00:00Z", &text));
    }
    sources.documents.push(handoff(
        "2026-09-15_100000_other.md",
        "# Summary\n\nProject: /srv/other\n\nSECRET-A was fixed.\n",
    ));
    sources.threads.push(thread(
        "6b",
        "2026-09-15T11:00:00Z",
        &[(
            ItemKind::Request,
            "<local-command-stdout>SECRET-A</local-command-stdout>",
        )],
    ));
    let packet = packet(&sources);
    assert!(!packet.text.contains("SECRET-A"), "{}", packet.text);
    let excluded: Vec<(&str, usize)> = packet.excluded.into_iter().collect();
    assert_eq!(
        excluded,
        [
            ("automatic", 3),
            ("comment", 2),
            ("empty", 1),
            ("expired", 3),
            ("no-recall", 2),
            ("other-project", 1),
            ("pointer", 1),
            ("reason", 1),
            ("secret", 1),
        ]
    );
    assert!(packet.spine.is_some());
}

#[test]
fn what_is_older_than_fourteen_days_makes_no_spine() {
    let mut sources = whole();
    document(&mut sources, "user.md").time = crate::sources::at("2026-09-01T11:59:59Z");
    assert_eq!(packet(&sources).spine, None);
    document(&mut sources, "user.md").time = crate::sources::at("2026-09-01T12:00:00Z");
    assert!(packet(&sources).spine.is_some());
}

#[test]
fn a_forged_packet_knows_nothing_of_transcripts() {
    let forge = Options {
        forge: true,
        ..Options::default()
    };
    let packet = with(&whole(), forge);
    assert_eq!(packet.spine, None);
    assert!(codes(&packet).contains(&"forge"));
    assert_eq!(packet.excluded.get("from-transcript"), Some(&2));
    assert!(!packet.text.contains("5a") && !packet.text.contains("handoffs/"));
    assert_eq!(packet.boundaries.len(), 1);
}

#[test]
fn the_cap_is_hard() {
    let sources = whole();
    for tokens in [0, 10, 40, 100, 200, 300] {
        let options = Options {
            tokens,
            units: HOOK_UNITS,
            ..Options::default()
        };
        let packet = with(&sources, options);
        assert!(packet.tokens.count <= tokens, "{tokens}: {}", packet.text);
        let dropped = codes(&packet).contains(&"spine-over-cap");
        assert_eq!(packet.spine.is_none(), dropped, "{tokens}");
    }
    let options = Options {
        units: 300,
        ..Options::default()
    };
    assert!(with(&sources, options).text.encode_utf16().count() <= 300);
}
