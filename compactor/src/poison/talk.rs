//! Loops of words: answers that begin with an apology, or with assent, again and again.

use std::collections::VecDeque;
use std::io;
use std::sync::LazyLock;

use regex::Regex;

use super::finding::Finding;
use super::rule::{Rule, Severity};
use super::scene::{Reader, Scene};
use super::stems::Stems;
use crate::transcript::{Id, Source};

/// So many answers are looked at together.
const WINDOW: usize = 5;
/// So many of them make a loop.
const LOOP: usize = 3;
/// Only the first characters of an answer are looked at.
const BEGINNING: usize = 120;

static STEMS: LazyLock<Stems> = LazyLock::new(|| {
    Stems::of(&[
        "orry",
        "polog",
        "istake",
        "y bad",
        "right",
        "orrect",
        "atch",
        "oint",
        "抱歉",
        "对不起",
        "對不起",
        "不好意思",
        "道歉",
        "说得",
        "說得",
        "正确",
        "正確",
        "没错",
        "沒錯",
        "的对",
        "的對",
    ])
});

static APOLOGY: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"(?i)^\W*(?:(?:oh|ah|yes|no|you(?:['’]re| are) (?:absolutely |completely |totally |quite )?right)\b\W*)?(?:and |but )?(?:(?:i['’]m|i am) )?(?:(?:so|very|really|truly|terribly) )?(?:sorry\b|(?:my |please accept my )?(?:sincere |deepest )?apologies\b|i (?:sincerely |deeply |must |do )?apologi[sz]e\b|my (?:bad|mistake)\b)|^\W*(?:您好|你好|是的|[您你][说說]得[对對])?\W*我?(?:非常|十分|很|真的|实在|實在|深感|深表|真诚|真誠)?(?:地)?(?:抱歉|[对對]不起|不好意思|道歉|向[您你]道歉)",
    )
    .ok()
});

static AGREEMENT: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"(?i)^\W*(?:(?:oh|ah|yes)\b\W*)?(?:you(?:['’]re| are) (?:(?:so|absolutely|completely|totally|quite|entirely|100%) )*(?:right|correct)\b|that(?:['’]s| is) (?:absolutely|completely|totally) (?:right|correct)\b|(?:absolutely|completely) right\b|(?:good|great|excellent) (?:catch|point)\b)|^\W*(?:是的\W*)?(?:[您你](?:[说說][得的])(?:太|很|完全|非常|都)?(?:[对對]|正[确確]|有道理)|[您你](?:是|完全)(?:[对對]的|正[确確])|完全(?:正[确確]|同意)|[没沒][错錯]\W)",
    )
    .ok()
});

/// Which loop.
const RULES: [Rule; 2] = [Rule::Apologies, Rule::Agreement];

/// The answers so far.
#[derive(Default)]
pub(super) struct Talk {
    /// The message of the last answer: several records may be one.
    message: Option<Id>,
    loops: [Loop; 2],
    answers: usize,
}

/// What is known of one kind of loop.
#[derive(Default)]
struct Loop {
    /// Places of the last answers that take the form, with their numbers.
    window: VecDeque<(usize, usize)>,
    /// Loops: the first place and its words, how many answers, the number of the last of them.
    found: Vec<(usize, String, usize, usize)>,
    /// The words of those in the window.
    words: VecDeque<String>,
}

impl Talk {
    pub(super) fn take<S: Source>(
        &mut self,
        scene: &Scene<'_>,
        reader: &mut Reader<'_, S>,
        at: usize,
    ) -> io::Result<()> {
        let entry = scene.entry(at);
        let mut pieces = scene.pieces(at).iter();
        if !pieces.any(|piece| scene.index.is(piece.kind, "text") && piece.chars > 0)
            || entry.message.is_some() && entry.message == self.message
        {
            return Ok(());
        }
        self.message = entry.message;
        self.answers += 1;
        if !STEMS.is_in(reader.bytes(entry)?) {
            return Ok(());
        }
        let content = reader.record(entry)?.content;
        let text = content.texts().next().unwrap_or_default();
        let text: String = text.chars().take(BEGINNING).collect();
        for (form, of) in [&APOLOGY, &AGREEMENT].into_iter().zip(&mut self.loops) {
            if form.as_ref().is_some_and(|form| form.is_match(&text)) {
                of.take(self.answers, at, &text);
            }
        }
        Ok(())
    }

    pub(super) fn found(self, scene: &Scene<'_>) -> Vec<Finding> {
        let answers = self.answers;
        let loops = RULES.into_iter().zip(self.loops);
        let found =
            loops.flat_map(|(rule, of)| of.found.into_iter().map(move |found| (rule, found)));
        found
            .map(|(rule, (at, text, count, last))| {
                // A loop that the session left is history.
                let severity = match last + WINDOW > answers {
                    true => Severity::Warning,
                    false => Severity::Notice,
                };
                let what = match rule {
                    Rule::Apologies => "an apology",
                    _ => "assent",
                };
                let reason = format!("{count} answers close together begin with {what}");
                let mut finding = scene.finding(rule, severity, at, reason, &text);
                finding.count = count;
                finding
            })
            .collect()
    }
}

impl Loop {
    fn take(&mut self, number: usize, at: usize, text: &str) {
        self.window.push_back((number, at));
        self.words.push_back(text.to_owned());
        while self
            .window
            .front()
            .is_some_and(|(first, _)| first + WINDOW <= number)
        {
            self.window.pop_front();
            self.words.pop_front();
        }
        if self.window.len() < LOOP {
            return;
        }
        if let Some((_, _, count, last)) = self.found.last_mut()
            && *last + WINDOW > number
        {
            *count += 1;
            *last = number;
        } else if let (Some((_, at)), Some(words)) = (self.window.front(), self.words.front()) {
            let found = (*at, words.clone(), self.window.len(), number);
            self.found.push(found);
        }
    }
}
