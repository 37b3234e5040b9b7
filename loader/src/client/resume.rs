//! How a client makes messages of a transcript when it resumes a session.

/// What of it changed between versions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each behaviour changed by itself"
)]
pub struct Resume {
    /// A record without a time does not count (fact C7.8).
    pub needs_times: bool,
    /// A user record without content ends the client (docs/facts-sessions.md 175, 220).
    pub needs_content: bool,
    /// Without a pointer the walk goes on from the last of the talk in the file down to the
    /// newest leaf (fact C7.5, case 60; docs/facts-sessions.md 126).
    pub goes_down_to_newest_leaf: bool,
    /// Answers without an id are one answer (fact C7.8, case 54).
    pub merges_answers_without_id: bool,
    /// A call without result at the end gets one that says so; else it goes (fact C7.6).
    pub answers_open_calls: bool,
    /// A talk that ends in a result, or in a prompt with something behind it, is told to go on
    /// before it gets the answer that there was none (docs/facts-sessions.md 205).
    pub tells_to_go_on: bool,
    /// A user record with an empty list of blocks is an empty message
    /// (docs/facts-sessions.md 175).
    pub sends_empty_content: bool,
    /// A thought with an empty signature is sent to any model
    /// (docs/facts-sessions.md 184).
    pub keeps_unsigned_thoughts: bool,
    /// An empty text beside other blocks of its answer is sent
    /// (docs/facts-sessions.md 183).
    pub keeps_empty_texts: bool,
    /// What attachments contributed stands in the transcript, instructions included; else it is
    /// made anew (facts C1.3, C2.3).
    pub attachments_rendered: bool,
    /// Behind the first user message comes a system message with the effort, if need be an empty
    /// one (fact C2.1).
    pub tells_effort: bool,
    /// Models that are not asked again though the transcript names them
    /// (docs/facts-sessions.md 112).
    pub unrestored: &'static [&'static str],
    /// A talk that begins with an answer gets a user message before it (case 53).
    pub begins_with_user: bool,
    /// Names of tools that are sent under a newer one: the old and the new
    /// (docs/facts-sessions.md 169).
    pub renamed_tools: &'static [(&'static str, &'static str)],
    /// Nested files and rules that a compaction dropped come again with the next matching read;
    /// else they are gone for the rest of the session (fact C6.7).
    pub delivers_again: bool,
}

impl Resume {
    /// That of 2.1.197, the oldest version that was asked.
    pub(super) const OLDEST: Self = Self {
        needs_times: true,
        needs_content: true,
        goes_down_to_newest_leaf: false,
        merges_answers_without_id: true,
        answers_open_calls: false,
        tells_to_go_on: true,
        sends_empty_content: true,
        keeps_unsigned_thoughts: true,
        keeps_empty_texts: true,
        attachments_rendered: false,
        tells_effort: false,
        unrestored: &["claude-opus-5-5", "claude-haiku-5-5"],
        begins_with_user: true,
        renamed_tools: &[
            ("Task", "Agent"),
            ("BashOutput", "TaskOutput"),
            ("AgentOutputTool", "TaskOutput"),
            ("KillShell", "TaskStop"),
            ("KillBash", "TaskStop"),
        ],
        delivers_again: false,
    };
}
