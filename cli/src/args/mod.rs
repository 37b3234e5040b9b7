//! What was typed.

pub(crate) mod audit;
pub(crate) mod boot;
pub(crate) mod carry;
pub(crate) mod cold;
pub(crate) mod configured;
pub(crate) mod handoff;
pub(crate) mod hook;
pub(crate) mod lint;
pub(crate) mod memory;
pub(crate) mod transcripts;

use std::path::PathBuf;

use clap::{Parser, Subcommand, ValueEnum};

const EXIT_CODES: &str = "\
Exit codes:
  0  done, and nothing is wrong
  1  `why`: the file is not in the context; `permissions`: a call is not simply allowed;
     `verify`: the client sends something else; `audit`: a session received something else;
     `doctor`, `lint`, `memory`, `archive --verify`: something is wrong; `recall`: nothing is found;
     `carry`: the session is poisoned; `inspect`, `simulate`: the client does not resume the session
  2  wrong usage, or something could not be read or written";

/// Show what context a Claude Code session receives, and why.
///
/// Outcrop computes offline which instruction files (CLAUDE.md, rules, imports, AGENTS.md,
/// MEMORY.md) the client loads, in which order, and what it leaves out. It changes nothing.
#[derive(Debug, Parser)]
#[command(name = "outcrop", version, after_help = EXIT_CODES, max_term_width = 100)]
pub(crate) struct Args {
    #[command(flatten)]
    pub(crate) global: Global,
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Show(Show),
    Agents(Agents),
    Why(Why),
    Graph(Graph),
    Tokens(Tokens),
    Permissions(Permissions),
    Lint(lint::Lint),
    Rule(lint::Rule),
    Lsp(lint::Lsp),
    Verify(Verify),
    Sessions(transcripts::Sessions),
    Inspect(transcripts::Inspect),
    Simulate(transcripts::Simulate),
    Doctor(transcripts::Doctor),
    Carry(carry::Carry),
    Boot(boot::Boot),
    Memory(memory::Memory),
    Handoff(handoff::Handoff),
    Audit(audit::Audit),
    Archive(cold::Archive),
    Recall(cold::Recall),
    Hook(hook::Hook),
}

