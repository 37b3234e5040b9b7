//! Forms that tell what a statement is about, in English and Chinese.

use std::sync::LazyLock;

use crate::expression::{Form, any_case, is};

/// Something is done, fixed, decided or confirmed.
static TURNS: Form = LazyLock::new(|| {
    any_case(
        r"\b(?:completed?|finished|done|fixed|resolved|solved|decided|agreed|confirmed|verified|merged|released|shipped|deployed|switched|replaced|migrated|chose|chosen|pass(?:es|ed)|works now)\b|(?:完成|修复|修好|解决|决定|确认|确定|敲定|合并|发布|上线|部署|通过)了?",
    )
});
/// It is said that it is not.
static NOT_YET: Form = LazyLock::new(|| {
    any_case(
        r"\b(?:not|never|n't|cannot|yet to|to be|must be|should be|needs? to be|until|unless|when|once|before|if)\b[^.;,]{0,24}\b(?:completed?|finished|done|fixed|resolved|solved|decided|agreed|confirmed|verified|merged|released|shipped|deployed|switched|replaced|migrated|chosen|pass(?:es|ed))\b|n't (?:be )?(?:done|fixed|work)|(?:未|没有?|尚未|还没有?|待|需要?|要|等|如果|不)[^，。；]{0,4}(?:完成|修复|修好|解决|决定|确认|确定|合并|发布|上线|部署|通过)",
    )
});
/// Something about the user and how to work with them. A memory speaks of them as of a third.
static BETWEEN: Form = LazyLock::new(|| {
    any_case(
        r"\b(?:the )?user (?:really |strongly )?(?:prefers?|likes?|dislikes?|hates?|wants?|expects?|asks?|asked|is a|works|calls|speaks)\b|\bwe agreed\b|\bprefers? \w+|用户(?:更)?(?:喜欢|偏好|希望|要求|讨厌|习惯|是)|(?:我们|一起)(?:约定|说好)|称呼",
    )
});
/// What is no longer so.
static GONE: Form = LazyLock::new(|| {
    any_case(
        r"~~|\((?:expired|obsolete|superseded|outdated)\)|^\W{0,4}(?:expired|obsolete|superseded|outdated)\W{0,4}[:：]|已(?:过期|作废|失效|废弃)",
    )
});
/// A day up to which something holds.
static UNTIL: Form = LazyLock::new(|| {
    any_case(r"(?:expires?(?: on)?|valid until|有效期至|到期|失效日期)\W{0,4}(20\d\d-\d\d-\d\d)")
});
static DATE: Form = LazyLock::new(|| any_case(r"\b20\d\d-\d\d-\d\d\b"));
/// What programs put in.
static AUTOMATIC: Form = LazyLock::new(|| {
    any_case(
        r"^\W{0,4}</?[a-z][\w-]*>|^\[request interrupted|^caveat: |<(?:system-reminder|local-command|command-name|task-notification)|^\W{0,4}(?:auto-?generated|automatic message|自动(?:消息|生成))",
    )
});
static NO_RECALL: Form =
    LazyLock::new(|| any_case(r"\bno[-_ ]recall\b|\bdo not recall\b|禁止召回|不要召回"));
/// Which part of a handoff a heading begins.
static REMAINS: Form = LazyLock::new(|| {
    any_case(
        r"\b(?:remain\w*|unfinished|open|to-?dos?|next|left|pending|unresolved|known bugs?)\b|未完|待办|剩余|遗留|下一步|未解决",
    )
});
static NOW: Form = LazyLock::new(|| {
    any_case(
        r"\b(?:context|current|state|environment|today|now|summary)\b|现状|当前|今天|环境|摘要|概要",
    )
});

/// Whether a statement tells that something came to its end.
pub(super) fn turns(text: &str) -> bool {
    is(&TURNS, text) && !is(&NOT_YET, text)
}

/// Whether a statement is about the user and how to work with them.
pub(super) fn between(text: &str) -> bool {
    is(&BETWEEN, text) || crate::carry::said_of_user(text).is_some()
}

/// Whether a statement says of itself that it does not hold any more, on this day.
pub(super) fn is_gone(text: &str, today: &str) -> bool {
    let until = UNTIL.as_ref().and_then(|form| form.captures(text));
    let until = until.and_then(|found| found.get(1));
    is(&GONE, text) || until.is_some_and(|date| date.as_str() < today)
}

/// The last day that a statement names, up to today: what is to come is no time of a statement.
pub(super) fn date<'t>(text: &'t str, today: &str) -> Option<&'t str> {
    let without = is(&UNTIL, text);
    let dates = DATE.as_ref().filter(|_| !without)?.find_iter(text);
    let dates = dates.map(|date| date.as_str());
    dates.filter(|date| *date <= today).max()
}

/// Whether a program said it.
pub(super) fn is_automatic(text: &str) -> bool {
    is(&AUTOMATIC, text)
}

/// Whether it is not to be quoted.
pub(super) fn is_barred(text: &str) -> bool {
    is(&NO_RECALL, text)
}

/// Whether what stands under a heading is still to be done.
pub(super) fn is_of_open(heading: &str) -> bool {
    is(&REMAINS, heading)
}

/// Whether what stands under a heading tells how things are now.
pub(super) fn is_of_now(heading: &str) -> bool {
    is(&NOW, heading)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_forms_compile() {
        for form in [
            &TURNS, &NOT_YET, &BETWEEN, &GONE, &UNTIL, &DATE, &AUTOMATIC, &NO_RECALL, &REMAINS,
            &NOW,
        ] {
            assert!(form.is_some());
        }
    }

    #[test]
    fn what_came_to_its_end() {
        for text in [
            "The parser is fixed.",
            "We decided to keep the old format.",
            "解析器已经修复。",
            "决定用三个端口。",
        ] {
            assert!(turns(text), "{text}");
        }
        for text in [
            "The parser is not fixed.",
            "It must be confirmed first.",
            "接口还没有完成。",
            "待确认：端口",
            "The fixture is large.",
        ] {
            assert!(!turns(text), "{text}");
        }
    }

    #[test]
    fn what_does_not_hold_any_more() {
        let today = "2026-09-15";
        assert!(is_gone("~~Use port 4000.~~", today));
        assert!(is_gone("Use port 4000 (expires 2026-09-14).", today));
        assert!(!is_gone("Use port 4000 (expires 2026-09-15).", today));
        assert!(is_gone("端口 4000 已作废", today));
        assert_eq!(
            date("On 2026-09-01 and 2026-09-20", today),
            Some("2026-09-01")
        );
        assert_eq!(date("expires 2026-09-01", today), None);
    }
}
