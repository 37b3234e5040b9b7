//! The rules: one table of all kinds.

use serde::Serialize;

/// How much a finding matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Severity {
    /// Worth knowing; the session went on behind it, or it is only much text.
    Notice,
    /// Words that may mislead, or a loop that ended: somebody should look.
    Warning,
    /// The records themselves show that the session is stuck. It is not carried on.
    Error,
}

impl Severity {
    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Notice => "notice",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

macro_rules! rules {
    ($($rule:ident $name:literal $worst:ident $what:literal $source:literal;)*) => {
        /// The rules.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Rule {
            $(#[doc = concat!("`", $name, "`: ", $what, ".")] $rule,)*
        }

        impl Rule {
            /// All rules.
            pub const ALL: &[Self] = &[$(Self::$rule),*];

            /// Its id in output.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self { $(Self::$rule => $name,)* }
            }

            /// The worst that it gives.
            #[must_use]
            pub fn worst(self) -> Severity {
                match self { $(Self::$rule => Severity::$worst,)* }
            }

            /// Whether a carry-over leaves its cause behind: it holds no calls and no thoughts, and
            /// is short.
            #[must_use]
            pub fn is_left_behind(self) -> bool {
                matches!(self, Self::ToolPairing | Self::ThinkingSignature | Self::PromptTooLong)
            }

            /// What it finds.
            #[must_use]
            pub fn what(self) -> &'static str {
                match self { $(Self::$rule => $what,)* }
            }

            /// What in the records it goes by.
            #[must_use]
            pub fn evidence(self) -> &'static str {
                match self { $(Self::$rule => $source,)* }
            }
        }
    };
}

// Rules that go by words alone give no error: a talk about refusals is no refusal. What each goes
// by, and where that is known from, is told in docs/poison.md.
rules! {
    Refusal "refusal" Error "the service refused a request"
        "the answer's stop reason, an API error about policy, or the client's record of a refusal";
    RepeatedRefusals "repeated-refusals" Error "the service refuses again and again"
        "two refusals without an answer between, or three since the last compaction";
    ToolPairing "tool-pairing-errors" Error "the service refuses calls without results, again and again"
        "API errors about `tool_use` and `tool_result`, without an answer between";
    ThinkingSignature "thinking-signature-errors" Error "the service refuses thoughts that were changed, again and again"
        "API errors about thinking blocks, without an answer between";
    PromptTooLong "prompt-too-long" Warning "the service refuses the length of the request, again and again"
        "API errors about the length, without an answer between";
    FailingCall "failing-call-loop" Error "the same call fails again and again"
        "calls of one tool with one input whose results are errors, and no success since";
    Apologies "apology-loop" Warning "the model apologises turn after turn"
        "how answers begin: three of five";
    Agreement "agreement-loop" Warning "the model agrees turn after turn"
        "how answers begin: three of five";
    Contradiction "contradictory-constraints" Warning "the user demanded something and forbade it"
        "two rules of the user with the same words, one of them negated";
    Injection "injected-instructions" Warning "a text that was only shown gives the model orders"
        "imperatives in results of tools, in attached files and in pasted texts";
    FakeReminder "reminder-in-result" Warning "a result that speaks as the client does"
        "the client's own tags in a result of a tool";
    HookDump "hook-dump" Notice "a hook put much text into the session"
        "attachments of hooks with 8,000 bytes or more";
}

impl Serialize for Rule {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.name())
    }
}
