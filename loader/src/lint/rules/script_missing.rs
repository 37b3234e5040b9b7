//! L403: a script or target that no file of the project has.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use super::prelude::*;
use crate::lint::commands::{Command, commands};
use crate::path::AbsPath;
use crate::record::Scope;

pub(in crate::lint) static RULE: Rule = Rule {
    id: "L403",
    name: "script-missing",
    severity: Severity::Warning,
    summary: "A command runs a script or target that the project does not have.",
    page: Page {
        what: "Looks in code spans and shell code for scripts of `npm`, `pnpm`, `yarn` and `bun` that no \
               `package.json` of the project has, and for targets of `make` and recipes of `just` that \
               no such file has. It says nothing where a file includes others or makes targets by \
               patterns, where a command may also run a program, and in sentences that forbid one.",
        why: "The model runs the command, which fails, and then guesses at another; or it skips the \
              check that the command was for.",
        instead: "Name the script as it is called now.",
        drawbacks: "A script that only another branch has is found.",
        evidence: "Peers' checks of scripts; issue 7.",
        since: "0.1.0",
    },
    bad: &[
        Example {
            title: "a script that was renamed",
            files: &[
                ("CLAUDE.md", "Run `npm run tests` before each commit.\n"),
                ("package.json", "{\"scripts\": {\"test\": \"vitest\"}}\n"),
            ],
            fixed: &[],
        },
        Example {
            title: "a target that is not there",
            files: &[
                ("CLAUDE.md", "```sh\nmake lint  # first\n```\n"),
                ("Makefile", "all: build\n\nbuild:\n\techo ok\n"),
            ],
            fixed: &[],
        },
    ],
    good: &[
        Example {
            title: "scripts of other packages, programs, placeholders, and what is forbidden",
            files: &[
                (
                    "CLAUDE.md",
                    "Run `npm test`, `npm run test:unit -- --watch`, `npm run web`, `yarn eslint`,\n\
                     `npm run <script>`, `npm run test:*`, `npm run x --workspace=a`, `npm ci`,\n\
                     `pnpm install`, `bun run src/index.ts`, `bun test`, `npm run`.\n\n\
                     Never run `npm run deploy`.\n\n```js\nnpm run gone\n```\n",
                ),
                (
                    "package.json",
                    "{\"scripts\": {\"test\": \"vitest\", \"test:unit\": \"vitest unit\"}}\n",
                ),
                ("web/package.json", "{\"scripts\": {\"web\": \"vite\"}}\n"),
            ],
            fixed: &[],
        },
        Example {
            title: "targets that are there, files, patterns and flags",
            files: &[
                (
                    "CLAUDE.md",
                    "Run `make all check V=1`, `make -j4 build`, `make -C web x`, `make docs`, `make`.\n\
                     Then make sure that `just test` and `just ci 1` pass.\n",
                ),
                (
                    "Makefile",
                    "V := 0\n.PHONY: all check\nall check: build\nbuild: ; echo\n",
                ),
                ("docs/a.md", "A.\n"),
                (
                    "justfile",
                    "set shell := [\"sh\"]\nalias t := test\n\n@test arg='':\n  cargo test\nci n: test\n",
                ),
            ],
            fixed: &[],
        },
        Example {
            title: "a file that makes its targets",
            files: &[
                ("CLAUDE.md", "Run `make lint`.\n"),
                ("Makefile", "include common.mk\nall:\n\techo\n"),
            ],
            fixed: &[],
        },
    ],
    check,
};

/// So many files of one kind are read at most; in larger projects nothing is said.
const FILES: usize = 64;

/// What a kind of file offers, over the whole project.
struct Offer {
    names: BTreeSet<String>,
    /// Whether a name that is not among them may be right all the same.
    is_open: bool,
}

/// What is needed of a kind of file.
struct Kind {
    files: &'static [&'static str],
    /// What a name is called.
    word: &'static str,
    read: fn(&str) -> Option<Vec<String>>,
}

const PACKAGE: Kind = Kind {
    files: &["package.json"],
    word: "script",
    read: scripts,
};
const MAKE: Kind = Kind {
    files: &["GNUmakefile", "makefile", "Makefile"],
    word: "target",
    read: targets,
};
const JUST: Kind = Kind {
    files: &["justfile", "Justfile", ".justfile"],
    word: "recipe",
    read: recipes,
};

