//! Variables and settings that decide a window, and what is odd about them.

use crate::client::{Counting, Numbers};
use crate::session::{is_false, is_true};
use crate::settings::{Node, NodeValue, Set};

use super::limits::{Given, Share};
use super::number;
use super::remark::Remark;
use super::source::{Decided, Source};

/// Smaller windows are not taken.
const SMALLEST_WINDOW: u64 = 100_000;

const WINDOW: &str = "CLAUDE_CODE_AUTO_COMPACT_WINDOW";
const WINDOW_SETTING: &str = "autoCompactWindow";
const SHARE: &str = "CLAUDE_AUTOCOMPACT_PCT_OVERRIDE";
const RESERVE: &str = "CLAUDE_CODE_MAX_OUTPUT_TOKENS";
const NARROW: &str = "CLAUDE_CODE_DISABLE_1M_CONTEXT";
const ENABLED: &str = "autoCompactEnabled";
const AUTO_OFF: &str = "DISABLE_AUTO_COMPACT";
const ALL_OFF: &str = "DISABLE_COMPACT";

/// What was given, and the remarks on what was looked up of it.
pub(super) struct Variables<'a> {
    given: &'a Given<'a>,
    counting: Counting,
    /// What was odd.
    pub remarks: Vec<Remark>,
}

impl<'a> Variables<'a> {
    pub(super) fn new(given: &'a Given<'a>) -> Self {
        Self {
            given,
            counting: given.client.behaviour.counting,
            remarks: Vec::new(),
        }
    }

    fn remark(&mut self, case: &'static str, source: &Source, message: String) {
        self.remarks.push(Remark {
            case,
            source: source.clone(),
            message,
        });
    }

    /// A variable that is not empty, and who set it.
    fn variable(&self, name: &'static str) -> Option<(&'a str, Source)> {
        let value = self.given.env.get(name).filter(|value| !value.is_empty())?;
        let set = self.given.settings.env.get(name);
        let place = set.filter(|set| set.value == *value);
        let place = place.map(|set| set.place.clone());
        Some((value, Source::Variable { name, place }))
    }

    fn switch(&self, name: &'static str) -> Option<Source> {
        let (value, source) = self.variable(name)?;
        is_true(value).then_some(source)
    }

    /// The same, with a remark where the value is neither a yes nor a no.
    fn off_switch(&mut self, name: &'static str) -> Option<Source> {
        let (value, source) = self.variable(name)?;
        if is_true(value) {
            return Some(source);
        }
        if !is_false(value) {
            let message = format!("{name} is ignored: `{value}` is no yes; write 1");
            self.remark("switch-ignored", &source, message);
        }
        None
    }

    /// Who takes the wide window away.
    pub(super) fn narrow(&self) -> Option<Source> {
        self.switch(NARROW)
    }

    /// Who turns `/compact` off.
    pub(super) fn command_off(&self) -> Option<Source> {
        self.switch(ALL_OFF)
    }

    /// Who turns compaction by itself off: a variable, else the settings, else the state file,
    /// which counts only where no settings have the key.
    pub(super) fn auto_compact_off(&mut self) -> Option<Source> {
        let variables = [ALL_OFF, AUTO_OFF].map(|name| self.off_switch(name));
        if let Some(source) = variables.into_iter().flatten().next() {
            return Some(source);
        }
        if let Some(set) = self.given.settings.bool(ENABLED) {
            return (!set.value).then_some(Source::Setting {
                name: ENABLED,
                place: set.place,
            });
        }
        let state = self.given.state?;
        (state.auto_compact == Some(false)).then(|| Source::State {
            name: ENABLED,
            file: state.file.clone(),
        })
    }

    /// The window that someone asks for, be it larger than the model's.
    pub(super) fn window(&mut self, of_model: u64, off: Option<&Source>) -> Option<Decided<u64>> {
        let variable = self.window_variable();
        let setting = self.window_setting();
        let asked = match (variable, setting) {
            (Some(variable), Some(setting)) => {
                let by = &variable.source;
                let message = format!("{WINDOW_SETTING} has no effect: {by} goes before it");
                self.remark("window-overruled", &setting.source, message);
                variable
            }
            (variable, setting) => variable.or(setting)?,
        };
        let source = &asked.source;
        if let Some(off) = off {
            let message = format!(
                "the window of {} tokens has no effect: compaction is off by {off}, and then the \
                 model's own window of {of_model} counts",
                asked.value
            );
            self.remark("window-without-effect", source, message);
        } else if asked.value > of_model {
            let message = format!(
                "the window of {} tokens is larger than the model's, {of_model}, which counts",
                asked.value
            );
            self.remark("window-without-effect", source, message);
        }
        Some(asked)
    }

