//! Messages of either form: as they are resumed, or as stages left them.

use crate::conversation::{Block, From, Message, Role};
use crate::pipeline::{Held, HeldMessage};

/// A message whose blocks know the records that they came from.
pub trait Spoken {
    /// Who speaks.
    fn role(&self) -> Role;

    /// What, in order, and where it came from.
    fn blocks(&self) -> impl Iterator<Item = (&Block, Option<From>)>;
}

impl Spoken for Message {
    fn role(&self) -> Role {
        self.role
    }

    fn blocks(&self) -> impl Iterator<Item = (&Block, Option<From>)> {
        self.blocks
            .iter()
            .map(|placed| (&placed.block, placed.from))
    }
}

impl Spoken for HeldMessage {
    fn role(&self) -> Role {
        self.role
    }

    fn blocks(&self) -> impl Iterator<Item = (&Block, Option<From>)> {
        self.blocks.iter().map(|held| (&held.block, held.from))
    }
}

/// As [`Context::joined`](crate::pipeline::Context::joined) gives them.
impl Spoken for (Role, Vec<&Held>) {
    fn role(&self) -> Role {
        self.0
    }

    fn blocks(&self) -> impl Iterator<Item = (&Block, Option<From>)> {
        self.1.iter().map(|held| (&held.block, held.from))
    }
}
