//! Single values of a JSON text changed, the rest kept byte for byte.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;

use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use crate::transcript::without_lone_surrogates;

/// What is done to one item of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ItemChange {
    /// It goes.
    Drop,
    /// This JSON comes in its place.
    Put(String),
    /// The list under this key of it is changed.
    Inside(&'static str, Changes),
    /// The value under this key of it becomes this JSON; a missing key is added.
    Set(&'static str, String),
}

/// Changes of a list, by the number of the item.
pub type Changes = BTreeMap<usize, ItemChange>;

/// A JSON text that is changed value by value.
///
/// What is no JSON, or not of the asked form, stays as it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Json(String);

impl Json {
    /// A text.
    #[must_use]
    pub fn new(text: String) -> Self {
        Self(text)
    }

    /// The text as it is by now.
    #[must_use]
    pub fn into_text(self) -> String {
        self.0
    }

    /// Sets the value at a path of keys to a JSON text; the last key is added where it is missing.
    pub fn set(&mut self, path: &[&str], value: &str) {
        let Some((last, above)) = path.split_last() else {
            return;
        };
        let Some(object) = self.place(above) else {
            return;
        };
        let text = &self.0[object.clone()];
        let Some(members) = members(text) else {
            return;
        };
        let found = members.iter().rfind(|(key, _)| key == last);
        let (range, new) = match (found, members.is_empty()) {
            (Some((_, range)), _) => (range.clone(), value.to_owned()),
            // Behind the last member, or into the empty object.
            (None, is_empty) => {
                let end = text.trim_end().len() - 1;
                let end = text[..end].trim_end().len();
                let comma = if is_empty { "" } else { "," };
                let key = serde_json::Value::from(*last);
                (end..end, format!("{comma}{key}:{value}"))
            }
        };
        self.0
            .replace_range(object.start + range.start..object.start + range.end, &new);
    }

    /// Changes items of the list at a path of keys.
    pub fn change(&mut self, path: &[&str], changes: &Changes) {
        if let Some(range) = self.place(path) {
            let list = list_with(&self.0[range.clone()], changes);
            self.0.replace_range(range, &list);
        }
    }

    /// The value at a path of keys, as JSON.
    #[must_use]
    pub fn value(&self, path: &[&str]) -> Option<&str> {
        self.place(path).map(|range| &self.0[range])
    }

    /// The items of the list at a path of keys, as JSON.
    #[must_use]
    pub fn items(&self, path: &[&str]) -> Vec<&str> {
        let list = self.value(path).unwrap_or_default();
        let items = items(list).unwrap_or_default();
        items.into_iter().map(|range| &list[range]).collect()
    }

    /// Where the value at a path of keys stands. Of a key that stands twice the second counts.
    fn place(&self, path: &[&str]) -> Option<Range<usize>> {
        let mut at = 0..self.0.len();
        for key in path {
            let members = members(&self.0[at.clone()])?;
            let (_, range) = members.iter().rfind(|(name, _)| name == key)?;
            at = at.start + range.start..at.start + range.end;
        }
        Some(at)
    }
}

fn list_with(text: &str, changes: &Changes) -> String {
    let Some(items) = items(text) else {
        return text.to_owned();
    };
    let (Some(first), Some(last)) = (items.first(), items.last()) else {
        return text.to_owned();
    };
    let mut list = text[..first.start].to_owned();
    let mut kept = 0;
    for (number, range) in items.iter().enumerate() {
        let item = &text[range.clone()];
        let item = match changes.get(&number) {
            Some(ItemChange::Drop) => continue,
            Some(ItemChange::Put(value)) => Cow::Borrowed(value.as_str()),
            Some(ItemChange::Inside(key, changes)) => {
                let mut json = Json::new(item.to_owned());
                json.change(&[*key], changes);
                Cow::Owned(json.into_text())
            }
            Some(ItemChange::Set(key, value)) => {
                let mut json = Json::new(item.to_owned());
                json.set(&[*key], value);
                Cow::Owned(json.into_text())
            }
            None => Cow::Borrowed(item),
        };
        if kept > 0 {
            // As it stood before this item.
            let before = items[number - 1].end..range.start;
            list.push_str(&text[before]);
        }
        list.push_str(&item);
        kept += 1;
    }
    list.push_str(&text[last.end..]);
    list
}

/// The keys of an object, each with the place of its value.
fn members(text: &str) -> Option<Vec<(String, Range<usize>)>> {
    places(text).map(|(members, _)| members)
}

/// The places of a list's items.
fn items(text: &str) -> Option<Vec<Range<usize>>> {
    if !text.trim_start().starts_with('[') {
        return None;
    }
    places(text).map(|(_, items)| items)
}

type Places = (Vec<(String, Range<usize>)>, Vec<Range<usize>>);

fn places(text: &str) -> Option<Places> {
    // Half a surrogate pair in a key stops the reader; mended, all places are the same.
    let read = |text: &str| {
        let mut reader = serde_json::Deserializer::from_str(text);
        PlacesOf(text).deserialize(&mut reader).ok()
    };
    read(text).or_else(|| read(&without_lone_surrogates(text)?.1))
}

/// Reads one level of a JSON text.
struct PlacesOf<'t>(&'t str);

