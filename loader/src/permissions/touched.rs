//! The paths that a Bash command touches, and what they make of it (facts C6.1, C6.6, C6.8; cases
//! perm-bash-paths-outside, perm-bash-deny-paths, perm-unclear-*).

use super::Permissions;
use super::operands::{self, Access};
use super::rule::RuleKind;
use super::shell::{Direction, Script, Word};
use super::wrappers::{Reach, View};
use crate::path::AbsPath;

/// A path in a command.
pub(super) struct Touched {
    /// The place of its part in the command.
    pub(super) part: usize,
    pub(super) path: AbsPath,
    pub(super) access: Access,
    /// It is a redirection's.
    redirected: bool,
    /// As it is written.
    written: String,
    /// It is written with a pattern.
    pattern: bool,
    /// It climbs with `..` behind a folder.
    climbs: bool,
    /// Where the path would lead before a `cd` in the command.
    before: Option<AbsPath>,
}

impl Touched {
    pub(super) const fn is_written(&self) -> bool {
        matches!(self.access, Access::Writes | Access::Copies)
    }
}

impl Permissions<'_, '_> {
    /// The paths that a command touches, as far as the client looks at them.
    pub(super) fn touched(&self, script: &Script) -> Vec<Touched> {
        let wide = self.session.client().behaviour.rules_see_nested;
        let cwd = self.session.cwd();
        let mut here = cwd.clone();
        let mut touched = Vec::new();
        for (part, simple) in script.commands.iter().enumerate() {
            let found = self.views(simple, Reach::Deny);
            // What `xargs` runs gets its paths elsewhere (case perm-read-deny-evaded).
            let by_xargs = found.iter().any(|view| view.name() == "xargs");
            let last = found.last().filter(|_| !by_xargs);
            let words = last.map_or(&[][..], |view| view.words);
            let mut entered = None;
            if let Some(access) = operands::access(words, wide) {
                for word in operands::operands(words) {
                    let one = self.touch(part, word, access, false, &here);
                    if access == Access::Enters {
                        entered = one.as_ref().map(|one| one.path.clone());
                    }
                    touched.extend(one);
                }
                if access == Access::Enters && words.len() == 1 {
                    touched.push(Touched {
                        part,
                        path: self.session.origin().home.clone(),
                        access,
                        redirected: false,
                        written: "~".to_owned(),
                        pattern: false,
                        climbs: false,
                        before: None,
                    });
                }
            }
            for redirect in &simple.redirects {
                let access = match redirect.direction {
                    Direction::Input if wide => Access::Reads,
                    Direction::Input => continue,
                    Direction::Output => Access::Writes,
                };
                touched.extend(self.touch(part, &redirect.target, access, true, &here));
            }
            // Newer clients follow a `cd`; older ones take each path from the start.
            if let Some(entered) = entered.filter(|_| wide) {
                here = entered;
            }
        }
        touched
    }

    fn touch(
        &self,
        part: usize,
        word: &Word,
        access: Access,
        redirected: bool,
        here: &AbsPath,
    ) -> Option<Touched> {
        let home = &self.session.origin().home;
        let mut text = word.text.replace("$HOME", home.as_str());
        text = text.replace("$PWD", self.session.cwd().as_str());
        if text.contains("$()") || text.contains("``") || text.contains("<()") || text.contains('$')
        {
            return None;
        }
        if word.tilde && (text == "~" || text.starts_with("~/")) {
            text = format!("{home}{}", &text[1..]);
        }
        let plain = match text.find(['*', '?', '[']).filter(|_| word.pattern) {
            // A reader's pattern stands for its folder (case perm-read-deny-evaded).
            Some(at) => text[..at].rfind('/').map_or("", |slash| &text[..=slash]),
            None => &text,
        };
        let mut below = false;
        let climbs = text.split('/').any(|part| {
            let climbs = part == ".." && below;
            below |= !matches!(part, "" | "." | "..");
            climbs
        });
        let cwd = self.session.cwd();
        Some(Touched {
            part,
            path: here.join(plain),
            access,
            redirected,
            written: word.text.clone(),
            pattern: word.pattern,
            climbs,
            before: (here != cwd).then(|| cwd.join(plain)),
        })
    }

    /// Whether some part changes the directory.
    pub(super) fn moves(&self, script: &Script) -> bool {
        script.commands.iter().any(|simple| {
            let found = self.views(simple, Reach::Deny);
            let name = found.last().map_or("", View::name);
            matches!(name, "cd" | "pushd" | "popd")
        })
    }

    /// A deny rule for a path that the command touches. In older clients none binds a write of a
    /// command that changes the directory.
    pub(super) fn denied_path(
        &self,
        script: &Script,
        touched: &[Touched],
    ) -> Option<(usize, String)> {
        let wide = self.session.client().behaviour.rules_see_nested;
        let writes = wide || !self.moves(script);
        let mut seen = touched.iter().filter(|one| writes || !one.is_written());
        seen.find_map(|one| {
            let tools: &[&str] = match one.access {
                Access::Reads | Access::Enters => &["Read"],
                Access::Copies if wide => &["Edit", "Read"],
                Access::Writes | Access::Copies => &["Edit"],
            };
            if one.climbs && !wide {
                return None;
            }
            let mut paths = vec![one.path.clone()];
            paths.extend(one.before.clone());
            let names: Vec<AbsPath> = paths
                .iter()
                .flat_map(|path| match wide {
                    true => self.names_of(path),
                    false => vec![self.real(path).unwrap_or_else(|| path.clone())],
                })
                .collect();
            let rule = tools.iter().find_map(|tool| {
                let mut rules = names.iter();
                rules.find_map(|name| self.path_rule(RuleKind::Deny, tool, name))
            });
            Some((rule?, one.written.clone()))
        })
    }

    /// Why the paths of a command make the client ask, whatever rules allow its parts.
    pub(super) fn outside(&self, script: &Script, touched: &[Touched]) -> Option<String> {
        let enters = touched.iter().any(|one| one.access == Access::Enters);
        for one in touched {
            if let Some(why) = self.path_asks(one) {
                return Some(why);
            }
            if one.is_written() && enters {
                return Some("the command changes the directory and writes".to_owned());
            }
        }
        let runs_git = script.commands.iter().any(|simple| {
            let found = self.views(simple, Reach::Allow);
            found.iter().any(|view| view.name() == "git")
        });
        (enters && runs_git).then(|| "the command changes the directory before git".to_owned())
    }

    /// Why one path makes the client ask.
    pub(super) fn path_asks(&self, one: &Touched) -> Option<String> {
        let written = &one.written;
        if one.climbs {
            return Some(format!("`{written}` climbs with `..` behind a folder"));
        }
        if one.pattern && one.is_written() {
            return Some(format!("`{written}` is a pattern, and is written"));
        }
        let outside = || format!("`{written}` is outside the directories of the session");
        if !one.is_written() {
            return (!self.opens_read(&one.path)).then(outside);
        }
        let names = self.names_of(&one.path);
        let edits = |name: &AbsPath| self.path_rule(RuleKind::Allow, "Edit", name).is_some();
        if !names.iter().all(|name| self.is_inside(name) || edits(name)) {
            return Some(outside());
        }
        let granted = self.mode.accepts_edits() || names.iter().all(edits);
        (one.redirected && !granted).then(|| format!("the output goes to the file `{written}`"))
    }
}
