//! Which values a key takes; one of the wrong kind costs the file, or the key.

use jsonc_parser::ast;
use jsonc_parser::common::Ranged;

use super::value::last_of_each;

/// A value of the wrong kind.
pub(super) struct Wrong {
    /// Its key.
    pub(super) name: String,
    /// What it must be.
    pub(super) wanted: &'static str,
    /// Where the key stands, in bytes.
    pub(super) at: usize,
}

/// Values of the wrong kind: one in a file other than the managed ones makes all of it void
/// (fact 7.3, cases settings-*-voids, settings-wrong-*). Keys that were not tried are taken to be
/// right.
pub(super) fn invalid(object: &ast::Object) -> Vec<Wrong> {
    let wrong = |property: &ast::ObjectProp| {
        let name = property.name.as_str();
        let wanted = wanted_instead(name, &property.value)?;
        Some(Wrong {
            name: name.to_owned(),
            wanted,
            at: property.start(),
        })
    };
    last_of_each(&object.properties).filter_map(wrong).collect()
}

/// What a key must hold, where it holds something else.
fn wanted_instead(name: &str, value: &ast::Value) -> Option<&'static str> {
    let (fits, wanted) = match name {
        "claudeMdExcludes" => (is_list_of_texts(value), "a list of texts"),
        "autoCompactEnabled" | "autoMemoryEnabled" | "includeCoAuthoredBy" => {
            (value.as_boolean_lit().is_some(), "true or false")
        }
        "autoMemoryDirectory" | "claudeMd" | "model" | "outputStyle" => {
            (value.as_string_lit().is_some(), "a text")
        }
        "cleanupPeriodDays" => (value.as_number_lit().is_some(), "a number"),
        "env" | "statusLine" => (value.as_object().is_some(), "an object"),
        "enabledPlugins" => (
            all(value, is_plugin),
            "an object of true, false or lists of texts",
        ),
        "permissions" => (
            all(value, is_permission),
            "an object whose rules and directories are lists",
        ),
        _ => return None,
    };
    (!fits).then_some(wanted)
}

fn is_list_of_texts(value: &ast::Value) -> bool {
    let items = value.as_array().map(|items| items.elements.iter());
    items.is_some_and(|mut items| items.all(|item| item.as_string_lit().is_some()))
}

/// Whether a value is an object all of whose properties fit.
fn all(value: &ast::Value, fits: fn(&ast::ObjectProp) -> bool) -> bool {
    let properties = value.as_object().map(|object| object.properties.iter());
    properties.is_some_and(|mut properties| properties.all(fits))
}

fn is_plugin(plugin: &ast::ObjectProp) -> bool {
    plugin.value.as_boolean_lit().is_some() || is_list_of_texts(&plugin.value)
}

/// The items of these lists are checked one by one and cost only themselves.
fn is_permission(property: &ast::ObjectProp) -> bool {
    let lists = ["allow", "deny", "ask", "additionalDirectories"];
    !lists.contains(&property.name.as_str()) || property.value.as_array().is_some()
}
