//! L408: bytes that are no UTF-8, and NUL bytes.

use super::prelude::*;
use crate::lint::subject::File;

pub(in crate::lint) static RULE: Rule = Rule {
    id: "L408",
    name: "encoding-invalid",
    severity: Severity::Warning,
    summary: "A file is no plain UTF-8, so what is delivered is not what its author sees.",
    page: Page {
        what: "Looks for bytes that are no UTF-8, for files of UTF-16, and for NUL bytes. A replacement \
               character that the author wrote as such is left alone.",
        why: "The client reads every file as UTF-8. Each byte that fits nowhere becomes U+FFFD; of a \
              file of UTF-16 every other character is a NUL, so no line of it reads as written, and \
              no import in it is found.",
        instead: "Save the file as UTF-8.",
        drawbacks: "None is known: what is counted is what is delivered.",
        evidence: "Fact 1.10; case bytes-odd.",
        since: "0.1.0",
    },
    bad: &[Example {
        title: "two bytes a letter",
        files: &[("CLAUDE.md", "U\0s\0e\0 \0p\0n\0p\0m\0.\0")],
        fixed: &[],
    }],
    good: &[Example {
        title: "a replacement character as the author wrote it",
        files: &[(
            "CLAUDE.md",
            "\u{feff}Names may hold é or 日; \u{fffd} is an error.\n",
        )],
        fixed: &[],
    }],
    check,
};

fn check(subject: &Subject<'_, '_>, report: &mut Report<'_, '_>) {
    for file in &subject.files {
        let source = &file.document.source;
        let nuls = memchr::memchr_iter(0, source.as_bytes()).count();
        let replaced = source.matches('\u{fffd}').count();
        let bytes = (replaced > 0).then(|| subject.bytes(&file.path)).flatten();
        let bad = bytes.filter(|bytes| std::str::from_utf8(bytes).is_err());
        if let Some(bytes) = bad {
            of_bytes(subject, report, file, &bytes, nuls);
        } else if nuls > 0 {
            let at = source.find('\0').unwrap_or_default();
            let what = if nuls * 3 > source.len() {
                "the file is UTF-16 without a mark, which the client reads as UTF-8: each second \
                 character that is delivered is a NUL"
                    .to_owned()
            } else {
                format!(
                    "{} delivered",
                    counted(nuls, "NUL byte is", "NUL bytes are")
                )
            };
            told(subject, report, file, at..at + 1, what);
        }
    }
}

fn of_bytes(
    subject: &Subject<'_, '_>,
    report: &mut Report<'_, '_>,
    file: &File,
    bytes: &[u8],
    nuls: usize,
) {
    let is_wide = bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff");
    let written = std::str::from_utf8(bytes).map_or_else(|error| error.valid_up_to(), str::len);
    let chunks = bytes.utf8_chunks();
    let bad = chunks.filter(|chunk| !chunk.invalid().is_empty()).count();
    let what = if is_wide {
        format!(
            "the file is UTF-16, which the client reads as UTF-8: {} as U+FFFD, and {} between",
            counted(bad, "character arrives", "characters arrive"),
            counted(nuls, "NUL", "NULs")
        )
    } else {
        format!(
            "{} delivered as U+FFFD",
            counted(
                bad,
                "sequence of bytes is no UTF-8 and is",
                "sequences of bytes are no UTF-8 and are"
            )
        )
    };
    // Up to the first bad byte the text stands as in the file.
    told(
        subject,
        report,
        file,
        written..written + '\u{fffd}'.len_utf8(),
        what,
    );
}

fn told(
    subject: &Subject<'_, '_>,
    report: &mut Report<'_, '_>,
    file: &File,
    range: std::ops::Range<usize>,
    what: String,
) {
    report
        .at(Place::Bytes(file.path.clone(), range), what)
        .chain(subject.chain(&file.path))
        .help("save the file as UTF-8")
        .report();
}

fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

#[cfg(test)]
mod tests {
    use crate::lint::{Options, World, cwd_of_examples, lint};
    use crate::session::Session;

    fn found(bytes: &[u8]) -> Vec<(u32, u32, String)> {
        let mut world = World::of(&[]);
        world
            .host
            .file(&cwd_of_examples().child("CLAUDE.md"), bytes);
        let mut session = Session::start(&world.host, world.origin());
        let findings = lint(&mut session, &Options::default()).findings;
        let own = findings
            .into_iter()
            .filter(|finding| finding.rule.id == "L408");
        own.map(|finding| (finding.span.line, finding.span.column, finding.message))
            .collect()
    }

    #[test]
    fn bytes_that_are_no_utf8_are_counted() {
        let told = found(b"A \xef\xbf\xbd.\ncaf\xe9 and na\xefve\n");
        assert_eq!(
            told,
            [(
                2,
                4,
                "2 sequences of bytes are no UTF-8 and are delivered as U+FFFD".to_owned()
            )]
        );
        assert!(found("caf\u{e9} \u{fffd}\n".as_bytes()).is_empty());
    }

    #[test]
    fn utf_16_is_named() {
        let wide: Vec<u8> = "\u{feff}Use pnpm.\n"
            .encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect();
        let told = found(&wide);
        assert_eq!(told.len(), 1);
        assert!(told[0].2.starts_with("the file is UTF-16"), "{told:?}");
    }
}
