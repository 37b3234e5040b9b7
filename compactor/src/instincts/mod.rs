//! Instincts: what a project's sessions learned from calls that failed, a line each.
//!
//! ```text
//! lessons of a session (loss) ─▶ words (one line, nothing private) ─▶ Instincts ─▶ lines
//! ```
//!
//! At most [`MOST`], each once; what no session met for a while is forgotten.

mod words;

use serde::{Deserialize, Serialize};

pub use words::line;

use crate::carry::Around;
use crate::loss::Lesson;
use crate::sessions::DAY;

/// The most that are kept.
pub const MOST: usize = 50;
/// For so many days is kept what one session met; what more of them met, three times as long.
pub const DAYS: i64 = 30;
/// The most sessions that are remembered of one.
const SESSIONS: usize = 8;

/// One line, and who met it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Instinct {
    /// The line.
    pub text: String,
    /// In how many sessions it was met.
    pub times: u32,
    /// When it was met last, in milliseconds since 1970.
    pub last: i64,
    /// The last sessions that met it, the newest last: each counts once, however often it stops.
    #[serde(default)]
    pub sessions: Vec<String>,
}

impl Instinct {
    fn is_due(&self, now: i64) -> bool {
        let days = if self.times > 1 { 3 * DAYS } else { DAYS };
        now.saturating_sub(self.last) <= days.saturating_mul(DAY)
    }
}

/// The instincts of a project.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Instincts {
    /// Those met most often first.
    #[serde(default)]
    pub instincts: Vec<Instinct>,
}

impl Instincts {
    /// Takes the lessons of a session. `now` is the time, in milliseconds since 1970.
    pub fn learn(&mut self, lessons: &[Lesson], session: &str, around: &Around, now: i64) {
        for text in lessons.iter().filter_map(|lesson| line(lesson, around)) {
            let known = self.instincts.iter_mut().find(|other| other.text == text);
            let Some(known) = known else {
                self.instincts.push(Instinct {
                    text,
                    times: 1,
                    last: now,
                    sessions: vec![session.to_owned()],
                });
                continue;
            };
            // Days are enough, so that a session's next stop finds nothing to write.
            if now.saturating_sub(known.last) >= DAY {
                known.last = now;
            }
            if !known.sessions.iter().any(|other| other == session) {
                known.times = known.times.saturating_add(1);
                known.sessions.push(session.to_owned());
                let more = known.sessions.len().saturating_sub(SESSIONS);
                known.sessions.drain(..more);
            }
        }
        self.age(now);
    }

    /// Forgets what was not met for a while, and what is too much.
    fn age(&mut self, now: i64) {
        self.instincts.retain(|instinct| instinct.is_due(now));
        self.instincts.sort_by(|a, b| {
            let by_use = (b.times, b.last).cmp(&(a.times, a.last));
            by_use.then_with(|| a.text.cmp(&b.text))
        });
        if self.instincts.len() > MOST {
            // Something new must have a chance beside what was met often.
            let newest = self.instincts.iter().map(|instinct| instinct.last).max();
            let (new, mut old): (Vec<_>, Vec<_>) = std::mem::take(&mut self.instincts)
                .into_iter()
                .partition(|instinct| Some(instinct.last) == newest);
            old.truncate(MOST.saturating_sub(new.len()));
            old.extend(new);
            old.truncate(MOST);
            self.instincts = old;
            self.age(now);
        }
    }

    /// The lines that still hold, those met most often first.
    pub fn lines(&self, now: i64) -> impl Iterator<Item = &str> {
        let due = self.instincts.iter().filter(move |one| one.is_due(now));
        due.map(|instinct| instinct.text.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lesson(failed: &str, worked: Option<&str>) -> Lesson {
        Lesson {
            tool: "Bash".to_owned(),
            failed: Some(failed.to_owned()),
            error: "error: no such command".to_owned(),
            worked: worked.map(str::to_owned),
            changed: Vec::new(),
            times: 1,
        }
    }

    fn learn(instincts: &mut Instincts, failed: &str, session: &str, day: i64) {
        let lessons = [lesson(failed, Some("cargo test"))];
        instincts.learn(&lessons, session, &Around::default(), day * DAY);
    }

    #[test]
    fn a_session_counts_once_however_often_it_stops() {
        let mut instincts = Instincts::default();
        for (session, day) in [("a", 0), ("a", 1), ("b", 2), ("a", 3)] {
            learn(&mut instincts, "cargo tset", session, day);
        }
        let one = &instincts.instincts[..];
        assert_eq!(one.len(), 1);
        assert_eq!((one[0].times, one[0].last), (2, 3 * DAY));
    }

    #[test]
    fn what_nobody_meets_is_forgotten() {
        let mut instincts = Instincts::default();
        learn(&mut instincts, "cargo once", "a", 0);
        learn(&mut instincts, "cargo twice", "a", 0);
        learn(&mut instincts, "cargo twice", "b", 0);
        let lines = |instincts: &Instincts, day: i64| instincts.lines(day * DAY).count();
        assert_eq!(lines(&instincts, DAYS), 2);
        assert_eq!(lines(&instincts, DAYS + 1), 1);
        assert_eq!(lines(&instincts, 3 * DAYS + 1), 0);
        learn(&mut instincts, "cargo new", "c", 3 * DAYS + 1);
        assert_eq!(instincts.instincts.len(), 1);
    }

    #[test]
    fn at_most_fifty_and_the_new_ones_stay() {
        let mut instincts = Instincts::default();
        for number in 0..MOST {
            for session in ["a", "b"] {
                learn(&mut instincts, &format!("cargo {number}"), session, 1);
            }
        }
        learn(&mut instincts, "cargo new", "c", 2);
        assert_eq!(instincts.instincts.len(), MOST);
        assert!(
            instincts
                .lines(2 * DAY)
                .any(|line| line.contains("cargo new"))
        );
    }
}
