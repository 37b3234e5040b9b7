//! Known findings, which are not told again: `outcrop/lint-baseline@1` (docs/json.md).
//!
//! A finding is known by its rule, its file, and a hash of its message and line, so that lines above
//! it may come and go.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context as _, Result, bail};
use outcrop_compactor::store;
use outcrop_loader::host::Host;
use outcrop_loader::lint::Finding;
use outcrop_loader::path::AbsPath;
use serde::{Deserialize, Serialize};

use super::replaced::replace;

const SCHEMA: &str = "outcrop/lint-baseline@1";
/// The largest file that is read, in bytes.
const BOUND: u64 = 32 * 1024 * 1024;

#[derive(Serialize, Deserialize)]
struct File {
    schema: String,
    findings: Vec<Entry>,
}

#[derive(Serialize, Deserialize)]
struct Entry {
    rule: String,
    /// From the folder of the baseline.
    path: String,
    hash: String,
    count: usize,
}

/// By what a finding is known: rule, path and hash.
type Key = (String, String, String);

/// Known findings, and how often each is there.
pub(crate) struct Baseline {
    folder: AbsPath,
    known: BTreeMap<Key, usize>,
}

/// What a baseline makes of findings.
#[derive(Default)]
pub(crate) struct Known {
    /// How many are not told.
    pub(crate) hidden: usize,
    /// How many are known and not there any more.
    pub(crate) gone: usize,
}

impl Baseline {
    /// Reads a baseline; nothing where there is none.
    pub(crate) fn read(host: &dyn Host, path: &AbsPath) -> Result<Option<Self>> {
        let bytes = match host.read(path, BOUND) {
            Ok(bytes) => bytes,
            Err(error) if error.is_absent() => return Ok(None),
            Err(error) => bail!("{path} {error}"),
        };
        let file = parse(&bytes).with_context(|| format!("{path} is no baseline"))?;
        let entries = file.findings.into_iter();
        let known = entries.map(|entry| ((entry.rule, entry.path, entry.hash), entry.count));
        Ok(Some(Self {
            folder: folder_of(path),
            known: known.collect(),
        }))
    }

    /// The baseline of these findings.
    pub(crate) fn of(host: &dyn Host, path: &AbsPath, findings: &[Finding]) -> Self {
        let mut baseline = Self {
            folder: folder_of(path),
            known: BTreeMap::new(),
        };
        let mut lines = Lines::new(host);
        for finding in findings {
            let key = baseline.key(finding, &mut lines);
            *baseline.known.entry(key).or_default() += 1;
        }
        baseline
    }

    /// Takes known findings out.
    pub(crate) fn hide(&self, host: &dyn Host, findings: &mut Vec<Finding>) -> Known {
        let mut left = self.known.clone();
        let before = findings.len();
        let mut lines = Lines::new(host);
        findings.retain(
            |finding| match left.get_mut(&self.key(finding, &mut lines)) {
                Some(count) if *count > 0 => {
                    *count -= 1;
                    false
                }
                _ => true,
            },
        );
        Known {
            hidden: before - findings.len(),
            gone: left.values().sum(),
        }
    }

    fn key(&self, finding: &Finding, lines: &mut Lines<'_>) -> Key {
        let span = &finding.span;
        let mut hasher = blake3::Hasher::new();
        hasher.update(finding.message.as_bytes()).update(b"\n");
        if !span.is_file {
            hasher.update(lines.line(&span.path, span.line).trim().as_bytes());
        }
        let hash = hasher.finalize().to_hex()[..32].to_owned();
        let path = span.path.relative_to(&self.folder);
        (finding.rule.id.to_owned(), path, hash)
    }

    /// Writes a new file, or puts it in the place of an older baseline. Nothing else is replaced.
    pub(crate) fn write(&self, path: &AbsPath) -> Result<()> {
        let entries = self.known.iter();
        let file = File {
            schema: SCHEMA.to_owned(),
            findings: entries
                .map(|((rule, path, hash), count)| Entry {
                    rule: rule.clone(),
                    path: path.clone(),
                    hash: hash.clone(),
                    count: *count,
                })
                .collect(),
        };
        let text = serde_json::to_string_pretty(&file)? + "\n";
        let at = Path::new(path.as_str());
        if let Ok(before) = std::fs::read(at) {
            parse(&before).with_context(|| {
                format!("{path} is there and no baseline, so it is not replaced")
            })?;
            return replace(at, &before, &text);
        }
        let content = |out: &mut dyn std::io::Write| {
            out.write_all(text.as_bytes())?;
            Ok(0)
        };
        store::write_new::<anyhow::Error>(at, content, |_| Ok(()))?;
        Ok(())
    }
}

fn parse(bytes: &[u8]) -> Result<File> {
    let file: File = serde_json::from_slice(bytes)?;
    if file.schema != SCHEMA {
        bail!("its `schema` is not `{SCHEMA}`");
    }
    Ok(file)
}

fn folder_of(path: &AbsPath) -> AbsPath {
    path.parent().unwrap_or_else(|| path.clone())
}

/// Lines of files.
struct Lines<'h> {
    host: &'h dyn Host,
    texts: BTreeMap<AbsPath, Vec<String>>,
}

impl<'h> Lines<'h> {
    fn new(host: &'h dyn Host) -> Self {
        Self {
            host,
            texts: BTreeMap::new(),
        }
    }

    fn line(&mut self, path: &AbsPath, line: u32) -> &str {
        let host = self.host;
        let lines = self.texts.entry(path.clone()).or_insert_with(|| {
            let bytes = host.read(path, BOUND).unwrap_or_default();
            let text = String::from_utf8_lossy(&bytes);
            text.lines().map(str::to_owned).collect()
        });
        let at = usize::try_from(line).unwrap_or_default().checked_sub(1);
        at.and_then(|at| lines.get(at)).map_or("", String::as_str)
    }
}
