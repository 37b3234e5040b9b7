//! What is wrong with the links between records.

/// A fault of one record's links.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChainFault {
    /// The record's number in the index.
    pub record: usize,
    /// What it is.
    pub kind: ChainFaultKind,
}

/// The kinds of such faults.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChainFaultKind {
    /// The parent is not in the file.
    MissingParent {
        /// Its uuid.
        parent: String,
        /// The record at which the client goes on; where there is none, all before is lost.
        goes_on: Option<usize>,
    },
    /// The walk came back to a record that it had passed.
    Cycle {
        /// That record.
        to: usize,
        /// The record at which the client goes on.
        goes_on: Option<usize>,
    },
    /// The boundary names kept messages that are not in the file, or do not hang together; they
    /// are lost without a word (fact C7.7).
    KeptMessagesMissing {
        /// The first uuid that led nowhere.
        uuid: String,
    },
}

impl ChainFault {
    pub(super) fn new(record: usize, kind: ChainFaultKind) -> Self {
        Self { record, kind }
    }
}
