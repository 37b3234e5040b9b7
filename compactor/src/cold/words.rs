//! What a record says, without holding it: its strings pass by one after the other.

use std::fmt;

use regex::{Match, Regex};
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::search::Role;

/// How much of a text is shown before and behind what matches, and of that, in characters.
const AROUND: usize = 80;
const MATCHED: usize = 160;

/// Keys of a record whose texts are not said by anybody.
const ABOUT: &[&str] = &[
    "agentId",
    "cwd",
    "entrypoint",
    "gitBranch",
    "leafUuid",
    "level",
    "logicalParentUuid",
    "messageId",
    "parentUuid",
    "permissionMode",
    "promptId",
    "requestId",
    "sessionId",
    "slug",
    "sourceToolAssistantUUID",
    "subtype",
    "userType",
    "version",
];
/// The same within its message; `data` and `signature` are no words.
const ABOUT_INSIDE: &[&str] = &[
    "data",
    "media_type",
    "model",
    "role",
    "signature",
    "stop_reason",
];

/// A record, or a line, in which the pattern is.
#[derive(Debug)]
pub(super) struct Words {
    pub(super) role: Role,
    pub(super) uuid: Option<String>,
    pub(super) time: Option<String>,
    /// What stands before what matches, that, and what stands behind.
    pub(super) snippet: [String; 3],
}

impl Words {
    /// A line that is no record.
    pub(super) fn of_text(line: &[u8], role: Role, pattern: &Regex) -> Option<Self> {
        let line = String::from_utf8_lossy(line);
        let found = pattern.find(&line)?;
        Some(Self {
            role,
            uuid: None,
            time: None,
            snippet: snippet(&line, found),
        })
    }
}

/// A record in whose texts the pattern is. A line that is no record, as the last one of a killed
/// client, is searched as it stands.
pub(super) fn of_record(line: &[u8], pattern: &Regex) -> Option<Words> {
    let mut read = Read {
        pattern,
        kind: String::new(),
        uuid: None,
        time: None,
        is_result: false,
        is_meta: false,
        snippet: None,
    };
    let mut deserializer = serde_json::Deserializer::from_slice(line);
    let walk = Walk {
        read: &mut read,
        place: Place::Record,
    };
    if walk.deserialize(&mut deserializer).is_err() {
        return Words::of_text(line, Role::System, pattern);
    }
    // What newer clients log of their requests stands in the records, too.
    if read.kind.starts_with("api-request") {
        return None;
    }
    let role = match &*read.kind {
        "assistant" => Role::Assistant,
        "user" if read.is_result => Role::Tool,
        "user" if !read.is_meta => Role::User,
        _ => Role::System,
    };
    Some(Words {
        role,
        uuid: read.uuid,
        time: read.time,
        snippet: read.snippet?,
    })
}

/// What was read of a record so far.
struct Read<'a> {
    pattern: &'a Regex,
    kind: String,
    uuid: Option<String>,
    time: Option<String>,
    is_result: bool,
    is_meta: bool,
    snippet: Option<[String; 3]>,
}

/// What a value is.
#[derive(Clone, Copy)]
enum Place {
    Record,
    Kind,
    Uuid,
    Time,
    Meta,
    BlockKind,
    Said,
}

impl Place {
    /// What stands under a key; nothing where it need not be read.
    fn under(self, key: &str) -> Option<Self> {
        match (self, key) {
            (Self::Record, "type") => Some(Self::Kind),
            (Self::Record, "uuid") => Some(Self::Uuid),
            (Self::Record, "timestamp") => Some(Self::Time),
            (Self::Record, "isMeta" | "isCompactSummary") => Some(Self::Meta),
            (Self::Record, key) if ABOUT.contains(&key) => None,
            (_, "type") => Some(Self::BlockKind),
            (_, key) if ABOUT_INSIDE.contains(&key) => None,
            _ => Some(Self::Said),
        }
    }
}

struct Walk<'r, 'a> {
    read: &'r mut Read<'a>,
    place: Place,
}

impl<'de> DeserializeSeed<'de> for Walk<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Walk<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_str<E>(self, text: &str) -> Result<(), E> {
        let read = self.read;
        match self.place {
            Place::Kind => text.clone_into(&mut read.kind),
            Place::Time => read.time = Some(text.to_owned()),
            Place::BlockKind => read.is_result |= text == "tool_result",
            Place::Meta => {}
            Place::Uuid | Place::Said | Place::Record => {
                if matches!(self.place, Place::Uuid) {
                    read.uuid = Some(text.to_owned());
                }
                if read.snippet.is_none()
                    && let Some(found) = read.pattern.find(text)
                {
                    read.snippet = Some(snippet(text, found));
                }
            }
        }
        Ok(())
    }

    fn visit_bool<E>(self, is: bool) -> Result<(), E> {
        if matches!(self.place, Place::Meta) {
            self.read.is_meta |= is;
        }
        Ok(())
    }

    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        let read = self.read;
        let place = Place::Said;
        while items.next_element_seed(Walk { read, place })?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<(), A::Error> {
        let read = self.read;
        let mut place = None;
        while entries
            .next_key_seed(Key(self.place, &mut place))?
            .is_some()
        {
            match place {
                Some(place) => entries.next_value_seed(Walk { read, place })?,
                None => {
                    entries.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(())
    }
}

/// A key, of which only what stands under it is kept.
struct Key<'a>(Place, &'a mut Option<Place>);

impl<'de> DeserializeSeed<'de> for Key<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for Key<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_str<E>(self, key: &str) -> Result<(), E> {
        *self.1 = self.0.under(key);
        Ok(())
    }
}

/// What matches, with what stands around it.
fn snippet(text: &str, found: Match<'_>) -> [String; 3] {
    let (before, after) = (&text[..found.start()], &text[found.end()..]);
    let start = before.char_indices().rev().nth(AROUND - 1);
    let start = start.map_or(0, |(at, _)| at);
    let ellipsis = if start > 0 { "…" } else { "" };
    let before = format!("{ellipsis}{}", plain(&before[start..]));
    [before, cut(found.as_str(), MATCHED), cut(after, AROUND)]
}

fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => plain(&text[..end]) + "…",
        None => plain(text),
    }
}

/// A text that moves no cursor and turns no direction: white space and the like are one space.
fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for c in text.chars() {
        let turns = matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        match c.is_whitespace() || c.is_control() || turns {
            true if plain.ends_with(' ') => {}
            true => plain.push(' '),
            false => plain.push(c),
        }
    }
    plain
}
