//! What every test that starts the command shares.

use std::path::Path;
use std::process::Command;

/// The command in a directory. Of the machine it sees neither the client's variables nor the user's
/// home and cache.
pub(crate) fn outcrop(at: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_outcrop"));
    for (name, _) in std::env::vars_os() {
        let is_clients = |prefix| name.to_string_lossy().starts_with(prefix);
        if ["CLAUDE", "ANTHROPIC_"].into_iter().any(is_clients) {
            command.env_remove(name);
        }
    }
    command
        .current_dir(at)
        .env("HOME", "/nonexistent")
        .env("XDG_CACHE_HOME", "/nonexistent")
        .env("NO_COLOR", "1")
        .env("CLICOLOR_FORCE", "0");
    command
}
