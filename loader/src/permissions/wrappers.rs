//! Commands that only start another one, and how far each kind of rule looks behind them
//! (facts C6.4, C6.5; cases perm-bash-allow-wrappers, perm-bash-deny-wrappers).

use super::shell::{Assignment, Simple, Word};

/// Variables whose assignment before a command changes nothing for an allow rule (case
/// perm-bash-variables). `LANG` and `LC_ALL` were seen to depend on the value in newer clients.
const HARMLESS: [&str; 35] = [
    "ANTHROPIC_API_KEY",
    "BLOCK_SIZE",
    "CGO_ENABLED",
    "CHARSET",
    "CI",
    "CLICOLOR",
    "CLICOLOR_FORCE",
    "COLORTERM",
    "COLUMNS",
    "DEBIAN_FRONTEND",
    "FORCE_COLOR",
    "GCC_COLORS",
    "GO111MODULE",
    "GOARCH",
    "GOEXPERIMENT",
    "GOOS",
    "GREP_COLOR",
    "GREP_COLORS",
    "LANG",
    "LANGUAGE",
    "LC_ALL",
    "LC_TIME",
    "LINES",
    "LSCOLORS",
    "LS_COLORS",
    "NODE_ENV",
    "NO_COLOR",
    "PYTEST_DISABLE_PLUGIN_AUTOLOAD",
    "PYTHONDONTWRITEBYTECODE",
    "PYTHONUNBUFFERED",
    "RUST_BACKTRACE",
    "RUST_LOG",
    "TERM",
    "TIME_STYLE",
    "TZ",
];

/// Which wrappers are looked behind.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Reach {
    /// As a command without any rule is looked at.
    Nothing,
    /// As allow rules do.
    Allow,
    /// As deny and ask rules do.
    Deny,
}

/// A command behind some of its assignments and wrappers.
#[derive(Clone, Debug)]
pub(super) struct View<'s> {
    /// From here as it is written.
    pub(super) text: &'s str,
    /// Its words.
    pub(super) words: &'s [Word],
    /// The assignments before them.
    pub(super) assignments: &'s [Assignment],
}

impl<'s> View<'s> {
    /// The program's name.
    pub(super) fn name(&self) -> &'s str {
        self.words.first().map_or("", |word| word.text.as_str())
    }

    /// The words without quotes, one blank between.
    pub(super) fn joined(&self) -> String {
        let assigned = self.assignments.iter();
        let assigned = assigned.map(|one| format!("{}={}", one.name, one.value.text));
        let words = self.words.iter().map(|word| word.text.clone());
        let texts: Vec<String> = assigned.chain(words).collect();
        texts.join(" ")
    }
}

/// The command as it is written, then behind its assignments and each of its wrappers. `tight` is
/// the newer clients' way with the values of variables.
pub(super) fn views(simple: &Simple, reach: Reach, tight: bool) -> Vec<View<'_>> {
    let mut views = vec![View {
        text: &simple.text,
        words: &simple.words,
        assignments: &simple.assignments,
    }];
    let harmful = simple
        .assignments
        .iter()
        .find(|one| !is_harmless(one, tight));
    if harmful.is_some() && reach != Reach::Deny {
        return views;
    }
    let mut words = simple.words.as_slice();
    if !simple.assignments.is_empty() && !words.is_empty() {
        views.push(view(simple, words));
    }
    while let Some(count) = wrapped(words, reach) {
        words = &words[count..];
        if words.is_empty() {
            break;
        }
        views.push(view(simple, words));
    }
    views
}

/// `COLUMNS=x` and `LINES=x` were refused, and so was `LANG=1`: they are taken with a value that is
/// one of theirs.
fn is_harmless(assignment: &Assignment, tight: bool) -> bool {
    let value = assignment.value.text.as_str();
    let fits = match assignment.name.as_str() {
        "COLUMNS" | "LINES" => value.bytes().all(|c| c.is_ascii_digit()),
        "LANG" | "LC_ALL" if tight => {
            value == "C" || value == "POSIX" || value.contains(['_', '.'])
        }
        _ => true,
    };
    fits && assignment.value.unclear.is_none() && HARMLESS.contains(&assignment.name.as_str())
}

fn view<'s>(simple: &'s Simple, words: &'s [Word]) -> View<'s> {
    let start = words.first().map_or(simple.text.len(), |word| word.start);
    View {
        text: simple.text.get(start..).unwrap_or_default(),
        words,
        assignments: &[],
    }
}

/// How many words a wrapper takes with its options; `None` for what is none.
fn wrapped(words: &[Word], reach: Reach) -> Option<usize> {
    let name = words.first()?.text.as_str();
    let options = |valued: &[&str]| skip_options(words, valued);
    match name {
        "command" | "builtin" => {
            let count = options(&[]);
            // `command -v x` starts nothing.
            (reach == Reach::Deny || count == 1).then_some(count)
        }
        "noglob" => Some(1),
        _ if reach == Reach::Nothing => None,
        "timeout" => Some(options(&["-k", "-s", "--kill-after", "--signal"]) + 1),
        "time" | "nohup" => Some(options(&[])),
        "nice" => match words.get(1).map(|word| word.text.as_str()) {
            Some("-n") => Some(3),
            Some(option) if option.starts_with('-') => None,
            _ => Some(1),
        },
        "stdbuf" => Some(options(&["-i", "-o", "-e"])),
        "xargs" => match words.get(1) {
            Some(word) if word.is_option() => None,
            _ => Some(1),
        },
        _ if reach == Reach::Allow => None,
        "env" => {
            let mut count = options(&["-u", "--unset", "-C", "--chdir"]);
            while words.get(count).is_some_and(|word| word.text.contains('=')) {
                count += 1;
            }
            Some(count)
        }
        "sudo" | "doas" => Some(options(&["-u", "-g", "-p", "-C", "-h", "-U", "-r", "-t"])),
        "exec" => Some(options(&["-a"])),
        "ionice" => Some(options(&["-c", "-n", "-p"])),
        "setsid" | "strace" | "unshare" | "nsenter" => Some(options(&[])),
        "script" if words.get(1).is_some_and(|word| word.text == "-c") => Some(2),
        "flock" | "chrt" | "taskset" => Some(options(&[]) + 1),
        _ => None,
    }
    .map(|count| count.min(words.len()))
}

/// The wrapper and its options; those of `valued` take the next word unless it is attached.
fn skip_options(words: &[Word], valued: &[&str]) -> usize {
    let mut count = 1;
    while let Some(word) = words.get(count).filter(|word| word.is_option()) {
        count += 1;
        if word.text == "--" {
            break;
        }
        if valued.contains(&word.text.as_str()) {
            count += 1;
        }
    }
    count
}
