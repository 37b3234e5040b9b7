//! Lists of sessions, and what sessions used: public reports under their ids, and the samples.

use std::collections::BTreeMap;
use std::fs;

use outcrop_compactor::chain::Chain;
use outcrop_compactor::conversation::{Block, Conversation, Resumed, Role};
use outcrop_compactor::inspect::{Inspection, Spending, Spent, spending};
use outcrop_compactor::sessions::{Listing, Survey, list};
use outcrop_compactor::transcript::record;
use outcrop_compactor::transcript::{Index, Kind, Transcript};
use outcrop_compactor::window::{Given, Window};
use outcrop_loader::client::Client;
use outcrop_loader::host::{Host, MemoryHost};
use outcrop_loader::origin::Origin;
use outcrop_loader::path::AbsPath;
use outcrop_loader::session::Session;
use outcrop_loader::tokens::{Family, Model};
use outcrop_tests::case;
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Deserialize)]
struct Entry {
    id: String,
    files: BTreeMap<String, String>,
    cwd: String,
    window: Option<u64>,
    check: BTreeMap<String, Value>,
}

fn abs(text: &str) -> AbsPath {
    AbsPath::new(text).unwrap()
}

/// The files of an entry, listed, with what the first session's transcript tells.
struct World {
    host: MemoryHost,
    listing: Listing,
    cwd: AbsPath,
    window: Option<u64>,
    transcript: Transcript<Vec<u8>>,
    chain: Chain,
    survey: Survey,
    client: Client,
}

fn survey(client: &Client, transcript: &Transcript<Vec<u8>>) -> (Chain, Survey) {
    let chain = Chain::of(transcript, &client.behaviour.resume).unwrap();
    let survey = Survey::of(transcript, &chain, client).unwrap();
    (chain, survey)
}

impl World {
    fn of(entry: &Entry) -> Self {
        let mut host = MemoryHost::new();
        host.dir(&abs(&entry.cwd));
        for (path, text) in &entry.files {
            host.file(&abs(path), text.as_bytes());
        }
        let client = Client::newest();
        let read = |path: &AbsPath| {
            let bytes = host.read(path, u64::MAX).unwrap();
            Transcript::read(bytes.to_vec()).unwrap()
        };
        let mut listing = list(&host, &abs("/home/dev/.claude/projects"), |_| true);
        listing.put_under(|path| survey(&client, &read(path)).1.agent);
        let transcript = read(&listing.sessions[0].path);
        let (chain, survey) = survey(&client, &transcript);
        Self {
            cwd: abs(&entry.cwd),
            window: entry.window,
            host,
            listing,
            transcript,
            chain,
            survey,
            client,
        }
    }

    fn spending(&self) -> Spending {
        let files = self.listing.sessions[0].agents.iter();
        let indexes: Vec<(&str, Index)> = files
            .map(|file| {
                let bytes = self.host.read(&file.path, u64::MAX).unwrap();
                (file.agent.as_str(), Index::of(&*bytes).unwrap())
            })
            .collect();
        let indexes = indexes.iter().map(|(agent, index)| (*agent, index));
        spending(self.transcript.index(), indexes)
    }

    fn sent(&self) -> u64 {
        self.survey.context.unwrap().sent
    }

    fn trigger(&self) -> u64 {
        let origin = Origin::new(self.cwd.clone(), abs("/home/dev"));
        let session = Session::start(&self.host, origin);
        let given = Given {
            window: self.window,
            ..Given::of(&session)
        };
        Window::of(self.survey.model.as_deref().unwrap(), &given).trigger
    }

    fn texts(&self) -> Vec<Value> {
        let resumed = Resumed::default();
        let conversation =
            Conversation::of(&self.transcript, &self.chain, &self.client, &resumed).unwrap();
        let answers = conversation.messages.iter();
        let answers = answers.filter(|message| message.role == Role::Assistant);
        let blocks = answers.flat_map(|message| &message.blocks);
        blocks
            .filter_map(|placed| match &placed.block {
                Block::Read(record::Block::Text(text)) => Some(json!(text)),
                _ => None,
            })
            .collect()
    }

    /// What Outcrop says where an entry has `key`.
    fn answer(&self, key: &str) -> Value {
        let index = self.transcript.index();
        let uuid = |record: usize| {
            let uuid = index.entries()[record].uuid.unwrap();
            json!(index.text(uuid))
        };
        match key {
            "context_tokens" => json!(self.sent()),
            "boundaries" => json!(self.survey.compactions),
            "title" => json!(self.survey.title.as_ref().unwrap().text),
            "usage_total" => used(&self.spending().total),
            "usage_main" => used(&self.spending().main),
            "effective" => self.chain.records.iter().map(|at| uuid(*at)).collect(),
            "distinct_records" => json!(self.survey.records),
            "assistant_messages" => json!(self.survey.answers),
            "text_blocks" => json!(self.texts()),
            "sessions" => {
                let sessions = self.listing.sessions.iter();
                sessions.map(|found| json!(found.id)).collect()
            }
            "subagents" => {
                let sessions = self.listing.sessions.iter().map(|found| {
                    let agents = found.agents.iter().map(|file| file.agent.clone());
                    (found.id.clone(), agents.collect::<Vec<_>>())
                });
                json!(sessions.collect::<BTreeMap<_, _>>())
            }
            other => panic!("no answer is known for {other}"),
        }
    }

