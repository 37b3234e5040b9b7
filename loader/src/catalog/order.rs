//! Order by locale collation, as JavaScript's `localeCompare` has it (fact C1.3).

use std::cmp::Ordering;

use icu_collator::CollatorBorrowed;
use icu_collator::options::CollatorOptions;

/// Compares names. The tables are made at the first use.
pub(super) struct Order {
    collator: Option<CollatorBorrowed<'static>>,
}

impl Order {
    pub(super) fn new() -> Self {
        let root = Default::default();
        Self {
            collator: CollatorBorrowed::try_new(root, CollatorOptions::default()).ok(),
        }
    }

    pub(super) fn compare(&self, a: &str, b: &str) -> Ordering {
        match &self.collator {
            Some(collator) => collator.compare(a, b),
            None => a.cmp(b),
        }
    }
}