    fn window_variable(&mut self) -> Option<Decided<u64>> {
        let (text, source) = self.variable(WINDOW)?;
        let Some(read) = self.window_of(text) else {
            let message = format!("{WINDOW} is ignored: `{text}` is no number of tokens above 0");
            self.remark("window-ignored", &source, message);
            return None;
        };
        let value = read.max(SMALLEST_WINDOW);
        if read < SMALLEST_WINDOW {
            let message = format!(
                "{WINDOW} is read as {read} tokens and raised to {SMALLEST_WINDOW}, the smallest \
                 window that the client takes"
            );
            self.remark("window-raised", &source, message);
        }
        Some(Decided { value, source })
    }

    /// The number at the start of a text, and what follows it.
    fn number(&self, text: &str) -> Option<(f64, String)> {
        let text = match self.counting.numbers {
            Numbers::Digits => return Some((number::integer(text)?, String::new())),
            Numbers::Decimal => text.to_owned(),
            Numbers::Separated => text.replace([',', '_'], ""),
        };
        let (value, rest) = number::float(&text)?;
        Some((value, rest.trim().to_ascii_lowercase()))
    }

    /// The tokens that a text names as a window.
    fn window_of(&self, text: &str) -> Option<u64> {
        let (value, rest) = self.number(text)?;
        let unit = match rest.as_str() {
            "k" if self.counting.window_has_units => 1e3,
            "m" if self.counting.window_has_units => 1e6,
            _ => 1.0,
        };
        number::tokens(value * unit)
    }

    fn window_setting(&mut self) -> Option<Decided<u64>> {
        let settings = self.given.settings;
        let source = |set: &Set<&Node>| Source::Setting {
            name: WINDOW_SETTING,
            place: set.place.clone(),
        };
        let mut sets: Vec<Set<&Node>> = settings.all(WINDOW_SETTING).collect();
        let taken = |set: &Set<&Node>| {
            let tokens = set.value.number::<u64>();
            tokens.filter(|tokens| *tokens >= SMALLEST_WINDOW)
        };
        let mut decided = None;
        while let Some(set) = sets.pop() {
            if let Some(value) = taken(&set) {
                let source = source(&set);
                decided = Some(Decided { value, source });
                break;
            }
            if !is_auto(set.value) {
                let message = format!(
                    "{WINDOW_SETTING} is ignored: it must be a whole number of at least \
                     {SMALLEST_WINDOW}"
                );
                self.remark("window-ignored", &source(&set), message);
            }
        }
        decided
    }

    /// What is kept free for the answer, which by itself is `usual`.
    pub(super) fn reserve(&mut self, usual: Decided<u64>) -> Decided<u64> {
        let Some((text, source)) = self.variable(RESERVE) else {
            return usual;
        };
        let read = self.number(text);
        let read = read.and_then(|(value, _)| number::tokens(value));
        let Some(value) = read else {
            let message = format!("{RESERVE} is ignored: `{text}` is no number of tokens above 0");
            self.remark("reserve-ignored", &source, message);
            return usual;
        };
        if value < usual.value {
            Decided { value, source }
        } else {
            usual
        }
    }

    /// The share of the effective window that someone asks for; `margin` is the usual trigger.
    pub(super) fn share(&mut self, effective: u64, margin: u64) -> Option<Share> {
        let (text, source) = self.variable(SHARE)?;
        let percent = number::float(text).map(|(value, _)| value);
        let Some(percent) = percent.filter(|percent| *percent > 0.0 && *percent <= 100.0) else {
            let message =
                format!("{SHARE} is ignored: `{text}` is no percentage above 0 and up to 100");
            self.remark("share-ignored", &source, message);
            return None;
        };
        // A share of a whole number of tokens, rounded down; casts saturate.
        let tokens = (effective as f64 * percent / 100.0) as u64;
        let effective = tokens < margin;
        if percent < 1.0 {
            let message = format!(
                "{SHARE} is a percentage: {percent} compacts from {tokens} tokens on, that is \
                 always; for a share of {percent} write {}",
                percent * 100.0
            );
            self.remark("share-fraction", &source, message);
        } else if !effective {
            let message = format!(
                "{SHARE} has no effect: it can only lower the trigger, and {percent} % would be \
                 {tokens} tokens, where the client compacts from {margin} on"
            );
            self.remark("share-without-effect", &source, message);
        }
        Some(Share {
            percent,
            tokens,
            effective,
            source,
        })
    }
}

fn is_auto(node: &Node) -> bool {
    match &node.value {
        NodeValue::Text(text) => text == "auto",
        NodeValue::Null => true,
        _ => false,
    }
}
