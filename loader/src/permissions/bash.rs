//! How a Bash command is decided (facts C6.1, C6.4–C6.6, C6.8).
//!
//! The order was found with commands that meet several reasons at once: deny rules, ask rules,
//! what is protected, a rule for the whole tool, paths, a rule for the command as it is written,
//! what cannot be told beforehand, then part by part.

use super::decide::Case;
use super::operands::{self, Access};
use super::pattern::Pattern;
use super::readonly::{ReadOnly, read_only};
use super::rule::RuleKind;
use super::shell::{Direction, Script, Simple, Standing, Unclear, Word};
use super::wrappers::{Reach, View, views};
use super::{Decision, Outcome, Permissions};
use crate::path::AbsPath;

/// A path in a command.
struct Touched {
    path: AbsPath,
    access: Access,
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

impl Permissions<'_, '_> {
    pub(super) fn bash(&self, mut case: Case, command: &str) -> Decision {
        let script = Script::read(command);
        if let Some(rule) = self.command_rule(RuleKind::Deny, command, &script) {
            case.step("deny", "a rule matches", Some(rule));
            return case.end(Outcome::Denied, "a deny rule matches", Some(rule));
        }
        let touched = self.touched(&script);
        if let Some((rule, written)) = self.denied_path(&touched) {
            let reason = format!("a deny rule matches the path `{written}`");
            case.step("deny", reason.clone(), Some(rule));
            return case.end(Outcome::Denied, reason, Some(rule));
        }
        case.step("deny", "no rule matches", None);
        let asks = self.whole(RuleKind::Ask, "Bash");
        let asks = asks.or_else(|| self.command_rule(RuleKind::Ask, command, &script));
        if let Some(rule) = asks {
            case.step("ask", "a rule matches", Some(rule));
            return case.end(Outcome::Asks, "an ask rule matches", Some(rule));
        }
        case.step("ask", "no rule matches", None);
        if self.mode.bypasses() {
            return case.end(Outcome::Runs, "the mode bypassPermissions", None);
        }
        if script.broken {
            case.assumed(
                "the command is incomplete or nested too deeply; such ones were not tried",
            );
        }
        let asks = |mut case: Case, why: String| {
            case.step("check", why.clone(), None);
            case.end(Outcome::Asks, why, None)
        };
        let written = touched.iter().filter(|one| one.access != Access::Reads);
        for one in written.filter(|one| one.access != Access::Enters) {
            if let Some(why) = self.protection(&one.path) {
                return asks(case, why);
            }
        }
        if script.background {
            let why = "`&` starts a command in the background, which always asks";
            return asks(case, why.to_owned());
        }
        if let Some(rule) = self.whole(RuleKind::Allow, "Bash") {
            case.step("allow", "a rule allows the whole tool", Some(rule));
            return case.end(Outcome::Runs, "a rule allows the whole tool", Some(rule));
        }
        if let Some(why) = self.outside(&script, &touched) {
            return asks(case, why);
        }
        case.step(
            "check",
            "no path is outside the directories of the session",
            None,
        );
        let subshell = command.trim_start().starts_with('(');
        let exact = self.within(RuleKind::Allow, "Bash", |what| {
            let pattern = Pattern::new(what);
            pattern.is_exact() && pattern.matches(command.trim())
        });
        if let Some(rule) = exact.filter(|_| !subshell) {
            case.step(
                "allow",
                "a rule is the command as it is written",
                Some(rule),
            );
            return case.end(Outcome::Runs, "an allow rule matches", Some(rule));
        }
        if script.broken {
            return case.end(Outcome::NotKnown, "the command is incomplete", None);
        }
        if let Some(what) = script.unclear.filter(|what| !self.is_told(*what, &script)) {
            if what == Unclear::Other {
                case.assumed("this form was not tried");
            }
            let why = format!("{} cannot be checked before it runs", what.what());
            return asks(case, why);
        }
        let mut deciding = None;
        for simple in &script.commands {
            match self.part(simple, &mut case) {
                Ok(rule) => deciding = rule.or(deciding),
                Err(why) => return asks(case, why),
            }
        }
        let only_assigns = |simple: &&Simple| simple.words.is_empty();
        if let Some(simple) = script.commands.iter().find(only_assigns)
            && deciding.is_none()
            && !self.shell_has_run
        {
            case.note("once a command has run in the session, an assignment needs no permission");
            let why = format!(
                "`{}` sets a variable before any command has run",
                simple.text
            );
            return asks(case, why);
        }
        match deciding {
            Some(rule) => case.end(Outcome::Runs, "every part is allowed", Some(rule)),
            None => case.end(Outcome::Runs, "every part needs no permission", None),
        }
    }

