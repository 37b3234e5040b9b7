//! Changes that mend findings, as data. Nothing is written here.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::path::AbsPath;

/// How sure a change is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Applicability {
    /// What is delivered afterwards is what the author wrote.
    Safe,
    /// What is delivered afterwards is likely what the author meant.
    Unsafe,
}

/// A change that mends a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// What it does, as an order.
    pub title: String,
    /// How sure it is.
    pub applicability: Applicability,
    /// What is replaced.
    pub edits: Vec<Edit>,
}

/// Bytes of a file that are replaced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The file.
    pub path: AbsPath,
    /// The bytes.
    pub range: Range<usize>,
    /// What stands there afterwards.
    pub text: String,
}

impl Fix {
    /// A change of one place.
    #[must_use]
    pub fn one(
        applicability: Applicability,
        title: impl Into<String>,
        path: &AbsPath,
        range: Range<usize>,
        text: impl Into<String>,
    ) -> Self {
        Self {
            title: title.into(),
            applicability,
            edits: vec![Edit {
                path: path.clone(),
                range,
                text: text.into(),
            }],
        }
    }
}

/// Fixes that can be made at once: none of their edits overlap.
#[derive(Debug, Default)]
pub struct Plan<'f> {
    /// Those fixes; others wait for the next round.
    pub fixes: Vec<&'f Fix>,
    edits: BTreeMap<&'f AbsPath, Vec<&'f Edit>>,
}

impl<'f> Plan<'f> {
    /// Takes each fix that fits beside those before it. Two that make the same edit are one.
    #[must_use]
    pub fn of(fixes: impl IntoIterator<Item = &'f Fix>) -> Self {
        let mut plan = Self::default();
        for fix in fixes {
            if fix.edits.iter().all(|edit| plan.fits(edit)) {
                for edit in &fix.edits {
                    let edits = plan.edits.entry(&edit.path).or_default();
                    if !edits.contains(&edit) {
                        edits.push(edit);
                    }
                }
                plan.fixes.push(fix);
            }
        }
        for edits in plan.edits.values_mut() {
            edits.sort_by_key(|edit| (edit.range.start, edit.range.end));
        }
        plan
    }

    fn fits(&self, edit: &Edit) -> bool {
        let others = self.edits.get(&edit.path).into_iter().flatten();
        let mut others = others.filter(|other| **other != edit);
        // Two insertions at one place would stand in no order.
        others.all(|other| {
            let apart = other.range.end < edit.range.start || edit.range.end < other.range.start;
            let touching = !other.range.is_empty() && !edit.range.is_empty();
            let beside = other.range.end == edit.range.start || edit.range.end == other.range.start;
            apart || (touching && beside)
        })
    }

    /// The files that change.
    pub fn files(&self) -> impl Iterator<Item = &'f AbsPath> {
        self.edits.keys().copied()
    }

    /// The text of a file afterwards; nothing where an edit lies outside of `before` or within one of
    /// its characters.
    #[must_use]
    pub fn text(&self, path: &AbsPath, before: &str) -> Option<String> {
        let mut after = String::with_capacity(before.len());
        let mut done = 0;
        for edit in self.edits.get(path).into_iter().flatten() {
            after.push_str(before.get(done..edit.range.start)?);
            before.get(edit.range.clone())?;
            after.push_str(&edit.text);
            done = edit.range.end;
        }
        after.push_str(before.get(done..)?);
        Some(after)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fix(range: Range<usize>, text: &str) -> Fix {
        let path = AbsPath::new("/a").unwrap();
        Fix::one(Applicability::Safe, "t", &path, range, text)
    }

    #[test]
    fn edits_that_overlap_wait() {
        let fixes = [
            fix(0..3, "X"),
            fix(2..4, "Y"),
            fix(3..5, "Z"),
            fix(0..3, "X"),
            fix(5..5, "!"),
        ];
        let plan = Plan::of(&fixes);
        let path = AbsPath::new("/a").unwrap();
        assert_eq!(plan.fixes, [&fixes[0], &fixes[2], &fixes[3]]);
        assert_eq!(plan.text(&path, "abcdef").unwrap(), "XZf");
        assert_eq!(plan.text(&path, "abc"), None);
    }
}
