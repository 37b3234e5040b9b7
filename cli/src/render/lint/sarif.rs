//! Findings as SARIF 2.1.0: the part of it that linters need. § are sections of the standard.

use std::collections::BTreeMap;

use anyhow::Result;
use outcrop_loader::host::Host;
use outcrop_loader::lint::fix::Fix;
use outcrop_loader::lint::{Finding, RULES, Rule, Severity, Span};
use outcrop_loader::path::AbsPath;
use serde::Serialize;

use super::places::{Texts, uri, uri_of};
use crate::render::Output;
use crate::start::linting::Linted;

/// A log (§3.13).
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Log {
    version: &'static str,
    runs: [Run; 1],
}

/// One run of one tool (§3.14).
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Run {
    tool: Tool,
    /// What relative places start from (§3.14.14).
    original_uri_base_ids: BTreeMap<&'static str, ArtifactLocation>,
    /// §3.14.17. Columns are counted in characters.
    column_kind: &'static str,
    results: Vec<ResultOf>,
}

/// §3.18.
#[derive(Serialize)]
struct Tool {
    driver: Driver,
}

/// §3.19.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Driver {
    name: &'static str,
    semantic_version: &'static str,
    rules: Vec<Descriptor>,
}

/// What a rule is (§3.49).
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Descriptor {
    id: &'static str,
    name: &'static str,
    short_description: Message,
    full_description: Message,
    help: Message,
    default_configuration: Configuration,
}

/// §3.50.
#[derive(Serialize)]
struct Configuration {
    level: &'static str,
}

/// §3.11.
#[derive(Serialize)]
struct Message {
    text: String,
}

/// A finding (§3.27).
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ResultOf {
    rule_id: &'static str,
    rule_index: usize,
    level: &'static str,
    message: Message,
    locations: [Location; 1],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related_locations: Vec<Location>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    fixes: Vec<FixOf>,
}

/// §3.28.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Location {
    physical_location: PhysicalLocation,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<Message>,
}

/// §3.29.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PhysicalLocation {
    artifact_location: ArtifactLocation,
    #[serde(skip_serializing_if = "Option::is_none")]
    region: Option<Region>,
}

/// §3.4.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ArtifactLocation {
    uri: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    uri_base_id: Option<&'static str>,
}

/// §3.30. The end lies behind the last character.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: u32,
    start_column: u32,
    end_line: u32,
    end_column: u32,
}

/// §3.55.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct FixOf {
    description: Message,
    artifact_changes: Vec<Change>,
}

/// §3.56.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Change {
    artifact_location: ArtifactLocation,
    replacements: Vec<Replacement>,
}

/// §3.57.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Replacement {
    deleted_region: Region,
    #[serde(skip_serializing_if = "Option::is_none")]
    inserted_content: Option<Content>,
}

/// §3.3.
#[derive(Serialize)]
struct Content {
    text: String,
}

/// The name of the repository's root in `originalUriBaseIds`.
const ROOT: &str = "ROOT";

pub(crate) fn write(output: &mut Output, host: &dyn Host, linted: &Linted) -> Result<()> {
    let mut texts = Texts::new(host);
    let mut rules: Vec<&'static Rule> = Vec::new();
    for rule in RULES {
        if linted
            .findings
            .iter()
            .any(|finding| finding.rule.id == rule.id)
        {
            rules.push(rule);
        }
    }
    let findings = linted.findings.iter();
    let results = findings.map(|finding| result(finding, &rules, &linted.root, &mut texts));
    let log = Log {
        version: "2.1.0",
        runs: [Run {
            results: results.collect(),
            tool: Tool {
                driver: Driver {
                    name: "outcrop",
                    semantic_version: env!("CARGO_PKG_VERSION"),
                    rules: rules.iter().map(|rule| descriptor(rule)).collect(),
                },
            },
            original_uri_base_ids: BTreeMap::from([(
                ROOT,
                ArtifactLocation {
                    // A base ends in a slash (§3.14.14).
                    uri: format!("{}/", uri(&linted.root).trim_end_matches('/')),
                    uri_base_id: None,
                },
            )]),
            column_kind: "unicodeCodePoints",
        }],
    };
    let mut value = serde_json::to_value(&log)?;
    value["$schema"] = "https://json.schemastore.org/sarif-2.1.0.json".into();
    output.json(&value)
}

