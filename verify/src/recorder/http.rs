//! As much of HTTP/1.1 as a client that talks to one address needs: heads are parsed by
//! `httparse`, bodies come with a length or in chunks.

use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// How many header lines a request may have.
const HEADERS: usize = 100;
/// The largest head of a request, in bytes.
const HEAD: usize = 64 * 1024;
/// The largest body of a request, in bytes: a context is far smaller.
const BODY: usize = 256 * 1024 * 1024;
/// How long a read waits before it looks whether the recorder was stopped.
const PATIENCE: Duration = Duration::from_millis(50);

/// A request as received.
#[derive(Debug, Default)]
pub(super) struct Received {
    pub(super) method: String,
    /// A path, or with a proxy in between a whole address.
    pub(super) target: String,
    /// Names in lower case.
    pub(super) headers: Vec<(String, String)>,
    pub(super) body: Vec<u8>,
}

impl Received {
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        let mut found = self.headers.iter().filter(|(known, _)| known == name);
        found.next().map(|(_, value)| value.as_str())
    }
}

/// One connection: requests come one after another.
pub(super) struct Connection<'s> {
    stream: TcpStream,
    stop: &'s AtomicBool,
    /// What was read and not used yet.
    held: Vec<u8>,
}

impl<'s> Connection<'s> {
    pub(super) fn new(stream: TcpStream, stop: &'s AtomicBool) -> io::Result<Self> {
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.set_nodelay(true)?;
        Ok(Self {
            stream,
            stop,
            held: Vec::new(),
        })
    }

    /// The next request, or `None` when the other side is done or the recorder was stopped.
    pub(super) fn next(&mut self) -> io::Result<Option<Received>> {
        let (mut request, used) = loop {
            if let Some(found) = head(&self.held)? {
                break found;
            }
            if self.held.len() > HEAD {
                return Err(io::Error::other("the head of a request is too long"));
            }
            if !self.more()? {
                return Ok(None);
            }
        };
        self.held.drain(..used);
        if request.header("expect").is_some() {
            self.stream.write_all(b"HTTP/1.1 100 Continue\r\n\r\n")?;
        }
        let chunked = request.header("transfer-encoding");
        if chunked.is_some_and(|value| value.eq_ignore_ascii_case("chunked")) {
            request.body = self.chunks()?;
        } else if let Some(length) = request.header("content-length") {
            let length = length.trim().parse().map_err(io::Error::other)?;
            request.body = self.take(length)?;
        }
        Ok(Some(request))
    }

    /// Reads on; false at the end of the stream or of the recorder.
    fn more(&mut self) -> io::Result<bool> {
        let mut part = [0; 16 * 1024];
        loop {
            match self.stream.read(&mut part) {
                Ok(0) => return Ok(false),
                Ok(count) => {
                    self.held.extend_from_slice(&part[..count]);
                    return Ok(true);
                }
                Err(error) if is_idle(&error) => {
                    if self.stop.load(Ordering::Relaxed) {
                        return Ok(false);
                    }
                }
                Err(error) => return Err(error),
            }
        }
    }

    fn take(&mut self, length: usize) -> io::Result<Vec<u8>> {
        if length > BODY {
            return Err(io::Error::other("the body of a request is too long"));
        }
        while self.held.len() < length {
            if !self.more()? {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
        }
        let rest = self.held.split_off(length);
        Ok(std::mem::replace(&mut self.held, rest))
    }

    fn chunks(&mut self) -> io::Result<Vec<u8>> {
        let mut body = Vec::new();
        loop {
            let (used, size) = loop {
                match httparse::parse_chunk_size(&self.held) {
                    Ok(httparse::Status::Complete(found)) => break found,
                    Ok(httparse::Status::Partial) if self.more()? => {}
                    _ => return Err(io::Error::other("a chunk without a size")),
                }
            };
            self.held.drain(..used);
            let size = usize::try_from(size).map_err(io::Error::other)?;
            if body.len().saturating_add(size) > BODY {
                return Err(io::Error::other("the body of a request is too long"));
            }
            body.extend(self.take(size)?);
            self.take(2)?;
            if size == 0 {
                return Ok(body);
            }
        }
    }

    pub(super) fn answer(&mut self, status: &str, kind: &str, body: &[u8]) -> io::Result<()> {
        let length = body.len();
        let head = format!(
            "HTTP/1.1 {status}\r\ncontent-type: {kind}\r\ncontent-length: {length}\r\n\r\n"
        );
        self.stream.write_all(head.as_bytes())?;
        self.stream.write_all(body)?;
        self.stream.flush()
    }
}

fn is_idle(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut | io::ErrorKind::Interrupted
    )
}

/// The head of a request and its length, once it is whole.
fn head(bytes: &[u8]) -> io::Result<Option<(Received, usize)>> {
    let mut headers = [httparse::EMPTY_HEADER; HEADERS];
    let mut request = httparse::Request::new(&mut headers);
    let status = request.parse(bytes).map_err(io::Error::other)?;
    let httparse::Status::Complete(used) = status else {
        return Ok(None);
    };
    let value = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let headers = request.headers.iter();
    let received = Received {
        method: request.method.unwrap_or_default().to_owned(),
        target: request.path.unwrap_or_default().to_owned(),
        headers: headers
            .map(|header| (header.name.to_ascii_lowercase(), value(header.value)))
            .collect(),
        body: Vec::new(),
    };
    Ok(Some((received, used)))
}
