//! Rules of the user that contradict each other: the same words, once demanded and once forbidden.

use std::io;
use std::sync::LazyLock;

use regex::Regex;
use rustc_hash::FxHashMap;

use super::finding::{Finding, excerpt};
use super::rule::{Rule, Severity};
use super::scene::{Reader, Scene};
use crate::loss::{constraints_in, typed_and_shown};
use crate::transcript::Source;

/// So many rules are kept, and so many contradictions told: what is beyond is no talk.
const KEPT: usize = 20_000;
const TOLD: usize = 50;

/// Words that forbid.
static FORBIDS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"(?i)\b(?:never|don['’]?t|do not|must ?n[o'’]?t|should ?n[o'’]?t|shall not|may not|cannot|can['’]t|not)\b|永[远遠](?:不要|[别別]|不)|[绝絕决決][对對]?不[要能可]?|不要|不准|不[许許]|不得|不能|不可以?|禁止|[严嚴]禁|[别別]|勿",
    )
    .ok()
});

/// Words that only demand, or soften, and say nothing of what.
static DEMANDS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"(?i)\b(?:always|must|should|shall|please|ever|you|we|have to|has to|need to|make sure to|be sure to|from now on|again|the|a|an|to)\b|永[远遠]|[务務]必|必[须須]|一定要?|始[终終]|[总總]是|都?要|[请請]|每次|今后|以后|今後|以後|[你您]|再|也|都",
    )
    .ok()
});

/// A rule that was met.
struct Met {
    forbids: bool,
    line: u32,
    turn: usize,
    text: String,
}

/// The rules of the user so far, by what they are about.
#[derive(Default)]
pub(super) struct Demands {
    met: FxHashMap<String, Met>,
    pub(super) found: Vec<Finding>,
}

impl Demands {
    pub(super) fn take<S: Source>(
        &mut self,
        scene: &Scene<'_>,
        reader: &mut Reader<'_, S>,
        at: usize,
    ) -> io::Result<()> {
        let content = reader.record(scene.entry(at))?.content;
        for text in content.texts() {
            for typed in typed_and_shown(text).0 {
                for sentence in constraints_in(typed) {
                    self.add(scene, at, sentence);
                }
            }
        }
        Ok(())
    }

    fn add(&mut self, scene: &Scene<'_>, at: usize, sentence: &str) {
        let Some((about, forbids)) = parts(sentence) else {
            return;
        };
        let met = Met {
            forbids,
            line: scene.entry(at).place.line,
            turn: scene.turn(at),
            text: sentence.to_owned(),
        };
        // The last one of each counts.
        let before = match self.met.len() < KEPT || self.met.contains_key(&about) {
            true => self.met.insert(about, met),
            false => None,
        };
        if let Some(before) = before.filter(|before| before.forbids != forbids)
            && self.found.len() < TOLD
        {
            let reason = format!(
                "turn {} (line {}) said “{}”",
                before.turn,
                before.line,
                excerpt(&before.text).unwrap_or_default()
            );
            let rule = Rule::Contradiction;
            let mut finding = scene.finding(rule, Severity::Warning, at, reason, sentence);
            finding.count = 2;
            self.found.push(finding);
        }
    }
}

/// What a rule is about, without the words that demand or forbid, and whether it forbids. None
/// where too little is left to compare.
fn parts(sentence: &str) -> Option<(String, bool)> {
    let (forbids, demands) = (FORBIDS.as_ref()?, DEMANDS.as_ref()?);
    let count = forbids.find_iter(sentence).count();
    // A rule that forbids twice is more than one.
    if count > 1 {
        return None;
    }
    let rest = forbids.replace_all(sentence, " ");
    let rest = demands.replace_all(&rest, " ").to_lowercase();
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '/' | '.' | '-' | '`');
    let words = rest
        .split(|c: char| !is_word(c))
        .map(|word| word.trim_matches(|c: char| matches!(c, '.' | '-' | '`')));
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    let about = words.join(" ");
    let is_enough = words.len() >= 2 || about.chars().filter(|c| !c.is_ascii()).count() >= 3;
    is_enough.then_some((about, count == 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_words_demanded_and_forbidden() {
        for (demand, ban) in [
            ("Always use tabs.", "Never use tabs!"),
            ("You must push to main.", "Please do not push to main."),
            ("必须使用制表符。", "不要使用制表符。"),
            ("提交前务必运行测试", "提交前不要运行测试"),
        ] {
            let (about, forbids) = parts(demand).unwrap();
            assert!(!forbids, "{demand}");
            assert_eq!(parts(ban), Some((about, true)), "{ban}");
        }
        let different = [
            ("Always use tabs in Makefiles.", "Never use tabs in Rust."),
            ("必须使用制表符。", "不要使用空格。"),
        ];
        for (one, other) in different {
            assert_ne!(parts(one).unwrap().0, parts(other).unwrap().0, "{one}");
        }
        assert_eq!(parts("Never!"), None);
    }
}
