//! `outcrop lsp`: findings, and what imports name, in an editor.
//!
//! `mod` (messages) → `world` (what is open, what was found) → `answers` (hover, definition, changes),
//! with `places` between paths, bytes and what the protocol calls them. All texts come whole: they
//! are short, and a session is looked at as a whole anyway.

mod answers;
mod places;
mod world;

use anyhow::{Context, Result};
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, Response};
use lsp_types::notification::{
    DidChangeTextDocument, DidChangeWatchedFiles, DidCloseTextDocument, DidOpenTextDocument,
    DidSaveTextDocument, Notification as _, PublishDiagnostics,
};
use lsp_types::request::{
    CodeActionRequest, GotoDefinition, HoverRequest, RegisterCapability, Request as _,
};
use lsp_types::{
    CodeActionKind, CodeActionOptions, CodeActionProviderCapability,
    DidChangeWatchedFilesRegistrationOptions, FileSystemWatcher, GlobPattern,
    HoverProviderCapability, InitializeParams, OneOf, PublishDiagnosticsParams, Registration,
    RegistrationParams, ServerCapabilities, TextDocumentSyncCapability, TextDocumentSyncKind,
};
use serde::de::DeserializeOwned;

use crate::args::Global;
use crate::args::lint::Lsp;
use crate::commands::DONE;
use crate::render::Output;
use world::World;

pub(crate) fn run(global: &Global, args: &Lsp, output: &mut Output) -> Result<u8> {
    let (connection, threads) = Connection::stdio();
    let capabilities = serde_json::to_value(capabilities())?;
    let params = connection.initialize(capabilities)?;
    let params: InitializeParams = serde_json::from_value(params)?;
    let world = World::new(global, args, &params)?;
    watch(&connection, &params, &world)?;
    serve(&connection, world, output)?;
    drop(connection);
    threads.join().context("the editor's connection")?;
    Ok(DONE)
}

fn capabilities() -> ServerCapabilities {
    let sync = TextDocumentSyncCapability::Kind(TextDocumentSyncKind::FULL);
    let actions = CodeActionOptions {
        code_action_kinds: Some(vec![CodeActionKind::QUICKFIX]),
        ..CodeActionOptions::default()
    };
    ServerCapabilities {
        text_document_sync: Some(sync),
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        definition_provider: Some(OneOf::Left(true)),
        code_action_provider: Some(CodeActionProviderCapability::Options(actions)),
        ..ServerCapabilities::default()
    }
}

/// Asks an editor that can to tell of files that others change.
fn watch(connection: &Connection, params: &InitializeParams, world: &World<'_>) -> Result<()> {
    let workspace = params.capabilities.workspace.as_ref();
    let watched = workspace.and_then(|workspace| workspace.did_change_watched_files);
    if watched.and_then(|watched| watched.dynamic_registration) != Some(true) {
        return Ok(());
    }
    let named = world.configuring();
    let named = named.iter().map(|file| format!("**/{}", file.file_name()));
    let globs = WATCHED.iter().map(|glob| (*glob).to_owned()).chain(named);
    let watchers = globs.map(|glob| FileSystemWatcher {
        glob_pattern: GlobPattern::String(glob),
        kind: None,
    });
    let options = DidChangeWatchedFilesRegistrationOptions {
        watchers: watchers.collect(),
    };
    let registration = Registration {
        id: "files".to_owned(),
        method: DidChangeWatchedFiles::METHOD.to_owned(),
        register_options: Some(serde_json::to_value(options)?),
    };
    let params = RegistrationParams {
        registrations: vec![registration],
    };
    let method = RegisterCapability::METHOD.to_owned();
    let request = Request::new("watch".to_owned().into(), method, params);
    connection.sender.send(Message::Request(request))?;
    Ok(())
}

/// Files that decide what a session receives.
const WATCHED: &[&str] = &["**/*.md", "**/.claude/**", "**/outcrop.toml"];

fn serve(connection: &Connection, mut world: World<'_>, output: &mut Output) -> Result<()> {
    // What there is before anything is open.
    let mut stale = true;
    loop {
        // Texts change with each key: look only when nothing more has come.
        let message = match connection.receiver.try_recv() {
            Ok(message) => message,
            Err(_) => {
                if std::mem::take(&mut stale) {
                    publish(connection, &mut world, output)?;
                }
                match connection.receiver.recv() {
                    Ok(message) => message,
                    // The editor is gone.
                    Err(_) => return Ok(()),
                }
            }
        };
        match message {
            Message::Request(request) => {
                if connection.handle_shutdown(&request)? {
                    return Ok(());
                }
                // Answers are about what is found, which must be of the text at hand.
                if std::mem::take(&mut stale) {
                    publish(connection, &mut world, output)?;
                }
                let response = answer(&world, request);
                connection.sender.send(Message::Response(response))?;
            }
            Message::Notification(notification) => stale |= note(&mut world, notification),
            Message::Response(_) => {}
        }
    }
}

/// Takes what the editor tells. Says whether something changed.
fn note(world: &mut World<'_>, notification: Notification) -> bool {
    match notification.method.as_str() {
        DidOpenTextDocument::METHOD => {
            let told = params::<lsp_types::DidOpenTextDocumentParams>(notification.params);
            told.is_some_and(|told| world.open(&told.text_document.uri, told.text_document.text))
        }
        DidChangeTextDocument::METHOD => {
            let told = params::<lsp_types::DidChangeTextDocumentParams>(notification.params);
            told.is_some_and(|mut told| {
                let last = told.content_changes.pop();
                last.is_some_and(|change| world.open(&told.text_document.uri, change.text))
            })
        }
        DidCloseTextDocument::METHOD => {
            let told = params::<lsp_types::DidCloseTextDocumentParams>(notification.params);
            told.is_some_and(|told| world.close(&told.text_document.uri))
        }
        DidSaveTextDocument::METHOD | DidChangeWatchedFiles::METHOD => true,
        _ => false,
    }
}

fn answer(world: &World<'_>, request: Request) -> Response {
    let Request { id, method, params } = request;
    let result =
        match method.as_str() {
            HoverRequest::METHOD => self::params(params)
                .map(|asked| serde_json::to_value(answers::hover(world, &asked))),
            GotoDefinition::METHOD => self::params(params)
                .map(|asked| serde_json::to_value(answers::definition(world, &asked))),
            CodeActionRequest::METHOD => self::params(params)
                .map(|asked| serde_json::to_value(answers::actions(world, &asked))),
            _ => {
                let code = ErrorCode::MethodNotFound as i32;
                return Response::new_err(id, code, format!("`{method}` is not known"));
            }
        };
    match result {
        Some(Ok(value)) => Response::new_ok(id, value),
        Some(Err(error)) => {
            Response::new_err(id, ErrorCode::InternalError as i32, error.to_string())
        }
        None => {
            let code = ErrorCode::InvalidParams as i32;
            Response::new_err(id, code, format!("`{method}` was asked in another form"))
        }
    }
}

fn params<P: DeserializeOwned>(value: serde_json::Value) -> Option<P> {
    serde_json::from_value(value).ok()
}

/// Looks at everything anew and tells the editor what was found.
fn publish(connection: &Connection, world: &mut World<'_>, output: &mut Output) -> Result<()> {
    for (uri, diagnostics) in world.look(output)? {
        let told = PublishDiagnosticsParams::new(uri, diagnostics, None);
        let method = PublishDiagnostics::METHOD.to_owned();
        let message = Notification::new(method, told);
        connection.sender.send(Message::Notification(message))?;
    }
    Ok(())
}
