//! Commands that run without any rule, since they change nothing (fact C6.1; cases
//! perm-bash-read-only, perm-bash-options, perm-bash-git, perm-bash-git-options). Every name and
//! option here was tried on 2.1.332; on 2.1.197 every name, each second option, and each third of
//! git. One that was not tried is taken to need permission, and the answer says so.

use super::operands::prints_lines;
use super::shell::Word;

/// What is known of a command without a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ReadOnly {
    /// It runs.
    Yes,
    /// It needs permission.
    No,
    /// The program is one that runs, with options or words that were not tried.
    Untried,
}

/// Commands that run whatever their words are.
const FREE: [&str; 48] = [
    "[[", "basename", "cal", "cat", "cmp", "column", "comm", "cut", "df", "diff", "dirname", "du",
    "echo", "expand", "expr", "false", "fmt", "fold", "free", "groups", "head", "hexdump", "id",
    "locale", "ls", "nl", "nproc", "numfmt", "od", "paste", "pr", "readlink", "realpath", "rev",
    "seq", "sleep", "stat", "strings", "tac", "tail", "tr", "true", "tsort", "type", "uname",
    "unexpand", "uptime", "wc",
];

/// What the words that are no options may be.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Others {
    Any,
    None,
    /// Only one that begins with `+`.
    Format,
}

/// The options of a command that were seen to run, with a blank between: letters may be joined,
/// and `--name` may have a value behind `=`.
const OPTIONS: [(&str, Others, &str); 27] = [
    ("arch", Others::None, ""),
    (
        "base64",
        Others::Any,
        "-d -i --decode --ignore-garbage --help --version",
    ),
    (
        "date",
        Others::Format,
        "-I -R -u --debug --rfc-email --utc --universal --help --version",
    ),
    (
        "fd",
        Others::Any,
        "-0 -E -H -I -L -a -e -g -i -p -s -t --extension --hidden --type",
    ),
    (
        "file",
        Others::Any,
        "-0 -F -L -b -c -h -i -k -l -n -p -r -s -v --apple --brief --dereference --exclude \
         --exclude-quiet --help --keep-going --list --mime --mime-encoding --mime-type --no-buffer \
         --no-dereference --preserve-date --print0 --raw --separator --special-files --version",
    ),
    ("grep", Others::Any, GREP),
    ("egrep", Others::Any, GREP),
    ("fgrep", Others::Any, GREP),
    ("help", Others::Any, ""),
    ("history", Others::None, ""),
    (
        "hostname",
        Others::None,
        "-A -I -d -f -i -s --fqdn --ip-address",
    ),
    ("ifconfig", Others::Any, ""),
    (
        "jq",
        Others::Any,
        "-C -M -R -S -c -e -n -r -s --arg --argjson --args --jsonargs --tab",
    ),
    ("lsof", Others::Any, "-F -P -a -i -n -t"),
    (
        "man",
        Others::Any,
        "-S -a -d -f -k -s -w --all --apropos --whatis",
    ),
    ("netstat", Others::Any, "-a -g -i -l -n -r -s -v"),
    ("pgrep", Others::Any, "-P -a -c -d -f -l -n -o -u -x"),
    ("printf", Others::Any, ""),
    (
        "ps",
        Others::Any,
        "-A -F -H -L -N -T -V -a -c -d -e -f -j -l -m -w -y --deselect --headers --help \
         --no-headers --version",
    ),
    ("pwd", Others::None, ""),
    (
        "rg",
        Others::Any,
        "-A -B -C -F -H -L -S -T -c -e -f -g -i -l -m -n -o -q -t -u -v -w --column --count \
         --files-with-matches --glob --heading --hidden --json --no-heading --no-ignore --stats \
         --type --type-list --version",
    ),
    ("sha1sum", Others::Any, SUMS),
    ("sha256sum", Others::Any, SUMS),
    ("md5sum", Others::Any, SUMS),
    (
        "sort",
        Others::Any,
        "-C -M -R -S -V -b -c -d -f -g -h -i -k -m -n -r -s -t -u -z --buffer-size --check \
         --dictionary-order --field-separator --general-numeric-sort --help \
         --human-numeric-sort --ignore-case --ignore-leading-blanks --ignore-nonprinting --key \
         --merge --month-sort --numeric-sort --random-sort --reverse --sort --stable --unique \
         --version --version-sort --zero-terminated",
    ),
    ("ss", Others::None, "-a -l -n -p -t -u"),
    ("whoami", Others::None, ""),
];

const GREP: &str = "-A -B -C -D -E -F -G -H -I -L -P -R -T -V -Z -a -b -c -d -e -f -h -i -l -m -n -o \
    -q -r -s -v -w -x -z --basic-regexp --binary-files --byte-offset --color --colour --context \
    --after-context --before-context --count --dereference-recursive --devices --directories \
    --exclude --exclude-dir --exclude-from --extended-regexp --file --files-with-matches \
    --files-without-match --fixed-strings --help --ignore-case --include --initial-tab \
    --invert-match --label --line-buffered --line-number --line-regexp --max-count \
    --no-filename --no-ignore-case --no-messages --null-data --only-matching --perl-regexp \
    --quiet --recursive --regexp --silent --text --version --with-filename --word-regexp";

