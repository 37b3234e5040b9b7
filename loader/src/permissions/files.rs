//! Tools that read and write files, and which paths are open to them (facts C6.1, C6.6, C6.8, C6.10;
//! cases perm-protected, perm-path-*).

use super::decide::Case;
use super::paths::{Bases, PathRule};
use super::rule::RuleKind;
use super::{Decision, Outcome, Permissions, Source};
use crate::path::AbsPath;
use crate::settings::Tier;

/// Folders whose files are written only after a question, wherever they lie.
const PROTECTED_FOLDERS: [&str; 5] = [".git", ".vscode", ".idea", ".husky", ".claude"];
/// The same for files; the list was tried name by name and need not be whole.
const PROTECTED_FILES: [&str; 8] = [
    ".gitconfig",
    ".gitmodules",
    ".bashrc",
    ".zshrc",
    ".profile",
    ".npmrc",
    ".mcp.json",
    ".ripgreprc",
];

impl Permissions<'_, '_> {
    /// The path by its name and by its target, each once.
    pub(super) fn names_of(&self, path: &AbsPath) -> Vec<AbsPath> {
        let mut names = vec![path.clone()];
        names.extend(self.real(path).filter(|real| real != path));
        names
    }

    /// The path with the links of the part that exists resolved.
    pub(super) fn real(&self, path: &AbsPath) -> Option<AbsPath> {
        let host = self.session.world().host;
        path.ancestors().find_map(|above| {
            let real = host.canonicalize(&above).ok()?;
            path.below(&above).map(|below| match below {
                "" => real,
                below => real.join(below),
            })
        })
    }

    /// A rule of a kind whose pattern for `tool` matches a path.
    pub(super) fn path_rule(&self, kind: RuleKind, tool: &str, path: &AbsPath) -> Option<usize> {
        let session = self.session;
        let mut rules = self.counting(kind);
        let found = rules.find(|(index, rule)| {
            // `Edit(*)` is no path: see `in_directories`.
            let what = rule.what.as_deref().filter(|what| *what != "*");
            let Some(what) = what.filter(|_| rule.tool == tool) else {
                return false;
            };
            let matches = |cwd: &AbsPath| {
                let bases = Bases {
                    settings: self.base_of(&self.rules[*index].source),
                    cwd,
                    home: &session.origin().home,
                };
                PathRule::new(what, &bases).is_some_and(|rule| rule.matches(path))
            };
            let everywhere = kind != RuleKind::Allow
                && session.client().behaviour.relative_denies_in_directories;
            let open = self.directories.iter().filter(|one| one.ignored.is_none());
            matches(session.cwd()) || (everywhere && open.map(|one| &one.path).any(matches))
        });
        found.map(|(index, _)| index)
    }

    /// A rule `Write(*)` or `Edit(*)` for paths that lie in the directories of the session: it
    /// grants the one tool only (cases perm-rules-star-*).
    fn in_directories(&self, tool: &str, names: &[AbsPath]) -> Option<usize> {
        let rule = self.within(RuleKind::Allow, tool, |what| what == "*")?;
        names
            .iter()
            .all(|name| self.is_inside(name))
            .then_some(rule)
    }

    /// Where `/x` starts in the rules of a source (cases perm-path-bases). JSON text given with
    /// `--settings` was seen to start at neither the working directory nor the root.
    pub(super) fn base_of(&self, source: &Source) -> Option<AbsPath> {
        let session = self.session;
        match source {
            Source::Flag(_) => Some(session.cwd().clone()),
            Source::Settings(place) => match place.tier {
                Tier::User => Some(session.origin().config()),
                Tier::Project | Tier::Local | Tier::Managed => Some(session.cwd().clone()),
                Tier::Flag => place.file.as_ref()?.parent(),
            },
        }
    }

    /// The directory of the session in which a path lies.
    pub(super) fn is_inside(&self, path: &AbsPath) -> bool {
        let counting = self.directories.iter().filter(|one| one.ignored.is_none());
        let mut directories = counting.flat_map(|one| self.names_of(&one.path));
        directories.any(|directory| path.is_within(&directory))
    }

    /// Whether a path may be read without a question: inside the directories by its name and its
    /// target, or by a rule.
    pub(super) fn opens_read(&self, path: &AbsPath) -> bool {
        self.names_of(path).iter().all(|name| {
            self.is_inside(name) || self.path_rule(RuleKind::Allow, "Read", name).is_some()
        })
    }

    /// Why a path is written only after a question, whatever the rules allow.
    pub(super) fn protection(&self, path: &AbsPath) -> Option<String> {
        self.names_of(path).iter().find_map(|name| {
            let text = name.as_str();
            let mut parts = text.split('/').peekable();
            while let Some(part) = parts.next() {
                if !PROTECTED_FOLDERS.contains(&part) {
                    continue;
                }
                // Only what is in `.claude/worktrees` is free.
                if part == ".claude" && parts.peek() == Some(&"worktrees") {
                    continue;
                }
                return Some(format!(
                    "`{part}` is protected: the client asks before it writes there"
                ));
            }
            let file = name.file_name();
            PROTECTED_FILES
                .contains(&file)
                .then(|| format!("`{file}` is protected: the client asks before it writes it"))
        })
    }

    fn path_of(&self, written: &str) -> AbsPath {
        if written == "~" {
            return self.session.origin().home.clone();
        }
        self.session.world().resolve(written)
    }

    fn path_rule_of_any(&self, kind: RuleKind, tool: &str, path: &AbsPath) -> Option<usize> {
        let names = self.names_of(path);
        names
            .iter()
            .find_map(|name| self.path_rule(kind, tool, name))
    }

