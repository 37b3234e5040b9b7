//! Random transcripts: what a client sends that resumes them must be what is predicted, also after
//! a compaction that was simulated and written.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::Duration;

use outcrop_compactor::boundary::{Files, Given, Trigger, compact};
use outcrop_compactor::chain::Chain;
use outcrop_compactor::conversation::{Conversation, Message, Resumed};
use outcrop_compactor::sessions::folder_of;
use outcrop_compactor::testing::session;
use outcrop_compactor::transcript::Transcript;
use outcrop_loader::client::Client;
use outcrop_tests::live::LiveClient;
use outcrop_tests::resumed::{difference, outline, sent};
use outcrop_verify::run::Launch;
use outcrop_verify::sandbox::Namespace;
use outcrop_verify::script::Script;
use proptest::strategy::{Strategy, ValueTree};
use serde_json::Value;

use crate::options::Options;
use crate::random::{each, runner};
use crate::report::{Found, Report};

const ID: &str = "aaaaaaaa-0000-4000-8000-000000000001";
pub(crate) const PROMPT: &str = "Go on with the next one.";

pub(crate) fn run(options: &Options, clients: &[LiveClient], report: &mut Report) {
    if options.only.is_some() {
        return;
    }
    let count = options.sessions;
    each(
        options,
        clients,
        report,
        "differential, random resumes",
        count,
        &|options, number, client| compare(options, number, client, false),
    );
    let name = "differential, simulated compactions";
    each(
        options,
        clients,
        report,
        name,
        count,
        &|options, number, client| compare(options, number, client, true),
    );
}

fn compare(options: &Options, number: u64, client: &LiveClient, compacts: bool) -> Found {
    let mut runner = runner(options.seed, number);
    let session = session().new_tree(&mut runner).unwrap().current();
    let mut bytes = session.write().bytes;
    let known = Client::of(client.version).unwrap();
    if compacts {
        match compacted(&bytes, &known) {
            Some(with) => bytes = with,
            None => return Found::LeftOut("nothing to compact"),
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let root = fs::canonicalize(folder.path()).unwrap();
    let sent = match resumed(&root, &bytes, client) {
        Ok(Some(sent)) => sent,
        Ok(None) => return Found::LeftOut("the client refuses the transcript"),
        Err(error) => return Found::Differs(format!("{number} {}: {error}", client.version)),
    };
    let predicted = predicted(bytes.clone(), &known, &sent);
    match difference(&outcrop_tests::resumed::seen(&sent["messages"]), &predicted) {
        None => Found::Equal,
        Some(difference) => {
            fs::create_dir_all(&options.found).unwrap();
            let kind = if compacts { "compaction" } else { "resume" };
            let name = format!("{kind}-{}-{number}.jsonl", options.seed);
            fs::write(options.found.join(&name), &bytes).unwrap();
            Found::Differs(format!(
                "{name} {}: {difference}\n{}",
                client.version,
                outline(&predicted)
            ))
        }
    }
}

/// A disk without the files of the session.
struct Empty;

impl Files for Empty {
    fn modified(&self, _: &str) -> Option<i64> {
        None
    }

    fn text(&self, _: &str) -> Option<String> {
        None
    }
}

/// A transcript with a compaction behind it.
fn compacted(bytes: &[u8], client: &Client) -> Option<Vec<u8>> {
    let transcript = Transcript::read(bytes.to_vec()).unwrap();
    let resume = &client.behaviour.resume;
    let chain = Chain::of(&transcript, resume).unwrap();
    chain.leaf?;
    let given = Given {
        trigger: Trigger::Manual,
        summary: "Summary: all of it was done.",
        prompt: None,
        focus: "",
        pre_tokens: 1,
        files: &Empty,
    };
    let compacted = compact(&transcript, &chain, resume, &given, |_| 0).unwrap()?;
    let appended = transcript.appended(&compacted.lines).unwrap();
    let mut with = bytes.to_vec();
    with.extend_from_slice(appended.source().behind());
    Some(with)
}

fn predicted(bytes: Vec<u8>, client: &Client, sent: &Value) -> Vec<Message> {
    let transcript = Transcript::read(bytes).unwrap();
    let chain = Chain::of(&transcript, &client.behaviour.resume).unwrap();
    let resumed = Resumed {
        prompt: Some(PROMPT.to_owned()),
        instructions: Some(Vec::new()),
        model: sent["model"].as_str().map(str::to_owned),
    };
    let conversation = Conversation::of(&transcript, &chain, client, &resumed);
    conversation.unwrap().messages
}

/// What the client sends that resumes a transcript; nothing where it ends without a request.
pub(crate) fn resumed(
    root: &Path,
    bytes: &[u8],
    client: &LiveClient,
) -> Result<Option<Value>, String> {
    let (home, cwd) = (root.join("home"), root.join("proj"));
    let projects = home.join(".claude/projects");
    let folder = projects.join(folder_of(cwd.to_str().unwrap()));
    fs::create_dir_all(&folder).unwrap();
    fs::create_dir_all(&cwd).unwrap();
    fs::write(folder.join(format!("{ID}.jsonl")), bytes).unwrap();
    let launch = Launch {
        program: client.program.clone(),
        cwd,
        home,
        prompt: PROMPT.to_owned(),
        // Older clients wait for ever where no answer names a model.
        args: ["--resume", ID, "--model", "claude-opus-4-8"]
            .map(str::to_owned)
            .to_vec(),
        env: BTreeMap::new(),
        view: Namespace::default(),
        script: Script::of_calls([]),
        limit: Duration::from_secs(60),
    };
    let outcome = launch.run().map_err(|error| error.to_string())?;
    let request = outcome.recording.turns().next();
    Ok(request.map(|request| sent(&request.body)))
}
