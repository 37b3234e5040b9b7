//! Progress, and what is said at the end.

use std::fmt::Write as _;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use outcrop_tests::live::LiveClient;

use crate::options::Options;

/// How often progress is told.
const STEP: Duration = Duration::from_secs(15);

pub(crate) struct Report {
    begin: Instant,
    text: String,
    differing: usize,
}

/// What one comparison gave.
pub(crate) enum Found {
    Equal,
    /// Left out, and why.
    LeftOut(&'static str),
    /// How it differs.
    Differs(String),
}

/// Counts of one part.
#[derive(Default)]
pub(crate) struct Counts {
    equal: usize,
    left_out: Vec<(&'static str, usize)>,
    differing: Vec<String>,
}

impl Counts {
    fn add(&mut self, found: Found) {
        match found {
            Found::Equal => self.equal += 1,
            Found::LeftOut(why) => {
                match self.left_out.iter_mut().find(|(known, _)| *known == why) {
                    Some((_, count)) => *count += 1,
                    None => self.left_out.push((why, 1)),
                }
            }
            Found::Differs(text) => {
                println!("DIFFERS {text}");
                self.differing.push(text);
            }
        }
    }
}

impl Report {
    pub(crate) fn new(options: &Options, clients: &[LiveClient]) -> Self {
        let names: Vec<String> = clients
            .iter()
            .map(|client| client.version.to_string())
            .collect();
        println!(
            "differential: clients {}, {} at a time",
            names.join(" and "),
            options.jobs
        );
        Self {
            begin: Instant::now(),
            text: String::new(),
            differing: 0,
        }
    }

    /// Does `count` pieces of work side by side, each of which makes some comparisons.
    pub(crate) fn part(
        &mut self,
        name: &str,
        jobs: usize,
        count: usize,
        work: impl Fn(usize) -> Vec<Found> + Sync,
    ) {
        let (next, counts) = (AtomicUsize::new(0), Mutex::new(Counts::default()));
        let told = Mutex::new(Instant::now());
        std::thread::scope(|scope| {
            for _ in 0..jobs.max(1) {
                scope.spawn(|| {
                    loop {
                        let index = next.fetch_add(1, Ordering::Relaxed);
                        if index >= count {
                            return;
                        }
                        let found = work(index);
                        let mut counts = counts.lock().unwrap();
                        found.into_iter().for_each(|found| counts.add(found));
                        let mut told = told.lock().unwrap();
                        if told.elapsed() > STEP {
                            *told = Instant::now();
                            let seconds = self.begin.elapsed().as_secs();
                            let differing = counts.differing.len();
                            println!("{name}: {index} of {count}, {differing} differ, {seconds} s");
                        }
                    }
                });
            }
        });
        let counts = counts.into_inner().unwrap();
        let (equal, differing) = (counts.equal, counts.differing.len());
        let _ = writeln!(self.text, "{name}: {equal} passed, {differing} failed");
        for (why, count) in counts.left_out {
            let _ = writeln!(self.text, "{name}: {count} left out: {why}");
        }
        self.differing += differing;
    }

    pub(crate) fn finish(self) {
        print!("{}", self.text);
        println!("differential: done in {} s", self.begin.elapsed().as_secs());
        if self.differing > 0 {
            std::process::exit(1);
        }
    }
}
