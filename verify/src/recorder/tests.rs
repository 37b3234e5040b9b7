use std::io::{Read, Write};
use std::net::TcpStream;

use outcrop_loader::session::ToolCall;
use serde_json::{Value, json};

use super::*;

fn connect(recorder: &Recorder) -> TcpStream {
    TcpStream::connect(recorder.url().trim_start_matches("http://")).unwrap()
}

fn post(stream: &mut TcpStream, target: &str, body: &str) {
    let length = body.len();
    let head = format!(
        "POST {target} HTTP/1.1\r\nuser-agent: claude-cli/2.1.332 (x)\r\ncontent-length: {length}\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).unwrap();
    stream.write_all(body.as_bytes()).unwrap();
}

/// One answer: the head, and as many bytes of body as it announces.
fn answer(stream: &mut TcpStream) -> (String, String) {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        let mut byte = [0];
        stream.read_exact(&mut byte).unwrap();
        head.push(byte[0]);
    }
    let head = String::from_utf8(head).unwrap();
    let length = head.split("content-length: ").nth(1).unwrap();
    let length = length.split('\r').next().unwrap().parse().unwrap();
    let mut body = vec![0; length];
    stream.read_exact(&mut body).unwrap();
    (head, String::from_utf8(body).unwrap())
}

fn turn(stream: bool) -> String {
    json!({ "model": "m", "stream": stream, "tools": [{ "name": "Read" }], "messages": [] })
        .to_string()
}

fn read_of(path: &str) -> ToolCall {
    ToolCall {
        tool: "Read".to_owned(),
        input: json!({ "file_path": path }),
    }
}

#[test]
fn turns_are_answered_in_the_order_of_the_script() {
    let script = Script::of_calls([read_of("/a"), read_of("/b")]);
    let recorder = Recorder::start(script).unwrap();
    let mut stream = connect(&recorder);
    let mut paths = Vec::new();
    for _ in 0..3 {
        post(&mut stream, "/v1/messages?beta=true", &turn(false));
        let body: Value = serde_json::from_str(&answer(&mut stream).1).unwrap();
        paths.push(body["content"][1]["input"]["file_path"].clone());
        assert_eq!(body["stop_reason"] == "tool_use", paths.len() < 3);
    }
    assert_eq!(paths, [json!("/a"), json!("/b"), Value::Null]);
    let recording = recorder.finish();
    assert_eq!(recording.turns().count(), 3);
    let agent = recording.requests[0].user_agent.as_deref();
    assert_eq!(agent, Some("claude-cli/2.1.332 (x)"));
}

/// The client's own small questions and counts offer no tools and use up no answer.
#[test]
fn other_requests_use_up_no_answer() {
    let recorder = Recorder::start(Script::of_calls([read_of("/a")])).unwrap();
    let mut stream = connect(&recorder);
    for (target, body) in [
        ("/v1/messages", r#"{"messages":[]}"#),
        ("/v1/messages/count_tokens", &turn(false)),
        ("/api/event", "no JSON"),
    ] {
        post(&mut stream, target, body);
        assert!(answer(&mut stream).0.starts_with("HTTP/1.1 200"));
    }
    post(&mut stream, "/v1/messages", &turn(false));
    assert!(answer(&mut stream).1.contains("tool_use"));
    let recording = recorder.finish();
    assert_eq!(
        (recording.requests.len(), recording.turns().count()),
        (4, 1)
    );
    assert_eq!(recording.requests[2].body, Value::Null);
}

#[test]
fn a_stream_of_events_holds_the_call() {
    let recorder = Recorder::start(Script::of_calls([read_of("/a")])).unwrap();
    let mut stream = connect(&recorder);
    post(&mut stream, "/v1/messages", &turn(true));
    let (head, body) = answer(&mut stream);
    assert!(head.contains("text/event-stream"));
    let names: Vec<&str> = body
        .lines()
        .filter_map(|line| line.strip_prefix("event: "))
        .collect();
    let wanted = [
        "message_start",
        "content_block_start",
        "content_block_delta",
        "content_block_stop",
        "content_block_start",
        "content_block_delta",
        "content_block_stop",
        "message_delta",
        "message_stop",
    ];
    assert_eq!(names, wanted);
    let data = body.lines().filter_map(|line| line.strip_prefix("data: "));
    let events: Vec<Value> = data
        .map(|data| serde_json::from_str(data).unwrap())
        .collect();
    let input = events[5]["delta"]["partial_json"].as_str().unwrap();
    assert_eq!(input, r#"{"file_path":"/a"}"#);
}

#[test]
fn bodies_may_come_in_chunks_and_pieces() {
    let recorder = Recorder::start(Script::default()).unwrap();
    let mut stream = connect(&recorder);
    let head = "POST /v1/messages HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n";
    for piece in [
        head,
        "7\r\n{\"messa",
        "\r",
        "\n8\r\nges\":[]}\r\n0\r\n",
        "\r\n",
    ] {
        stream.write_all(piece.as_bytes()).unwrap();
        stream.flush().unwrap();
    }
    answer(&mut stream);
    let recording = recorder.finish();
    assert_eq!(recording.requests[0].body, json!({ "messages": [] }));
}

/// The recorder is the proxy of every other address, and lets nothing through.
#[test]
fn other_addresses_are_refused_and_known() {
    let recorder = Recorder::start(Script::default()).unwrap();
    let mut first = connect(&recorder);
    first
        .write_all(b"CONNECT example.invalid:443 HTTP/1.1\r\n\r\n")
        .unwrap();
    assert!(answer(&mut first).0.starts_with("HTTP/1.1 403"));
    let mut second = connect(&recorder);
    second
        .write_all(b"GET http://example.invalid/x HTTP/1.1\r\n\r\n")
        .unwrap();
    assert!(answer(&mut second).0.starts_with("HTTP/1.1 403"));
    let recording = recorder.finish();
    let refused: Vec<&String> = recording.refused.iter().collect();
    assert_eq!(refused, ["example.invalid:443", "http://example.invalid/x"]);
    assert!(recording.requests.is_empty());
}

#[test]
fn garbage_ends_a_connection_and_nothing_else() {
    let recorder = Recorder::start(Script::default()).unwrap();
    for garbage in [
        "\0\0\0\r\n\r\n",
        "POST / HTTP/1.1\r\ncontent-length: -1\r\n\r\n",
    ] {
        let mut stream = connect(&recorder);
        stream.write_all(garbage.as_bytes()).unwrap();
        let mut rest = Vec::new();
        // The other side may close before everything was taken, which some systems call a reset.
        let _ = stream.read_to_end(&mut rest);
        assert!(rest.is_empty());
    }
    let mut stream = connect(&recorder);
    post(&mut stream, "/v1/messages", &turn(false));
    assert!(answer(&mut stream).0.starts_with("HTTP/1.1 200"));
}
