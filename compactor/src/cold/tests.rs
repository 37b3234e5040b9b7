use super::*;

const LINES: &str = concat!(
    r#"{"type":"user","uuid":"u1","timestamp":"2026-09-01T10:00:00.000Z","cwd":"/srv/orders","message":{"role":"user","content":"Why do orders \"double\"?"}}"#,
    "\n",
    r#"{"type":"assistant","uuid":"a1","timestamp":"2026-09-02T10:00:00.000Z","message":{"model":"orders","content":[{"type":"thinking","thinking":"hm","signature":"orders"},{"type":"text","text":"Orders\n\tdouble \u001b[31mhere"}]}}"#,
    "\n",
    r#"{"type":"user","uuid":"u2","timestamp":"2026-09-03T10:00:00.000Z","message":{"content":[{"type":"tool_result","content":"rm orders"}]}}"#,
    "\n",
    r#"{"type":"user","uuid":"u3","isMeta":true,"message":{"content":"订单 orders"}}"#,
    "\n",
    r#"{"type":"api-request-blob","text":"orders"}"#,
    "\n\n",
    r#"{"type":"user","uuid":"u4","message":{"content":"torn orders"#,
);
const PATH: &str = "projects/-srv/a.jsonl";

fn hits_in(text: &[u8], piece: usize, pattern: &Pattern, wanted: &Wanted) -> Vec<Hit> {
    let mut lines = Lines::of(PATH, Some("2026-09-09T00:00:00Z"), pattern, wanted);
    let mut hits = Vec::new();
    let mut take = |hit| {
        hits.push(hit);
        true
    };
    for piece in text.chunks(piece) {
        assert!(lines.push(piece, &mut take));
    }
    assert!(lines.end(&mut take));
    hits
}

fn hits(pattern: &str, regex: bool, ignore_case: bool, wanted: &Wanted) -> Vec<Hit> {
    let pattern = Pattern::new(pattern, regex, ignore_case).unwrap();
    let whole = hits_in(LINES.as_bytes(), LINES.len(), &pattern, wanted);
    for piece in [1, 7, 100, 333] {
        let pieces = hits_in(LINES.as_bytes(), piece, &pattern, wanted);
        assert_eq!(pieces, whole, "in pieces of {piece}");
    }
    whole
}

fn places(hits: &[Hit]) -> Vec<(u64, Role)> {
    hits.iter().map(|hit| (hit.line, hit.role)).collect()
}

#[test]
fn words_are_found_with_their_record() {
    let all = Wanted::default();
    let found = hits("orders", false, false, &all);
    let wanted = [
        (1, Role::User),
        (3, Role::Tool),
        (4, Role::System),
        (7, Role::System),
    ];
    assert_eq!(places(&found), wanted);
    assert_eq!(found[0].uuid.as_deref(), Some("u1"));
    assert_eq!(found[0].time.as_deref(), Some("2026-09-01T10:00:00.000Z"));
    assert_eq!(
        (&*found[0].before, &*found[0].matched),
        ("Why do ", "orders")
    );
    assert_eq!(found[0].after, " \"double\"?");
    let found = hits("ORDERS", false, true, &all);
    assert_eq!(found.len(), 5);
    assert_eq!(found[1].after, " double [31mhere", "no control characters");
    assert_eq!(
        places(&hits("orders \"double\"?", false, false, &all)),
        [(1, Role::User)]
    );
    assert_eq!(
        places(&hits("订单", false, false, &all)),
        [(4, Role::System)]
    );
    assert_eq!(
        places(&hits("[A-Z]rders\\s+d", true, false, &all)),
        [(2, Role::Assistant)]
    );
    assert_eq!(places(&hits("u3", false, false, &all)), [(4, Role::System)]);
    assert_eq!(
        hits("/srv/orders", false, false, &all),
        [],
        "where it ran is not said"
    );
}

/// U+212A is a K, and a capital or a small one where case does not count.
#[test]
fn letters_that_have_more_than_two_forms_are_found() {
    let text = "{\"type\":\"user\",\"message\":{\"content\":\"to\u{212a}en ma\u{17f}k\"}}\n";
    for (word, found) in [("token", 1), ("MASK", 1), ("tomen", 0)] {
        let pattern = Pattern::new(word, false, true).unwrap();
        let hits = hits_in(text.as_bytes(), 10, &pattern, &Wanted::default());
        assert_eq!(hits.len(), found, "{word}");
    }
}

/// JSON can write any letter in another way.
#[test]
fn escaped_letters_are_found() {
    let text = br#"{"type":"user","message":{"content":"caf\u00e9 a\/b"}}"#;
    for word in ["caf\u{e9}", "a/b"] {
        let pattern = Pattern::new(word, false, false).unwrap();
        assert_eq!(
            hits_in(text, 9, &pattern, &Wanted::default()).len(),
            1,
            "{word}"
        );
    }
}

#[test]
fn hits_are_chosen_by_role_and_time() {
    let time = |text| crate::sessions::time::milliseconds(text);
    let mut wanted = Wanted {
        since: time("2026-09-02T00:00:00Z"),
        until: time("2026-09-03T00:00:00Z"),
        ..Wanted::default()
    };
    assert_eq!(
        places(&hits("orders", false, true, &wanted)),
        [(2, Role::Assistant)]
    );
    // Records without a time count as of when the file was changed last.
    wanted.until = None;
    assert_eq!(hits("orders", false, true, &wanted).len(), 4);
    wanted.roles = vec![Role::User, Role::Tool];
    assert_eq!(
        places(&hits("orders", false, true, &wanted)),
        [(3, Role::Tool)]
    );
}

#[test]
fn long_texts_are_cut_around_what_matches() {
    let text = format!("{}NEEDLE{}", "é".repeat(500), "ü".repeat(500));
    let line = format!("{{\"type\":\"user\",\"message\":{{\"content\":\"{text}\"}}}}");
    let pattern = Pattern::new("NEEDLE", false, false).unwrap();
    let found = hits_in(line.as_bytes(), 64, &pattern, &Wanted::default());
    assert_eq!(found[0].before, format!("…{}", "é".repeat(80)));
    assert_eq!(found[0].after, format!("{}…", "ü".repeat(80)));
}

#[test]
fn a_search_ends_when_there_is_enough() {
    let pattern = Pattern::new("orders", false, false).unwrap();
    let wanted = Wanted::default();
    let mut lines = Lines::of(PATH, None, &pattern, &wanted);
    let mut count = 0;
    let goes_on = lines.push(LINES.as_bytes(), &mut |_| {
        count += 1;
        count < 2
    });
    assert!(!goes_on);
    assert_eq!(count, 2);
}

#[test]
fn patterns_that_are_none_are_refused() {
    for (pattern, regex) in [("", false), ("(", true)] {
        assert!(Pattern::new(pattern, regex, false).is_err());
    }
    assert!(Pattern::new("(", false, false).is_ok());
}
