//! Forms in which people say who they are, what they prefer, what they promise, and how far a task
//! is, in English and Chinese. Rules, decisions and corrections are found by [`crate::loss`].

use std::sync::LazyLock;

use super::verdict::Reason;
use crate::expression::{Form, any_case, is};

/// Letters of Latin scripts have word boundaries; Chinese has none, so its forms are longer.
static IDENTITY: Form = LazyLock::new(|| {
    any_case(
        r"\bmy (?:name|pronouns?|role|job|time ?zone|handle) (?:is|are)\b|\b(?:please )?call me [a-z]|\bi(?:'m| am) (?:a|an|the|new to|based in|responsible for|[a-z]+ by (?:trade|training))\b|\bi work (?:as|at|for|in|on)\b|\bi (?:maintain|own|lead|teach|study)\b|我(?:叫|姓|是一(?:名|个|位)|的(?:名字|职业|角色|时区|身份)是|负责|就职|从事)|(?:请)?(?:叫|称呼)我",
    )
});
static PREFERENCE: Form = LazyLock::new(|| {
    any_case(
        r"\bi(?:'d| would)? (?:strongly |much |really )?(?:prefer|rather|favou?r|dislike|hate|can't stand|am used to)\b|\bi (?:really )?(?:like|love|don't like|do not like) (?:it )?(?:when|to|short|long|small|plain|simple|the way)\b|\bmy (?:own )?preferences?\b|我(?:更|比较|最)?(?:喜欢|偏好|倾向|习惯|讨厌|不喜欢|不习惯)|我(?:更|宁)愿|我的(?:偏好|习惯)",
    )
});
static PROMISE: Form = LazyLock::new(|| {
    any_case(
        r"\bi (?:promise|commit to|agree to|guarantee)\b|\b(?:from now on|going forward|next time),? i(?:'ll| will)\b|\bi(?:'ll| will) (?:always|never|not|no longer|ask (?:you )?(?:first|before)|check with you|stick (?:to|with)|keep to)\b|\bi won't\b|我(?:保证|答应|承诺|发誓|不会再|绝不|一定会|会一直|以后(?:会|不会|都会))|(?:从现在起|以后|下次)我(?:会|不会|都会|先)",
    )
});
static CHECKPOINT: Form = LazyLock::new(|| {
    any_case(
        r"^\W{0,4}(?:done|completed?|finished|remaining|left(?: to do)?|to-?do|open|pending|next(?: steps?| up)?|status|progress|blocked(?: by)?|blocker|checkpoint|current task|assumption)\W{0,3}[:：]|^\s*(?:[-*]\s*)?(?:\[[ xX]\]|✅|☑|✔|⬜|❌)|\b(?:is|are) (?:now |all |still )?(?:done|complete|completed|finished|fixed|merged|released|deployed|open|missing|failing|blocked)\b|\bstill (?:to do|to be done|need(?:s|ed)? to|open|missing|failing)\b|\bnext (?:step|up|task|i|we)\b|(?:已经?|都|全部)(?:完成|修复|修好|合并|发布|部署|解决)|完成了|(?:未|没有?|尚未)(?:完成|修复|解决)|还(?:没|需要|要|差|剩)|下一步|待办|待处理|进度|当前任务|阻塞|卡在|检查点",
    )
});

/// What a sentence of the user says of them.
pub(crate) fn of_user(sentence: &str) -> Option<Reason> {
    first(
        sentence,
        &[
            (&IDENTITY, Reason::Identity),
            (&PREFERENCE, Reason::Preference),
            (&PROMISE, Reason::Promise),
        ],
    )
}

/// What the model is about to do is no state of the task.
static NARRATION: Form = LazyLock::new(|| {
    any_case(
        r"^\W{0,4}(?:i(?:'ll| will|'m| am)? (?:now |first |just )?[a-z]|let me\b|now i\b|我(?:先|来|现在|再|将)|让我)",
    )
});

/// What a sentence of the model promises or tells of the task.
pub(super) fn of_model(sentence: &str) -> Option<Reason> {
    let promise = first(sentence, &[(&PROMISE, Reason::Promise)]);
    let narrates = || is(&NARRATION, sentence);
    promise
        .or_else(|| first(sentence, &[(&CHECKPOINT, Reason::Checkpoint)]).filter(|_| !narrates()))
}

/// Whether a text may hold a promise.
pub(super) fn may_promise(text: &str) -> bool {
    is(&PROMISE, text)
}

fn first(sentence: &str, forms: &[(&Form, Reason)]) -> Option<Reason> {
    // A question tells nothing.
    if sentence.trim_end().ends_with(['?', '？']) {
        return None;
    }
    let mut forms = forms.iter();
    let found = forms.find(|(form, _)| is(form, sentence));
    found.map(|(_, reason)| *reason)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_forms_compile() {
        for form in [&IDENTITY, &PREFERENCE, &PROMISE, &CHECKPOINT, &NARRATION] {
            assert!(form.is_some());
        }
    }

    /// Fault 6 of the reference script: words count as words, not as parts of others.
    #[test]
    fn parts_of_words_say_nothing() {
        for sentence in [
            "The crusade was abandoned at the asterisk.",
            "It likely leaks memory in the promised land.",
            "I am reading the file now.",
            "I will now run the tests.",
            "I note what is still open.",
            "我先看看还需要什么",
            "Does the user prefer tabs?",
            "这个函数的完整性检查",
        ] {
            assert_eq!(of_user(sentence), None, "{sentence}");
            assert_eq!(of_model(sentence), None, "{sentence}");
        }
    }

    #[test]
    fn what_sentences_say() {
        for (sentence, reason) in [
            ("I'm a nurse and new to Rust.", Reason::Identity),
            ("Please call me Kit.", Reason::Identity),
            ("我是一名护士。", Reason::Identity),
            ("I prefer small commits.", Reason::Preference),
            ("我更喜欢简短的回答。", Reason::Preference),
        ] {
            assert_eq!(of_user(sentence), Some(reason), "{sentence}");
        }
        for (sentence, reason) in [
            ("From now on I will ask before I push.", Reason::Promise),
            ("我保证不会直接改数据库。", Reason::Promise),
            ("Done: the parser.", Reason::Checkpoint),
            ("- [ ] write the tests", Reason::Checkpoint),
            ("The migration is now merged.", Reason::Checkpoint),
            ("解析器已经完成，下一步是测试。", Reason::Checkpoint),
        ] {
            assert_eq!(of_model(sentence), Some(reason), "{sentence}");
        }
    }
}
