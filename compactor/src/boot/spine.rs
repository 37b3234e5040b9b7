//! The narrative spine: four lines with their sources, all of them or none.

use serde::Serialize;

use super::evidence::Statement;
use super::source::Quote;
use super::{DAY, DAYS};

/// The most characters that the spine may have.
pub const LONGEST: usize = 700;

/// Which line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Line {
    /// How far the work got.
    Progress,
    /// What today is about.
    Today,
    /// What holds between user and model.
    BetweenUs,
    /// What is not done.
    DontForget,
}

impl Line {
    /// In order.
    pub const ALL: [Self; 4] = [
        Self::Progress,
        Self::Today,
        Self::BetweenUs,
        Self::DontForget,
    ];

    /// How it begins.
    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Self::Progress => "Progress",
            Self::Today => "Today",
            Self::BetweenUs => "Between us",
            Self::DontForget => "Don't forget",
        }
    }
}

/// A spine: what is quoted in each line.
pub type Lines = Vec<(Line, Quote)>;

/// Why there is none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Missing {
    /// There is no evidence for these lines.
    Evidence(Vec<Line>),
    /// What would be quoted in this line is not at its place any more.
    Unresolved(Line, Box<Quote>),
    /// It has so many characters.
    TooLong(usize),
}

/// The spine, or why there is none.
pub type Verdict = Result<Lines, Missing>;

/// The spine of what was found. `resolves` looks at the place of a quotation again.
pub(super) fn of(statements: &[Statement], now: i64, resolves: &dyn Fn(&Quote) -> bool) -> Verdict {
    let mut taken: Vec<usize> = Vec::new();
    let mut chosen = Vec::new();
    let mut missing = Vec::new();
    for line in Line::ALL {
        match choose(statements, line, now, &taken) {
            Some(number) => {
                taken.push(number);
                chosen.push((line, statements[number].quote()));
            }
            None => missing.push(line),
        }
    }
    if !missing.is_empty() {
        return Err(Missing::Evidence(missing));
    }
    if let Some((line, quote)) = chosen.iter().find(|(_, quote)| !resolves(quote)) {
        return Err(Missing::Unresolved(*line, Box::new(quote.clone())));
    }
    match text(&chosen).chars().count() {
        length if length > LONGEST => Err(Missing::TooLong(length)),
        _ => Ok(chosen),
    }
}

/// The freshest statement for a line, and of those of one day one that tells of a turn.
fn choose(statements: &[Statement], line: Line, now: i64, taken: &[usize]) -> Option<usize> {
    let is_of_today = |statement: &Statement| {
        statement.time > now - DAY || statement.day() == now.div_euclid(DAY)
    };
    let fits = |statement: &Statement| match line {
        Line::Progress => statement.turns && !statement.is_open && statement.item.is_none(),
        Line::Today => !statement.is_open && is_of_today(statement),
        Line::BetweenUs => statement.is_between && !statement.is_open,
        Line::DontForget => statement.is_open,
    };
    // What today is about is told by what is said of now, rather than by any statement of the day.
    let weight = |statement: &Statement| match line {
        Line::Today => statement.is_now,
        Line::BetweenUs => statement.is_memory,
        _ => false,
    };
    let candidates = statements.iter().enumerate().filter(|(number, statement)| {
        statement.time >= now - DAYS * DAY && fits(statement) && !taken.contains(number)
    });
    // Where the one line would take the only statement of the other, it takes the next.
    let spare = |number: usize, statement: &Statement| {
        line == Line::Progress && statement.is_between && {
            let mut others = statements.iter().enumerate();
            !others.any(|(other, statement)| {
                other != number && statement.is_between && statement.is_recent(now)
            })
        }
    };
    let best = candidates.min_by(|(a, x), (b, y)| {
        let key = |number: usize, statement: &Statement| {
            (
                spare(number, statement),
                std::cmp::Reverse(statement.day()),
                !weight(statement),
                !statement.turns,
                std::cmp::Reverse(statement.time),
            )
        };
        let order = key(*a, x).cmp(&key(*b, y));
        order.then_with(|| x.source.cmp(&y.source)).then(a.cmp(b))
    });
    best.map(|(number, _)| number)
}

/// The spine as it is printed.
pub(super) fn text(lines: &[(Line, Quote)]) -> String {
    let mut text = String::new();
    for (line, quote) in lines {
        text.push_str(&format!("- {}: {quote}\n", line.label()));
    }
    text.push_str(REMINDER);
    text
}

/// What a story is good for.
const REMINDER: &str = "These lines give the direction; files and tasks give the facts.\n";
