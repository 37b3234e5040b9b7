//! Findings with their lines, as rustc prints them.

use std::io::Write as _;
use std::ops::Range;

use annotate_snippets::{AnnotationKind, Element, Level, Origin, Renderer, Snippet};
use anyhow::Result;
use outcrop_loader::host::Host;
use outcrop_loader::lint::{Finding, Secrets, Severity, Span};
use outcrop_loader::path::AbsPath;
use rustc_hash::FxHashMap;

use crate::render::Output;
use crate::start::linting::Linted;

/// The largest file whose lines are shown, in bytes.
const BOUND: u64 = 32 * 1024 * 1024;
/// How many lines of a place are shown.
const LINES: usize = 6;

pub(crate) fn write(output: &mut Output, host: &dyn Host, linted: &Linted) -> Result<()> {
    let mut texts = Texts::new(host, &linted.secrets);
    let renderer = Renderer::styled().term_width(output.columns);
    for finding in &linted.findings {
        let rendered = render(finding, &mut texts, &renderer, |path| output.place(path));
        writeln!(output, "{rendered}\n")?;
    }
    writeln!(output, "{}", super::summary(linted))?;
    Ok(())
}

/// The texts of files, without secrets.
pub(crate) struct Texts<'t> {
    host: &'t dyn Host,
    secrets: &'t Secrets,
    texts: FxHashMap<AbsPath, String>,
}

impl<'t> Texts<'t> {
    pub(crate) fn new(host: &'t dyn Host, secrets: &'t Secrets) -> Self {
        Self {
            host,
            secrets,
            texts: FxHashMap::default(),
        }
    }

    fn know(&mut self, path: &AbsPath) {
        if !self.texts.contains_key(path) {
            let bytes = self.host.read(path, BOUND).unwrap_or_default();
            let text = String::from_utf8_lossy(&bytes);
            let shown = self.secrets.hide(&text).into_owned();
            self.texts.insert(path.clone(), shown);
        }
    }

    fn of(&self, path: &AbsPath) -> &str {
        self.texts.get(path).map_or("", String::as_str)
    }
}

/// A finding as text.
pub(crate) fn render(
    finding: &Finding,
    texts: &mut Texts<'_>,
    renderer: &Renderer,
    name: impl Fn(&AbsPath) -> String,
) -> String {
    let level = match finding.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        // The word that people know from compilers.
        Severity::Info => Level::INFO.with_name("hint"),
    };
    for span in std::iter::once(&finding.span).chain(finding.also.iter().map(|(span, _)| span)) {
        texts.know(&span.path);
    }
    let texts = &*texts;
    let mut elements: Vec<Element<'_>> = Vec::new();
    elements.push(place(
        &finding.span,
        None,
        texts.of(&finding.span.path),
        &name,
    ));
    for (span, what) in &finding.also {
        elements.push(place(span, Some(what), texts.of(&span.path), &name));
    }
    if !finding.chain.is_empty() {
        let steps = finding.chain.iter();
        let steps: Vec<String> = steps
            .map(|mention| format!("{}:{}", name(&mention.by), mention.line))
            .collect();
        let through = format!("imported through {}", steps.join(", "));
        elements.push(Level::NOTE.message(through).into());
    }
    if let Some(cost) = finding.cost {
        elements.push(
            Level::NOTE
                .with_name("cost")
                .message(super::cost(cost))
                .into(),
        );
    }
    if let Some(help) = &finding.help {
        elements.push(Level::HELP.message(help.as_str()).into());
    }
    let title = level
        .primary_title(finding.message.as_str())
        .id(finding.rule.id);
    renderer.render(&[title.elements(elements)])
}

/// A place with its lines; of a file as a whole its name.
fn place<'a>(
    span: &Span,
    what: Option<&'a String>,
    text: &'a str,
    name: impl Fn(&AbsPath) -> String,
) -> Element<'a> {
    let path = name(&span.path);
    if span.is_file || span.bytes.end > text.len() {
        return Origin::path(path).into();
    }
    let shown = lines_of(text, &span.bytes);
    let annotated = span.bytes.start - shown.start..span.bytes.end.min(shown.end) - shown.start;
    let kind = match what {
        Some(_) => AnnotationKind::Context,
        None => AnnotationKind::Primary,
    };
    let annotation = kind.span(annotated);
    Snippet::source(&text[shown])
        .path(path)
        .line_start(span.line as usize)
        .annotation(match what {
            Some(what) => annotation.label(what.as_str()),
            None => annotation,
        })
        .into()
}

/// The bytes of the lines of a place, not too many.
fn lines_of(text: &str, bytes: &Range<usize>) -> Range<usize> {
    let start = text[..bytes.start].rfind('\n').map_or(0, |end| end + 1);
    let mut ends = text[start..]
        .match_indices('\n')
        .map(|(end, _)| start + end);
    let end = ends
        .by_ref()
        .take(LINES)
        .find(|end| *end >= bytes.end)
        .or_else(|| {
            text[start..]
                .match_indices('\n')
                .nth(LINES - 1)
                .map(|(end, _)| start + end)
        });
    let end = end.unwrap_or(text.len());
    // Behind a line stands no sign for its end.
    let is_crlf = end > bytes.end && text[..end].ends_with('\r');
    start..if is_crlf { end - 1 } else { end }
}
