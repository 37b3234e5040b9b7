//! What an editor asks: what an import names, and how a finding is mended.

use std::collections::HashMap;

use lsp_types::{
    CodeAction, CodeActionKind, CodeActionOrCommand, CodeActionParams, GotoDefinitionParams,
    GotoDefinitionResponse, Hover, HoverContents, HoverParams, Location, MarkupContent, MarkupKind,
    TextDocumentPositionParams, TextEdit, Uri, WorkspaceEdit,
};
use outcrop_loader::document::{Document, Reference};
use outcrop_loader::lint::Finding;
use outcrop_loader::lint::fix::{Applicability, Fix};
use outcrop_loader::path::AbsPath;
use outcrop_loader::session::Verdict;
use outcrop_loader::tokens::{Counter, Family};

use super::places;
use super::world::World;

/// What the import under the cursor names, whether it comes, and what it costs.
pub(super) fn hover(world: &World<'_>, asked: &HoverParams) -> Option<Hover> {
    let Import {
        document,
        reference,
        by,
    } = import(world, &asked.text_document_position_params)?;
    let answer = world.with_session(&by, |session| {
        let target = session.target(&by, &reference.path)?;
        let explanation = session.explain(&target);
        Some((target, explanation))
    });
    let (target, explanation) = answer??;
    let verdict = match explanation.verdict {
        Verdict::Delivered => "delivered when a session starts",
        Verdict::DeliveredOnRead => "delivered when a file is read",
        Verdict::Listed | Verdict::ListedOnRead => "listed, not delivered",
        Verdict::Waiting => "waits for a read",
        Verdict::LeftOut => "left out",
        Verdict::NotConsidered => "not considered",
    };
    let mut text = format!("`{target}`: {verdict}");
    if let Some(content) = world.text(&target) {
        let family = Family::NEWEST;
        let tokens = Counter::new(family).part(&content).count;
        text.push_str(&format!(", {tokens} tokens ({})", family.name()));
    }
    for finding in &explanation.findings {
        text.push_str(&format!("\n\n{}", finding.text));
    }
    if let Some(remedy) = &explanation.remedy {
        text.push_str(&format!("\n\n{remedy}"));
    }
    Some(Hover {
        contents: HoverContents::Markup(MarkupContent {
            kind: MarkupKind::Markdown,
            value: text,
        }),
        range: Some(places::range(&document.source, &reference.range)),
    })
}

/// The file that the import under the cursor names.
pub(super) fn definition(
    world: &World<'_>,
    asked: &GotoDefinitionParams,
) -> Option<GotoDefinitionResponse> {
    let Import { reference, by, .. } = import(world, &asked.text_document_position_params)?;
    let target = world.with_session(&by, |session| session.target(&by, &reference.path))??;
    world.text(&target)?;
    let start = lsp_types::Range::default();
    let location = Location::new(places::uri(&target)?, start);
    Some(GotoDefinitionResponse::Scalar(location))
}

/// The changes that mend what was found in a range.
pub(super) fn actions(world: &World<'_>, asked: &CodeActionParams) -> Vec<CodeActionOrCommand> {
    let Some(path) = places::path(&asked.text_document.uri) else {
        return Vec::new();
    };
    let Some(text) = world.text(&path) else {
        return Vec::new();
    };
    let start = places::offset(&text, asked.range.start);
    let end = places::offset(&text, asked.range.end);
    let touches = |finding: &&Finding| {
        let bytes = &finding.span.bytes;
        finding.span.path == path && bytes.start <= end && start <= bytes.end
    };
    let found = world.findings.iter().filter(touches);
    let actions = found.filter_map(|finding| action(world, finding, finding.fix.as_ref()?));
    actions.map(CodeActionOrCommand::CodeAction).collect()
}

// The type of the protocol's own library.
#[expect(clippy::mutable_key_type, reason = "an address is not changed")]
fn action(world: &World<'_>, finding: &Finding, fix: &Fix) -> Option<CodeAction> {
    let mut changes: HashMap<Uri, Vec<TextEdit>> = HashMap::new();
    for edit in &fix.edits {
        let text = world.text(&edit.path)?;
        let range = places::range(&text, &edit.range);
        let edits = changes.entry(places::uri(&edit.path)?).or_default();
        edits.push(TextEdit::new(range, edit.text.clone()));
    }
    let mut title = fix.title.clone();
    if let Some(first) = title.get(..1) {
        title = first.to_uppercase() + &title[1..];
    }
    Some(CodeAction {
        title: format!("{title} ({})", finding.rule.id),
        kind: Some(CodeActionKind::QUICKFIX),
        edit: Some(WorkspaceEdit::new(changes)),
        is_preferred: Some(fix.applicability == Applicability::Safe),
        ..CodeAction::default()
    })
}

/// An import, and the file that has it.
struct Import {
    document: Document,
    reference: Reference,
    by: AbsPath,
}

/// The import at a position.
fn import(world: &World<'_>, at: &TextDocumentPositionParams) -> Option<Import> {
    let by = places::path(&at.text_document.uri)?;
    let text = world.text(&by)?;
    let offset = places::offset(&text, at.position);
    let document = Document::from_text(text.into(), &world.client.behaviour);
    let mut imports = document.imports.iter();
    let found = imports.find(|import| import.range.contains(&offset));
    Some(Import {
        reference: found?.clone(),
        document,
        by,
    })
}