fn descriptor(rule: &Rule) -> Descriptor {
    let page = &rule.page;
    Descriptor {
        id: rule.id,
        name: rule.name,
        short_description: message(rule.summary),
        full_description: message(format!("{} {}", page.what, page.why)),
        help: message(page.instead),
        default_configuration: Configuration {
            level: level(rule.severity),
        },
    }
}

fn result(
    finding: &Finding,
    rules: &[&'static Rule],
    root: &AbsPath,
    texts: &mut Texts<'_>,
) -> ResultOf {
    let mut related: Vec<Location> = Vec::new();
    for (span, what) in &finding.also {
        related.push(location(span, Some(what.clone()), root));
    }
    for mention in &finding.chain {
        let end = mention.column + u32::try_from(mention.reference.chars().count()).unwrap_or(0);
        related.push(Location {
            physical_location: PhysicalLocation {
                artifact_location: artifact(&mention.by, root),
                region: Some(Region {
                    start_line: mention.line,
                    start_column: mention.column,
                    end_line: mention.line,
                    end_column: end,
                }),
            },
            message: Some(message("imported here")),
        });
    }
    let mut text = format!("{}.", finding.message);
    if let Some(help) = &finding.help {
        text.push_str(&format!(" Help: {help}."));
    }
    let index = rules.iter().position(|rule| rule.id == finding.rule.id);
    ResultOf {
        rule_id: finding.rule.id,
        rule_index: index.unwrap_or_default(),
        level: level(finding.severity),
        message: message(text),
        locations: [location(&finding.span, None, root)],
        related_locations: related,
        fixes: finding
            .fix
            .iter()
            .filter_map(|fix| fix_of(fix, root, texts))
            .collect(),
    }
}

fn fix_of(fix: &Fix, root: &AbsPath, texts: &mut Texts<'_>) -> Option<FixOf> {
    let mut changes: BTreeMap<&AbsPath, Vec<Replacement>> = BTreeMap::new();
    for edit in &fix.edits {
        let (start_line, start_column) = texts.position(&edit.path, edit.range.start)?;
        let (end_line, end_column) = texts.position(&edit.path, edit.range.end)?;
        changes.entry(&edit.path).or_default().push(Replacement {
            deleted_region: Region {
                start_line,
                start_column,
                end_line,
                end_column,
            },
            inserted_content: (!edit.text.is_empty()).then(|| Content {
                text: edit.text.clone(),
            }),
        });
    }
    let changes = changes.into_iter().map(|(path, replacements)| Change {
        artifact_location: artifact(path, root),
        replacements,
    });
    Some(FixOf {
        description: message(fix.title.as_str()),
        artifact_changes: changes.collect(),
    })
}

fn location(span: &Span, what: Option<String>, root: &AbsPath) -> Location {
    Location {
        physical_location: PhysicalLocation {
            artifact_location: artifact(&span.path, root),
            // A file as a whole has no region (§3.29.4).
            region: (!span.is_file).then_some(Region {
                start_line: span.line,
                start_column: span.column,
                end_line: span.end_line,
                end_column: span.end_column,
            }),
        },
        message: what.map(message),
    }
}

fn artifact(path: &AbsPath, root: &AbsPath) -> ArtifactLocation {
    match path.below(root).filter(|below| !below.is_empty()) {
        Some(below) => ArtifactLocation {
            uri: uri_of(below),
            uri_base_id: Some(ROOT),
        },
        None => ArtifactLocation {
            uri: uri(path),
            uri_base_id: None,
        },
    }
}

/// §3.27.10.
fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Info => "note",
        Severity::Warning => "warning",
        Severity::Error => "error",
    }
}

fn message(text: impl Into<String>) -> Message {
    Message { text: text.into() }
}
