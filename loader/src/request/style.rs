//! The output style: which is chosen, and which of the files has it (facts C5.1, C5.2).

use serde::Serialize;
use serde_json::Value;

use crate::catalog;
use crate::document::keys_and_body;
use crate::host::files_below;
use crate::javascript;
use crate::limits;
use crate::path::AbsPath;
use crate::plugins;
use crate::record::Scope;
use crate::session::Session;
use crate::settings::Place;

/// Where a text stands in the request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Position {
    /// In the system prompt, within its last block.
    SystemPrompt,
    /// It is the beginning of the last block of the system prompt.
    SystemPromptStart,
    /// It is the end of the system prompt.
    SystemPromptEnd,
    /// In the system message behind the first prompt; for older models in a reminder of its own.
    SystemMessage,
}

/// A file of an output style.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StyleFile {
    /// Its name: of the front matter, else of the file.
    pub name: String,
    /// Managed, user or project; `None` for a plugin's.
    pub scope: Option<Scope>,
    /// The file.
    pub path: AbsPath,
    /// Why it is not the one that is sent.
    pub not_sent: Option<&'static str>,
    /// Its text as sent below the heading.
    #[serde(skip)]
    pub body: String,
    /// A plugin's style that is taken where the settings choose none.
    #[serde(skip)]
    forced: bool,
}

/// The output style of a session.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct OutputStyle {
    /// The name that the settings choose.
    pub chosen: Option<String>,
    /// Where they do.
    pub place: Option<Place>,
    /// The chosen name is one of the client's own styles, whose text is not known here.
    pub built_in: bool,
    /// The text as sent, heading and body; none where no file has the name.
    pub text: Option<String>,
    /// Where it stands.
    pub position: Option<Position>,
    /// Every style that is there, the strongest first.
    pub files: Vec<StyleFile>,
}

/// The client's own styles beside the default one.
const BUILT_IN: [&str; 2] = ["Explanatory", "Learning"];

impl Session<'_> {
    /// The output style that the session uses.
    #[must_use]
    pub fn output_style(&self) -> OutputStyle {
        let setting = self.settings().text("outputStyle");
        let mut style = OutputStyle {
            chosen: setting.as_ref().map(|set| set.value.to_owned()),
            place: setting.map(|set| set.place),
            files: self.style_files(),
            ..OutputStyle::default()
        };
        if style.chosen.is_none() {
            let forced = style.files.iter().find(|file| file.forced);
            style.chosen = forced.map(|file| file.name.clone());
        }
        let replaced = !self.client().behaviour.session_in_messages && self.replaces_prompt();
        let mut is_taken = false;
        for file in &mut style.files {
            file.not_sent = if style.chosen.as_ref() != Some(&file.name) {
                Some("another name is chosen")
            } else if std::mem::replace(&mut is_taken, true) {
                Some("a stronger file has the name")
            } else if self.is_bare() {
                Some("--bare")
            } else if replaced {
                Some("--system-prompt takes the place of the block that holds it")
            } else {
                style.text = Some(format!("# Output Style: {}\n{}", file.name, file.body));
                style.position = Some(self.style_position());
                None
            };
        }
        let chosen = style.chosen.as_deref().unwrap_or_default();
        style.built_in = !is_taken && BUILT_IN.contains(&chosen);
        style
    }

    fn style_position(&self) -> Position {
        if self.client().behaviour.session_in_messages {
            Position::SystemMessage
        } else {
            Position::SystemPrompt
        }
    }

    fn style_files(&self) -> Vec<StyleFile> {
        let origin = self.origin();
        let mut folders = vec![(Some(Scope::Managed), origin.managed.child(".claude"))];
        if origin.sources.project {
            for directory in catalog::walk(self.world()) {
                folders.push((Some(Scope::Project), directory.child(".claude")));
            }
        }
        if origin.sources.user {
            folders.push((Some(Scope::User), origin.config()));
        }
        let mut files = Vec::new();
        for (scope, folder) in folders {
            self.styles_of(&folder.child("output-styles"), scope, "", &mut files);
        }
        for plugin in plugins::of(self.world(), &mut Vec::new()) {
            let folder = plugin.root.child("output-styles");
            self.styles_of(&folder, None, &format!("{}:", plugin.name), &mut files);
        }
        files
    }

    fn styles_of(
        &self,
        folder: &AbsPath,
        scope: Option<Scope>,
        prefix: &str,
        files: &mut Vec<StyleFile>,
    ) {
        let host = self.world().host;
        let below = files_below(host, folder).into_iter();
        let mut paths: Vec<AbsPath> = below
            .map(|file| file.path)
            .filter(|path| path.file_name().ends_with(".md"))
            .collect();
        if self.client().behaviour.styles_sorted {
            paths.sort_by(|a, b| a.as_str().cmp(b.as_str()));
        }
        // Of one name in one folder the last is taken (fact 67).
        paths.reverse();
        for path in paths {
            let Ok(bytes) = host.read(&path, limits::FILE_BYTES) else {
                continue;
            };
            let source = String::from_utf8_lossy(&bytes);
            let behaviour = &self.client().behaviour;
            let (keys, body) = keys_and_body(&source, behaviour);
            let name = match keys.get("name") {
                Some(Value::String(name)) => Some(name.clone()),
                Some(Value::Number(name)) => Some(name.to_string()),
                _ => None,
            };
            let name = name.filter(|name| !name.is_empty());
            let forced = keys.get("force-for-plugin").and_then(Value::as_bool);
            let stem = path.file_name().trim_end_matches(".md");
            files.push(StyleFile {
                name: format!("{prefix}{}", name.as_deref().unwrap_or(stem)),
                scope,
                body: javascript::trim(body).to_owned(),
                path,
                not_sent: None,
                forced: scope.is_none() && forced == Some(true),
            });
        }
    }
}