const SUMS: &str = "-b -c -t -w -z --binary --check --help --ignore-missing --quiet --status --strict \
    --tag --text --version --warn --zero";

/// The same for git, by its first words.
const GIT: [(&str, Others, &str); 20] = [
    (
        "blame",
        Others::Any,
        "-M -e -f -l -p -s -t -w --color --date --no-color --porcelain",
    ),
    (
        "branch",
        Others::None,
        "-a -i -l -r -v -vv --all --color --list --merged --no-color --show-current --sort",
    ),
    ("cat-file", Others::Any, "-e -p -s -t"),
    ("config --get", Others::Any, "-z --name-only"),
    (
        "describe",
        Others::Any,
        "--always --contains --dirty --tags",
    ),
    (
        "diff",
        Others::Any,
        "-D -M -R -l -p -s -u --cached --color --diff-filter --name-only --name-status --no-color \
         --no-index --staged --stat --word-diff",
    ),
    ("for-each-ref", Others::Any, "--format --sort"),
    (
        "grep",
        Others::Any,
        "-G -h -i -l -n -o -q -v -vv -w --cached --color --count --no-color --no-index",
    ),
    (
        "log",
        Others::Any,
        "-n -p -s --all --author --color --date --decorate --diff-filter --first-parent --format \
         --graph --grep --name-only --name-status --no-color --no-merges --oneline --pretty \
         --reverse --since --stat --tags --until",
    ),
    (
        "ls-files",
        Others::Any,
        "-d -f -i -m -o -s -t -u -v -vv -z --cached --others",
    ),
    ("ls-remote", Others::None, "-b -h -q -t --sort --tags"),
    ("merge-base", Others::Any, "--all"),
    (
        "reflog",
        Others::None,
        "--all --author --date --decorate --graph --grep --oneline --since --tags --until",
    ),
    ("remote", Others::None, "-v"),
    (
        "rev-list",
        Others::Any,
        "--all --author --count --first-parent --format --graph --grep --no-merges --oneline \
         --pretty --reverse --since --tags --until",
    ),
    (
        "rev-parse",
        Others::Any,
        "--abbrev-ref --git-dir --show-toplevel --verify",
    ),
    (
        "shortlog",
        Others::Any,
        "-e -n -s --all --author --format --no-merges --since --tags --until",
    ),
    (
        "show",
        Others::Any,
        "-m -p -s --color --date --decorate --diff-filter --first-parent --format --graph \
         --name-only --name-status --no-color --oneline --pretty --stat --word-diff",
    ),
    ("status", Others::Any, "-b -s -v -vv --porcelain --short"),
    ("tag", Others::None, "-i -l --format --list --sort"),
];

/// `git stash list`, `git stash show` and `git worktree list`.
const GIT_PAIRS: [(&str, &str, &str); 3] = [
    (
        "stash",
        "list",
        "--all --date --decorate --graph --oneline --tags",
    ),
    ("stash", "show", ""),
    ("worktree", "list", "-v -vv --porcelain"),
];

/// Whether the words of a command, wrappers taken off, run without a rule. `tight` is the newer
/// clients' list.
pub(super) fn read_only(words: &[Word], tight: bool) -> ReadOnly {
    let Some(name) = words.first().map(|word| word.text.as_str()) else {
        return ReadOnly::Yes;
    };
    let rest: Vec<&str> = words[1..].iter().map(|word| word.text.as_str()).collect();
    let when = |yes: bool| if yes { ReadOnly::Yes } else { ReadOnly::No };
    if FREE.contains(&name) {
        return ReadOnly::Yes;
    }
    match name {
        "cd" => when(
            !rest
                .iter()
                .any(|word| word.starts_with('-') && *word != "-"),
        ),
        "find" => when(!rest.iter().any(|word| {
            let found = word.strip_prefix('-').unwrap_or_default();
            let runs = [
                "exec",
                "execdir",
                "ok",
                "okdir",
                "delete",
                "fls",
                "files0-from",
            ];
            runs.contains(&found) || found.starts_with("fprint")
        })),
        "sed" => when(prints_lines(words)),
        "uniq" => when(rest.iter().all(|word| word.starts_with('-'))),
        "git" => git(&rest),
        "test" | "[" => {
            let tried = "-e -d -f -r -w -x -s -z -n -L -h -b -c -p -S -O -G -k -u -g -eq -ne -lt -le \
                         -gt -ge";
            let known = |word: &&str| !is_option(word) || tried.split(' ').any(|one| one == *word);
            if rest.contains(&"-v") || rest.contains(&"-t") {
                ReadOnly::No
            } else if rest.iter().all(known) {
                ReadOnly::Yes
            } else {
                ReadOnly::Untried
            }
        }
        "tput" => when(
            !rest
                .iter()
                .any(|word| matches!(*word, "init" | "reset" | "clear") || word.starts_with('-')),
        ),
        "tree" | "which" => match rest.iter().find(|word| is_option(word)) {
            Some(option) if name == "which" && matches!(*option, "-a" | "-s" | "--all") => {
                ReadOnly::Yes
            }
            Some(_) if name == "which" && !tight => ReadOnly::Yes,
            Some(_) => ReadOnly::Untried,
            None => ReadOnly::Yes,
        },
        "node" => when(matches!(rest.as_slice(), ["-v" | "--version"])),
        "python" | "python3" => when(matches!(rest.as_slice(), ["--version"])),
        "docker" => match rest.first() {
            Some(&("ps" | "images" | "logs")) => ReadOnly::Yes,
            _ => ReadOnly::No,
        },
        // `e` shows the environment of processes.
        "ps" if tight
            && rest
                .iter()
                .any(|word| !is_option(word) && word.contains('e')) =>
        {
            ReadOnly::No
        }
        "xargs" => xargs(&rest, words, tight),
        "jq" if rest.iter().any(|word| word.contains("env")) => ReadOnly::No,
        "jq" if rest
            .iter()
            .any(|word| matches!(*word, "--slurpfile" | "--rawfile")) =>
        {
            ReadOnly::No
        }
        "file" if !tight && rest.iter().any(|word| LOOSE_FILE.contains(word)) => ReadOnly::Yes,
        "grep" | "egrep" | "fgrep" | "rg" if !counts(&rest) => ReadOnly::No,
        _ => match OPTIONS.iter().find(|(known, ..)| *known == name) {
            Some((_, others, options)) => checked(&rest, *others, options, false),
            None => ReadOnly::No,
        },
    }
}

