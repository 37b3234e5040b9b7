//! Sessions as clients wrote them: none of those samples holds a refusal by the service.

use std::path::Path;

use outcrop_compactor::poison::Severity;

use crate::story::{examine_bytes, told};

#[test]
#[expect(
    clippy::disallowed_methods,
    reason = "the samples are files of this repository"
)]
fn samples_of_clients() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/cases/transcripts");
    let mut seen = 0;
    for sample in std::fs::read_dir(folder).unwrap() {
        let sample = sample.unwrap().path();
        let Ok(files) = std::fs::read_dir(&sample) else {
            continue;
        };
        for file in files {
            let file = file.unwrap().path();
            if file
                .extension()
                .is_none_or(|extension| extension != "jsonl")
            {
                continue;
            }
            seen += 1;
            let found = told(&examine_bytes(&std::fs::read(&file).unwrap()));
            let errors = found
                .iter()
                .filter(|(_, severity, _)| *severity == Severity::Error);
            assert_eq!(errors.count(), 0, "{}: {found:?}", file.display());
        }
    }
    assert!(seen >= 30, "{seen} samples");
}
