//! What a session's end tells of it: the words of the requests and of the last answer, what is
//! open, and what failed calls taught. Of a long session its end is enough.

use std::io;

use outcrop_loader::client::Client;

use crate::chain::Chain;
use crate::conversation::{Conversation, Resumed};
use crate::loss::{self, Lesson, typed_and_shown};
use crate::sessions::Title;
use crate::transcript::record::{Block, Content};
use crate::transcript::{Kind, Source, Transcript};
use crate::turns::{self, Turn};

/// The end of a session.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ending {
    /// Its title, as the client's list has it.
    pub title: Option<String>,
    /// The first request that stands there.
    pub first: Option<String>,
    /// The last one.
    pub last: Option<String>,
    /// The last words of the model.
    pub answer: Option<String>,
    /// What is not done on the last to-do list.
    pub open: Vec<String>,
    /// Failed calls, and what worked instead.
    pub lessons: Vec<Lesson>,
}

impl Ending {
    /// Reads it.
    ///
    /// # Errors
    ///
    /// When the source cannot be read.
    pub fn of<S: Source>(transcript: &Transcript<S>, client: &Client) -> io::Result<Self> {
        let resume = &client.behaviour.resume;
        let chain = Chain::of(transcript, resume)?;
        let turns = turns::of(transcript.index(), &chain, resume);
        let mut ending = Self {
            title: Title::of(transcript)?.map(|title| title.text),
            ..Self::default()
        };
        ending.first = request(transcript, turns.iter())?;
        ending.last = request(transcript, turns.iter().rev())?;
        ending.take_answers(transcript, &turns)?;
        let conversation = Conversation::of(transcript, &chain, client, &Resumed::default())?;
        ending.lessons = loss::lessons(transcript, &turns, &conversation.messages)?;
        Ok(ending)
    }

    /// The last words of the model, and its last to-do list.
    fn take_answers<S: Source>(
        &mut self,
        transcript: &Transcript<S>,
        turns: &[Turn],
    ) -> io::Result<()> {
        let index = transcript.index();
        let mut has_list = false;
        let records = turns
            .iter()
            .rev()
            .flat_map(|turn| turn.records.iter().rev());
        for record in records {
            let entry = &index.entries()[*record];
            let is_answer = entry.kind == Kind::Assistant && !index.is(entry.model, "<synthetic>");
            let pieces = index.pieces(entry);
            let lists = pieces.iter().any(|piece| {
                piece
                    .name
                    .is_some_and(|name| index.text(name) == "TodoWrite")
            });
            if !is_answer || !(self.answer.is_none() || lists && !has_list) {
                continue;
            }
            let Content::Blocks(blocks) = transcript.record(entry)?.content else {
                continue;
            };
            for block in blocks.iter().rev() {
                match block {
                    Block::Text(text) if self.answer.is_none() && !text.trim().is_empty() => {
                        self.answer = Some(text.clone());
                    }
                    Block::ToolUse { name, input, .. } if !has_list && name == "TodoWrite" => {
                        let open = loss::open_todos(input.get());
                        self.open = open.into_iter().map(|todo| todo.content).collect();
                        has_list = true;
                    }
                    _ => {}
                }
            }
            if self.answer.is_some() && has_list {
                break;
            }
        }
        Ok(())
    }
}

/// The user's own words in the first of some turns that has any.
fn request<'t, S: Source>(
    transcript: &Transcript<S>,
    turns: impl Iterator<Item = &'t Turn>,
) -> io::Result<Option<String>> {
    for prompt in turns.filter_map(|turn| turn.prompt) {
        let record = transcript.record(&transcript.index().entries()[prompt])?;
        let own = record.content.texts();
        let own = own.flat_map(|text| typed_and_shown(text).0).map(str::trim);
        let own: Vec<&str> = own.filter(|text| !text.is_empty()).collect();
        if !own.is_empty() {
            return Ok(Some(own.join("\n")));
        }
    }
    Ok(None)
}
