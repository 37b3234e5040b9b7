//! Texts that flags and settings put beside or in place of the client's own (facts C5.3, C5.4).

use serde::Serialize;

use super::style::Position;
use crate::javascript;
use crate::limits;
use crate::session::Session;
use crate::settings::Place;

/// A text of a flag.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FlagText {
    /// The flag.
    pub flag: &'static str,
    /// The text.
    pub text: String,
    /// Where it stands.
    pub position: Position,
}

/// The language that the settings ask for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Language {
    /// Its name as written.
    pub name: String,
    /// Where it is set.
    pub place: Place,
    /// UTF-16 units of the section: the client's own words with the name in them three times.
    pub characters: usize,
    /// Where it stands.
    pub position: Position,
}

/// What flags and settings change in the system prompt.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct SystemTexts {
    /// `--system-prompt` or its file: in place of the last block of the system prompt.
    pub replaced: Option<FlagText>,
    /// `--append-system-prompt` or its file.
    pub appended: Option<FlagText>,
    /// `language`.
    pub language: Option<Language>,
    /// Why the client would not start at all.
    pub refused: Option<String>,
}

/// UTF-16 units of the client's own words in the section about the language.
const LANGUAGE: usize = 445;

impl Session<'_> {
    /// What flags and settings change in the system prompt.
    #[must_use]
    pub fn system_texts(&self) -> SystemTexts {
        let mut texts = SystemTexts::default();
        let flags = &self.origin().flags;
        let (name, at) = ("--system-prompt", Position::SystemPromptStart);
        let given = (&flags.system_prompt, &flags.system_prompt_file);
        texts.replaced = self.flag_text(name, given, at, &mut texts.refused);
        let (name, at) = ("--append-system-prompt", Position::SystemPromptEnd);
        let given = (
            &flags.append_system_prompt,
            &flags.append_system_prompt_file,
        );
        let appended = self.flag_text(name, given, at, &mut texts.refused);
        texts.appended = appended.filter(|appended| !appended.text.is_empty());
        // Old clients have it in the block that --system-prompt replaces.
        let in_messages = self.client().behaviour.session_in_messages;
        let is_lost = self.is_bare() || (!in_messages && texts.replaced.is_some());
        let language = self.settings().text("language");
        let language = language.filter(|set| !is_lost && !set.value.is_empty());
        texts.language = language.map(|set| Language {
            characters: LANGUAGE + 3 * javascript::len(set.value),
            name: set.value.to_owned(),
            place: set.place,
            position: match in_messages {
                true => Position::SystemMessage,
                false => Position::SystemPrompt,
            },
        });
        texts
    }

    /// Whether a flag replaces the last block of the system prompt; an empty text does, too.
    pub(super) fn replaces_prompt(&self) -> bool {
        let flags = &self.origin().flags;
        flags.system_prompt.is_some() || flags.system_prompt_file.is_some()
    }

    /// A text and a file add up in new clients, the file first; old ones refuse both (fact
    /// 67).
    fn flag_text(
        &self,
        flag: &'static str,
        (text, file): (&Option<String>, &Option<String>),
        position: Position,
        refused: &mut Option<String>,
    ) -> Option<FlagText> {
        let of_file = match file {
            None => None,
            Some(file) => {
                let file = self.cwd().join(file);
                match self.world().host.read(&file, limits::FILE_BYTES) {
                    Ok(bytes) => Some(String::from_utf8_lossy(&bytes).into_owned()),
                    Err(error) => {
                        refused.get_or_insert(format!("{flag}-file: {file} {error}"));
                        return None;
                    }
                }
            }
        };
        let text = match (text, of_file) {
            (Some(text), Some(file)) => {
                if !self.client().behaviour.prompt_files_add {
                    refused.get_or_insert(format!("{flag} is not taken beside {flag}-file"));
                }
                format!("{}\n\n{text}", file.trim_end_matches('\n'))
            }
            (Some(text), None) => text.clone(),
            (None, Some(file)) => file,
            (None, None) => return None,
        };
        Some(FlagText {
            flag,
            text,
            position,
        })
    }
}