    fn check(&self, key: &str, wanted: &Value) {
        let number = || wanted.as_u64().unwrap();
        match key {
            "not" => assert_ne!(self.sent(), number()),
            "trigger_near" => assert!(self.trigger().abs_diff(number()) < 1_000),
            "left_at_most" => assert!(self.trigger() - self.sent() <= number()),
            key => assert_eq!(self.answer(key), *wanted, "{key}"),
        }
    }
}

fn used(spent: &Spent) -> Value {
    json!({"input": spent.input, "output": spent.output})
}

fn entries() -> Vec<Entry> {
    let path = case::cases_folder().join("bugbank-sessions.json");
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

fn report(id: &str) {
    let entries = entries();
    let entry = entries.iter().find(|entry| entry.id == id).unwrap();
    let world = World::of(entry);
    assert!(!entry.check.is_empty());
    for (key, wanted) in &entry.check {
        world.check(key, wanted);
    }
}

macro_rules! reports {
    ($($name:ident: $id:literal,)*) => {
        $(#[test] fn $name() { report($id); })*

        #[test]
        fn every_report_has_a_test() {
            let ids: Vec<String> = entries().into_iter().map(|entry| entry.id).collect();
            assert_eq!(ids, [$($id),*]);
        }
    };
}

reports! {
    b086_the_trigger_is_told: "B086",
    b089_the_context_is_the_last_request: "B089",
    b095_a_summary_record_is_a_title: "B095",
    b137_usage_counts_once_without_request_ids: "B137",
    b138_the_largest_output_counts: "B138",
    b140_sub_agents_in_folders_below_count: "B140",
    b141_side_chains_count_once: "B141",
    b143_records_are_more_than_messages: "B143",
    b144_a_sub_agents_file_is_no_session: "B144",
    b146_sub_agents_are_told_by_session: "B146",
}

/// A file of a sub-agent whose name does not tell goes to its session by what stands in it.
#[test]
fn side_chains_beside_the_sessions_are_put_under_them() {
    let entry = entries().into_iter().find(|entry| entry.id == "B144");
    let mut entry = entry.unwrap();
    let folder = "/home/dev/.claude/projects/-home-dev-shop";
    let below = format!("{folder}/5e551011-0000-4000-8000-000000000001/subagents/agent-a1.jsonl");
    let side = entry.files.remove(&below).unwrap();
    for name in ["0e551011-0000-4000-8000-00000000000f", "agent-a1"] {
        let mut moved = Entry {
            files: entry.files.clone(),
            check: entry.check.clone(),
            ..Entry {
                id: String::new(),
                cwd: entry.cwd.clone(),
                window: None,
                files: BTreeMap::new(),
                check: BTreeMap::new(),
            }
        };
        moved
            .files
            .insert(format!("{folder}/{name}.jsonl"), side.clone());
        let world = World::of(&moved);
        for (key, wanted) in &moved.check {
            world.check(key, wanted);
        }
    }
}

/// Every sample of a real client can be looked into, and the parts make up the whole.
#[test]
fn samples_are_looked_into() {
    let folder = case::cases_folder().join("transcripts");
    let mut count = 0;
    for folder in fs::read_dir(folder).unwrap().flatten() {
        let Ok(files) = fs::read_dir(folder.path()) else {
            continue;
        };
        for file in files.flatten() {
            let path = file.path();
            if path
                .extension()
                .is_none_or(|extension| extension != "jsonl")
            {
                continue;
            }
            for client in ["2.1.332", "2.1.197"] {
                let client = Client::of(client.parse().unwrap()).unwrap();
                let name = path.display();
                let transcript = Transcript::read(fs::read(&path).unwrap()).unwrap();
                let (chain, survey) = survey(&client, &transcript);
                let model = Model::plain(Family::NEWEST);
                let found =
                    Inspection::of(&transcript, &chain, &client, model, usize::MAX).unwrap();
                let parts: u64 = found
                    .context
                    .categories
                    .iter()
                    .map(|share| share.tokens)
                    .sum();
                assert_eq!(parts, found.context.counted, "{name}");
                assert_eq!(found.compactions.len(), survey.compactions, "{name}");
                let prompts = found.turns.iter().filter(|row| row.prompt.is_some());
                assert_eq!(prompts.count(), survey.turns, "{name}");
                assert!(survey.title.is_some() && survey.agent.is_none(), "{name}");
                let entries = transcript.index().entries().iter();
                let results = entries.filter(|entry| entry.kind == Kind::User);
                let results = results.flat_map(|entry| transcript.index().pieces(entry));
                let results =
                    results.filter(|piece| transcript.index().is(piece.kind, "tool_result"));
                assert!(found.results <= results.count(), "{name}");
                count += 1;
            }
        }
    }
    println!("samples looked into, by both clients: {count}");
    assert!(count >= 2 * 39);
}
