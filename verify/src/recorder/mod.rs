//! A stand-in for the service on 127.0.0.1: it logs each request and answers from a script.
//!
//! It is also named as the proxy of every other address, so that a client that asks for one is
//! refused and the attempt is known ([`Recording::refused`]).

mod http;
mod reply;

use std::collections::BTreeSet;
use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

use serde_json::{Value, json};

use crate::script::{Answer, Script};
use http::{Connection, Received};

/// Where messages are sent, whatever stands behind it.
const MESSAGES: &str = "/v1/messages";

/// A request of the client.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// The path and query.
    pub target: String,
    /// How the client names itself and its version.
    pub user_agent: Option<String>,
    /// The body; null where it is no JSON.
    pub body: Value,
}

impl Request {
    /// Whether it is a turn of the session itself: it offers tools, where the client's own small
    /// questions do not.
    #[must_use]
    pub fn is_turn(&self) -> bool {
        let tools = self.body["tools"].as_array();
        is_message(&self.target) && tools.is_some_and(|tools| !tools.is_empty())
    }
}

fn is_message(target: &str) -> bool {
    target.contains(MESSAGES) && !target.contains("count_tokens")
}

/// What the recorder saw.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recording {
    /// Requests in the order in which they came.
    pub requests: Vec<Request>,
    /// Other addresses that the client asked for, and was refused.
    pub refused: BTreeSet<String>,
}

impl Recording {
    /// The turns of the session, in order.
    pub fn turns(&self) -> impl DoubleEndedIterator<Item = &Request> {
        self.requests.iter().filter(|request| request.is_turn())
    }
}

#[derive(Debug)]
struct Shared {
    script: Script,
    /// How many answers of the script were given.
    given: Mutex<usize>,
    recording: Mutex<Recording>,
    stop: AtomicBool,
}

impl Shared {
    fn recording(&self) -> MutexGuard<'_, Recording> {
        let recording = self.recording.lock();
        recording.unwrap_or_else(PoisonError::into_inner)
    }
}

/// A running recorder. It stops when it is finished or dropped.
#[derive(Debug)]
pub struct Recorder {
    address: SocketAddr,
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

impl Recorder {
    /// Listens on a free port of 127.0.0.1 and answers from a script.
    ///
    /// # Errors
    /// When no port can be had.
    pub fn start(script: Script) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let address = listener.local_addr()?;
        let shared = Arc::new(Shared {
            script,
            given: Mutex::default(),
            recording: Mutex::default(),
            stop: AtomicBool::new(false),
        });
        let theirs = Arc::clone(&shared);
        let thread = std::thread::spawn(move || listen(&listener, &theirs));
        Ok(Self {
            address,
            shared,
            thread: Some(thread),
        })
    }

    /// Its address, as a base URL.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Stops, and gives what was seen.
    #[must_use]
    pub fn finish(mut self) -> Recording {
        self.stop();
        self.shared.recording().clone()
    }

    fn stop(&mut self) {
        self.shared.stop.store(true, Ordering::Relaxed);
        // Wakes the listener; when nobody listens any more there is nothing to wake.
        let _ = TcpStream::connect(self.address);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl Drop for Recorder {
    fn drop(&mut self) {
        self.stop();
    }
}

fn listen(listener: &TcpListener, shared: &Arc<Shared>) {
    let mut connections = Vec::new();
    for stream in listener.incoming() {
        if shared.stop.load(Ordering::Relaxed) {
            break;
        }
        // A connection that broke before it was taken is the client's to repeat.
        let Ok(stream) = stream else { continue };
        let shared = Arc::clone(shared);
        connections.push(std::thread::spawn(move || {
            // The client drops connections as it likes.
            let _ = serve(stream, &shared);
        }));
    }
    for connection in connections {
        let _ = connection.join();
    }
}

fn serve(stream: TcpStream, shared: &Shared) -> io::Result<()> {
    let mut connection = Connection::new(stream, &shared.stop)?;
    while let Some(request) = connection.next()? {
        let (status, kind, body) = answer(&request, shared);
        connection.answer(status, kind, &body)?;
    }
    Ok(())
}

fn answer(request: &Received, shared: &Shared) -> (&'static str, &'static str, Vec<u8>) {
    const JSON: &str = "application/json";
    if request.method == "CONNECT" || !request.target.starts_with('/') {
        shared.recording().refused.insert(request.target.clone());
        return ("403 Forbidden", "text/plain", Vec::new());
    }
    if request.method != "POST" {
        return ("200 OK", JSON, b"{}".to_vec());
    }
    let seen = Request {
        target: request.target.clone(),
        user_agent: request.header("user-agent").map(str::to_owned),
        body: serde_json::from_slice(&request.body).unwrap_or(Value::Null),
    };
    let is_turn = seen.is_turn();
    let number = {
        let mut recording = shared.recording();
        recording.requests.push(seen.clone());
        recording.requests.len()
    };
    if seen.target.contains("count_tokens") {
        let count = json!({ "input_tokens": request.body.len() / 4 });
        return ("200 OK", JSON, count.to_string().into_bytes());
    }
    if !is_message(&seen.target) {
        return ("200 OK", JSON, b"{}".to_vec());
    }
    let answer = if is_turn { next(shared) } else { None };
    let answer = answer.unwrap_or_else(Answer::done);
    let (kind, body) = reply::reply(&seen.body, &answer, number);
    ("200 OK", kind, body)
}

/// The next answer of the script, once.
fn next(shared: &Shared) -> Option<Answer> {
    let given = shared.given.lock();
    let mut given = given.unwrap_or_else(PoisonError::into_inner);
    let answer = shared.script.answers().get(*given).cloned();
    *given += 1;
    answer
}

#[cfg(test)]
mod tests;
