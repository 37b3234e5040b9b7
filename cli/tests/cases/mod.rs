//! What scenarios and the commands of pages share.

/// Cases that see none of the machine's own switches.
pub(crate) fn quiet() -> trycmd::TestCases {
    let cases = trycmd::TestCases::new();
    cases.env("NO_COLOR", "1").env("CLICOLOR_FORCE", "0");
    // What this user has learned of clients is not looked at.
    cases.env("XDG_CACHE_HOME", "/nonexistent");
    // An empty variable is one that is not set; trycmd cannot take one away from here.
    for (name, _) in std::env::vars_os() {
        let name = name.to_string_lossy();
        if name.starts_with("CLAUDE") || name.starts_with("ANTHROPIC_") {
            cases.env(name, "");
        }
    }
    cases
}
