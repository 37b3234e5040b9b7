//! Carry-overs of the sample transcripts and of random ones: both clients resume them, and the
//! first request holds what was planned, word for word.

use std::fs;

use outcrop_compactor::carry::{self, Identity, Options as Carry, Plan};
use outcrop_compactor::chain::Chain;
use outcrop_compactor::testing::session;
use outcrop_compactor::transcript::Transcript;
use outcrop_loader::client::Client;
use outcrop_tests::live::LiveClient;
use proptest::strategy::{Strategy, ValueTree};
use serde_json::Value;

use crate::options::Options;
use crate::random::{each, runner};
use crate::report::{Found, Report};
use crate::sessions::{PROMPT, resumed};

pub(crate) fn run(options: &Options, clients: &[LiveClient], report: &mut Report) {
    if options.only.is_some() || options.sessions == 0 {
        return;
    }
    let samples = samples();
    each(
        options,
        clients,
        report,
        "differential, carried samples",
        samples.len() as u64,
        &|_, number, client| {
            let number = usize::try_from(number).unwrap() % samples.len();
            let (name, bytes) = &samples[number];
            compare(name, bytes, client)
        },
    );
    each(
        options,
        clients,
        report,
        "differential, carried sessions",
        options.sessions,
        &|options, number, client| {
            let mut runner = runner(options.seed, number);
            let session = session().new_tree(&mut runner).unwrap().current();
            compare(&number.to_string(), &session.write().bytes, client)
        },
    );
}

/// The sample transcripts by name.
fn samples() -> Vec<(String, Vec<u8>)> {
    let folder = format!("{}/cases/transcripts", env!("CARGO_MANIFEST_DIR"));
    let index = fs::read(format!("{folder}/INDEX.json")).unwrap();
    let index: Value = serde_json::from_slice(&index).unwrap();
    let samples = index.as_object().unwrap().iter();
    samples
        .map(|(name, sample)| {
            let session = sample["session"].as_str().unwrap();
            let bytes = fs::read(format!("{folder}/{name}/{session}.jsonl")).unwrap();
            (name.clone(), bytes)
        })
        .collect()
}

fn compare(name: &str, bytes: &[u8], client: &LiveClient) -> Found {
    let known = Client::of(client.version).unwrap();
    let transcript = Transcript::read(bytes.to_vec()).unwrap();
    let chain = Chain::of(&transcript, &known.behaviour.resume).unwrap();
    if chain.refused.is_some() {
        return Found::LeftOut("the client refuses the transcript");
    }
    let plan = match carry::plan(&transcript, &chain, &known, &Carry::default()) {
        Ok(plan) => plan,
        Err(carry::CarryError::NoRequest) => return Found::LeftOut("nobody asked anything"),
        Err(error) => return Found::Differs(format!("{name} {}: {error}", client.version)),
    };
    let identity = Identity::of(&transcript, &chain, Identity::seeded(name));
    let mut new = carry::lines(&plan, &identity).join("\n").into_bytes();
    new.push(b'\n');
    let made = Transcript::read(new.clone()).unwrap();
    if let Some(reason) = carry::check(&made, &plan, &known).unwrap() {
        return Found::Differs(format!("{name} {}: {reason}", client.version));
    }
    let folder = tempfile::tempdir().unwrap();
    let root = fs::canonicalize(folder.path()).unwrap();
    let sent = match resumed(&root, &new, client) {
        Ok(Some(sent)) => sent,
        Ok(None) => return Found::Differs(format!("{name} {}: refused", client.version)),
        Err(error) => return Found::Differs(format!("{name} {}: {error}", client.version)),
    };
    let (planned, sent) = (planned(&plan), texts(&sent["messages"]));
    match planned == sent {
        true => Found::Equal,
        false => Found::Differs(format!(
            "{name} {}: planned {planned:#?}\nsent {sent:#?}",
            client.version
        )),
    }
}

fn planned(plan: &Plan) -> Vec<(String, String)> {
    let messages = plan.messages.iter();
    let texts = messages.flat_map(|message| {
        let role = message.role.name().to_owned();
        message
            .blocks
            .iter()
            .map(move |text| (role.clone(), ended(text)))
    });
    texts.collect()
}

/// A client ends a text with a line break where another follows (fact C2.4).
fn ended(text: &str) -> String {
    text.trim_end_matches('\n').to_owned()
}

/// What was sent of the talk: neither the client's reminders, nor its words behind a request
/// without answer, nor the new prompt.
fn texts(messages: &Value) -> Vec<(String, String)> {
    let mut texts = Vec::new();
    for message in messages.as_array().unwrap() {
        let role = message["role"].as_str().unwrap();
        let blocks = message["blocks"].as_array().unwrap().iter();
        for text in blocks.filter_map(|block| block["text"].as_str()) {
            let of_client = role == "system"
                || text.trim_start().starts_with("<system-reminder>")
                || text == "No response requested."
                || text == PROMPT;
            if !of_client {
                texts.push((role.to_owned(), ended(text)));
            }
        }
    }
    texts
}
