//! The requests that newer clients log beside the talk: what was really sent (fact C1.6).

use std::io;

use rustc_hash::FxHashMap;
use serde::Deserialize;
use serde_json::Value;

use crate::transcript::{Kind, Source, Transcript};

/// The logged requests of a transcript.
#[derive(Debug, Default)]
pub struct Logged {
    /// In the order of the file.
    pub requests: Vec<Request>,
    /// The record that holds a message, by the message's hash.
    blobs: FxHashMap<String, usize>,
}

/// One logged request. Its messages are the first `keep` of another one's, then its own.
#[derive(Debug)]
pub struct Request {
    /// The record that logs it.
    pub record: usize,
    /// Its id, which answers refer to.
    pub id: String,
    /// What asked: `sdk`, `repl_main_thread`, or the name of a sub-agent's kind.
    pub source: String,
    /// The sub-agent that asked, if one did.
    pub agent: Option<String>,
    /// The request that it continues, by its place in [`Logged::requests`]; none where that is
    /// not in the file.
    pub base: Option<usize>,
    /// How many messages of that one it begins with.
    pub keep: usize,
    /// The hashes of its own messages.
    pub tail: Vec<String>,
}

impl Request {
    /// Whether the session itself asked, not one of its sub-agents.
    #[must_use]
    pub fn is_main(&self) -> bool {
        self.agent.is_none() && !self.source.starts_with("agent:")
    }

    /// How many messages it held.
    #[must_use]
    pub fn count(&self) -> usize {
        self.keep + self.tail.len()
    }
}

/// What is read of an `api-request` record.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Line {
    id: String,
    #[serde(default)]
    query_source: String,
    agent_id: Option<String>,
    base: Option<String>,
    #[serde(default)]
    keep: usize,
    #[serde(default)]
    tail: Vec<String>,
}

/// What is read of an `api-request-blob` record.
#[derive(Deserialize)]
struct Blob {
    hash: String,
    #[serde(default)]
    message: Value,
}

/// What is read of an answer.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Answer {
    request_ref: Option<String>,
}

impl Logged {
    /// Reads the log. Records of it that are broken are passed over.
    ///
    /// # Errors
    ///
    /// When the source cannot be read.
    pub fn of<S: Source>(transcript: &Transcript<S>) -> io::Result<Self> {
        let index = transcript.index();
        let mut logged = Self::default();
        let mut places: FxHashMap<String, usize> = FxHashMap::default();
        for (record, entry) in index.entries().iter().enumerate() {
            if index.is(entry.type_name, "api-request") {
                let json = transcript.json(entry)?;
                let Ok(line) = serde_json::from_str::<Line>(&json) else {
                    continue;
                };
                let base = line.base.and_then(|base| places.get(&base).copied());
                // Every message comes from a record, so that a wrong number asks for no memory.
                let most = base.map_or(index.entries().len(), |base| logged.requests[base].count());
                places.insert(line.id.clone(), logged.requests.len());
                logged.requests.push(Request {
                    record,
                    id: line.id,
                    source: line.query_source,
                    agent: line.agent_id,
                    base,
                    keep: line.keep.min(most),
                    tail: line.tail,
                });
            } else if index.is(entry.type_name, "api-request-blob") {
                let json = transcript.json(entry)?;
                if let Ok(blob) = serde_json::from_str::<Blob>(&json) {
                    logged.blobs.insert(blob.hash, record);
                }
            }
        }
        Ok(logged)
    }

    /// The hashes of a request's messages, in order; none for those of a base that is not in the
    /// file.
    #[must_use]
    pub fn messages(&self, request: usize) -> Vec<Option<&str>> {
        let Some(last) = self.requests.get(request) else {
            return Vec::new();
        };
        let mut messages = vec![None; last.count()];
        // Back over the bases, each of which fills what is kept of it.
        let (mut at, mut kept) = (Some(last), last.count());
        while let Some(request) = at {
            for (number, hash) in request.tail.iter().enumerate() {
                let place = request.keep + number;
                if place < kept {
                    messages[place] = Some(hash.as_str());
                }
            }
            kept = kept.min(request.keep);
            // A base is always older, so this ends.
            at = request.base.and_then(|base| self.requests.get(base));
        }
        messages
    }

