//! Random worlds, for property tests (cargo feature `testing`).
//!
//! A [`World`] is a tree of instruction files, settings, links and git folders as plain data, with
//! the way a session starts there and the tool calls that follow. [`world`] is a strategy for
//! [proptest](mod@proptest) that makes worlds in which much happens: every form of file, reference, pattern,
//! front matter, comment, setting and flag that was observed in the client. This library's own
//! properties run on it, and so can those of a tool that reads the same files:
//!
//! ```
//! use outcrop_loader::client::Client;
//! use outcrop_loader::path::AbsPath;
//! use outcrop_loader::record::Scope;
//! use outcrop_loader::testing::{Options, world_of};
//! use proptest::test_runner::{Config, TestRunner};
//!
//! let root = AbsPath::new("/w").unwrap();
//! let options = Options { managed: false, ..Options::default() };
//! let mut runner = TestRunner::new(Config { cases: 16, ..Config::default() });
//! runner
//!     .run(&world_of(&options), |world| {
//!         let host = world.host(&root);
//!         let session = world.session(&host, &root, Client::newest());
//!         let mut layers = session.deliveries().iter().flat_map(|one| &one.layers);
//!         assert!(layers.all(|layer| layer.scope != Scope::Managed));
//!         Ok(())
//!     })
//!     .unwrap();
//! ```
//!
//! Every part of a world has a strategy of its own, to be put together in another way:
//! [`text`], [`lines`], [`front_matter`], [`pattern`], [`reference`](reference()), [`target`],
//! [`exclude`], [`place`], [`link`], [`memory_index`], [`call`], [`read_path`] and [`prompt`].
//!
//! To test a hierarchy that is there already, copy it with
//! [`MemoryHost::copy_of`](crate::host::MemoryHost::copy_of) and read its files in any order with
//! [`reads_of`]; `examples/security_rule.rs` shows that a rule is in the context whatever is read.
//!
//! The strategies change when more is found of the client: a seed that proptest kept belongs to
//! one version of this library.

mod arrange;
mod calls;
mod front_matter;
mod listings;
mod parts;
mod patterns;
mod places;
mod reads;
mod references;
mod shapes;
mod start;
mod texts;
mod world;

use proptest::collection::SizeRange;
use proptest::prelude::*;

pub use calls::{CallKind, call, prompt, read_path};
pub use front_matter::front_matter;
pub use listings::listings;
pub use parts::{link, memory_index};
pub use patterns::{exclude, pattern};
pub use places::place;
pub use reads::{Reads, files_below, reads_of};
pub use references::{reference, target};
pub use shapes::lines_with_references;
pub use texts::{lines, text};
pub use world::{Asked, World, encoded, fill, fill_value};

/// What random worlds have.
#[derive(Clone, Debug)]
pub struct Options {
    /// Managed files and settings, below `managed/`.
    pub managed: bool,
    /// Linked worktrees of git, one nested and one beside the main checkout.
    pub worktrees: bool,
    /// Symbolic links, one of which (`way`) may be the working directory.
    pub links: bool,
    /// Prompts that mention files, in a few worlds.
    pub prompts: bool,
    /// The kinds of tool calls; empty is reads only.
    pub calls: Vec<CallKind>,
    /// How many calls a session has.
    pub call_count: SizeRange,
    /// How many random files are written, beside those that every world has.
    pub files: SizeRange,
}

impl Default for Options {
    /// Everything; up to ten calls and 120 files.
    fn default() -> Self {
        Self {
            managed: true,
            worktrees: true,
            links: true,
            prompts: true,
            calls: CallKind::ALL.to_vec(),
            call_count: (0..=10).into(),
            files: (0..=120).into(),
        }
    }
}

/// Worlds with everything in them.
pub fn world() -> BoxedStrategy<World> {
    world_of(&Options::default())
}

/// Worlds with what the options name.
pub fn world_of(options: &Options) -> BoxedStrategy<World> {
    arrange::arranged(options)
}
