//! The two pattern languages of the client, each behind a type of its own.
//!
//! A rule's `paths` speak gitignore ([`RulePatterns`], facts 5.4–5.6, on `globset`);
//! `claudeMdExcludes` speak a shell-like language with extended globs ([`ExcludePattern`],
//! fact 7.1). They share only the character `*`.

mod braces;
mod excludes;
mod odd_class;
mod rule_patterns;

pub use braces::expand_braces_once;
pub use excludes::ExcludePattern;
pub use rule_patterns::RulePatterns;