/// Options of `file` that older clients take.
const LOOSE_FILE: [&str; 4] = ["-m", "-f", "--magic-file", "--files-from"];

/// Whether each option of a search that takes a number has one.
fn counts(rest: &[&str]) -> bool {
    rest.iter().enumerate().all(|(at, word)| {
        let takes = ["-m", "-A", "-B", "-C", "--max-count", "--context"].contains(word);
        let number = rest
            .get(at + 1)
            .is_some_and(|next| !next.is_empty() && next.bytes().all(|c| c.is_ascii_digit()));
        !takes || number
    })
}

fn is_option(word: &str) -> bool {
    word.len() > 1 && word.starts_with('-')
}

fn git(rest: &[&str]) -> ReadOnly {
    for (first, second, options) in GIT_PAIRS {
        if rest.len() >= 2 && rest[0] == first && rest[1] == second {
            return checked(&rest[2..], Others::Any, options, true);
        }
    }
    for (words, others, options) in GIT {
        let count = words.split(' ').count();
        if rest.len() >= count && words.split(' ').eq(rest[..count].iter().copied()) {
            return checked(&rest[count..], others, options, true);
        }
    }
    ReadOnly::No
}

fn xargs(rest: &[&str], words: &[Word], tight: bool) -> ReadOnly {
    let options = rest.iter().take_while(|word| is_option(word)).count();
    let tried = |word: &&str| matches!(*word, "-0" | "-r" | "-t" | "-x");
    if !rest[..options].iter().all(tried) {
        return ReadOnly::No;
    }
    match rest.get(options) {
        None | Some(&("echo" | "grep")) => ReadOnly::Yes,
        Some(&("cat" | "rm")) => ReadOnly::No,
        Some(_) => match read_only(&words[options + 1..], tight) {
            ReadOnly::No => ReadOnly::No,
            ReadOnly::Yes | ReadOnly::Untried => ReadOnly::Untried,
        },
    }
}

/// Whether all options are among those that were tried. Those of git take no value without a
/// blank or `=`: `git log -n5` needs permission.
fn checked(rest: &[&str], others: Others, options: &str, of_git: bool) -> ReadOnly {
    let known = |option: &str| options.split_ascii_whitespace().any(|one| one == option);
    let mut untried = false;
    for word in rest {
        if *word == "--" {
            break;
        }
        if let Some(long) = word.strip_prefix("--") {
            let name = long.split('=').next().unwrap_or_default();
            untried |= !known(&format!("--{name}"));
        } else if let Some(letters) = word.strip_prefix('-').filter(|rest| !rest.is_empty()) {
            if letters.bytes().all(|c| c.is_ascii_digit()) {
                continue;
            }
            // A value may follow the first letter that takes one.
            let first = letters.chars().next().unwrap_or_default();
            let joined = letters.chars().all(|c| known(&format!("-{c}")))
                && (!of_git || letters.len() == 1 || known(word) || letters != "vv");
            let attached = !of_git && known(&format!("-{first}")) && has_value(first, letters);
            untried |= !joined && !attached;
        } else {
            match others {
                Others::Any => {}
                Others::Format if word.starts_with('+') => {}
                Others::None | Others::Format => return ReadOnly::No,
            }
        }
    }
    if untried {
        ReadOnly::Untried
    } else {
        ReadOnly::Yes
    }
}

/// Whether what follows a letter may be its value, as in `-A3`, `-k2,2`, `-t:`.
fn has_value(letter: char, letters: &str) -> bool {
    let value = &letters[letter.len_utf8()..];
    "ABCmefkgtTSnd".contains(letter) && !value.is_empty()
}
