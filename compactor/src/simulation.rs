//! A simulation from end to end: what a session holds, what each stage removes, and what the next
//! request would hold.

use std::io;

use outcrop_loader::client::Client;

use crate::boundary::{Compacted, FileOutcome, Files, Given, SkillOutcome, Trigger, compact};
use crate::chain::Chain;
use crate::conversation::{Block, Conversation, Instruction, Resumed};
use crate::pipeline::{
    Action, Anchor, Budget, Change, Context, Counted, Held, Pipeline, PipelineResult, Sizer,
    StageKind, StageTrace, Start, Why, is_request, tokens_of,
};
use crate::sessions::counted;
use crate::stages::{Extractive, Summariser, ToSummarise, with_pins};
use crate::transcript::record;
use crate::transcript::{Kind, Source, Transcript};
use crate::window::{self, Floor, FloorPart, Window};

/// The last recorded usage of a chain, as the client anchors its count on it (facts C4.5, C4.7).
#[must_use]
pub fn anchor<S: Source>(
    transcript: &Transcript<S>,
    chain: &Chain,
    client: &Client,
) -> Option<Anchor> {
    let found = window::anchor(&counted(transcript, chain), &client.behaviour.counting)?;
    let record = |at: usize| chain.records.get(at).copied();
    Some(Anchor {
        record: record(found.record)?,
        first: record(found.estimated_from.saturating_sub(1))?,
        usage: found.usage.total(),
    })
}

/// What a compaction by the client is told.
pub struct ByClient<'a> {
    /// What sets it off.
    pub trigger: Trigger,
    /// The prompt that waits.
    pub prompt: Option<&'a str>,
    /// The disk.
    pub files: &'a dyn Files,
    /// The text of the summary; none for one that is extracted.
    pub summary: Option<String>,
}

/// A text of a summary that is extracted from a context, without a model.
#[must_use]
pub fn extracted(context: &Context<'_>) -> String {
    let index = context.index();
    let pins: Vec<&str> = context.pins().iter().map(String::as_str).collect();
    let request = ToSummarise {
        messages: &context.messages,
        index,
        pins: pins.clone(),
        limit: 4_000,
        request_stays: false,
    };
    let mut text = with_pins(Extractive::default().summarise(&request), &pins);
    let mut blocks = context.messages.iter().flat_map(|message| &message.blocks);
    let last = blocks.rfind(|held| is_request(index, held));
    if let Some(Block::Read(record::Block::Text(last))) = last.map(|held| &held.block)
        && !text.contains(last)
    {
        text.push_str("\n\nLast request:\n");
        text.push_str(last);
    }
    format!("Summary:\n{text}")
}

/// The text of the first summary in the file behind the end of a chain.
///
/// # Errors
///
/// When the source cannot be read.
pub fn recorded_summary<S: Source>(
    transcript: &Transcript<S>,
    chain: &Chain,
) -> io::Result<Option<String>> {
    let entries = transcript.index().entries();
    let behind = chain.leaf.map_or(0, |leaf| leaf + 1);
    let summary = entries[behind..].iter().find(|entry| entry.flags.summary);
    let Some(summary) = summary else {
        return Ok(None);
    };
    let content = transcript.record(summary)?.content;
    Ok(content.texts().next().map(str::to_owned))
}

/// The lines that a compaction by the client appends, and what it puts back.
///
/// # Errors
///
/// When the source cannot be read.
pub fn by_client<S: Source>(
    transcript: &Transcript<S>,
    chain: &Chain,
    client: &Client,
    before: &Context<'_>,
    how: &ByClient<'_>,
    window: &Window,
) -> io::Result<Option<Compacted>> {
    let summary = match &how.summary {
        Some(text) => text.clone(),
        None => extracted(before),
    };
    let given = Given {
        trigger: how.trigger,
        summary: &summary,
        prompt: how.prompt,
        focus: "",
        pre_tokens: before.tokens(),
        files: how.files,
    };
    // What counts as too large is asked of the service (fact C6.6).
    let family = outcrop_loader::tokens::Model::of(&window.model.name).family;
    let mut counted = Counted::of(family);
    let resume = &client.behaviour.resume;
    compact(transcript, chain, resume, &given, |text| counted.text(text))
}

