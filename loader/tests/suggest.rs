//! Suggestions of skills for prompts, on a set of invented ones.
#![expect(clippy::unwrap_used, reason = "the set is read as it is written")]

use std::fmt::Write as _;

use outcrop_loader::catalog::Catalog;
use outcrop_loader::host::MemoryHost;
use outcrop_loader::origin::Origin;
use outcrop_loader::path::AbsPath;
use outcrop_loader::session::Session;

const SKILLS: &str = include_str!("suggest/skills.txt");
const PROMPTS: &str = include_str!("suggest/prompts.txt");

fn path(text: &str) -> AbsPath {
    AbsPath::new(text).unwrap()
}

fn catalog(files: &[(String, String)]) -> Catalog {
    let mut host = MemoryHost::new();
    for (name, text) in files {
        host.file(
            &path(&format!("/p/.claude/skills/{name}/SKILL.md")),
            text.as_bytes(),
        );
    }
    let session = Session::start(&host, Origin::new(path("/p"), path("/home/kit")));
    session.catalog()
}

fn invented() -> Catalog {
    let skill = |line: &str| {
        let (name, text) = line.split_once(": ").unwrap();
        let text = format!("---\nname: {name}\ndescription: \"{text}\"\n---\n");
        (name.to_owned(), text)
    };
    catalog(&SKILLS.lines().map(skill).collect::<Vec<_>>())
}

#[derive(Default, Debug, PartialEq)]
struct Score {
    /// Prompts that are about a skill.
    about: usize,
    /// Those for which it is suggested, and suggested first.
    found: usize,
    first: usize,
    /// Prompts that are about none, and those of them for which something is suggested.
    unrelated: usize,
    wrong: usize,
    /// Suggestions for prompts about a skill, and those of them that are another one.
    suggested: usize,
    beside: usize,
}

fn measure(chosen: impl Fn(bool) -> bool) -> (Score, String) {
    let catalog = invented();
    let (mut score, mut told) = (Score::default(), String::new());
    for line in PROMPTS.lines().filter(|line| !line.starts_with('#')) {
        let is_new = line.starts_with('+');
        if !chosen(is_new) {
            continue;
        }
        let (expected, prompt) = line.trim_start_matches('+').split_once(" | ").unwrap();
        let found = catalog.suggestions(prompt);
        let names: Vec<&str> = found.iter().map(|one| one.entry.name.as_str()).collect();
        if expected == "-" {
            score.unrelated += 1;
            score.wrong += usize::from(!names.is_empty());
        } else {
            score.about += 1;
            score.found += usize::from(names.contains(&expected));
            score.first += usize::from(names.first() == Some(&expected));
            score.suggested += names.len();
            score.beside += names.iter().filter(|name| **name != expected).count();
        }
        if names != [expected] && !(expected == "-" && names.is_empty()) {
            let scores: Vec<String> = (found.iter())
                .map(|one| format!("{} {:.2}", one.entry.name, one.score))
                .collect();
            let _ = writeln!(told, "{expected} | {prompt} → {scores:?}");
        }
    }
    (score, told)
}

/// Precision comes first: nothing is suggested for a prompt that is about no skill.
#[test]
fn suggestions_for_invented_prompts() {
    // Those that the numbers were chosen by. Before one word of a name stopped being enough, 2 of 20
    // new unrelated ones had a suggestion; they are among these now.
    let (tuned, told) = measure(|is_new| !is_new);
    let want = Score {
        about: 56,
        found: 52,
        first: 52,
        unrelated: 50,
        wrong: 0,
        suggested: 52,
        beside: 0,
    };
    assert_eq!(tuned, want, "{told}");
    let (new, told) = measure(|is_new| is_new);
    let want = Score {
        about: 5,
        found: 4,
        first: 4,
        unrelated: 15,
        wrong: 0,
        suggested: 4,
        beside: 0,
    };
    assert_eq!(new, want, "{told}");
}

fn skill(name: &str, keys: &str) -> (String, String) {
    (name.to_owned(), format!("---\n{keys}\n---\n"))
}

fn names(catalog: &Catalog, prompt: &str) -> Vec<String> {
    let found = catalog.suggestions(prompt);
    found.iter().map(|one| one.entry.name.clone()).collect()
}

#[test]
fn what_is_hidden_or_asked_for_by_name_is_not_suggested() {
    let text = "description: Scale sourdough recipes to another batch";
    let of = |keys: &str| catalog(&[skill("sourdough", &format!("{text}\n{keys}"))]);
    let prompt = "scale the sourdough to a batch of 60";
    assert_eq!(names(&of("x: 1"), prompt), ["sourdough"]);
    assert_eq!(names(&of("x: 1"), "/sourdough scale to 60"), [""; 0]);
    assert_eq!(names(&of("x: 1"), "  "), [""; 0]);
    for hidden in ["disable-model-invocation: true", "paths: \"recipes/**\""] {
        assert_eq!(names(&of(hidden), prompt), [""; 0], "{hidden}");
    }
}

#[test]
fn at_most_three_and_always_in_the_same_order() {
    let made: Vec<_> = ["d", "b", "a", "c"]
        .map(|name| skill(&format!("rye-{name}x"), "description: Scale rye sourdough"))
        .into();
    let found = catalog(&made);
    let prompt = "scale the rye sourdough";
    assert_eq!(names(&found, prompt), ["rye-ax", "rye-bx", "rye-cx"]);
    let scores: Vec<f64> = (found.suggestions(prompt).iter())
        .map(|one| one.score)
        .collect();
    assert!(scores.iter().all(|score| *score == scores[0]), "{scores:?}");
    // A paste is not read to its end, and cut between signs.
    let paste = format!("{prompt} {}", "酵".repeat(1 << 20));
    assert_eq!(names(&found, &paste), names(&found, prompt));
}
