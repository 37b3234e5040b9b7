//! Which words of a command are paths, for the commands whose paths the client checks (cases
//! perm-bash-paths-outside, perm-bash-deny-paths).

use super::shell::Word;

/// What a command does with its paths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Access {
    /// It reads them.
    Reads,
    /// It creates, changes or removes them.
    Writes,
    /// It reads one and writes another: both count as written, and Read denies bind it in newer
    /// clients.
    Copies,
    /// It goes there.
    Enters,
}

/// Readers that every client checks.
const READERS: [&str; 27] = [
    "awk",
    "base64",
    "cat",
    "column",
    "cut",
    "diff",
    "file",
    "find",
    "grep",
    "head",
    "hexdump",
    "jq",
    "ls",
    "md5sum",
    "nl",
    "od",
    "paste",
    "rg",
    "sha1sum",
    "sha256sum",
    "sort",
    "stat",
    "strings",
    "tail",
    "uniq",
    "wc",
    "sed",
];

/// Readers that newer clients check as well.
const WIDE_READERS: [&str; 13] = [
    "cmp", "comm", "egrep", "expand", "fgrep", "fmt", "fold", "numfmt", "pr", "rev", "tac",
    "tsort", "unexpand",
];

/// What a command does with its paths; `None` for one whose paths are not looked at. `wide` is
/// the newer clients' way.
pub(super) fn access(words: &[Word], wide: bool) -> Option<Access> {
    let name = words.first()?.text.as_str();
    match name {
        "cd" => Some(Access::Enters),
        "touch" | "mkdir" | "rm" | "rmdir" => Some(Access::Writes),
        "mv" | "cp" => Some(Access::Copies),
        "sed" if !prints_lines(words) => Some(Access::Copies),
        "tee" if wide => Some(Access::Writes),
        "git" => {
            let sub = words.get(1).map(|word| word.text.as_str());
            let outside_git = words.iter().any(|word| word.text == "--no-index");
            match sub {
                Some("diff") if wide || outside_git => Some(Access::Reads),
                Some("grep") if wide => Some(Access::Reads),
                _ => None,
            }
        }
        _ if READERS.contains(&name) => Some(Access::Reads),
        _ if wide && WIDE_READERS.contains(&name) => Some(Access::Reads),
        _ => None,
    }
}

/// Whether a `sed` only prints lines by their numbers: it reads, and needs no rule.
pub(super) fn prints_lines(words: &[Word]) -> bool {
    let mut silent = false;
    let mut script = None;
    for word in &words[1..] {
        match word.text.as_str() {
            "-n" | "--quiet" | "--silent" | "-nE" | "-nr" | "-En" | "-rn" => silent = true,
            "-E" | "-r" | "-z" | "--posix" => {}
            _ if word.is_option() => return false,
            text => {
                script = Some(text);
                break;
            }
        }
    }
    let is_line = |text: &str| !text.is_empty() && text.bytes().all(|c| c.is_ascii_digit());
    let prints = |one: &str| {
        let address = one.strip_suffix('p');
        address.is_some_and(|address| address.splitn(2, ',').all(is_line))
    };
    silent && script.is_some_and(|script| script.split(';').all(prints))
}

/// Options of searches and slices that take the next word.
fn takes_value(name: &str, option: &str) -> bool {
    let valued: &[&str] = match name {
        "grep" | "egrep" | "fgrep" | "rg" => &[
            "-A", "-B", "-C", "-m", "-g", "-t", "-T", "-r", "--glob", "--type",
        ],
        "head" | "tail" => &["-n", "-c"],
        "cut" => &["-d", "-f", "-c", "-b"],
        "sort" => &["-k", "-t", "-S", "-T"],
        "awk" => &["-F", "-v"],
        "mkdir" => &["-m"],
        "touch" => &["-d", "-t"],
        _ => &[],
    };
    valued.contains(&option) && !(name == "grep" && option == "-r")
}

/// The words that name paths.
pub(super) fn operands(words: &[Word]) -> Vec<&Word> {
    let name = words.first().map_or("", |word| word.text.as_str());
    let mut skip = match name {
        // The first is a pattern or a program.
        "grep" | "egrep" | "fgrep" | "rg" | "jq" | "awk" | "sed" | "git" => 1,
        _ => 0,
    };
    let mut found = Vec::new();
    let mut rest = words.iter().skip(1);
    let mut literal = false;
    while let Some(word) = rest.next() {
        let text = word.text.as_str();
        if !literal && text == "--" {
            literal = true;
            continue;
        }
        if !literal && name == "find" && (text.starts_with('-') || text == "(" || text == "!") {
            if found.is_empty() && matches!(text, "-L" | "-H" | "-P") {
                continue;
            }
            break;
        }
        if !literal && word.is_option() {
            match (name, text) {
                ("grep" | "egrep" | "fgrep" | "rg", "-f" | "--file") => {
                    skip = 0;
                    found.extend(rest.next());
                }
                ("sed", "-f" | "--file") => {
                    skip = 0;
                    found.extend(rest.next());
                }
                ("grep" | "egrep" | "fgrep" | "rg" | "sed", "-e" | "--regexp" | "--expression") => {
                    skip = 0;
                    rest.next();
                }
                _ if takes_value(name, text) => {
                    rest.next();
                }
                _ => {}
            }
            continue;
        }
        if skip > 0 {
            skip -= 1;
            continue;
        }
        found.push(word);
    }
    found
}
