//! Sentences that say why.

use super::Form;
use super::Language::{Chinese, English, French, German, Japanese, Spanish};
use super::Purpose::Reason;

const fn form(
    language: super::Language,
    stems: &'static [&'static str],
    find: &'static str,
    unless: &'static str,
) -> Form {
    Form {
        purpose: Reason,
        language,
        stems,
        find,
        unless,
    }
}

pub(super) const FORMS: &[Form] = &[
    form(
        English,
        &[
            "because",
            "since",
            "so that",
            "due to",
            "in order to",
            "the reason",
            "given that",
        ],
        r"\b(?:because|so that|due to|in order to|given that|the reason (?:is|being|for|why))\b|\bsince (?:we|it|its|the|this|that|they|you|i|there|our|all|most|each|every|no|a|an|both|not|only)\b",
        r"\bsince (?:the|this|our|a|its|that) (?:last|beginning|start|first|previous|update|upgrade|release|commit|change|morning|time|day|week|month)\b|\bever since\b",
    ),
    form(
        Chinese,
        &[
            "因为",
            "因為",
            "由于",
            "由於",
            "以便",
            "为了",
            "為了",
            "原因是",
            "所以",
            "因此",
        ],
        r"因[为為]|由[于於]|以便|[为為]了|原因是|所以|因此",
        "",
    ),
    form(
        Japanese,
        &["ので", "から", "ため", "理由は", "なぜなら", "というのも"],
        r"ので|(?:だ|です|る|た|い|ます|ません|ん|う|く|す|つ|む)から[、,。]|から(?:です|だ)|(?:の|る|た|い|う|く|す|つ|む)ため(?:に|、|です|だ)|理由は|なぜなら|というのも",
        r"(?:それ|これ|ここ|そこ|最初|次|上|下|先頭|明日|今日)から",
    ),
    form(
        German,
        &[
            "weil", "da ", "denn", "damit", "sodass", "so dass", "aufgrund", "wegen",
        ],
        r"\b(?:weil|sodass|so dass|aufgrund|wegen)\b|@da (?:wir|es|die|der|das|sie|ich|dies|dort|sonst|nur|ein|eine|unser|beide|kein|keine)\b|,\s*(?:damit|denn)\b",
        r"\bda (?:die|der|das|es) (?:ist|sind)\b",
    ),
    form(
        French,
        &[
            "parce qu",
            "car ",
            "puisqu",
            "afin ",
            "pour que",
            "étant donné",
            "cause d",
            "vu que",
        ],
        r"\b(?:parce qu(?:e\b|')|puisqu(?:e\b|')|afin (?:de|que|qu')|pour que\b|étant donné|à cause d|vu que\b)|(?:,\s*|[a-zà-ÿ] )car (?:il|elle|on|le|la|les|ce|c'est|nous|cela|ça|un|une|sinon|l'|cette|cet)",
        "",
    ),
    form(
        Spanish,
        &[
            "porque",
            "ya que",
            "puesto que",
            "dado que",
            "debido a",
            "para que",
            "a causa de",
        ],
        r"\b(?:porque|ya que|puesto que|dado que|debido a|para que|a causa de)\b",
        "",
    ),
];

/// Words with which a sentence decides something, rather than explains how it is.
pub(in crate::loss) const DECIDES: &str = r"\b(?:decid|decision|cho(?:o)?se|chosen|us(?:e|ing)\b|keep(?:ing)?\b|(?:go(?:ing)?|went) with|prefer\b|pick(?:ed)?\b|switch(?:ed|ing)?\b|instead|rather|let's|we'll|i'll|we will|i will|we should|should|must|want|won't|not going|avoid(?:ing)?\b|drop(?:ped|ping)?\b|remov(?:e|ing)\b|add(?:ing)?\b|leav(?:e|ing)\b|stay(?:ing)?\b|skip(?:ping)?\b|revert(?:ing)?\b|need\b|settl|opt(?:ed)?\b|replac(?:e|ing)\b|mov(?:e|ed|ing)\b|renam(?:e|ing)\b|split|pin(?:ned)?\b|never|always|don't|do not|only\b|entsch|gewählt|wähl|verwend|nutz|nehm|behalt|bleib|sollte|müssen|muss\b|woll|statt|lieber|lassen|ersetz|décid|choisi|utilis|gard(?:e|ons|er)|prend|préfér|plutôt|devons|doit|faut|on va|je vais|au lieu|remplac|laiss|eleg|elij|usa(?:r|mos|remos)?\b|uso\b|mant[eé]n|prefer|en lugar|debe|hay que|vamos a|voy a|reemplaz|cambi)|决定|決定|选择|選擇|采用|採用|使用|改用|改成|换成|換成|保留|不用|应该|應該|必须|必須|不要|先|要|用|にし|を使|採用|選|変更|残|べき|必要|する|やめ";