/// What stages did that were not looked for one by one: what of the messages before is not there
/// after.
fn traces(before: &Context<'_>, after: &Context<'_>) -> Vec<StageTrace> {
    let origin = |context: &Context<'_>| -> rustc_hash::FxHashSet<(usize, usize)> {
        let blocks = context.messages.iter().flat_map(|message| &message.blocks);
        blocks
            .filter_map(|held| held.from.map(|from| (from.record, from.block)))
            .collect()
    };
    let left = origin(after);
    let blocks = before.messages.iter().flat_map(|message| &message.blocks);
    let gone = blocks.filter(|held| {
        let from = held.from.map(|from| (from.record, from.block));
        from.is_some_and(|from| !left.contains(&from))
    });
    let changes: Vec<Change> = gone
        .map(|held| {
            let entry = before.entry(held);
            let is_attached = entry.is_some_and(|entry| entry.kind == Kind::Attachment);
            let action = if is_attached || held.is_thought() {
                Action::Dropped
            } else {
                Action::Summarised
            };
            before.change(held, action, Why::BeforeBoundary)
        })
        .collect();
    let (tokens_before, tokens_after) = (before.tokens(), after.tokens());
    let gone: u64 = changes.iter().map(|change| change.tokens_before).sum();
    StageKind::ALL
        .into_iter()
        .map(|stage| {
            let is_summary = stage == StageKind::Summary;
            StageTrace {
                stage,
                // Three of the stages were never seen to do anything (facts C4.2, I55).
                enabled: matches!(stage, StageKind::Budget | StageKind::Summary),
                fired: is_summary,
                tokens_before,
                tokens_after: if is_summary {
                    tokens_after
                } else {
                    tokens_before
                },
                tokens_added: if is_summary {
                    (gone + tokens_after).saturating_sub(tokens_before)
                } else {
                    0
                },
                changes: if is_summary {
                    changes.clone()
                } else {
                    Vec::new()
                },
            }
        })
        .collect()
}

/// What a compaction by the client leaves, as the result of a pipeline.
#[must_use]
pub fn result_of<'t>(
    before: &Context<'_>,
    mut after: Context<'t>,
    compacted: &Compacted,
    trigger: Trigger,
    budget: &Budget,
) -> PipelineResult<'t> {
    let stages = traces(before, &after);
    let index = after.index();
    let uuid = |record: usize| index.entries()[record].uuid.map(|uuid| index.text(uuid));
    let kept = compacted.kept.iter().filter_map(|record| uuid(*record));
    after.boundary = Some(crate::pipeline::Boundary {
        trigger: trigger.name(),
        pre_tokens: before.tokens(),
        post_tokens: after.tokens(),
        logical_parent: compacted.follows.clone(),
        kept: kept.map(str::to_owned).collect(),
    });
    PipelineResult {
        messages_before: before.joined().len(),
        tokens_before: before.tokens(),
        stages,
        fits: !budget.is_over(after.tokens()),
        missing_pins: after.missing_pins(),
        context: after,
    }
}

/// What is sent beside the messages, the system prompt and the tools, by the recorded usage; none
/// where there is none, or one that is less than the messages.
#[must_use]
pub fn beside(context: &Context<'_>) -> Option<u64> {
    context.anchor()?;
    let messages = context.messages.iter().map(tokens_of).sum();
    context.tokens().checked_sub(messages)
}

/// What no compaction takes away from a context: what is sent beside its messages, and the
/// instruction files; behind one also what it puts in and keeps.
#[must_use]
pub fn floor(
    context: &Context<'_>,
    beside: Option<u64>,
    instructions: &[Instruction],
    compacted: Option<&Compacted>,
    mut estimate: impl Sizer,
    trigger: u64,
) -> Floor {
    let mut parts = Vec::new();
    let mut part = |name: &str, tokens: u64| {
        if tokens > 0 {
            let name = name.to_owned();
            parts.push(FloorPart { name, tokens });
        }
    };
    part("system prompt and tools", beside.unwrap_or(0));
    for file in instructions {
        part(&file.path, estimate.text(&file.content));
    }
    if let Some(compacted) = compacted {
        let blocks = || context.messages.iter().flat_map(|message| &message.blocks);
        let summary = blocks().filter(|held| context.entry(held).is_some_and(|e| e.flags.summary));
        part("the summary", summary.map(|held| held.tokens).sum());
        let is_kept = |held: &&Held| {
            held.from
                .is_some_and(|f| compacted.kept.contains(&f.record))
        };
        let kept = blocks().filter(is_kept);
        part("the kept messages", kept.map(|held| held.tokens).sum());
        for file in &compacted.files {
            if file.outcome == FileOutcome::Attached {
                part(&file.path, file.tokens.unwrap_or(0));
            }
        }
        for skill in &compacted.skills {
            if skill.outcome != SkillOutcome::Dropped {
                part(&skill.name, skill.tokens);
            }
        }
    }
    Floor::of(parts, trigger)
}

/// What a preset that fires nothing gives.
#[must_use]
pub fn untouched(context: Context<'_>) -> PipelineResult<'_> {
    Pipeline::of(Vec::new()).run(context, &Budget::default())
}

/// The context of a chain's next request.
///
/// # Errors
///
/// When the source cannot be read.
pub fn context<'t, S: Source>(
    transcript: &'t Transcript<S>,
    chain: &Chain,
    client: &Client,
    resumed: &Resumed,
    pins: &[String],
    fixed: u64,
    sizer: impl Sizer + 't,
) -> io::Result<Context<'t>> {
    let conversation = Conversation::of(transcript, chain, client, resumed)?;
    let start = Start {
        anchor: anchor(transcript, chain, client),
        fixed,
        pins: pins.to_vec(),
    };
    Ok(Context::of(conversation, transcript.index(), start, sizer))
}