/// Options of every command.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Global options")]
pub(crate) struct Global {
    /// Home directory of the user [default: the machine's].
    #[arg(long, global = true, value_name = "DIR")]
    pub(crate) home: Option<PathBuf>,
    /// The client's configuration folder [default: $CLAUDE_CONFIG_DIR, else HOME/.claude].
    #[arg(long, global = true, value_name = "DIR")]
    pub(crate) config_dir: Option<PathBuf>,
    /// Folder of managed settings and instructions [default: the platform's].
    #[arg(long, global = true, value_name = "DIR")]
    pub(crate) managed: Option<PathBuf>,
    /// Where relative paths start [default: the current directory].
    #[arg(long, global = true, value_name = "DIR")]
    pub(crate) cwd: Option<PathBuf>,
    /// Version of the client to model, or `auto`: the installed one, else the newest known.
    #[arg(long, global = true, value_name = "VERSION", default_value = "auto")]
    pub(crate) client: String,
    /// Where `verify` keeps what it learns of a client [default: the user's cache folder, and
    /// none with --home].
    #[arg(long, global = true, value_name = "DIR")]
    pub(crate) cache_dir: Option<PathBuf>,
    /// Print JSON (its form is documented in docs/json.md).
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// When to use colour.
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: Color,
    /// Print no notes and warnings.
    #[arg(short, long, global = true)]
    pub(crate) quiet: bool,
    /// Print more: every skip and every waiting file.
    #[arg(short, long, global = true)]
    pub(crate) verbose: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Color {
    Auto,
    Always,
    Never,
}

impl Color {
    pub(crate) fn write_global(self) {
        let choice = match self {
            // NO_COLOR, CLICOLOR_FORCE and the terminal decide.
            Self::Auto => anstream::ColorChoice::Auto,
            Self::Always => anstream::ColorChoice::AlwaysAnsi,
            Self::Never => anstream::ColorChoice::Never,
        };
        choice.write_global();
    }
}

/// The client's own flags, with its meaning.
#[derive(Debug, Default, clap::Args)]
#[command(next_help_heading = "The client's own flags")]
pub(crate) struct ClientFlags {
    /// Additional working directories.
    #[arg(long, value_name = "DIR", num_args = 1..)]
    pub(crate) add_dir: Vec<PathBuf>,
    /// Which settings and instruction files count: user, project, local, separated by commas.
    #[arg(long, value_name = "LIST")]
    pub(crate) setting_sources: Option<String>,
    /// A settings file, or JSON text.
    #[arg(long, value_name = "FILE-OR-JSON")]
    pub(crate) settings: Option<String>,
    /// Start without instruction files and memory.
    #[arg(long)]
    pub(crate) bare: bool,
    /// The model, by its full name or an alias.
    #[arg(long, value_name = "NAME")]
    pub(crate) model: Option<String>,
    /// Agents as JSON text.
    #[arg(long, value_name = "JSON")]
    pub(crate) agents: Option<String>,
    /// The built-in tools that there are; an empty text is none.
    #[arg(long, value_name = "NAMES", num_args = 1..)]
    pub(crate) tools: Option<Vec<String>>,
    /// Permission rules that allow.
    #[arg(long, visible_alias = "allowedTools", value_name = "RULES", num_args = 1..)]
    pub(crate) allowed_tools: Vec<String>,
    /// Permission rules that deny.
    #[arg(long, visible_alias = "disallowedTools", value_name = "RULES", num_args = 1..)]
    pub(crate) disallowed_tools: Vec<String>,
    /// The permission mode.
    #[arg(long, value_name = "MODE")]
    pub(crate) permission_mode: Option<String>,
    /// The permission mode bypassPermissions.
    #[arg(long, hide = true, conflicts_with = "permission_mode")]
    pub(crate) dangerously_skip_permissions: bool,
    /// Folders of plugins.
    #[arg(long, value_name = "DIR")]
    pub(crate) plugin_dir: Vec<String>,
    /// MCP servers: files, or JSON text.
    #[arg(long, value_name = "FILE-OR-JSON", num_args = 1..)]
    pub(crate) mcp_config: Vec<String>,
    /// Only the MCP servers of --mcp-config count.
    #[arg(long)]
    pub(crate) strict_mcp_config: bool,
    /// A text instead of the system prompt.
    #[arg(long, value_name = "TEXT")]
    pub(crate) system_prompt: Option<String>,
    /// A file with such a text.
    #[arg(long, value_name = "FILE")]
    pub(crate) system_prompt_file: Option<String>,
    /// Text at the end of the system prompt; it is counted, and changes no layer.
    #[arg(long, value_name = "TEXT")]
    pub(crate) append_system_prompt: Option<String>,
    /// A file with such a text.
    #[arg(long, value_name = "FILE")]
    pub(crate) append_system_prompt_file: Option<String>,
}

impl ClientFlags {
    /// As the library takes them.
    pub(crate) fn flags(&self) -> outcrop_loader::origin::Flags {
        let mode = self.permission_mode.clone();
        let bypasses = self.dangerously_skip_permissions;
        outcrop_loader::origin::Flags {
            model: self.model.clone(),
            agents: self.agents.clone(),
            tools: self.tools.clone(),
            allowed_tools: self.allowed_tools.clone(),
            disallowed_tools: self.disallowed_tools.clone(),
            permission_mode: mode.or(bypasses.then(|| "bypassPermissions".to_owned())),
            plugin_dirs: self.plugin_dir.clone(),
            mcp_config: self.mcp_config.clone(),
            strict_mcp_config: self.strict_mcp_config,
            system_prompt: self.system_prompt.clone(),
            append_system_prompt: self.append_system_prompt.clone(),
            system_prompt_file: self.system_prompt_file.clone(),
            append_system_prompt_file: self.append_system_prompt_file.clone(),
            effort: None,
        }
    }
}

/// How tokens are counted.
#[derive(Debug, Default, clap::Args)]
#[command(next_help_heading = "Tokens")]
pub(crate) struct Counting {
    /// Tokenizer or model: claude-v3, claude-v4.7, claude-v4.8, o200k, cl100k, estimate, or a name
    /// such as claude-opus-4-8 [default: that of the model that `verify` saw, else the newest].
    #[arg(long, value_name = "NAME")]
    pub(crate) tokenizer: Option<String>,
}

/// What happens in the session after its start.
#[derive(Debug, Default, clap::Args)]
#[command(next_help_heading = "What the session does")]
pub(crate) struct Events {
    /// Files that are read, in order: shows what each read brings in.
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub(crate) read: Vec<PathBuf>,
    /// A JSON file with tool calls, `[{"tool": "Read", "input": {"file_path": "…"}}, …]`;
    /// `-` is standard input.
    #[arg(long, value_name = "FILE")]
    pub(crate) steps: Option<PathBuf>,
    /// A prompt: the files that it mentions with @ are read.
    #[arg(long, value_name = "TEXT")]
    pub(crate) prompt: Option<String>,
}

/// Show what a session started in a directory receives.
///
/// Layers in the order in which they are sent, with their size and the reason for each; then
/// what was left out, and what waits until a file is read.
#[derive(Debug, clap::Args)]
#[command(
    args_override_self = true,
    after_help = "\
Examples:
  outcrop show
  outcrop show packages/web --read packages/web/src/app.ts
  outcrop show --all --git
  outcrop show --client 2.1.197 --setting-sources user,project --json
  outcrop show --agent Explore"
)]
pub(crate) struct Show {
    /// Directory in which the session starts.
    #[arg(value_name = "DIR", default_value = ".")]
    pub(crate) dir: PathBuf,
    #[command(flatten)]
    pub(crate) events: Events,
    #[command(flatten)]
    pub(crate) client: ClientFlags,
    #[command(flatten)]
    pub(crate) counting: Counting,
    /// Give the size of each file as the client's /context does: of its text by itself, untrimmed,
    /// as one message with its frame.
    #[arg(long, conflicts_with_all = ["text", "tree"], help_heading = "Tokens")]
    pub(crate) as_context: bool,
    /// Show the whole first request: tools, skills, agents, hooks, MCP servers, styles as well.
    #[arg(long, conflicts_with_all = ["text", "tree", "as_context"], help_heading = "Output")]
    pub(crate) all: bool,
    /// With --all, ask git for the state of the repository; it takes no locks.
    #[arg(long, requires = "all", help_heading = "Output")]
    pub(crate) git: bool,
    /// With --all, run the hooks of the start, for at most ten seconds, and show what they say.
    #[arg(long, requires = "all", help_heading = "Output")]
    pub(crate) run_hooks: bool,
    /// Print the delivered texts themselves.
    #[arg(long, conflicts_with_all = ["tree", "json"], help_heading = "Output")]
    pub(crate) text: bool,
    /// Print the layers as a tree of imports.
    #[arg(long, conflicts_with = "json", help_heading = "Output")]
    pub(crate) tree: bool,
    /// Show the first request of this sub-agent instead, built-in kinds and `fork` too.
    #[arg(
        long,
        value_name = "NAME",
        conflicts_with_all = ["text", "tree", "as_context", "read", "steps", "prompt"],
        help_heading = "Output"
    )]
    pub(crate) agent: Option<String>,
}

