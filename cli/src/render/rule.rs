//! A rule's page, and the list of rules.

use std::io::Write as _;

use annotate_snippets::Renderer;
use anyhow::Result;
use outcrop_loader::lint::{self, Example, RULES, Rule, World, cwd_of_examples};
use outcrop_loader::session::Session;
use serde_json::json;

use super::lint::human;
use super::names::padded;
use super::{Output, style};

/// Columns of the findings on a page.
const COLUMNS: usize = 100;

pub(crate) fn write_list(output: &mut Output) -> Result<()> {
    let bold = style::HEADING;
    let width = RULES.iter().map(|rule| rule.name.len()).max().unwrap_or(0);
    let mut family = "";
    for rule in RULES {
        if rule.family() != family {
            if !family.is_empty() {
                writeln!(output)?;
            }
            family = rule.family();
            writeln!(output, "{bold}{family}{bold:#}")?;
        }
        let name = padded(rule.name, width);
        let severity = padded(rule.severity.name(), 7);
        writeln!(output, "{}  {name}  {severity}  {}", rule.id, rule.summary)?;
    }
    Ok(())
}

pub(crate) fn write_page(output: &mut Output, rule: &Rule) -> Result<()> {
    write!(output, "{}", page(rule))?;
    Ok(())
}

pub(crate) fn write_json(output: &mut Output, rules: &[&Rule]) -> Result<()> {
    let rules = rules.iter().map(|rule| {
        json!({
            "id": rule.id,
            "name": rule.name,
            "family": rule.family(),
            "severity": rule.severity,
            "summary": rule.summary,
            "what": rule.page.what,
            "why": rule.page.why,
            "instead": rule.page.instead,
            "drawbacks": rule.page.drawbacks,
            "evidence": rule.page.evidence,
            "since": rule.page.since,
        })
    });
    output.json(&json!({
        "schema": "outcrop/rules@1",
        "rules": rules.collect::<Vec<_>>(),
    }))
}

/// A page in Markdown. Its examples are run, so what they give is true.
fn page(rule: &Rule) -> String {
    let Rule { id, name, page, .. } = rule;
    let mut text = format!("# {id} {name}\n\n{}\n\n", rule.summary);
    text.push_str(&format!(
        "Family: {}. Severity: {}. Since {}.\n",
        rule.family(),
        rule.severity,
        page.since
    ));
    let parts = [("What it does", page.what), ("Why", page.why)];
    for (heading, part) in parts {
        text.push_str(&format!("\n## {heading}\n\n{part}\n"));
    }
    text.push_str("\n## Example\n");
    for example in rule.bad {
        text.push_str(&shown(example, &format!("Found: {}", example.title)));
        text.push_str(&format!(
            "\nIt gives:\n\n```text\n{}\n```\n",
            given(rule, example)
        ));
        if !example.fixed.is_empty() {
            text.push_str("\nAfter the fix:\n");
            text.push_str(&files(example.fixed));
        }
    }
    for example in rule.good {
        text.push_str(&shown(example, &format!("Accepted: {}", example.title)));
    }
    let parts = [
        ("Use instead", page.instead),
        ("Drawbacks", page.drawbacks),
        ("Evidence", page.evidence),
    ];
    for (heading, part) in parts {
        text.push_str(&format!("\n## {heading}\n\n{part}\n"));
    }
    text
}

fn shown(example: &Example, title: &str) -> String {
    format!("\n{title}.\n{}", files(example.files))
}

fn files(files: &[(&str, &str)]) -> String {
    let mut text = String::new();
    for (path, content) in files {
        if let Some(target) = content.strip_prefix("-> ") {
            text.push_str(&format!("\n`{path}` is a link to `{target}`.\n"));
            continue;
        }
        // A fence longer than any within.
        let mut fence = "```".to_owned();
        while content.contains(&fence) {
            fence.push('`');
        }
        let end = if content.ends_with('\n') { "" } else { "\n" };
        text.push_str(&format!(
            "\n`{path}`:\n\n{fence}text\n{content}{end}{fence}\n"
        ));
    }
    text
}

/// What a rule says of an example.
fn given(rule: &Rule, example: &Example) -> String {
    let world = World::of_example(example);
    let mut session = Session::start(&world.host, world.origin());
    let outcome = lint::lint(&mut session, &world.options());
    let renderer = Renderer::plain().term_width(COLUMNS);
    let mut texts = human::Texts::new(&world.host, &outcome.secrets);
    let cwd = cwd_of_examples();
    let findings = outcome.findings.iter();
    let findings = findings.filter(|finding| finding.rule.id == rule.id);
    let rendered = findings.map(|finding| {
        human::render(finding, &mut texts, &renderer, |path| {
            let below = path.below(&cwd).filter(|below| !below.is_empty());
            below.map_or_else(|| path.to_string(), str::to_owned)
        })
    });
    rendered.collect::<Vec<_>>().join("\n\n")
}