    /// The message with this hash, as it was sent, where the log holds it: messages that follow
    /// from the talk alone are left out of it.
    ///
    /// # Errors
    ///
    /// When the source cannot be read.
    pub fn message<S: Source>(
        &self,
        transcript: &Transcript<S>,
        hash: &str,
    ) -> io::Result<Option<Value>> {
        let Some(record) = self.blobs.get(hash) else {
            return Ok(None);
        };
        let json = transcript.json(&transcript.index().entries()[*record])?;
        let blob = serde_json::from_str::<Blob>(&json).ok();
        Ok(blob.map(|blob| blob.message))
    }

    /// For each request the record that its answer begins with; none where it got none.
    ///
    /// # Errors
    ///
    /// When the source cannot be read.
    pub fn answers<S: Source>(&self, transcript: &Transcript<S>) -> io::Result<Vec<Option<usize>>> {
        let places: FxHashMap<&str, usize> = self
            .requests
            .iter()
            .enumerate()
            .map(|(place, request)| (request.id.as_str(), place))
            .collect();
        let mut answers = vec![None; self.requests.len()];
        for (record, entry) in transcript.index().entries().iter().enumerate() {
            if entry.kind != Kind::Assistant || places.is_empty() {
                continue;
            }
            let answer = serde_json::from_str::<Answer>(&transcript.json(entry)?).ok();
            let place = answer.and_then(|answer| places.get(answer.request_ref?.as_str()).copied());
            if let Some(place) = place {
                answers[place].get_or_insert(record);
            }
        }
        Ok(answers)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn transcript(lines: &[&str]) -> Transcript<Vec<u8>> {
        Transcript::read(lines.join("\n").into_bytes()).unwrap()
    }

    #[test]
    fn requests_continue_others() {
        let transcript = transcript(&[
            r#"{"type":"api-request-blob","hash":"h1","message":{"role":"user","content":"M_1"}}"#,
            r#"{"type":"api-request","id":"a","querySource":"sdk","keep":0,"tail":["h1","h2"]}"#,
            r#"{"type":"api-request","id":"b","querySource":"sdk","base":"a","keep":2,"tail":["h3","h4","h5"]}"#,
            r#"{"type":"api-request","id":7}"#,
            r#"{"type":"api-request","id":"c","querySource":"sdk","base":"b","keep":3,"tail":["h6"]}"#,
            r#"{"type":"api-request","id":"d","querySource":"agent:x","base":"gone","keep":2,"tail":["h7"]}"#,
            r#"{"type":"assistant","uuid":"u1","parentUuid":null,"requestRef":"b","message":{"id":"m","role":"assistant","content":[]}}"#,
        ]);
        let logged = Logged::of(&transcript).unwrap();
        assert_eq!(logged.requests.len(), 4);
        let messages = |request| -> Vec<&str> {
            let messages = logged.messages(request);
            messages.iter().map(|hash| hash.unwrap_or("-")).collect()
        };
        assert_eq!(messages(1), ["h1", "h2", "h3", "h4", "h5"]);
        assert_eq!(messages(2), ["h1", "h2", "h3", "h6"]);
        assert_eq!(messages(3), ["-", "-", "h7"]);
        assert!(logged.requests[2].is_main() && !logged.requests[3].is_main());
        let message = logged.message(&transcript, "h1").unwrap().unwrap();
        assert_eq!(message["content"], "M_1");
        assert_eq!(logged.message(&transcript, "h2").unwrap(), None);
        assert_eq!(logged.answers(&transcript).unwrap()[1], Some(6));
    }
}