    /// A variable that the command sets itself: older clients take its value.
    fn is_told(&self, what: Unclear, script: &Script) -> bool {
        let known = |word: &Word| word.unclear != Some(Unclear::Variable) || word.told;
        let words = script.commands.iter().flat_map(|simple| &simple.words);
        what == Unclear::Variable
            && self.session.client().behaviour.own_variables_told
            && words.into_iter().all(known)
    }

    /// A deny or ask rule that matches the command or one of its parts.
    fn command_rule(&self, kind: RuleKind, command: &str, script: &Script) -> Option<usize> {
        let behaviour = self.session.client().behaviour;
        let blind = !behaviour.rules_see_nested;
        let parts = script.commands.iter().filter(|simple| {
            // Older clients see no part of a command that has groups, and nothing in `$( )` but
            // in an assignment by itself (case perm-bash-deny-nested).
            !blind
                || (!script.is_grouped()
                    && (simple.standing == Standing::Plain || script.unclear.is_none()))
        });
        let mut texts: Vec<(String, bool)> = vec![(command.trim().to_owned(), false)];
        for simple in parts {
            for view in self.views(simple, Reach::Deny) {
                texts.push((view.text.to_owned(), false));
                texts.extend(spellings(&view, behaviour.rules_see_quoted));
                if behaviour.rules_see_program_names {
                    texts.extend(by_file_name(&view).map(|text| (text, false)));
                }
            }
        }
        self.within(kind, "Bash", |what| {
            let pattern = Pattern::new(what);
            let fits = |(text, loose): &(String, bool)| {
                !(*loose && pattern.is_exact()) && pattern.matches(text)
            };
            texts.iter().any(fits)
        })
    }

