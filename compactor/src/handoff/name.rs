//! Names of handoffs: `YYYY-MM-DD_HHMMSS_slug.md`, and `…_done.md` once they were taken.
//!
//! Files written by hand count too, whatever they are called: every `*.md` that is not hidden.

use jiff::civil::DateTime;

/// What a name ends with.
const SUFFIX: &str = ".md";
/// What the name of a consumed one ends with.
const DONE: &str = "_done.md";
/// How the time stands in a name.
const STAMP: &str = "%Y-%m-%d_%H%M%S";
/// The length of a time in a name, in bytes.
const STAMP_LENGTH: usize = "2026-02-27_091522".len();
/// The longest slug, in bytes: a name stays far below the 255 that systems allow.
const SLUG: usize = 60;

/// The name of a handoff's file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Name {
    file: String,
}

impl Name {
    /// A new one. Several of one second and slug are told apart by a number, from 1 on; the first
    /// has none.
    #[must_use]
    pub fn new(at: DateTime, title: &str, number: u32) -> Self {
        let slug = slug(title);
        let number = match number {
            0 | 1 => String::new(),
            number => format!("-{number}"),
        };
        Self {
            file: format!("{}_{slug}{number}{SUFFIX}", at.strftime(STAMP)),
        }
    }

    /// The name of a file, if it is that of a handoff.
    #[must_use]
    pub fn of(file: &str) -> Option<Self> {
        let is_one = file.ends_with(SUFFIX)
            && file.len() > SUFFIX.len()
            && !file.starts_with('.')
            && !file.contains(['/', '\0']);
        is_one.then(|| Self {
            file: file.to_owned(),
        })
    }

    /// As the file is called.
    #[must_use]
    pub fn file(&self) -> &str {
        &self.file
    }

    /// Whether it was taken.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.file.ends_with(DONE)
    }

    /// The time in it.
    #[must_use]
    pub fn at(&self) -> Option<DateTime> {
        let stamp = self.file.get(..STAMP_LENGTH)?;
        let rest = &self.file[STAMP_LENGTH..];
        let ends = rest.starts_with(['_', '-', '.']);
        let at = DateTime::strptime(STAMP, stamp).ok()?;
        // As it was written, digit by digit.
        (ends && at.strftime(STAMP).to_string() == stamp).then_some(at)
    }

    /// What it says the session was about: the name without time and suffix, as words.
    #[must_use]
    pub fn subject(&self) -> String {
        let stem = self.stem();
        let rest = match self.at() {
            Some(_) => stem.get(STAMP_LENGTH..).unwrap_or_default(),
            None => stem,
        };
        let words = rest.split(['-', '_', ' ']).filter(|word| !word.is_empty());
        words.collect::<Vec<_>>().join(" ")
    }

    /// What it is called once it is taken; a number from 2 on keeps it from the names of others.
    #[must_use]
    pub fn done(&self, number: u32) -> Self {
        let stem = self.stem();
        let number = match number {
            0 | 1 => String::new(),
            number => format!("-{number}"),
        };
        Self {
            file: format!("{stem}{number}{DONE}"),
        }
    }

    fn stem(&self) -> &str {
        let stem = self.file.strip_suffix(DONE);
        stem.or_else(|| self.file.strip_suffix(SUFFIX))
            .unwrap_or(&self.file)
    }
}

/// A title as part of a name: small letters and digits of any script, with single dashes between.
/// Nothing in it can lead to another folder, hide the file or mark it as consumed.
#[must_use]
pub fn slug(title: &str) -> String {
    let mut slug = String::new();
    let mut gap = false;
    for c in title.chars().flat_map(char::to_lowercase) {
        if !c.is_alphanumeric() {
            gap = true;
            continue;
        }
        let dash = usize::from(gap && !slug.is_empty());
        if slug.len() + dash + c.len_utf8() > SLUG {
            break;
        }
        if dash == 1 {
            slug.push('-');
        }
        gap = false;
        slug.push(c);
    }
    match slug.is_empty() {
        true => "session".to_owned(),
        false => slug,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    #[test]
    fn titles_lead_nowhere_else() {
        for (title, want) in [
            ("Blog pipeline", "blog-pipeline"),
            ("../../etc/passwd", "etc-passwd"),
            ("..\\..\\x\0y", "x-y"),
            ("  --__done.md ", "done-md"),
            ("修复 登录 bug", "修复-登录-bug"),
            ("Über İstanbul", "über-i-stanbul"),
            ("", "session"),
            ("\u{202e}\n…", "session"),
        ] {
            assert_eq!(slug(title), want, "{title:?}");
        }
        let long = slug(&"长".repeat(500));
        assert!(long.len() <= SLUG && !long.is_empty());
    }

    #[test]
    fn names_by_hand_count() {
        for (file, is_done, at, subject) in [
            (
                "2026-02-27_091522_blog-pipeline.md",
                false,
                true,
                "blog pipeline",
            ),
            (
                "2026-02-26_201145_deploy-fix_done.md",
                true,
                true,
                "deploy fix",
            ),
            ("notes for monday.md", false, false, "notes for monday"),
            (
                "2026-02-30_091522_x.md",
                false,
                false,
                "2026 02 30 091522 x",
            ),
            ("2026-02-27_091522.md", false, true, ""),
            ("done.md", false, false, "done"),
            ("_done.md", true, false, ""),
            ("交接.md", false, false, "交接"),
        ] {
            let name = Name::of(file).unwrap();
            assert_eq!(name.is_done(), is_done, "{file}");
            assert_eq!(name.at().is_some(), at, "{file}");
            assert_eq!(name.subject(), subject, "{file}");
        }
        for file in [".md", ".x.md", "x.txt", "x.md~", "x.md.tmp", "a/b.md"] {
            assert_eq!(Name::of(file), None, "{file}");
        }
    }

    #[test]
    fn numbers_tell_names_of_one_second_apart() {
        let at = date(2026, 2, 27).at(9, 15, 22, 999);
        let names = [1, 2, 10].map(|number| Name::new(at, "Deploy", number));
        assert_eq!(names[0].file(), "2026-02-27_091522_deploy.md");
        assert_eq!(names[1].file(), "2026-02-27_091522_deploy-2.md");
        assert_eq!(names[0].done(1).file(), "2026-02-27_091522_deploy_done.md");
        assert_eq!(
            names[2].done(3).file(),
            "2026-02-27_091522_deploy-10-3_done.md"
        );
        assert!(
            names
                .iter()
                .all(|name| name.at() == Some(date(2026, 2, 27).at(9, 15, 22, 0)))
        );
    }
}
