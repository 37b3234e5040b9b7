//! The worlds of examples.

use super::Options;
use super::config::Config;
use super::rule::Example;
use crate::client::Client;
use crate::host::MemoryHost;
use crate::origin::Origin;
use crate::path::AbsPath;

/// Where the home folder and the project of examples lie.
const HOME: &str = "/home/dev";
const PROJECT: &str = "/home/dev/shop";

/// The working directory of examples.
#[must_use]
pub fn cwd_of_examples() -> AbsPath {
    absolute(PROJECT)
}

/// An example as a file tree.
#[derive(Debug)]
pub struct World {
    /// The files.
    pub host: MemoryHost,
}

impl World {
    /// The tree of some files, paths and texts as in [`Example::files`].
    #[must_use]
    pub fn of(files: &[(&str, &str)]) -> Self {
        let mut host = MemoryHost::new();
        host.dir(&cwd_of_examples());
        for (path, text) in files {
            let path = path_of_example(path);
            match text.strip_prefix("-> ") {
                Some(target) => host.link(&path, target),
                None => host.file(&path, written_out(text).as_bytes()),
            }
        }
        Self { host }
    }

    /// The tree of an example.
    #[must_use]
    pub fn of_example(example: &Example) -> Self {
        Self::of(example.files)
    }

    /// What is configured in the project.
    #[must_use]
    pub fn options(&self) -> Options {
        let file = Config::find(&self.host, &cwd_of_examples(), &absolute(HOME));
        let config = file.map(|file| Config::load(&self.host, &file));
        Options::of(config.unwrap_or_default())
    }

    /// A session that starts in the project, of the newest client.
    #[must_use]
    pub fn origin(&self) -> Origin {
        let mut origin = Origin::new(cwd_of_examples(), absolute(HOME));
        origin.client = Client::newest();
        origin
    }
}

/// The text of an example with each line that stands for many, `200 × - entry {n}`, written out.
#[must_use]
pub fn written_out(text: &str) -> String {
    let mut whole = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let many = line.split_once(" × ");
        let many = many.and_then(|(number, line)| Some((number.parse::<u32>().ok()?, line)));
        match many {
            Some((times, line)) => {
                for number in 1..=times {
                    whole.push_str(&line.replace("{n}", &number.to_string()));
                }
            }
            None => whole.push_str(line),
        }
    }
    whole
}

/// Where a file of an example lies, by its path as in [`Example::files`].
#[must_use]
pub fn path_of_example(path: &str) -> AbsPath {
    match path.strip_prefix("~/") {
        Some(rest) => absolute(HOME).join(rest),
        None => cwd_of_examples().join(path),
    }
}

fn absolute(path: &str) -> AbsPath {
    AbsPath::new(path).unwrap_or_else(|| unreachable!("the paths of examples are absolute"))
}
