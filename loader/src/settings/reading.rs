//! From the bytes of a settings file to its values.

use jsonc_parser::ast;
use jsonc_parser::common::Ranged;

use super::kinds::{Wrong, invalid};
use super::value::{Node, NodeValue, Property, last_of_each};
use super::{Fault, Lost, Place, SettingsFile, Tier};
use crate::document::line_at;
use crate::host::Host;
use crate::limits;
use crate::path::AbsPath;
use crate::record::Diagnostic;
use crate::request::hooks;

/// Reads settings files; what is wrong with them becomes diagnostics.
pub(super) struct Reader<'a> {
    pub(super) host: &'a dyn Host,
    pub(super) diagnostics: Vec<Diagnostic>,
    /// The same as data.
    pub(super) faults: Vec<Fault>,
    /// A hook of the wrong form voids the file.
    pub(super) hooks_void: bool,
}

impl Reader<'_> {
    fn warn(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// The file's values; `None` if it is absent, empty or does not count.
    pub(super) fn file(&mut self, tier: Tier, path: &AbsPath) -> Option<SettingsFile> {
        match self.host.read(path, limits::SETTINGS_BYTES) {
            Ok(bytes) => self.text(tier, Some(path), &decoded(&bytes)),
            Err(error) if error.is_absent() => None,
            Err(error) => {
                let place = Place {
                    tier,
                    file: Some(path.clone()),
                    line: 1,
                };
                self.faults.push(Fault {
                    place,
                    offset: None,
                    what: format!("the file {error}"),
                    lost: Lost::File,
                });
                let message = format!("settings file {error}; its settings do not count");
                self.warn(Diagnostic::warning(message).about(path));
                None
            }
        }
    }

    /// The same for settings given as text.
    pub(super) fn text(
        &mut self,
        tier: Tier,
        file: Option<&AbsPath>,
        text: &str,
    ) -> Option<SettingsFile> {
        let body = text.strip_prefix('\u{FEFF}').unwrap_or(text);
        if body.trim().is_empty() {
            return None;
        }
        let skipped = text.len() - body.len();
        let warning = |message: String, at: usize| {
            let diagnostic = match file {
                Some(file) => Diagnostic::warning(message).about(file),
                None => Diagnostic::warning(message),
            };
            diagnostic.at(text, skipped + at)
        };
        let fault = |what: String, at: usize, lost: Lost| Fault {
            place: Place {
                tier,
                file: file.cloned(),
                line: line_at(text, skipped + at),
            },
            offset: Some(skipped + at),
            what,
            lost,
        };
        let object = match object(body) {
            Ok(object) => object,
            Err((what, at)) => {
                self.faults
                    .push(fault(format!("the file is {what}"), at, Lost::File));
                let message = format!("settings are {what}, so none of them count");
                self.warn(warning(message, at));
                return None;
            }
        };
        let wrong = invalid(&object);
        for Wrong { name, wanted, at } in &wrong {
            // Of managed settings only the wrong key is lost (case settings-managed-excludes-string).
            let (lost, cost) = match tier {
                Tier::Managed => ("it does not count", Lost::Key),
                _ => ("the client takes nothing from this file", Lost::File),
            };
            let said = format!("`{name}` must be {wanted}");
            self.faults.push(fault(said, *at, cost));
            self.warn(warning(format!("{name} must be {wanted}, so {lost}"), *at));
            if tier != Tier::Managed {
                return None;
            }
        }
        let line = lines_of(body);
        let fits = |property: &&ast::ObjectProp| {
            let start = property.start();
            !wrong.iter().any(|wrong| wrong.at == start)
        };
        let properties = last_of_each(&object.properties).filter(fits);
        let properties = properties.map(|property| Property::of(property, &line));
        let root = Node {
            line: line(object.start()),
            value: NodeValue::Map(properties.collect()),
        };
        let voids = self.hooks_void && tier != Tier::Managed;
        if let Some((line, what)) = hooks::voiding(&root).filter(|_| voids) {
            self.faults.push(Fault {
                place: Place {
                    tier,
                    file: file.cloned(),
                    line,
                },
                offset: None,
                what: what.clone(),
                lost: Lost::File,
            });
            let message = format!("{what}, so the client takes nothing from this file");
            let mut diagnostic = warning(message, 0);
            (diagnostic.line, diagnostic.column) = (Some(line), None);
            self.warn(diagnostic);
            return None;
        }
        Some(SettingsFile {
            tier,
            path: file.cloned(),
            root,
        })
    }
}

/// The 1-based line of each offset; a byte-order mark before the text changes none.
fn lines_of(text: &str) -> impl Fn(usize) -> u32 {
    let ends: Vec<usize> = memchr::memchr_iter(b'\n', text.as_bytes()).collect();
    move |at| {
        let before = ends.partition_point(|end| *end < at);
        u32::try_from(before + 1).unwrap_or(u32::MAX)
    }
}

impl Node {
    /// Another file's JSON object, with its lines.
    ///
    /// # Errors
    /// What is wrong with it, and at which byte of `text`.
    pub(crate) fn read(text: &str) -> Result<Self, (String, usize)> {
        let body = text.strip_prefix('\u{FEFF}').unwrap_or(text);
        let skipped = text.len() - body.len();
        let object = object(body).map_err(|(what, at)| (what, skipped + at))?;
        Ok(Self::of(&ast::Value::Object(object), &lines_of(body)))
    }
}

/// The object that a settings file is, or what is wrong and where.
fn object(body: &str) -> Result<ast::Object<'_>, (String, usize)> {
    let parsed =
        jsonc_parser::parse_to_ast(body, &jsonc_parser::CollectOptions::default(), &STRICT);
    let value =
        parsed.map_err(|error| (format!("not JSON ({})", error.kind()), error.range().start))?;
    let Some(ast::Value::Object(object)) = value.value else {
        return Err(("not a JSON object".to_owned(), 0));
    };
    match not_json(body) {
        Some(wrong) => Err(wrong),
        None => Ok(object),
    }
}

/// Settings as text: UTF-8, or UTF-16 behind a mark (case settings-utf16).
fn decoded(bytes: &[u8]) -> std::borrow::Cow<'_, str> {
    let Some(units) = bytes.strip_prefix(b"\xFF\xFE") else {
        return String::from_utf8_lossy(bytes);
    };
    let units = units
        .chunks_exact(2)
        .map(|pair| u16::from_le_bytes([pair[0], pair[1]]));
    let decoded = char::decode_utf16(units);
    decoded
        .map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER))
        .collect()
}

/// The client takes plain JSON only: a comment or a comma too many voids the file.
const STRICT: jsonc_parser::ParseOptions = jsonc_parser::ParseOptions {
    allow_comments: false,
    allow_loose_object_property_names: false,
    allow_trailing_commas: false,
    allow_missing_commas: false,
    allow_single_quoted_strings: false,
    allow_hexadecimal_numbers: false,
    allow_unary_plus_numbers: false,
    allow_bare_decimal_point_numbers: false,
    allow_non_finite_numbers: false,
    allow_extended_string_escapes: false,
};

/// Where a text that the reader took is no JSON after all: it lets line ends stand in texts.
fn not_json(text: &str) -> Option<(String, usize)> {
    let error = serde_json::from_str::<serde::de::IgnoredAny>(text).err()?;
    let mut ends = memchr::memchr_iter(b'\n', text.as_bytes());
    let before = error.line().checked_sub(2);
    let line_start = before.and_then(|before| ends.nth(before));
    let at = line_start.map_or(0, |end| end + 1) + error.column().saturating_sub(1);
    Some((format!("not JSON ({error})"), at))
}
