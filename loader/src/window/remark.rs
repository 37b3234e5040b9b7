//! What is odd about a setting of the window.

use crate::record::Diagnostic;
use serde::Serialize;

use super::source::Source;

/// A variable or a setting that does not do what it seems to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Remark {
    /// What it is, by a stable name such as `share-fraction`.
    pub case: &'static str,
    /// Where it was set.
    pub source: Source,
    /// What it does, and what helps.
    pub message: String,
}

impl Remark {
    /// The same as a diagnostic, at the file and line that set it.
    #[must_use]
    pub fn diagnostic(&self) -> Diagnostic {
        let diagnostic = Diagnostic::warning(&*self.message);
        match &self.source {
            Source::Variable {
                place: Some(place), ..
            }
            | Source::Setting { place, .. } => Diagnostic {
                path: place.file.clone(),
                line: place.file.as_ref().map(|_| place.line),
                ..diagnostic
            },
            Source::State { file, .. } => diagnostic.about(file),
            _ => diagnostic,
        }
    }
}
