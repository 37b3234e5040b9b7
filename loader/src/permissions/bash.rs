//! How a Bash command is decided (facts C6.1, C6.4–C6.6, C6.8).
//!
//! The order was found with commands that meet several reasons at once: deny rules, ask rules,
//! what is protected, a rule for the whole tool, paths, a rule for the command as it is written,
//! what cannot be told beforehand, then part by part.

use super::decide::Case;
use super::operands::Access;
use super::pattern::Pattern;
use super::readonly::{ReadOnly, read_only};
use super::rule::RuleKind;
use super::shell::{Script, Simple, Standing, Unclear, Word};
use super::touched::Touched;
use super::wrappers::{Reach, View, views};
use super::{Decision, Outcome, Permissions};

impl Permissions<'_, '_> {
    pub(super) fn bash(&self, mut case: Case, command: &str) -> Decision {
        if command.contains(|c: char| c.is_control() && !matches!(c, '\n' | '\t')) {
            let why = "the client takes no command with control characters";
            case.step("check", why, None);
            return case.end(Outcome::Denied, why, None);
        }
        let script = Script::read(command);
        if let Some(rule) = self.command_rule(RuleKind::Deny, command, &script) {
            case.step("deny", "a rule matches", Some(rule));
            return case.end(Outcome::Denied, "a deny rule matches", Some(rule));
        }
        let hiding = self.hides_paths(&script);
        let hidden = hiding.is_some();
        let touched = match hidden {
            true => Vec::new(),
            false => self.touched(&script),
        };
        if let Some((rule, written)) = self.denied_path(&script, &touched) {
            let reason = format!("a deny rule matches the path `{written}`");
            case.step("deny", reason.clone(), Some(rule));
            return case.end(Outcome::Denied, reason, Some(rule));
        }
        let none = match hiding {
            Some(what) => format!(
                "no rule matches; with {} in it, no path is looked at",
                what.what()
            ),
            None => "no rule matches".to_owned(),
        };
        case.step("deny", none, None);
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
        // Nothing is protected in a command with a subshell, odd white space or a change of the
        // directory (cases perm-unclear-protected, perm-unclear-more-protected).
        let open = hidden || script.has(Unclear::Subshell) || script.has(Unclear::WhiteSpace);
        if !open && !self.moves(&script) {
            let written = touched.iter().filter(|one| one.access != Access::Reads);
            for one in written {
                if let Some(why) = self.protection(&one.path) {
                    return asks(case, why);
                }
            }
        }
        if script.background && !open {
            let why = "`&` starts a command in the background, which always asks";
            return asks(case, why.to_owned());
        }
        if let Some(rule) = self.whole(RuleKind::Allow, "Bash") {
            case.step("allow", "a rule allows the whole tool", Some(rule));
            return case.end(Outcome::Runs, "a rule allows the whole tool", Some(rule));
        }
        let outside = self.outside(&script, &touched);
        let exact = self.exact_rule(command, &script).filter(|_| {
            // A rule for the whole command goes before a path outside if another part needs
            // permission as well (case perm-unclear-exact).
            outside.is_none() || self.asking_parts(&script, &touched) > 1
        });
        if let Some(rule) = exact {
            let text = "a rule is the command as it is written";
            case.step("allow", text, Some(rule));
            return case.end(Outcome::Runs, "an allow rule matches", Some(rule));
        }
        if let Some(why) = outside {
            return asks(case, why);
        }
        if !hidden {
            let text = "no path is outside the directories of the session";
            case.step("check", text, None);
        }
        if script.broken {
            return case.end(Outcome::NotKnown, "the command is incomplete", None);
        }
        if let Some(what) = self.asks_for(&script) {
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
            && self.session.client().behaviour.first_assignment_asks
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

    /// An allow rule that is the command as it is written.
    fn exact_rule(&self, command: &str, script: &Script) -> Option<usize> {
        let older = !self.session.client().behaviour.rules_see_quoted;
        let apart = older
            && command.contains(')')
            && (script.has(Unclear::Case) || script.has(Unclear::Function));
        if apart || script.has(Unclear::Subshell) {
            return None;
        }
        self.within(RuleKind::Allow, "Bash", |what| {
            let pattern = Pattern::new(what);
            pattern.is_exact() && pattern.matches(command.trim())
        })
    }

    /// How many parts need permission, by themselves or for a path.
    fn asking_parts(&self, script: &Script, touched: &[Touched]) -> usize {
        let parts = script.commands.iter().enumerate();
        let asking = parts.filter(|(at, simple)| {
            let mut own = touched.iter().filter(|one| one.part == *at);
            own.any(|one| self.path_asks(one).is_some())
                || self.part(simple, &mut Case::new()).is_err()
        });
        asking.count()
    }

    /// The first form for which the client asks. Older clients take the value of a variable that
    /// the command sets itself.
    fn asks_for(&self, script: &Script) -> Option<Unclear> {
        let told = self.session.client().behaviour.own_variables_told;
        let mut unclear = script.unclear.iter().copied();
        unclear.find(|what| *what != Unclear::Told || !told)
    }

    /// The form for which the client looks at no path of the command: then neither path rules nor
    /// protected files bind it (cases perm-unclear-*).
    fn hides_paths(&self, script: &Script) -> Option<Unclear> {
        let newer = self.session.client().behaviour.rules_see_quoted;
        let mut unclear = script.unclear.iter().copied();
        unclear.find(|what| what.hides_paths(newer))
    }

    /// A deny or ask rule that matches the command or one of its parts.
    fn command_rule(&self, kind: RuleKind, command: &str, script: &Script) -> Option<usize> {
        let behaviour = self.session.client().behaviour;
        let blind = !behaviour.rules_see_nested;
        // Older clients ask for no part of a longer command where a form cannot be told (case
        // perm-unclear-ask).
        let untold = self.hides_paths(script).is_some();
        let mut parts = script.commands.iter();
        let single = parts.any(|simple| simple.text == command.trim());
        if kind == RuleKind::Ask && blind && untold && !single {
            return None;
        }
        let parts = script.commands.iter().filter(|simple| {
            // Older clients see no part of a command that has a subshell, nothing in groups, and
            // nothing in `$( )` but in an assignment or declaration by itself (cases
            // perm-bash-deny-nested, perm-unclear-command-deny).
            let told = |what: &Unclear| matches!(what, Unclear::Declared);
            !blind
                || (!script.has(Unclear::Subshell)
                    && match simple.standing {
                        Standing::Plain => true,
                        Standing::Grouped => false,
                        Standing::Substituted => script.unclear.iter().all(told),
                    })
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

    pub(super) fn views<'s>(&self, simple: &'s Simple, reach: Reach) -> Vec<View<'s>> {
        let tight = self.session.client().behaviour.read_only_options_tight;
        views(simple, reach, tight)
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