fn check(subject: &Subject<'_, '_>, report: &mut Report<'_, '_>) {
    let mut offers: FxHashMap<&'static str, Option<Offer>> = FxHashMap::default();
    for file in &subject.files {
        let is_of_project = matches!(file.scope, Scope::Project | Scope::Local);
        if !is_of_project || !file.path.is_within(subject.session.cwd()) {
            continue;
        }
        let source = &file.document.source;
        let prose = subject.prose(file);
        for command in commands(source, &prose) {
            let Some((kind, asked)) = asked(&command) else {
                continue;
            };
            let Some(folder) = nearest(subject, &file.path, kind) else {
                continue;
            };
            let offer = offers
                .entry(kind.word)
                .or_insert_with(|| offer(subject, kind));
            let Some(offer) = offer.as_ref().filter(|offer| !offer.is_open) else {
                continue;
            };
            let is_there = |name: &str| {
                let path = folder.join(name);
                let is_path =
                    kind.word == "target" && subject.session.world().host.metadata(&path).is_ok();
                offer.names.contains(name) || is_path
            };
            let Some(gone) = asked.iter().find(|name| !is_there(name)) else {
                continue;
            };
            let block = command.block.and_then(|block| prose.blocks.get(block));
            if block.is_some_and(|block| forbids(&source[block.range.clone()])) {
                continue;
            }
            let of = kind.files.last().copied().unwrap_or_default();
            let mut draft = report
                .at(
                    Place::Bytes(file.path.clone(), command.range.clone()),
                    format!("no `{of}` of the project has the {} `{gone}`", kind.word),
                )
                .chain(subject.chain(&file.path));
            if let Some(like) = alike(gone, &offer.names) {
                draft = draft.help(format!("there is `{like}`"));
            }
            draft.report();
        }
    }
}

/// Which names a command asks for, if that is sure.
fn asked<'t>(command: &Command<'t>) -> Option<(&'static Kind, Vec<&'t str>)> {
    let (program, rest) = command.words.split_first()?;
    let first = rest.first().copied();
    match *program {
        "npm" | "pnpm" | "yarn" | "bun" => {
            let mut rest = rest.iter().copied().take_while(|word| *word != "--");
            // Another package may be meant, or the command reads on in a way that is not known.
            if rest
                .clone()
                .any(|word| word.starts_with('-') || word.starts_with("..."))
                || command.is_elsewhere
            {
                return None;
            }
            let verb = rest.next()?;
            let name = match (*program, verb) {
                (_, "run" | "run-script") => rest.next()?,
                ("npm" | "pnpm", "test" | "t") => "test",
                ("yarn", "test") => "test",
                // Else a program or a verb of its own may be meant.
                ("pnpm" | "yarn", verb) if verb.contains(':') => verb,
                _ => return None,
            };
            // These two run programs under `run`, too.
            let is_sure =
                matches!(*program, "npm" | "pnpm") || name.contains(':') || name == "test";
            (is_sure && is_name(name)).then(|| (&PACKAGE, vec![name]))
        }
        "make" | "gmake" => {
            let mut names = Vec::new();
            for word in rest {
                if let Some(flag) = word.strip_prefix('-') {
                    let is_count = flag.starts_with('j') || matches!(flag, "s" | "k" | "B" | "n");
                    if !is_count {
                        return None;
                    }
                } else if !word.contains('=') && word.parse::<u32>().is_err() {
                    if !is_name(word) {
                        return None;
                    }
                    names.push(*word);
                }
            }
            let is_prose = matches!(first, None | Some("sure" | "a" | "it" | "the"));
            (!is_prose && !command.is_elsewhere).then_some((&MAKE, names))
        }
        "just" => {
            let name = first.filter(|name| is_name(name))?;
            // In a code block a line may be a sentence.
            let is_command = command.block.is_some() && !command.is_elsewhere;
            is_command.then(|| (&JUST, vec![name]))
        }
        _ => None,
    }
}

/// Whether a word is a name, and none that stands for others.
fn is_name(word: &str) -> bool {
    let is_plain = word
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || b":_-.".contains(&byte));
    let stands = matches!(
        word,
        "x" | "X"
            | "xxx"
            | "foo"
            | "name"
            | "script"
            | "script-name"
            | "target"
            | "target-name"
            | "command"
            | "recipe"
            | "something"
            | "task"
    );
    let is_file = word.rsplit_once('.').is_some_and(|(_, extension)| {
        matches!(
            extension,
            "js" | "ts" | "mjs" | "cjs" | "tsx" | "jsx" | "sh" | "py"
        )
    });
    let is_capital = word
        .bytes()
        .all(|byte| byte.is_ascii_uppercase() || byte == b'_');
    is_plain
        && !stands
        && !is_file
        && !is_capital
        && !word.ends_with([':', '.'])
        && !word.contains("..")
        && word.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_')
}

/// The folder of the nearest such file, from a document up to the root.
fn nearest(subject: &Subject<'_, '_>, document: &AbsPath, kind: &Kind) -> Option<AbsPath> {
    let folder = document.parent()?;
    let mut above = folder
        .ancestors()
        .take_while(|folder| folder.is_within(subject.root()));
    above.find(|folder| {
        kind.files
            .iter()
            .any(|name| subject.is_file(&folder.child(name)))
    })
}

