//! Texts that no output may show.

use std::borrow::Cow;
use std::sync::Arc;

use super::finding::Finding;
use crate::path::AbsPath;

/// The secrets that were found. Whatever is printed of a file passes [`Secrets::hide`]: other
/// findings may stand on the same line.
#[derive(Clone, Debug, Default)]
pub struct Secrets(Vec<String>);

impl Secrets {
    /// The secrets of some findings, told or not.
    pub(super) fn of(findings: &[Finding], text: impl Fn(&AbsPath) -> Option<Arc<str>>) -> Self {
        let found = findings.iter().filter(|finding| finding.is_secret);
        let texts = found.filter_map(|finding| {
            let text = text(&finding.span.path)?;
            let secret = text.get(finding.span.bytes.clone())?;
            (!secret.is_empty()).then(|| secret.to_owned())
        });
        Self(texts.collect())
    }

    /// Adds those of another session.
    pub(super) fn add(&mut self, other: Self) {
        self.0.extend(other.0);
    }

    /// A text with stars for each secret, as many as it has bytes, so that all places stay; line ends
    /// stay, too.
    #[must_use]
    pub fn hide<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let mut shown = Cow::Borrowed(text);
        for secret in &self.0 {
            if shown.contains(secret.as_str()) {
                let stars = |c: char| match c {
                    '\n' | '\r' => c.to_string(),
                    _ => "*".repeat(c.len_utf8()),
                };
                let stars: String = secret.chars().map(stars).collect();
                shown = Cow::Owned(shown.replace(secret.as_str(), &stars));
            }
        }
        shown
    }
}
