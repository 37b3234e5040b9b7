//! The records that a compaction appends (facts C6.4, C6.5).

use serde_json::{Map, Value, json};

use crate::transcript::{Entry, Index};

/// Makes records that continue a session: each the child of the one before.
pub(super) struct Writer {
    base: Map<String, Value>,
    parent: Value,
    seed: String,
    made: u32,
    /// Of the record before, in milliseconds since 1970.
    time: i64,
    pub lines: Vec<String>,
}

/// A uuid that follows from a seed and a number.
pub(crate) fn uuid_of(seed: &str, number: usize) -> String {
    let hash = blake3::hash(format!("{seed}#{number}").as_bytes());
    let hex = hash.to_hex();
    let part = |from: usize, to: usize| hex.get(from..to).unwrap_or_default();
    format!(
        "{}-{}-4{}-8{}-{}",
        part(0, 8),
        part(8, 12),
        part(13, 16),
        part(17, 20),
        part(20, 32)
    )
}

impl Writer {
    /// A writer that goes on behind a record. Ids and times follow from it, so that the same
    /// transcript always gives the same lines.
    pub(super) fn behind(index: &Index, entry: &Entry) -> Self {
        let text = |id: Option<crate::transcript::Id>| id.map(|id| index.text(id));
        let mut base = Map::new();
        let fields = [
            ("sessionId", text(entry.session)),
            ("cwd", text(entry.cwd)),
            ("version", text(entry.version)),
        ];
        for (key, value) in fields {
            if let Some(value) = value {
                base.insert(key.to_owned(), json!(value));
            }
        }
        base.insert("isSidechain".to_owned(), json!(false));
        base.insert("userType".to_owned(), json!("external"));
        Self {
            base,
            parent: json!(text(entry.uuid)),
            seed: text(entry.uuid).unwrap_or_default().to_owned(),
            made: 0,
            time: entry.time.unwrap_or_default(),
            lines: Vec::new(),
        }
    }

    /// The uuid of the next record.
    pub(super) fn next_uuid(&self) -> String {
        self.uuid_after(0)
    }

    /// The uuid of the record behind so many more.
    pub(super) fn uuid_after(&self, more: usize) -> String {
        let number = self.made as usize + more;
        uuid_of(&self.seed, number)
    }

    /// The next record hangs on nothing, but follows this one.
    pub(super) fn cut(&mut self) {
        self.parent = Value::Null;
    }

    /// Appends a record, and gives its uuid.
    pub(super) fn put(&mut self, kind: &str, fields: Value) -> String {
        let uuid = self.next_uuid();
        self.made += 1;
        self.time += 1;
        let mut record = Map::new();
        record.insert("parentUuid".to_owned(), self.parent.clone());
        record.extend(self.base.clone());
        record.insert("type".to_owned(), json!(kind));
        if let Value::Object(fields) = fields {
            record.extend(fields);
        }
        record.insert("uuid".to_owned(), json!(uuid));
        if let Ok(time) = jiff::Timestamp::from_millisecond(self.time) {
            record.insert("timestamp".to_owned(), json!(format!("{time:.3}")));
        }
        self.lines.push(Value::Object(record).to_string());
        self.parent = json!(uuid);
        uuid
    }

    /// Appends what the client typed or said in the user's name.
    pub(super) fn user(&mut self, content: &str, more: Value) -> String {
        let mut fields = json!({"message": {"role": "user", "content": content}});
        if let (Some(fields), Value::Object(more)) = (fields.as_object_mut(), more) {
            fields.extend(more);
        }
        self.put("user", fields)
    }

    /// Appends an attachment whose text the client words when it resumes.
    pub(super) fn attachment(&mut self, attachment: Value, role: &str) -> String {
        self.put(
            "attachment",
            json!({"attachment": attachment, "rendered": [], "renderedRole": role}),
        )
    }
}
