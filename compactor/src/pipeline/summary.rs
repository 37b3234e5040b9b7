//! What stands for a summarised conversation.

use serde::Serialize;

/// Where a summary cuts the conversation, as the record that marks it would say (facts C6.4,
/// C6.5). It is no message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Boundary {
    /// `auto`: the trigger was reached.
    pub trigger: &'static str,
    /// The tokens of the context before the summary.
    pub pre_tokens: u64,
    /// The tokens after it.
    pub post_tokens: u64,
    /// The uuid of the last record before it.
    pub logical_parent: Option<String>,
    /// The uuids of the records that are kept verbatim, in order. The first and the last of them
    /// are head and tail of the preserved segment; its anchor is the summary.
    pub kept: Vec<String>,
}
