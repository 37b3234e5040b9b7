//! L412: what a template left to be filled in.

use super::prelude::*;
use crate::lint::subject::When;
use crate::record::Scope;

pub(in crate::lint) static RULE: Rule = Rule {
    id: "L412",
    name: "placeholder-left",
    severity: Severity::Info,
    summary: "A placeholder of a template was never filled in, and loads in every session.",
    page: Page {
        what: "Looks in the prose of files that load at the start for `[Your project name]` and the like, \
               `{{project_name}}`, and `TODO: describe …`. Code and links are left alone.",
        why: "It tells the model nothing, or something wrong, and costs its tokens in each request.",
        instead: "Fill it in, or delete the line.",
        drawbacks: "A file that is itself a template is found.",
        evidence: "Fact 0.9: the same text goes with every request.",
        since: "0.1.0",
    },
    bad: &[Example {
        title: "the first lines of a template",
        files: &[(
            "CLAUDE.md",
            "# {{project_name}}\n\n[Describe your project here]\n\nUse pnpm.\n",
        )],
        fixed: &[],
    }],
    good: &[Example {
        title: "links, tasks, code and templates of the project itself",
        files: &[(
            "CLAUDE.md",
            "See [Your first steps](https://shop.example/start). Write `[Your name]` there, and `{{ project }}`.\n\n\
             - [ ] Add a test\n\nTODO comments need a number. Views use {{ user.name }}.\n\n[Add to cart] is a button.\n",
        )],
        fixed: &[],
    }],
    check,
};

fn check(subject: &Subject<'_, '_>, report: &mut Report<'_, '_>) {
    for file in &subject.files {
        let of_project = matches!(file.scope, Scope::Project | Scope::Local);
        if file.when != When::Start || !of_project {
            continue;
        }
        let source = &file.document.source;
        let prose = subject.prose(file);
        let within = |range: &std::ops::Range<usize>, at: usize| range.contains(&at);
        for block in &prose.blocks {
            let text = &source[block.range.clone()];
            let Some((at, written)) = placeholder(text) else {
                continue;
            };
            let start = block.range.start + at;
            let is_code = prose.spans.iter().any(|span| within(&span.range, start));
            let is_link = prose.links.iter().any(|link| within(&link.range, start));
            if is_code || is_link {
                continue;
            }
            report
                .at(
                    Place::Bytes(file.path.clone(), start..start + written.len()),
                    format!("`{written}` was never filled in and is delivered as it stands"),
                )
                .costs(file.cost(subject.tokens(text)))
                .help("fill it in, or delete it")
                .report();
        }
    }
}

/// The first placeholder of a text, with its place.
fn placeholder(text: &str) -> Option<(usize, &str)> {
    let bracket = enclosed(text, "[", "]").filter(|(_, written)| {
        let inner = written[1..written.len() - 1].to_lowercase();
        let starts = [
            "your project",
            "project name",
            "insert ",
            "describe ",
            "brief description",
            "fill in",
            "your name",
            "your team",
            "your company",
        ];
        starts.iter().any(|start| inner.starts_with(start))
    });
    let braces = enclosed(text, "{{", "}}").filter(|(_, written)| {
        let inner = written.trim_matches(['{', '}', ' ']).to_lowercase();
        matches!(
            inner.as_str(),
            "project"
                | "project_name"
                | "project-name"
                | "projectname"
                | "project_description"
                | "description"
                | "tech_stack"
                | "team_name"
                | "company_name"
        )
    });
    let todo = [
        "TODO: describe",
        "TODO: fill in",
        "TODO: write this",
        "TODO: add description",
    ]
    .iter()
    .find_map(|todo| text.find(todo).map(|at| (at, &text[at..at + todo.len()])));
    bracket.or(braces).or(todo)
}

/// The first stretch from `open` to `close` on one line, with both.
fn enclosed<'t>(text: &'t str, open: &str, close: &str) -> Option<(usize, &'t str)> {
    let at = text.find(open)?;
    let length = text[at..].find(close)? + close.len();
    let written = &text[at..at + length];
    (length < 80 && !written.contains('\n')).then_some((at, written))
}
