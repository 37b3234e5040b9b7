//! One document read as text, and patterns matched.

use std::sync::Arc;

use divan::Bencher;
use divan::counter::{BytesCount, ItemsCount};
use outcrop_loader::client::Client;
use outcrop_loader::document::Document;
use outcrop_loader::glob::{ExcludePattern, RulePatterns};

use crate::tree;

const LINES: usize = 250;

/// Reads `text` whole, as the newest client does.
fn read(bencher: Bencher<'_, '_>, text: String) {
    let text: Arc<str> = text.into();
    let behaviour = Client::newest().behaviour;
    bencher
        .counter(BytesCount::of_str(&text))
        .bench(|| Document::from_text(Arc::clone(&text), &behaviour));
}

/// `prose` with `line` behind every tenth line.
fn with(line: &str) -> String {
    let mut text = String::new();
    for (number, sentence) in tree::prose(LINES).lines().enumerate() {
        text.push_str(sentence);
        text.push('\n');
        if number % 10 == 9 {
            text.push_str(line);
        }
    }
    text
}

#[divan::bench]
fn prose(bencher: Bencher<'_, '_>) {
    read(bencher, tree::prose(LINES));
}

#[divan::bench]
fn prose_with_imports(bencher: Bencher<'_, '_>) {
    read(bencher, with("- See @docs/guide.md and `@not/this.md`.\n"));
}

#[divan::bench]
fn prose_with_comments(bencher: Bencher<'_, '_>) {
    read(bencher, with("\n<!-- a note to the authors -->\n\n"));
}

#[divan::bench]
fn prose_with_front_matter(bencher: Bencher<'_, '_>) {
    let head = "---\npaths:\n  - \"src/**/*.ts\"\n---\n";
    read(bencher, format!("{head}{}", tree::prose(LINES)));
}

/// A thousand paths of sources, as a rule's base sees them.
fn paths() -> Vec<String> {
    let path = |n: usize| format!("packages/g{}/p{n}/src/m{}/index.ts", n / 20, n % 5);
    (0..1_000).map(path).collect()
}

#[divan::bench]
fn rule_patterns_made(bencher: Bencher<'_, '_>) {
    bencher.bench(|| RulePatterns::new(&["src/**/*.ts", "test/**/*.{ts,tsx}", "!src/gen/**"]));
}

#[divan::bench]
fn rule_patterns_matched(bencher: Bencher<'_, '_>) {
    let patterns = RulePatterns::new(&["packages/g3/**/*.ts", "*.sql", "!**/m4/**"]);
    let paths = paths();
    let matching = || paths.iter().filter(|path| patterns.is_match(path)).count();
    bencher
        .counter(ItemsCount::new(paths.len()))
        .bench(matching);
}

#[divan::bench]
fn excludes_matched(bencher: Bencher<'_, '_>) {
    let pattern = ExcludePattern::new("**/packages/g3/**/{m1,m2}/*.ts");
    let paths: Vec<String> = paths().iter().map(|path| format!("/yard/{path}")).collect();
    let matching = || paths.iter().filter(|path| pattern.is_match(path)).count();
    bencher
        .counter(ItemsCount::new(paths.len()))
        .bench(matching);
}
