//! What was received against what should have been.

use rustc_hash::FxHashMap;

use serde::Serialize;

use outcrop_loader::record::Scope;

use super::receipt::{Form, Moment, Receipt, Received, Witness};
use super::replay::Predicted;

/// One instruction text of a session, by its path.
#[derive(Debug, Clone)]
pub struct Text {
    /// The path that the client names.
    pub path: String,
    /// Its owner, where it is known.
    pub scope: Option<Scope>,
    /// How it compares.
    pub verdict: Verdict,
    /// Its place in the prediction.
    pub predicted: Option<usize>,
    /// Its places in [`Receipt::texts`], oldest first.
    pub received: Vec<usize>,
    /// The place of the copy that counts: the last of the branch that the session is on.
    pub last: Option<usize>,
    /// The same text came as an instruction although an earlier copy of it still stood in the
    /// context: the places of those copies.
    pub repeats: Vec<usize>,
    /// Whether the client's own events name it; none where there is no log of them, or the client
    /// sends none for such a file.
    pub logged: Option<bool>,
}

/// How a text compares.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// It was received as predicted.
    Equal,
    /// It was received with other words.
    OtherContent,
    /// It is predicted and was not received.
    Missing,
    /// It was received and is not predicted.
    Extra,
    /// It was received, and later the session was told that it is there no more; nor is it
    /// predicted.
    Withdrawn,
    /// The client's events name it; with which words is not known.
    Loaded,
    /// It was received, and nothing is predicted to compare it with.
    Received,
    /// It is predicted, and nothing tells whether it was received.
    NoEvidence,
}

impl Verdict {
    /// Its name in output.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Equal => "equal",
            Self::OtherContent => "other-content",
            Self::Missing => "missing",
            Self::Extra => "extra",
            Self::Withdrawn => "withdrawn",
            Self::Loaded => "loaded",
            Self::Received => "received",
            Self::NoEvidence => "no-evidence",
        }
    }

    /// Whether the session received something else than predicted.
    #[must_use]
    pub fn is_difference(self) -> bool {
        matches!(self, Self::OtherContent | Self::Missing | Self::Extra)
    }
}

/// All texts of a session.
#[derive(Debug, Clone, Default)]
pub struct Comparison {
    /// In the order in which they came; then what is missing, as predicted.
    pub texts: Vec<Text>,
}

impl Comparison {
    /// Whether the session received something else than predicted, or something twice.
    #[must_use]
    pub fn differs(&self) -> bool {
        let mut texts = self.texts.iter();
        texts.any(|text| text.verdict.is_difference() || !text.repeats.is_empty())
    }

    /// How many texts compare so.
    #[must_use]
    pub fn count(&self, verdict: Verdict) -> usize {
        self.texts
            .iter()
            .filter(|text| text.verdict == verdict)
            .count()
    }
}

/// Compares what a session received with what it should have; without a prediction it only
/// gathers what was received.
#[must_use]
pub fn compare(receipt: &Receipt, predicted: Option<&[Predicted]>) -> Comparison {
    let mut texts: Vec<Text> = Vec::new();
    let mut places: FxHashMap<&str, usize> = FxHashMap::default();
    let wanted = predicted.unwrap_or_default();
    let mut by_path: FxHashMap<&str, usize> = FxHashMap::default();
    for (number, text) in wanted.iter().enumerate() {
        by_path.entry(&text.path).or_insert(number);
    }
    let instructions = receipt
        .texts
        .iter()
        .filter(|text| text.form == Form::Instruction);
    let known: rustc_hash::FxHashSet<&str> = instructions
        .map(|text| text.path.as_str())
        .chain(wanted.iter().map(|text| text.path.as_str()))
        .collect();
    for (number, received) in receipt.texts.iter().enumerate() {
        // Any other file that was attached is no instruction.
        if !known.contains(received.path.as_str()) {
            continue;
        }
        let place = *places.entry(&received.path).or_insert_with(|| {
            texts.push(Text::new(
                &received.path,
                by_path.get(received.path.as_str()).copied(),
            ));
            texts.len() - 1
        });
        let text = &mut texts[place];
        text.received.push(number);
        text.scope = text.scope.or(received.scope);
    }
    for text in &mut texts {
        text.judge(receipt, predicted);
    }
    for (number, missing) in wanted.iter().enumerate() {
        if places.contains_key(missing.path.as_str()) || by_path[missing.path.as_str()] != number {
            continue;
        }
        let witness = match missing.at_start {
            true => receipt.evidence.start,
            false => receipt.evidence.reads,
        };
        let mut text = Text::new(&missing.path, Some(number));
        text.scope = Some(missing.scope);
        text.verdict = match witness {
            Witness::None => Verdict::NoEvidence,
            _ => Verdict::Missing,
        };
        texts.push(text);
    }
    Comparison { texts }
}

