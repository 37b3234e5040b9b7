//! JSON values that keep their lines.

use jsonc_parser::ast;
use jsonc_parser::common::Ranged;

/// A value of a settings file and its 1-based line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// Where it begins.
    pub line: u32,
    /// What it is.
    pub value: NodeValue,
}

/// What a [`Node`] is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NodeValue {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number as it is written.
    Number(String),
    /// A text.
    Text(String),
    /// A list.
    List(Vec<Node>),
    /// An object.
    Map(Vec<Property>),
}

/// A key of an object with its value; of a repeated key the last counts (case settings-dup).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property {
    /// The key.
    pub name: String,
    /// The line of the key.
    pub line: u32,
    /// The value.
    pub value: Node,
}

impl Node {
    /// The value of a key, if this is an object that has it.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Self> {
        self.property(name).map(|property| &property.value)
    }

    /// The same with the line of the key.
    #[must_use]
    pub fn property(&self, name: &str) -> Option<&Property> {
        self.properties()
            .iter()
            .find(|property| property.name == name)
    }

    /// The keys of an object; none of anything else.
    #[must_use]
    pub fn properties(&self) -> &[Property] {
        self.as_map().unwrap_or_default()
    }

    /// The keys, if this is an object.
    #[must_use]
    pub fn as_map(&self) -> Option<&[Property]> {
        match &self.value {
            NodeValue::Map(properties) => Some(properties),
            _ => None,
        }
    }

    /// The items, if this is a list.
    #[must_use]
    pub fn as_list(&self) -> Option<&[Self]> {
        match &self.value {
            NodeValue::List(items) => Some(items),
            _ => None,
        }
    }

    /// The items of a list; none of anything else.
    #[must_use]
    pub fn items(&self) -> &[Self] {
        self.as_list().unwrap_or_default()
    }

    /// The text, if it is one.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        match &self.value {
            NodeValue::Text(text) => Some(text),
            _ => None,
        }
    }

    /// `true` or `false`, if it is one of them.
    #[must_use]
    pub const fn bool(&self) -> Option<bool> {
        match self.value {
            NodeValue::Bool(on) => Some(on),
            _ => None,
        }
    }

    /// The number, if it is one that `T` can hold.
    #[must_use]
    pub fn number<T: std::str::FromStr>(&self) -> Option<T> {
        match &self.value {
            NodeValue::Number(number) => number.parse().ok(),
            _ => None,
        }
    }

    /// The value as plain JSON.
    #[must_use]
    pub fn to_json(&self) -> serde_json::Value {
        use serde_json::Value;
        match &self.value {
            NodeValue::Null => Value::Null,
            NodeValue::Bool(on) => Value::Bool(*on),
            NodeValue::Number(number) => serde_json::from_str(number).unwrap_or(Value::Null),
            NodeValue::Text(text) => Value::String(text.clone()),
            NodeValue::List(items) => items.iter().map(Self::to_json).collect(),
            NodeValue::Map(properties) => properties
                .iter()
                .map(|property| (property.name.clone(), property.value.to_json()))
                .collect(),
        }
    }

    /// The node of a parsed value; `line` gives the 1-based line of an offset.
    pub(super) fn of(value: &ast::Value, line: &dyn Fn(usize) -> u32) -> Self {
        let node = match value {
            ast::Value::NullKeyword(_) => NodeValue::Null,
            ast::Value::BooleanLit(on) => NodeValue::Bool(on.value),
            ast::Value::NumberLit(number) => NodeValue::Number(number.value.to_string()),
            ast::Value::StringLit(text) => NodeValue::Text(text.value.to_string()),
            ast::Value::Array(items) => {
                let items = items.elements.iter();
                NodeValue::List(items.map(|item| Self::of(item, line)).collect())
            }
            ast::Value::Object(object) => {
                let properties = last_of_each(&object.properties);
                let properties = properties.map(|property| Property::of(property, line));
                NodeValue::Map(properties.collect())
            }
        };
        Self {
            line: line(value.start()),
            value: node,
        }
    }
}

impl Property {
    pub(super) fn of(property: &ast::ObjectProp, line: &dyn Fn(usize) -> u32) -> Self {
        Self {
            name: property.name.as_str().to_owned(),
            line: line(property.start()),
            value: Node::of(&property.value, line),
        }
    }
}

/// The properties, of a repeated name only the last (case settings-dup).
pub(super) fn last_of_each<'p, 'a>(
    properties: &'p [ast::ObjectProp<'a>],
) -> impl Iterator<Item = &'p ast::ObjectProp<'a>> {
    let mut last = rustc_hash::FxHashMap::default();
    for (index, property) in properties.iter().enumerate() {
        last.insert(property.name.as_str(), index);
    }
    let all = properties.iter().enumerate();
    all.filter(move |(index, property)| last.get(property.name.as_str()) == Some(index))
        .map(|(_, property)| property)
}