/// List the agents of a session, and the definitions that do not count.
///
/// In the order in which the client lists them to the model, its own mixed in; under each, what
/// the client does with its keys. Then each definition that is not listed, and why.
#[derive(Debug, clap::Args)]
#[command(
    args_override_self = true,
    after_help = "\
Exit codes: 0 whatever is found, 2 on wrong usage.

Examples:
  outcrop agents
  outcrop agents packages/web --json
  outcrop agents --agents '{\"lint\": {\"description\": \"Runs linters\", \"prompt\": \"Run them\"}}'"
)]
pub(crate) struct Agents {
    /// Directory in which the session starts.
    #[arg(value_name = "DIR", default_value = ".")]
    pub(crate) dir: PathBuf,
    #[command(flatten)]
    pub(crate) client: ClientFlags,
    #[command(flatten)]
    pub(crate) counting: Counting,
}

/// Explain why a file is, or is not, in the context.
///
/// Names each decision, with the line or setting that made it, and what helps.
#[derive(Debug, clap::Args)]
#[command(
    args_override_self = true,
    after_help = "\
Exit codes: 0 when the file is delivered, 1 when it is not, 2 on wrong usage.

Examples:
  outcrop why docs/style.md
  outcrop why packages/web/CLAUDE.md --read packages/web/src/app.ts
  outcrop why ../house.md --from packages/web"
)]
pub(crate) struct Why {
    /// The file in question.
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Directory in which the session starts.
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub(crate) from: PathBuf,
    #[command(flatten)]
    pub(crate) events: Events,
    #[command(flatten)]
    pub(crate) client: ClientFlags,
    #[command(flatten)]
    pub(crate) counting: Counting,
}

/// Show imports as a graph, with cycles marked.
#[derive(Debug, clap::Args)]
#[command(
    args_override_self = true,
    after_help = "\
Examples:
  outcrop graph
  outcrop graph --format mermaid packages/web
  outcrop graph --format dot | dot -Tsvg > imports.svg"
)]
pub(crate) struct Graph {
    /// Directory in which the session starts.
    #[arg(value_name = "DIR", default_value = ".")]
    pub(crate) dir: PathBuf,
    /// Form of the output; --json is the same as `--format json`.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: GraphFormat,
    #[command(flatten)]
    pub(crate) events: Events,
    #[command(flatten)]
    pub(crate) client: ClientFlags,
    #[command(flatten)]
    pub(crate) counting: Counting,
}