impl PlacesOf<'_> {
    fn range(&self, raw: &RawValue) -> Range<usize> {
        // The raw value is a part of the text.
        let start = raw.get().as_ptr() as usize - self.0.as_ptr() as usize;
        start..start + raw.get().len()
    }
}

impl<'de> DeserializeSeed<'de> for PlacesOf<'de> {
    type Value = Places;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Places, D::Error> {
        from.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for PlacesOf<'de> {
    type Value = Places;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object or a list")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Places, A::Error> {
        let mut members = Vec::new();
        while let Some((key, value)) = map.next_entry::<Cow<'de, str>, &'de RawValue>()? {
            members.push((key.into_owned(), self.range(value)));
        }
        Ok((members, Vec::new()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Places, A::Error> {
        let mut items = Vec::new();
        while let Some(value) = list.next_element::<&'de RawValue>()? {
            items.push(self.range(value));
        }
        Ok((Vec::new(), items))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn json(text: &str) -> Json {
        Json::new(text.to_owned())
    }

    #[test]
    fn values_are_set_in_place() {
        let mut text = json(r#"{ "b":1.50, "parent" : "x" ,"m":{"c":[1, 2 ,3]} }"#);
        text.set(&["parent"], "null");
        text.set(&["m", "d"], "true");
        text.set(&["e"], "[]");
        assert_eq!(
            text.into_text(),
            r#"{ "b":1.50, "parent" : null ,"m":{"c":[1, 2 ,3],"d":true},"e":[] }"#
        );
        let mut empty = json("{}");
        empty.set(&["a"], "1");
        assert_eq!(empty.into_text(), r#"{"a":1}"#);
    }

    #[test]
    fn items_go_with_their_commas() {
        let drop = |numbers: &[usize]| {
            let mut text = json(r#"{"c":[ 1, 2 ,3 ]}"#);
            let changes = numbers.iter().map(|number| (*number, ItemChange::Drop));
            text.change(&["c"], &changes.collect());
            text.into_text()
        };
        assert_eq!(drop(&[0]), r#"{"c":[ 2 ,3 ]}"#);
        assert_eq!(drop(&[1]), r#"{"c":[ 1 ,3 ]}"#);
        assert_eq!(drop(&[2]), r#"{"c":[ 1, 2 ]}"#);
        assert_eq!(drop(&[0, 1, 2]), r#"{"c":[  ]}"#);
    }

    #[test]
    fn lists_inside_items_are_changed() {
        let mut text = json(r#"{"c":[{"x":[{"i":1},{"i":2}]},"y"]}"#);
        let inner = Changes::from([(1, ItemChange::Put("3".to_owned()))]);
        text.change(
            &["c"],
            &Changes::from([(0, ItemChange::Inside("x", inner))]),
        );
        assert_eq!(text.into_text(), r#"{"c":[{"x":[{"i":1},3]},"y"]}"#);
    }

    #[test]
    fn what_is_not_of_the_form_stays() {
        for text in [r#"{"c":"text"}"#, "[1", "", r#"{"\ud800":1}"#] {
            let mut same = json(text);
            same.change(&["c"], &Changes::from([(0, ItemChange::Drop)]));
            same.set(&["c", "d"], "1");
            assert_eq!(same.into_text(), text);
        }
    }

    #[test]
    fn the_second_of_two_keys_counts() {
        let mut text = json(r#"{"a":1,"a":2}"#);
        assert_eq!(text.value(&["a"]), Some("2"));
        text.set(&["a"], "3");
        assert_eq!(text.into_text(), r#"{"a":1,"a":3}"#);
    }
}
