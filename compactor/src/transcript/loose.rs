//! Values that are read where they have the expected kind and passed over where they have not:
//! a transcript is another program's file, and one odd value must not hide its record.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

/// What can be made of a JSON value; each kind of value gives the default unless it is expected.
pub(super) trait FromAny<'de>: Default {
    fn text(_: &str) -> Self {
        Self::default()
    }
    fn borrowed(text: &'de str) -> Self {
        Self::text(text)
    }
    fn number(_: u64) -> Self {
        Self::default()
    }
    fn switch(_: bool) -> Self {
        Self::default()
    }
    fn list<A: SeqAccess<'de>>(mut list: A) -> Result<Self, A::Error> {
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Self::default())
    }
    fn object<A: MapAccess<'de>>(mut map: A) -> Result<Self, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Self::default())
    }
}

/// Any value, as `T` takes it.
pub(super) struct Any<T>(pub T);

impl<'de, T: FromAny<'de>> Deserialize<'de> for Any<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(AnyVisitor(PhantomData)).map(Any)
    }
}

struct AnyVisitor<T>(PhantomData<T>);

impl<'de, T: FromAny<'de>> Visitor<'de> for AnyVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<T, E> {
        Ok(T::borrowed(text))
    }

    fn visit_str<E>(self, text: &str) -> Result<T, E> {
        Ok(T::text(text))
    }

    fn visit_u64<E>(self, value: u64) -> Result<T, E> {
        Ok(T::number(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<T, E> {
        Ok(T::number(u64::try_from(value).unwrap_or(0)))
    }

    fn visit_f64<E>(self, value: f64) -> Result<T, E> {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "such a cast ends at the greatest and least number"
        )]
        Ok(T::number(value as u64))
    }

    fn visit_bool<E>(self, value: bool) -> Result<T, E> {
        Ok(T::switch(value))
    }

    fn visit_unit<E>(self) -> Result<T, E> {
        Ok(T::default())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<T, A::Error> {
        T::list(list)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<T, A::Error> {
        T::object(map)
    }
}

/// A text, or nothing where another kind of value stands.
impl<'de> FromAny<'de> for Option<Cow<'de, str>> {
    fn text(text: &str) -> Self {
        Some(Cow::Owned(text.to_owned()))
    }

    fn borrowed(text: &'de str) -> Self {
        Some(Cow::Borrowed(text))
    }
}

/// A number that is not negative, else 0.
impl FromAny<'_> for u64 {
    fn number(value: u64) -> Self {
        value
    }
}

/// A `true`.
impl FromAny<'_> for bool {
    fn switch(value: bool) -> Self {
        value
    }
}

/// The keys and values of an object, one after the other; a key that stands twice comes twice.
pub(super) fn each_key<'de, A: MapAccess<'de>>(
    map: &mut A,
    mut take: impl FnMut(&str, &mut A) -> Result<bool, A::Error>,
) -> Result<(), A::Error> {
    while let Some(Any(key)) = map.next_key::<Any<Option<Cow<'de, str>>>>()? {
        if !take(key.as_deref().unwrap_or_default(), map)? {
            map.next_value::<IgnoredAny>()?;
        }
    }
    Ok(())
}

/// The next value of an object, as `T` takes it.
pub(super) fn value<'de, T: FromAny<'de>, A: MapAccess<'de>>(map: &mut A) -> Result<T, A::Error> {
    map.next_value::<Any<T>>().map(|Any(value)| value)
}