/// Count the tokens of texts.
///
/// A text is counted as the content of one message; what the message costs beyond that, its
/// frame, is named apart. Claude's counts are those of a public reconstruction, offline.
#[derive(Debug, clap::Args)]
#[command(
    args_override_self = true,
    after_help = "\
Examples:
  outcrop tokens CLAUDE.md docs/*.md
  outcrop tokens --by-heading CLAUDE.md
  git diff | outcrop tokens --tokenizer all
  outcrop tokens --jsonl < texts.jsonl"
)]
pub(crate) struct Tokens {
    /// Files; `-` is standard input.
    #[arg(value_name = "FILE", default_value = "-")]
    pub(crate) files: Vec<PathBuf>,
    /// Tokenizers or models, separated by commas, or `all` [default: the three of Claude].
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub(crate) tokenizer: Vec<String>,
    /// Count each section of a Markdown file.
    #[arg(long, conflicts_with = "jsonl")]
    pub(crate) by_heading: bool,
    /// Read lines `{"text": …}` from standard input, and answer each with a line of counts in all
    /// tokenizers, Claude's with the frame.
    #[arg(long, conflicts_with_all = ["files", "tokenizer", "json"])]
    pub(crate) jsonl: bool,
}

/// Show which permission rules hold, and decide tool calls.
///
/// Without a call: the mode, the directories, every rule by source, which do not count and why, and
/// by which commands a rule is known to be evaded. With calls: what becomes of each, by which rule,
/// and the way through deny, ask and allow.
#[derive(Debug, clap::Args)]
#[command(
    args_override_self = true,
    after_help = "\
A call is written as a rule, `Bash(npm test)`, `Read(src/x.ts)`, `WebFetch(https://example.org/)`,
`mcp__server__tool`, or as JSON, {\"tool\": \"Bash\", \"input\": {\"command\": \"npm test\"}}.

Exit codes: 0 when every call runs without a question, 1 when one is asked about, denied or not
known, 2 on wrong usage.

Examples:
  outcrop permissions
  outcrop permissions 'Bash(touch a && rm b)' 'Read(./keys/x.key)'
  outcrop permissions --from packages/web --permission-mode acceptEdits 'Write(src/x.ts)'"
)]
pub(crate) struct Permissions {
    /// Tool calls to decide.
    #[arg(value_name = "TOOL CALL")]
    pub(crate) calls: Vec<String>,
    /// Directory in which the session starts.
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub(crate) from: PathBuf,
    #[command(flatten)]
    pub(crate) client: ClientFlags,
}

/// Run the real client and compare what it sends with the prediction.
///
/// Starts the client in print mode against a recorder on 127.0.0.1, with a dummy key, lets it
/// read the files given, and compares each layer: path, scope, order and text. Costs no tokens.
/// Nothing of yours is changed: the client's writes are thrown away, and hooks, MCP servers and
/// plugins are off. No other address is reached.
#[derive(Debug, clap::Args)]
#[command(
    args_override_self = true,
    after_help = "\
--client is here the client's program, or a version that is installed; `auto` is the first
`claude` on PATH.

Exit codes: 0 when everything is sent as predicted, 1 when something differs, 2 when it cannot be
compared: wrong usage, the client does not run, or what it sends has an unknown form.

Examples:
  outcrop verify
  outcrop verify packages/web --read packages/web/src/app.ts
  outcrop verify --client ~/clients/2.1.197/claude --json
  outcrop verify --dry-run"
)]
pub(crate) struct Verify {
    /// Directory in which the session starts.
    #[arg(value_name = "DIR", default_value = ".")]
    pub(crate) dir: PathBuf,
    #[command(flatten)]
    pub(crate) events: Events,
    #[command(flatten)]
    pub(crate) client: ClientFlags,
    /// Print the command and what it would see, and run nothing.
    #[arg(long, help_heading = "The run")]
    pub(crate) dry_run: bool,
    /// Let hooks, MCP servers and plugins run.
    #[arg(long, help_heading = "The run")]
    pub(crate) with_hooks: bool,
    /// How your files are kept as they are: in a private mount namespace (Linux), or with a
    /// temporary home folder [default: the first that works].
    #[arg(long, value_name = "HOW", help_heading = "The run")]
    pub(crate) isolation: Option<Isolated>,
    /// Seconds after which the client is stopped.
    #[arg(
        long,
        value_name = "SECONDS",
        default_value = "60",
        help_heading = "The run"
    )]
    pub(crate) time_limit: u64,
    /// Learn the client's own texts anew, though they are known.
    #[arg(long, help_heading = "The run")]
    pub(crate) learn: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Isolated {
    /// A private mount namespace: every path is as it is.
    Namespace,
    /// A temporary home folder: paths below home differ.
    Mirror,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum GraphFormat {
    /// Indented text.
    Text,
    /// Graphviz.
    Dot,
    /// Mermaid flow chart.
    Mermaid,
    /// JSON.
    Json,
}
