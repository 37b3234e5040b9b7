//! The client's own command line.

use super::{Origin, SettingSources, SettingsFlag};

/// What the command line says of the first request beyond its instruction files. Empty lists and
/// `None` are flags that were not given.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Flags {
    /// `--model`.
    pub model: Option<String>,
    /// `--agents`: JSON text.
    pub agents: Option<String>,
    /// `--tools`; the names are separated by commas or blanks, and one empty text is no tool.
    pub tools: Option<Vec<String>>,
    /// `--allowedTools`.
    pub allowed_tools: Vec<String>,
    /// `--disallowedTools`.
    pub disallowed_tools: Vec<String>,
    /// `--permission-mode`; `--dangerously-skip-permissions` is `bypassPermissions`.
    pub permission_mode: Option<String>,
    /// `--plugin-dir`, as written.
    pub plugin_dirs: Vec<String>,
    /// `--mcp-config`: files as written, or JSON text.
    pub mcp_config: Vec<String>,
    /// `--strict-mcp-config`.
    pub strict_mcp_config: bool,
    /// `--system-prompt`.
    pub system_prompt: Option<String>,
    /// `--append-system-prompt`.
    pub append_system_prompt: Option<String>,
    /// `--system-prompt-file`, as written.
    pub system_prompt_file: Option<String>,
    /// `--append-system-prompt-file`, as written.
    pub append_system_prompt_file: Option<String>,
    /// `--effort`.
    pub effort: Option<String>,
}

impl Origin {
    /// Takes flags of the client's command line as they are written; what is no flag that decides
    /// anything here is given back. A value that the client refuses changes nothing.
    pub fn take_arguments(&mut self, arguments: impl IntoIterator<Item = String>) -> Vec<String> {
        let mut unknown = Vec::new();
        let mut arguments = arguments.into_iter().peekable();
        while let Some(argument) = arguments.next() {
            // One value, or all up to the next flag (fact 7.12).
            let mut one = || arguments.next().unwrap_or_default();
            match argument.as_str() {
                "--setting-sources" => {
                    if let Ok(sources) = SettingSources::parse(&one()) {
                        self.sources = sources;
                    }
                }
                "--settings" => {
                    let value = one();
                    self.settings = Some(match value.trim_start().starts_with('{') {
                        true => SettingsFlag::Text(value),
                        false => SettingsFlag::File(self.cwd.join(&value)),
                    });
                }
                "--bare" => self.bare = true,
                "--model" => self.flags.model = Some(one()),
                "--agents" => self.flags.agents = Some(one()),
                "--effort" => self.flags.effort = Some(one()),
                "--permission-mode" => self.flags.permission_mode = Some(one()),
                "--dangerously-skip-permissions" => {
                    self.flags.permission_mode = Some("bypassPermissions".to_owned());
                }
                "--plugin-dir" => self.flags.plugin_dirs.push(one()),
                "--strict-mcp-config" => self.flags.strict_mcp_config = true,
                "--system-prompt" => self.flags.system_prompt = Some(one()),
                "--system-prompt-file" => self.flags.system_prompt_file = Some(one()),
                "--append-system-prompt-file" => {
                    self.flags.append_system_prompt_file = Some(one());
                }
                "--append-system-prompt" => self.flags.append_system_prompt = Some(one()),
                "--add-dir" | "--tools" | "--allowedTools" | "--allowed-tools"
                | "--disallowedTools" | "--disallowed-tools" | "--mcp-config" => {
                    let mut values = Vec::new();
                    while let Some(value) = arguments.next_if(|next| !next.starts_with("--")) {
                        values.push(value);
                    }
                    self.take_list(&argument, values);
                }
                _ => unknown.push(argument),
            }
        }
        unknown
    }

    fn take_list(&mut self, flag: &str, values: Vec<String>) {
        match flag {
            "--add-dir" => {
                for directory in values {
                    self.add_directory(&directory);
                }
            }
            "--tools" => self.flags.tools = Some(values),
            "--allowedTools" | "--allowed-tools" => self.flags.allowed_tools.extend(values),
            "--mcp-config" => self.flags.mcp_config.extend(values),
            _ => self.flags.disallowed_tools.extend(values),
        }
    }
}
