//! The packet: facts, boundaries, open tasks and the spine, or what is recent, within a cap.

use std::collections::BTreeMap;

use outcrop_loader::javascript;
use outcrop_loader::tokens::{Counter, Tokens};
use rustc_hash::FxHashSet;
use serde::Serialize;

use super::evidence::{Evidence, Statement, collapsed};
use super::source::{Fact, ItemKind, Options, Quote, Reason, Source, Sources};
use super::spine::{self, Lines, Missing};
use super::{DAY, DAYS};

/// How many boundaries, open tasks and recent statements there are at most.
const EACH: usize = 6;

/// A boot packet.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Packet {
    /// The time, in milliseconds since 1970.
    #[serde(skip)]
    pub now: i64,
    /// Facts, in order.
    pub facts: Vec<Fact>,
    /// What must not be crossed.
    pub boundaries: Vec<Quote>,
    /// What is still to be done.
    pub open: Vec<Quote>,
    /// The spine; none where it was dropped.
    #[serde(skip)]
    pub spine: Option<Lines>,
    /// What is recent, where there is no spine.
    pub recent: Vec<Quote>,
    /// Why it is as it is.
    pub reasons: Vec<Reason>,
    /// How many statements and documents were left out, by reason.
    pub excluded: BTreeMap<&'static str, usize>,
    /// The whole as a session gets it.
    pub text: String,
    /// The tokens of the text.
    #[serde(skip)]
    pub tokens: Tokens,
}

/// Makes the packet. `reread` gives the text at a place anew: of a file from the line on, of a
/// session what its record holds; nothing where it is not there any more.
pub fn build(
    sources: &Sources,
    options: &Options,
    reread: &dyn Fn(&Source) -> Option<String>,
) -> Packet {
    let evidence = Evidence::of(sources, options.forge);
    let resolves = |quote: &Quote| is_there(quote, reread(&quote.source).as_deref());
    let mut reasons = sources.not_read.clone();
    if options.forge {
        reasons.push(Reason::new(
            "forge",
            "rebuilt from memory alone: nothing of transcripts, and no handoffs, which are drafted from them",
        ));
    }
    let statements = &evidence.statements;
    let now = sources.now;
    let spine = match spine::of(statements, now, &resolves) {
        Ok(lines) => Some(lines),
        Err(missing) => {
            reasons.push(dropped(&missing));
            None
        }
    };
    let in_spine: FxHashSet<&Source> = spine
        .iter()
        .flatten()
        .map(|(_, quote)| &quote.source)
        .collect();
    let mut unresolved = 0;
    let mut list = |fits: &dyn Fn(&Statement) -> bool| {
        let mut found: Vec<&Statement> = statements.iter().filter(|one| fits(one)).collect();
        found.sort_by(|a, b| {
            let key = |one: &Statement| (std::cmp::Reverse(one.day()), !one.turns);
            key(a).cmp(&key(b)).then_with(|| a.source.cmp(&b.source))
        });
        let mut seen = FxHashSet::default();
        found.retain(|one| seen.insert(one.text.as_str()));
        let quotes = found.into_iter().map(Statement::quote).filter(|quote| {
            let holds = resolves(quote);
            unresolved += usize::from(!holds);
            holds
        });
        quotes.take(EACH).collect::<Vec<_>>()
    };
    let boundaries = list(&|one| one.is_rule && (one.is_memory || one.is_recent(now)));
    let open = list(&|one| {
        one.is_open && one.is_recent(now) && !in_spine.contains(&one.source)
            || one.is_open && one.is_memory && !in_spine.contains(&one.source)
    });
    let recent = match spine {
        Some(_) => Vec::new(),
        None => list(&|one| one.is_recent(now) && !one.is_open && !one.is_rule),
    };
    if unresolved > 0 {
        let text = format!("{unresolved} quotations are not at their places any more");
        reasons.push(Reason::new("unresolved", text));
    }
    let mut packet = Packet {
        now,
        facts: sources.facts.clone(),
        boundaries,
        open,
        spine,
        recent,
        reasons,
        excluded: evidence.excluded,
        text: String::new(),
        tokens: Counter::new(options.family).content(""),
    };
    packet.fit(sources, options, statements, &resolves);
    packet
}

fn dropped(missing: &Missing) -> Reason {
    match missing {
        Missing::Evidence(lines) => {
            let names: Vec<&str> = lines.iter().map(|line| line.label()).collect();
            Reason::new(
                "spine-evidence-missing",
                format!(
                    "no spine: the last {DAYS} days hold no evidence for {}",
                    names.join(", ")
                ),
            )
        }
        Missing::Unresolved(line, quote) => Reason::new(
            "spine-unresolved",
            format!(
                "no spine: what {} would quote is not at {} any more",
                line.label(),
                quote.source
            ),
        ),
        Missing::TooLong(length) => Reason::new(
            "spine-too-long",
            format!(
                "no spine: it would have {length} characters of {}",
                spine::LONGEST
            ),
        ),
    }
}