    fn views<'s>(&self, simple: &'s Simple, reach: Reach) -> Vec<View<'s>> {
        let tight = self.session.client().behaviour.read_only_options_tight;
        views(simple, reach, tight)
    }

    /// The paths that a command touches, as far as the client looks at them.
    fn touched(&self, script: &Script) -> Vec<Touched> {
        let wide = self.session.client().behaviour.rules_see_nested;
        let cwd = self.session.cwd();
        let mut here = cwd.clone();
        let mut touched = Vec::new();
        for simple in &script.commands {
            let found = self.views(simple, Reach::Deny);
            // What `xargs` runs gets its paths elsewhere, and a word that cannot be told leaves
            // the others unchecked (case perm-read-deny-evaded).
            let by_xargs = found.iter().any(|view| view.name() == "xargs");
            let last = found
                .last()
                .filter(|_| !by_xargs && simple.unclear.is_none());
            let words = last.map_or(&[][..], |view| view.words);
            let mut entered = None;
            if let Some(access) = operands::access(words, wide) {
                for word in operands::operands(words) {
                    let one = self.touch(word, access, false, &here);
                    if access == Access::Enters {
                        entered = one.as_ref().map(|one| one.path.clone());
                    }
                    touched.extend(one);
                }
                if access == Access::Enters && words.len() == 1 {
                    touched.push(Touched {
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
                touched.extend(self.touch(&redirect.target, access, true, &here));
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
            path: here.join(plain),
            access,
            redirected,
            written: word.text.clone(),
            pattern: word.pattern,
            climbs,
            before: (here != cwd).then(|| cwd.join(plain)),
        })
    }

    /// A deny rule for a path that the command touches.
    fn denied_path(&self, touched: &[Touched]) -> Option<(usize, String)> {
        let wide = self.session.client().behaviour.rules_see_nested;
        touched.iter().find_map(|one| {
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
    fn outside(&self, script: &Script, touched: &[Touched]) -> Option<String> {
        let enters = touched.iter().any(|one| one.access == Access::Enters);
        for one in touched {
            let written = &one.written;
            let writes = matches!(one.access, Access::Writes | Access::Copies);
            if one.climbs {
                return Some(format!("`{written}` climbs with `..` behind a folder"));
            }
            if one.pattern && writes {
                return Some(format!("`{written}` is a pattern, and is written"));
            }
            if writes && enters {
                return Some("the command changes the directory and writes".to_owned());
            }
            let names = self.names_of(&one.path);
            let edits = |name: &AbsPath| self.path_rule(RuleKind::Allow, "Edit", name).is_some();
            if writes {
                if !names.iter().all(|name| self.is_inside(name) || edits(name)) {
                    return Some(format!(
                        "`{written}` is outside the directories of the session"
                    ));
                }
                if one.redirected && !self.mode.accepts_edits() && !names.iter().all(edits) {
                    return Some(format!("the output goes to the file `{written}`"));
                }
            } else if !self.opens_read(&one.path) {
                return Some(format!(
                    "`{written}` is outside the directories of the session"
                ));
            }
        }
        let runs_git = script.commands.iter().any(|simple| {
            let found = self.views(simple, Reach::Allow);
            found.iter().any(|view| view.name() == "git")
        });
        (enters && runs_git).then(|| "the command changes the directory before git".to_owned())
    }

    /// Whether a part runs: by which rule, if by one. Else why not.
    fn part(&self, simple: &Simple, case: &mut Case) -> Result<Option<usize>, String> {
        if simple.words.is_empty() {
            if simple.assignments.iter().any(|one| one.name == "IFS") {
                return Err("IFS changes how words are split".to_owned());
            }
            return Ok(None);
        }
        let behaviour = self.session.client().behaviour;
        let named = &simple.text;
        let allow = self.views(simple, Reach::Allow);
        let rule = self.within(RuleKind::Allow, "Bash", |what| {
            let pattern = Pattern::new(what);
            allow.iter().any(|view| {
                let others = spellings(view, false);
                pattern.matches(view.text)
                    || (!pattern.is_exact() && others.iter().any(|(text, _)| pattern.matches(text)))
            })
        });
        if let Some(rule) = rule {
            case.step("allow", format!("a rule matches `{named}`"), Some(rule));
            return Ok(Some(rule));
        }
        let plain = self.views(simple, Reach::Nothing);
        let words = plain.last().map_or(&[][..], |view| view.words);
        let words = match behaviour.timeout_reads {
            true => behind_timeout(words),
            false => words,
        };
        let assigned = simple.assignments.is_empty() || plain.len() > 1;
        match read_only(words, behaviour.read_only_options_tight) {
            ReadOnly::Yes if assigned => {
                case.step("check", format!("`{named}` changes nothing"), None);
                return Ok(None);
            }
            ReadOnly::Untried => {
                case.assumed(format!("`{named}` has options that were not tried"));
            }
            ReadOnly::Yes | ReadOnly::No => {}
        }
        if self.accepts(simple, &allow) {
            case.step("mode", format!("acceptEdits lets `{named}` run"), None);
            return Ok(None);
        }
        Err(format!("no rule allows `{named}`"))
    }

    /// Commands on files that acceptEdits lets run; newer clients only by themselves, older ones
    /// behind harmless assignments and wrappers too.
    fn accepts(&self, simple: &Simple, allow: &[View<'_>]) -> bool {
        let behaviour = self.session.client().behaviour;
        let view = match behaviour.accept_edits_plain {
            true => allow.first().filter(|_| simple.assignments.is_empty()),
            false => allow
                .last()
                .filter(|_| simple.assignments.is_empty() || allow.len() > 1),
        };
        let name = view.map_or("", View::name);
        self.mode.accepts_edits()
            && matches!(
                name,
                "touch" | "mkdir" | "rm" | "rmdir" | "mv" | "cp" | "sed"
            )
    }
}

/// A command with its program named without its folder.
fn by_file_name(view: &View<'_>) -> Option<String> {
    let (_, file) = view.name().rsplit_once('/')?;
    let joined = view.joined();
    Some(format!("{file}{}", &joined[view.name().len()..]))
}

/// What `timeout N` runs.
fn behind_timeout(words: &[Word]) -> &[Word] {
    let is =
        |at: usize, fits: &dyn Fn(&str) -> bool| words.get(at).is_some_and(|word| fits(&word.text));
    let seconds = |text: &str| text.starts_with(|c: char| c.is_ascii_digit());
    if is(0, &|name| name == "timeout") && is(1, &seconds) && words.len() > 2 {
        &words[2..]
    } else {
        words
    }
}

/// Other spellings of a command; the flag keeps one from rules without a wildcard.
fn spellings(view: &View<'_>, quoted: bool) -> Vec<(String, bool)> {
    if quoted {
        return vec![(view.joined(), false)];
    }
    if !view.assignments.is_empty() {
        return Vec::new();
    }
    // Quotes are taken off the program's name only.
    let rest = view
        .words
        .get(1)
        .and_then(|word| view.text.get(word.start - view.words[0].start..));
    let collapsed: Vec<&str> = rest.unwrap_or_default().split_whitespace().collect();
    let text = match rest {
        Some(_) => format!("{} {}", view.name(), collapsed.join(" ")),
        None => view.name().to_owned(),
    };
    vec![(text, true)]
}
