//! What is run, by the environment.

use std::env;
use std::path::PathBuf;

use outcrop_tests::live::LiveClient;
use outcrop_verify::sandbox::Namespace;

/// Recorded cases that are replayed by default.
const CASES: usize = 60;
/// Random worlds that are run by default.
const WORLDS: u64 = 100;
/// Random worlds of skills and commands that are run by default.
const LISTINGS: u64 = 30;
/// Random transcripts that are resumed by default, and as many that are compacted first.
const SESSIONS: u64 = 30;
/// The variable that names the clients: `VERSION=PROGRAM`, separated by commas.
const CLIENTS: &str = "OUTCROP_CLIENTS";

pub(crate) struct Options {
    /// How many recorded cases; `None` is all.
    pub(crate) cases: Option<usize>,
    /// How many random worlds.
    pub(crate) worlds: u64,
    /// How many random worlds of skills and commands.
    pub(crate) listings: u64,
    /// How many random transcripts.
    pub(crate) sessions: u64,
    /// The first of them.
    pub(crate) first: u64,
    /// Each world runs with one client, in turn, instead of with every one.
    pub(crate) in_turn: bool,
    /// The seed from which they are made.
    pub(crate) seed: u64,
    /// Names of recorded cases to which the run is limited.
    pub(crate) only: Option<String>,
    /// A file with one case of the developer's own: what is sent and predicted is printed.
    pub(crate) case: Option<PathBuf>,
    /// Where that case is written with the answers of the clients, as a recorded case.
    pub(crate) record: Option<PathBuf>,
    /// Runs at the same time.
    pub(crate) jobs: usize,
    /// Not to run is a failure.
    pub(crate) required: bool,
    /// Where minimised differences are written.
    pub(crate) found: PathBuf,
}

pub(crate) enum Setup {
    Ready(Vec<LiveClient>),
    NotRun(String),
}

fn number<T: std::str::FromStr>(name: &str, default: T) -> T {
    match env::var(name) {
        Ok(text) => {
            let number = text.parse().ok();
            number.unwrap_or_else(|| panic!("{name}={text}: expected a number"))
        }
        Err(_) => default,
    }
}

impl Options {
    pub(crate) fn from_environment() -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let all = env::var("OUTCROP_CASES").is_ok_and(|text| text == "all");
        let folder = env::var_os("CARGO_TARGET_TMPDIR").map_or_else(env::temp_dir, PathBuf::from);
        Self {
            cases: if all {
                None
            } else {
                Some(number("OUTCROP_CASES", CASES))
            },
            worlds: number("OUTCROP_WORLDS", WORLDS),
            listings: number("OUTCROP_LISTINGS", LISTINGS),
            sessions: number("OUTCROP_SESSIONS", SESSIONS),
            first: number("OUTCROP_FIRST", 0),
            in_turn: env::var("OUTCROP_EACH").is_ok_and(|text| text == "turn"),
            seed: number("OUTCROP_SEED", 0),
            only: env::var("OUTCROP_ONLY").ok(),
            case: env::var_os("OUTCROP_CASE").map(PathBuf::from),
            record: env::var_os("OUTCROP_RECORD").map(PathBuf::from),
            jobs: number("OUTCROP_JOBS", cores),
            required: env::var("OUTCROP_DIFFERENTIAL").is_ok_and(|text| text == "required"),
            found: env::var_os("OUTCROP_FOUND").map_or(folder.join("differences"), PathBuf::from),
        }
    }

    pub(crate) fn clients(&self) -> Setup {
        let Ok(list) = env::var(CLIENTS) else {
            return Setup::NotRun(format!("{CLIENTS} names no client"));
        };
        let mut clients = Vec::new();
        for item in list.split(',') {
            let Some((version, program)) = item.split_once('=') else {
                return Setup::NotRun(format!("{CLIENTS}: `{item}` is not VERSION=PROGRAM"));
            };
            let Ok(version) = version.parse() else {
                return Setup::NotRun(format!("{CLIENTS}: `{version}` is no version"));
            };
            let program = PathBuf::from(program);
            if !program.is_file() {
                let program = program.display();
                return Setup::NotRun(format!("{CLIENTS}: {program} is no program"));
            }
            clients.push(LiveClient { version, program });
        }
        if let Err(error) = Namespace::available() {
            println!("differential: managed files are left out: {error}");
        }
        Setup::Ready(clients)
    }
}
