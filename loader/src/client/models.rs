//! The names behind the client's aliases of models, and its tools, which change with its version.

/// What each alias stands for, and how wide the models' windows are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Models {
    /// `opus`, and the model of a session that names none.
    pub opus: &'static str,
    /// `sonnet`.
    pub sonnet: &'static str,
    /// `haiku`.
    pub haiku: &'static str,
    /// `fable`.
    pub fable: &'static str,
    /// Newer models have a window of 1,000,000 tokens without the suffix `[1m]`.
    pub newer_are_wide: bool,
    /// So have models of unknown names.
    pub unknown_are_wide: bool,
    /// The default model is named with the suffix `[1m]`.
    pub default_is_wide: bool,
}

impl Models {
    /// Those of 2.1.197, the oldest version that was asked.
    pub(super) const OLDEST: Self = Self {
        opus: "claude-opus-4-8",
        sonnet: "claude-sonnet-5",
        haiku: "claude-haiku-4-5-20251001",
        fable: "claude-fable-5",
        newer_are_wide: false,
        unknown_are_wide: false,
        default_is_wide: true,
    };
}

/// Which of the built-in tools there are that not every version has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tools {
    /// `TaskCreate`, `TaskGet`, `TaskList` and `TaskUpdate` for newer models, too.
    pub task_lists: bool,
    /// `TaskOutput`.
    pub task_output: bool,
    /// `ListAgents`.
    pub list_agents: bool,
    /// `Monitor`.
    pub monitor: bool,
}

impl Tools {
    /// Those of 2.1.197, the oldest version that was asked.
    pub(super) const OLDEST: Self = Self {
        task_lists: true,
        task_output: true,
        list_agents: false,
        monitor: false,
    };
}
