//! The texts in the input of a call.

use std::borrow::Cow;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

/// The texts in a JSON value, each with the key at the top below which it stands.
pub(super) fn each_text<'a>(input: &'a RawValue, found: impl FnMut(Cow<'a, str>, Cow<'a, str>)) {
    let mut texts = Texts {
        key: Cow::Borrowed(""),
        depth: 0,
        found,
    };
    let mut json = serde_json::Deserializer::from_str(input.get());
    // It was read as JSON before; nested too deeply, it gives the texts up to there.
    let _ = (&mut texts).deserialize(&mut json);
}

struct Texts<'a, F> {
    key: Cow<'a, str>,
    depth: usize,
    found: F,
}

impl<'de, F: FnMut(Cow<'de, str>, Cow<'de, str>)> DeserializeSeed<'de> for &mut Texts<'de, F> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        from.deserialize_any(self)
    }
}

impl<'de, F: FnMut(Cow<'de, str>, Cow<'de, str>)> Visitor<'de> for &mut Texts<'de, F> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<(), E> {
        if !text.is_empty() {
            (self.found)(self.key.clone(), Cow::Borrowed(text));
        }
        Ok(())
    }

    fn visit_str<E>(self, text: &str) -> Result<(), E> {
        if !text.is_empty() {
            (self.found)(self.key.clone(), Cow::Owned(text.to_owned()));
        }
        Ok(())
    }

    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        self.depth += 1;
        while list.next_element_seed(&mut *self)?.is_some() {}
        self.depth -= 1;
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        self.depth += 1;
        while let Some(key) = map.next_key_seed(Key)? {
            if self.depth == 1 {
                self.key = key;
            }
            map.next_value_seed(&mut *self)?;
        }
        self.depth -= 1;
        Ok(())
    }
}

/// A key, borrowed where it is written without escapes.
struct Key;

impl<'de> DeserializeSeed<'de> for Key {
    type Value = Cow<'de, str>;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Self::Value, D::Error> {
        from.deserialize_str(self)
    }
}

impl<'de> Visitor<'de> for Key {
    type Value = Cow<'de, str>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(Cow::Borrowed(text))
    }

    fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Cow::Owned(text.to_owned()))
    }
}