/// What all such files of the project offer; nothing where they are too many or cannot be read.
fn offer(subject: &Subject<'_, '_>, kind: &Kind) -> Option<Offer> {
    let cwd = subject.session.cwd();
    let tree = subject.tree();
    if tree.truncated {
        return None;
    }
    let is_it = |path: &&String| {
        kind.files
            .contains(&path.rsplit('/').next().unwrap_or(path))
    };
    let mut paths: Vec<AbsPath> = tree
        .files
        .iter()
        .filter(is_it)
        .map(|path| cwd.join(path))
        .collect();
    let above = cwd.ancestors().skip(1);
    for folder in above.take_while(|folder| folder.is_within(subject.root())) {
        paths.extend(kind.files.iter().map(|name| folder.child(name)));
    }
    if paths.len() > FILES {
        return None;
    }
    let mut offer = Offer {
        names: BTreeSet::new(),
        is_open: false,
    };
    for path in paths {
        let Some(text) = subject.text(&path) else {
            continue;
        };
        match (kind.read)(&text) {
            Some(names) => offer.names.extend(names),
            None => offer.is_open = true,
        }
    }
    (!offer.names.is_empty()).then_some(offer)
}

/// The scripts of a `package.json`; nothing where it cannot be read.
fn scripts(text: &str) -> Option<Vec<String>> {
    let json: serde_json::Value = serde_json::from_str(text.trim_start_matches('\u{feff}')).ok()?;
    let scripts = json.get("scripts").and_then(|scripts| scripts.as_object());
    Some(
        scripts
            .map(|scripts| scripts.keys().cloned().collect())
            .unwrap_or_default(),
    )
}

/// The targets of a makefile; nothing where it may have others.
fn targets(text: &str) -> Option<Vec<String>> {
    let mut names = Vec::new();
    for line in text.lines() {
        if line.starts_with(['\t', '#']) || line.trim().is_empty() {
            continue;
        }
        let bare = line.trim_start().trim_start_matches(['-', 's']);
        if bare.starts_with("include ") || bare.starts_with("include\t") || line.contains("$(eval")
        {
            return None;
        }
        let Some((left, right)) = line.split_once(':') else {
            continue;
        };
        if right.starts_with(['=', ':']) || left.contains('=') {
            // `::` makes a target, too.
            if !right.starts_with(':') || right.starts_with(":=") || left.contains('=') {
                continue;
            }
        }
        if left.contains(['%', '$']) || left.trim() == ".DEFAULT" {
            return None;
        }
        let of_line = left.split_whitespace().map(str::to_owned);
        names.extend(of_line);
        if left.trim() == ".PHONY" {
            if right.contains('$') {
                return None;
            }
            names.extend(right.split_whitespace().map(str::to_owned));
        }
    }
    Some(names)
}

/// The recipes of a justfile; nothing where it may have others.
fn recipes(text: &str) -> Option<Vec<String>> {
    let mut names = Vec::new();
    for line in text.lines() {
        if line.starts_with([' ', '\t', '#', '[']) || line.trim().is_empty() {
            continue;
        }
        if line.starts_with("import")
            || line.starts_with("mod ")
            || line.starts_with("mod?")
            || line.starts_with("!include")
        {
            return None;
        }
        let is_alias = line.strip_prefix("alias ");
        let line = is_alias.unwrap_or(line).trim_start_matches('@');
        let name: String = line
            .chars()
            .take_while(|c| c.is_alphanumeric() || matches!(c, '_' | '-'))
            .collect();
        let is_recipe = line.contains(':')
            && (is_alias.is_some() || !line[name.len()..].trim_start().starts_with(":="));
        if is_recipe && !name.is_empty() {
            names.push(name);
        }
    }
    Some(names)
}

/// Whether a stretch of prose forbids something, or speaks of what is not there.
fn forbids(prose: &str) -> bool {
    let prose = prose.to_lowercase().replace('\u{2019}', "'");
    let words = [
        "never",
        "not ",
        "n't",
        "no longer",
        "instead of",
        "removed",
        "there is no",
        "avoid",
        "e.g.",
        "for example",
        "such as",
        "create",
        "add a",
        "will ",
    ];
    words.iter().any(|word| prose.contains(word))
}

/// The name that is most like one that is missing.
fn alike<'n>(gone: &str, names: &'n BTreeSet<String>) -> Option<&'n str> {
    let close = |name: &&String| {
        let (name, gone) = (name.to_lowercase(), gone.to_lowercase());
        let squeezed = |text: &str| text.replace([':', '-', '_'], "");
        let (a, b) = (squeezed(&name), squeezed(&gone));
        a == b || (a.len() > 2 && b.len() > 2 && (a.starts_with(&b) || b.starts_with(&a)))
    };
    names.iter().find(close).map(String::as_str)
}
