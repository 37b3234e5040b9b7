//! Regular expressions that are made when they are first needed.

use std::sync::LazyLock;

use regex::{Regex, RegexBuilder};

/// An expression; one that is none finds nothing, and a test of its module tells.
pub(crate) type Form = LazyLock<Option<Regex>>;

/// An expression that takes capitals for small letters.
pub(crate) fn any_case(text: &str) -> Option<Regex> {
    let mut builder = RegexBuilder::new(text);
    builder.case_insensitive(true).build().ok()
}

/// Whether a text has what a form looks for.
pub(crate) fn is(form: &Form, text: &str) -> bool {
    form.as_ref().is_some_and(|form| form.is_match(text))
}