    /// Read, Glob and Grep: all of them go by the rules for Read.
    pub(super) fn reads(&self, mut case: Case, tool: &str, written: &str) -> Decision {
        let path = self.path_of(written);
        if let Some(rule) = self.path_rule_of_any(RuleKind::Deny, "Read", &path) {
            case.step("deny", "a rule matches the path", Some(rule));
            return case.end(Outcome::Denied, "a deny rule matches the path", Some(rule));
        }
        case.step("deny", "no rule matches", None);
        let asks = self.path_rule_of_any(RuleKind::Ask, "Read", &path);
        if let Some(rule) = asks.or_else(|| self.whole(RuleKind::Ask, tool)) {
            case.step("ask", "a rule matches", Some(rule));
            return case.end(Outcome::Asks, "an ask rule matches", Some(rule));
        }
        case.step("ask", "no rule matches", None);
        if tool != "Read" {
            case.note(
                "a search shows files of denied names below the folder unless they are left out",
            );
        }
        if self.names_of(&path).iter().all(|name| self.is_inside(name)) {
            case.step(
                "check",
                "the path is in the directories of the session",
                None,
            );
            return case.end(
                Outcome::Runs,
                "the path is in the directories of the session",
                None,
            );
        }
        let outside = "the path is outside the directories of the session";
        case.step("check", outside, None);
        let allows = self.whole(RuleKind::Allow, tool);
        let allows = allows.or_else(|| {
            // Both the name and the target need a grant; an Edit rule grants reads too.
            let names = self.names_of(&path);
            let rules: Option<Vec<usize>> = names
                .iter()
                .filter(|name| !self.is_inside(name))
                .map(|name| {
                    let read = self.path_rule(RuleKind::Allow, "Read", name);
                    let edits = || self.path_rule(RuleKind::Allow, "Edit", name);
                    // What is protected from writing is not opened by leave to write.
                    read.or_else(|| edits().filter(|_| self.protection(name).is_none()))
                })
                .collect();
            rules?.first().copied()
        });
        if let Some(rule) = allows {
            case.step("allow", "a rule matches", Some(rule));
            return case.end(Outcome::Runs, "an allow rule matches", Some(rule));
        }
        case.step("allow", "no rule matches", None);
        if self.mode.bypasses() {
            return case.end(Outcome::Runs, "the mode bypassPermissions", None);
        }
        if path.is_within(&self.session.origin().config()) {
            case.note("files of the session itself may be open to the client; not tried");
        }
        case.end(Outcome::Asks, outside, None)
    }

    /// Write and Edit: both go by the rules for Edit, and each by its own name as a whole.
    pub(super) fn writes(&self, mut case: Case, tool: &str, written: &str) -> Decision {
        let path = self.path_of(written);
        let mut denies = self.path_rule_of_any(RuleKind::Deny, "Edit", &path);
        if self.session.client().behaviour.read_denies_bind_writes {
            denies = denies.or_else(|| self.path_rule_of_any(RuleKind::Deny, "Read", &path));
            denies = denies.or_else(|| self.whole(RuleKind::Deny, "Read"));
        }
        if let Some(rule) = denies {
            case.step("deny", "a rule matches the path", Some(rule));
            return case.end(Outcome::Denied, "a deny rule matches the path", Some(rule));
        }
        case.step("deny", "no rule matches", None);
        let asks = self.path_rule_of_any(RuleKind::Ask, "Edit", &path);
        if let Some(rule) = asks.or_else(|| self.whole(RuleKind::Ask, tool)) {
            case.step("ask", "a rule matches", Some(rule));
            return case.end(Outcome::Asks, "an ask rule matches", Some(rule));
        }
        case.step("ask", "no rule matches", None);
        if tool == "Edit"
            && self
                .path_rule_of_any(RuleKind::Deny, "Read", &path)
                .is_some()
        {
            let reason = "a file must be read before it is edited, and a deny rule keeps it unread";
            return case.end(Outcome::Denied, reason, None);
        }
        if self.mode.bypasses() {
            return case.end(Outcome::Runs, "the mode bypassPermissions", None);
        }
        if let Some(why) = self.protection(&path) {
            case.step("check", why.clone(), None);
            return case.end(Outcome::Asks, why, None);
        }
        if self.mode.name == "plan" {
            let reason = "nothing is written in plan mode";
            return case.end(Outcome::Asks, reason, None);
        }
        let names = self.names_of(&path);
        let granted: Option<Vec<usize>> = names
            .iter()
            .map(|name| self.path_rule(RuleKind::Allow, "Edit", name))
            .collect();
        let granted = granted.and_then(|rules| rules.first().copied());
        // `Edit` as a whole does not grant Write (case perm-rules-allow-edit).
        let granted = granted.or_else(|| self.whole(RuleKind::Allow, tool));
        if let Some(rule) = granted.or_else(|| self.in_directories(tool, &names)) {
            case.step("allow", "a rule matches", Some(rule));
            return case.end(Outcome::Runs, "an allow rule matches", Some(rule));
        }
        case.step("allow", "no rule matches", None);
        if self.mode.accepts_edits() && names.iter().all(|name| self.is_inside(name)) {
            case.step(
                "mode",
                "acceptEdits, and the path is in the directories",
                None,
            );
            return case.end(Outcome::Runs, "the mode acceptEdits", None);
        }
        case.end(Outcome::Asks, "no rule allows the write", None)
    }
}
