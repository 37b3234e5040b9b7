//! `show --all`: the whole first request, block by block.

pub(crate) mod json;
mod lists;
pub(crate) mod text;