impl Text {
    fn new(path: &str, predicted: Option<usize>) -> Self {
        Self {
            path: path.to_owned(),
            scope: None,
            verdict: Verdict::Received,
            predicted,
            received: Vec::new(),
            last: None,
            repeats: Vec::new(),
            logged: None,
        }
    }

    /// A text that only the log of events names.
    pub(super) fn only_logged(path: &str, scope: Option<Scope>) -> Self {
        Self {
            scope,
            verdict: Verdict::Extra,
            logged: Some(true),
            ..Self::new(path, None)
        }
    }

    fn judge(&mut self, receipt: &Receipt, predicted: Option<&[Predicted]>) {
        let at = |number: &usize| &receipt.texts[*number];
        let counts = |number: &&usize| !at(number).abandoned;
        let last = self.received.iter().rfind(counts).or(self.received.last());
        self.last = last.copied();
        self.repeats = self.repeated(receipt);
        let Some(last) = last.map(at) else { return };
        let withdrawals = receipt
            .withdrawn
            .iter()
            .filter(|gone| gone.path == self.path);
        let is_withdrawn = withdrawals
            .into_iter()
            .any(|gone| gone.record >= last.record)
            || is_left_out_later(receipt, last);
        let wanted = self.predicted.zip(predicted);
        let wanted = wanted.map(|(number, predicted)| &predicted[number]);
        self.verdict = match (predicted, wanted) {
            (None, _) => Verdict::Received,
            (Some(_), None) if is_withdrawn => Verdict::Withdrawn,
            (Some(_), None) => Verdict::Extra,
            (Some(_), Some(_)) if is_withdrawn => Verdict::Missing,
            (Some(_), Some(wanted)) if is_equal(last, wanted) => Verdict::Equal,
            (Some(_), Some(_)) => Verdict::OtherContent,
        };
    }

    /// The copies that came while the same text still stood in the context.
    fn repeated(&self, receipt: &Receipt) -> Vec<usize> {
        let mut repeats = Vec::new();
        let mut before: Option<&Received> = None;
        for number in &self.received {
            let text = &receipt.texts[*number];
            if text.abandoned || text.form == Form::File {
                continue;
            }
            let gone = |from: usize| {
                let mut gone = receipt.withdrawn.iter();
                gone.any(|gone| {
                    gone.path == self.path && (from..text.record).contains(&gone.record)
                })
            };
            let stands = before.is_some_and(|before| {
                before.compactions == text.compactions
                    && before.text.trim() == text.text.trim()
                    && !gone(before.record)
            });
            if stands {
                repeats.push(*number);
            }
            before = Some(text);
        }
        repeats
    }
}

/// Whether a later whole set of the start's texts lacks this one of them.
fn is_left_out_later(receipt: &Receipt, last: &Received) -> bool {
    let is_of_set =
        |moment: &Moment| matches!(moment, Moment::Start | Moment::Again | Moment::Compaction);
    let is_set = last.form == Form::Instruction
        && (is_of_set(&last.moment) || matches!(last.moment, Moment::Reread { .. }));
    let mut later = receipt.texts.iter();
    is_set
        && later.any(|text| {
            text.record > last.record
                && !text.abandoned
                && text.form == Form::Instruction
                && is_of_set(&text.moment)
        })
}

/// Whether a text is the predicted one. Around the start's texts the client leaves white space
/// out, and behind a cut index stands its notice.
fn is_equal(received: &Received, wanted: &Predicted) -> bool {
    let text = received.text.trim();
    match received.form {
        Form::File => text == wanted.source.trim(),
        Form::Instruction if wanted.is_cut => text.starts_with(wanted.text.trim()),
        Form::Instruction => text == wanted.text.trim(),
    }
}
