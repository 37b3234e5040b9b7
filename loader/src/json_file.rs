//! Files of JSON beside the settings: `.mcp.json`, `hooks.json`, `plugin.json`.

use crate::host::Host;
use crate::limits;
use crate::path::AbsPath;
use crate::record::Diagnostic;
use crate::settings::Node;

/// The object in a file; `None` where there is no such file.
///
/// # Errors
/// What is wrong with it.
pub(crate) fn read(host: &dyn Host, file: &AbsPath) -> Result<Option<Node>, Diagnostic> {
    let lost = |what: &str| format!("{what}, so nothing in it counts");
    match host.read(file, limits::SETTINGS_BYTES) {
        Ok(bytes) => {
            let text = String::from_utf8_lossy(&bytes);
            let read = Node::read(&text);
            read.map(Some).map_err(|(what, at)| {
                let what = lost(&format!("the file is {what}"));
                Diagnostic::warning(what).about(file).at(&text, at)
            })
        }
        Err(error) if error.is_absent() => Ok(None),
        Err(error) => {
            let what = lost(&format!("the file {error}"));
            Err(Diagnostic::warning(what).about(file))
        }
    }
}