/// Whether words stand at a place: of a file they begin in its line.
fn is_there(quote: &Quote, found: Option<&str>) -> bool {
    let Some(found) = found else {
        return false;
    };
    match quote.source {
        Source::Session { .. } => collapsed(found).contains(&quote.text),
        Source::File { .. } => {
            let first = collapsed(found.lines().next().unwrap_or_default());
            let place = collapsed(found).find(&quote.text);
            place.is_some_and(|place| place < first.len())
        }
    }
}

impl Packet {
    /// Takes from the end of its lists until the text is within the cap.
    fn fit(
        &mut self,
        sources: &Sources,
        options: &Options,
        statements: &[Statement],
        resolves: &dyn Fn(&Quote) -> bool,
    ) {
        let mut counter = Counter::new(options.family);
        let mut left_out = 0;
        loop {
            self.text = self.compose(sources);
            self.tokens = counter.content(&self.text);
            let fits =
                self.tokens.count <= options.tokens && javascript::len(&self.text) <= options.units;
            if fits {
                break;
            }
            left_out += 1;
            if self.recent.pop().is_some() {
                continue;
            }
            if self.open.len() > 1 && self.open.len() >= self.boundaries.len() {
                self.open.pop();
            } else if self.boundaries.len() > 1 {
                self.boundaries.pop();
            } else if self.spine.take().is_some() {
                // All of it or nothing; what is recent and fits may take its place.
                left_out -= 1;
                self.reasons.push(Reason::new(
                    "spine-over-cap",
                    format!("no spine: it does not fit into {} tokens", options.tokens),
                ));
                self.recent = freshest(statements, sources.now, resolves);
            } else if self.open.pop().is_none()
                && self.boundaries.pop().is_none()
                && self.facts.pop().is_none()
            {
                self.text.clear();
                self.tokens = counter.content("");
                break;
            }
        }
        if self.spine.is_some() {
            let text = "the spine has evidence for each of its four lines, at the places named";
            self.reasons.insert(0, Reason::new("spine", text));
        }
        if left_out > 0 {
            let cap = match options.units {
                usize::MAX => format!("{} tokens", options.tokens),
                units => format!("{} tokens and {units} characters", options.tokens),
            };
            let text = format!("{left_out} lines did not fit into {cap}");
            self.reasons.push(Reason::new("over-cap", text));
        }
    }

    fn compose(&self, sources: &Sources) -> String {
        let now = jiff::Timestamp::from_millisecond(sources.now).unwrap_or_default();
        let mut text = format!("# Boot packet\n\n- now: {now:.0}\n");
        for fact in &self.facts {
            text.push_str(&format!("- {}: {}\n", fact.name, fact.value));
        }
        let mut section = |title: &str, quotes: &[Quote]| {
            if quotes.is_empty() {
                return;
            }
            text.push_str(&format!("\n## {title}\n\n"));
            for quote in quotes {
                let what = match (quote.kind, quote.status.as_deref()) {
                    (None | Some(ItemKind::Request), _) => String::new(),
                    (Some(kind), None) => format!("{}: ", name(kind)),
                    (Some(kind), Some(status)) => format!("{}, {status}: ", name(kind)),
                };
                text.push_str(&format!("- {what}{quote}\n"));
            }
        };
        section("Boundaries", &self.boundaries);
        section("Open", &self.open);
        section("Recent", &self.recent);
        if let Some(lines) = &self.spine {
            text.push_str(&format!("\n## Note to self\n\n{}", spine::text(lines)));
        }
        text
    }
}

fn freshest(statements: &[Statement], now: i64, resolves: &dyn Fn(&Quote) -> bool) -> Vec<Quote> {
    let recent = |one: &&Statement| one.time >= now - DAYS * DAY && !one.is_open && !one.is_rule;
    let mut found: Vec<&Statement> = statements.iter().filter(recent).collect();
    found.sort_by_key(|one| (std::cmp::Reverse(one.day()), !one.turns));
    let quotes = found.into_iter().map(Statement::quote);
    quotes.filter(|quote| resolves(quote)).take(EACH).collect()
}

fn name(kind: ItemKind) -> &'static str {
    match kind {
        ItemKind::Todo => "todo",
        ItemKind::Task => "task",
        ItemKind::Plan => "plan",
        ItemKind::Request => "request",
    }
}
