//! `@path` in a prompt (fact 5.21).

use crate::javascript::is_space;
use crate::path::AbsPath;
use crate::session::World;

/// The files that a prompt mentions, in order, each once.
pub(crate) fn mentioned(prompt: &str, world: &World<'_>) -> Vec<AbsPath> {
    let mut paths: Vec<AbsPath> = Vec::new();
    let mut searched = 0;
    for at in memchr::memchr_iter(b'@', prompt.as_bytes()) {
        let starts = prompt[..at].chars().next_back().is_none_or(is_space);
        if at < searched || !starts {
            continue;
        }
        let rest = &prompt[at + 1..];
        let written = match rest.strip_prefix('"') {
            Some(quoted) => quoted.split('"').next().unwrap_or_default(),
            None => rest.split(is_space).next().unwrap_or_default(),
        };
        searched = at + 1 + written.len();
        let name = written.split('#').next().unwrap_or_default();
        if name.is_empty() {
            continue;
        }
        let path = world.resolve(name);
        if world.is_file(&path) && !paths.contains(&path) {
            paths.push(path);
        }
    }
    paths
}
