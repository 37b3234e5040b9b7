//! What holds for every transcript and every stage.

use outcrop_compactor::conversation::{Block, Role};
use outcrop_compactor::pipeline::{
    Action, Budget, Context, Held, Pipeline, Recent, Stage, StageKind, StageTrace, tokens_of,
};
use outcrop_compactor::stages::Paper;
use outcrop_compactor::testing::{Session, session};
use outcrop_compactor::transcript::Transcript;
use outcrop_compactor::transcript::record;
use proptest::prelude::*;
use rustc_hash::FxHashSet;

use crate::world::{anchored, config, context, conversation, text};

/// Limits so small that random sessions reach them.
fn paper() -> Paper {
    let mut paper = Paper::default();
    paper.budget.per_message = Some(20_000);
    let recent = Recent {
        turns: 1,
        rounds: 2,
    };
    paper.snip.recent = recent;
    paper.collapse.recent = recent;
    paper.collapse.rounds = 2;
    paper.microcompact.keep = 1;
    paper.summary.limit = 200;
    paper
}

/// One stage alone, or all of them.
pub(crate) fn stages(only: Option<StageKind>) -> Vec<Box<dyn Stage>> {
    let mut paper = paper();
    if let Some(only) = only {
        paper.only(only);
    }
    let mut stages = paper.stages();
    stages.retain(|stage| only.is_none_or(|only| stage.kind() == only));
    stages
}

fn which() -> impl Strategy<Value = Option<StageKind>> {
    prop_oneof![
        3 => Just(None),
        5 => prop::sample::select(StageKind::ALL.to_vec()).prop_map(Some),
    ]
}

/// Thresholds around the size of random sessions, soon after them or long after.
fn budget() -> impl Strategy<Value = Budget> {
    let threshold = prop_oneof![Just(0), 1_u64..400, 400_u64..20_000];
    (
        prop::option::weighted(0.9, threshold),
        prop::option::of(any::<i64>()),
    )
        .prop_map(|(threshold, now)| Budget { threshold, now })
}

fn run(context: &mut Context<'_>, only: Option<StageKind>, budget: &Budget) -> Vec<StageTrace> {
    let stages = stages(only);
    stages
        .iter()
        .map(|stage| stage.run(context, budget))
        .collect()
}

/// The context as it would be sent, with everything in it.
fn written(context: &Context<'_>) -> String {
    format!("{:?}", context.messages)
}

/// Where a block came from.
fn origin(held: &Held) -> Option<(usize, usize)> {
    held.from.map(|from| (from.record, from.block))
}

/// Every result stands in the message behind that of its call, before all texts.
fn check_pairs(context: &Context<'_>) -> Result<(), TestCaseError> {
    let joined = context.joined();
    let mut open: FxHashSet<String> = FxHashSet::default();
    for (role, blocks) in &joined {
        let mut seen_other = false;
        for held in blocks {
            if let Some(id) = held.answers() {
                prop_assert_eq!(*role, Role::User);
                prop_assert!(open.remove(id), "result of {} without call", id);
                prop_assert!(!seen_other, "text before a result");
            } else if let Some(id) = held.call() {
                prop_assert_eq!(*role, Role::Assistant);
                prop_assert!(open.insert(id.to_owned()));
            } else {
                seen_other = *role == Role::User;
            }
        }
    }
    prop_assert!(open.is_empty(), "calls without results: {:?}", open);
    Ok(())
}

fn transcript(session: &Session) -> Transcript<Vec<u8>> {
    Transcript::read(session.write().bytes).expect("bytes can be read")
}

/// Whether a text is this prompt: where another text follows, a line break ends it.
fn is_prompt(text: &str, prompt: &str) -> bool {
    text.strip_suffix('\n').unwrap_or(text) == prompt || text == prompt
}

proptest! {
    #![proptest_config(config())]

    /// The generator tells the truth, and the reader finds it.
    #[test]
    fn a_written_session_is_read_as_it_was_made(session in session()) {
        let written = session.write();
        let transcript = Transcript::read(written.bytes.clone()).expect("bytes can be read");
        prop_assert_eq!(transcript.index().entries().len(), written.truth.records);
        let (_, conversation) = conversation(&transcript);
        let blocks = || conversation.messages.iter().flat_map(|message| &message.blocks);
        let texts: Vec<&str> = blocks().filter_map(|placed| match &placed.block {
            Block::Read(record::Block::Text(text)) => Some(text.as_str()),
            _ => None,
        }).collect();
        let mut found = texts.iter();
        for prompt in written.truth.prompts() {
            prop_assert!(found.any(|text| is_prompt(text, prompt)), "{} is missing or not in order", prompt);
        }
        let calls: Vec<&str> = blocks().filter_map(|placed| match &placed.block {
            Block::Read(record::Block::ToolUse { id, .. }) if placed.from.is_some() => Some(id.as_str()),
            _ => None,
        }).collect();
        for call in written.truth.calls() {
            prop_assert!(calls.contains(&call), "{} is missing", call);
        }
    }

    #[test]
    fn calls_and_results_stay_together(
        session in session(), only in which(), budget in budget(),
    ) {
        let transcript = transcript(&session);
        let mut context = context(&transcript, Vec::new());
        check_pairs(&context)?;
        for stage in stages(only) {
            stage.run(&mut context, &budget);
            check_pairs(&context)?;
        }
    }

    /// No message is empty that was not, and speakers take turns where they did.
    #[test]
    fn messages_stay_whole(session in session(), only in which(), budget in budget()) {
        let transcript = transcript(&session);
        let mut context = context(&transcript, Vec::new());
        let neighbours = |context: &Context<'_>| {
            let joined = context.joined();
            let same = joined.windows(2).filter(|pair| {
                pair[0].0 == pair[1].0 && pair[0].0 == Role::Assistant
            });
            (same.count(), joined.iter().filter(|(_, blocks)| blocks.is_empty()).count())
        };
        let before = neighbours(&context);
        run(&mut context, only, &budget);
        let after = neighbours(&context);
        prop_assert!(after.0 <= before.0, "{:?} {:?}", before, after);
        prop_assert!(after.1 <= before.1, "{:?} {:?}", before, after);
    }

    #[test]
    fn a_second_run_changes_nothing(
        session in session(), only in which(), budget in budget(),
    ) {
        let transcript = transcript(&session);
        let mut context = context(&transcript, Vec::new());
        for stage in stages(only) {
            stage.run(&mut context, &budget);
            let once = written(&context);
            let trace = stage.run(&mut context, &budget);
            prop_assert!(!trace.fired, "{:?}", trace);
            prop_assert_eq!(written(&context), once);
        }
    }

    #[test]
    fn no_stage_adds_tokens_and_traces_add_up(
        session in session(), only in which(), budget in budget(),
    ) {
        let transcript = transcript(&session);
        for mut context in [context(&transcript, Vec::new()), anchored(&transcript)] {
            let mut before = context.tokens();
            for trace in run(&mut context, only, &budget) {
                prop_assert_eq!(trace.tokens_before, before);
                prop_assert!(trace.tokens_after <= before);
                for change in &trace.changes {
                    prop_assert!(change.tokens_after <= change.tokens_before);
                }
                before = trace.tokens_after;
            }
            prop_assert_eq!(context.tokens(), before);
        }
        let mut context = context(&transcript, Vec::new());
        for trace in run(&mut context, only, &budget) {
            let freed: u64 = trace.changes.iter()
                .map(|change| change.tokens_before - change.tokens_after).sum();
            prop_assert_eq!(trace.tokens_freed() + trace.tokens_added, freed);
            prop_assert_eq!(trace.fired, trace.changes.iter().any(|change| change.action != Action::Kept));
        }
        // The sizes that are kept are those of the blocks.
        let held: Vec<Held> = context.messages.iter().flat_map(|m| m.blocks.clone()).collect();
        for held in held {
            prop_assert_eq!(context.size(&held.block), held.tokens);
        }
    }

    #[test]
    fn what_stays_keeps_its_order(session in session(), only in which(), budget in budget()) {
        let transcript = transcript(&session);
        let mut context = context(&transcript, Vec::new());
        let origins = |context: &Context<'_>| -> Vec<_> {
            let joined = context.joined();
            joined.iter().flat_map(|(_, blocks)| blocks.iter().filter_map(|held| origin(held)))
                .collect()
        };
        let before = origins(&context);
        let traces = run(&mut context, only, &budget);
        let after = origins(&context);
        let mut rest = before.iter();
        for block in &after {
            prop_assert!(rest.any(|other| other == block), "{:?} is new or not in order", block);
        }
        // What is not there any more has a change that says so.
        let gone: FxHashSet<_> = traces.iter().flat_map(|trace| &trace.changes)
            .filter_map(|change| change.record.map(|record| (record, change.block)))
            .collect();
        for block in before {
            prop_assert!(after.contains(&block) || gone.contains(&block), "{:?}", block);
        }
    }

    #[test]
    fn pins_and_the_last_request_survive(
        session in session(), only in which(), budget in budget(), at in any::<prop::sample::Index>(),
    ) {
        let written = session.write();
        let transcript = Transcript::read(written.bytes.clone()).expect("bytes can be read");
        let (_, conversation) = conversation(&transcript);
        let blocks = conversation.messages.iter().flat_map(|message| &message.blocks);
        let texts: Vec<String> = blocks.filter_map(|placed| text(&placed.block))
            .filter(|text| !text.is_empty()).collect();
        let pins: Vec<String> = if texts.is_empty() { Vec::new() } else {
            let whole = at.get(&texts);
            let part: String = whole.chars().skip(whole.chars().count() / 3).take(40).collect();
            vec![part].into_iter().filter(|part| !part.is_empty()).collect()
        };
        let mut context = context(&transcript, pins.clone());
        prop_assert!(context.missing_pins().is_empty());
        let request = written.truth.prompts().last();
        run(&mut context, only, &budget);
        prop_assert!(context.missing_pins().is_empty(), "{:?} is lost", pins);
        if let Some(request) = request {
            let texts = crate::world::texts(&context);
            prop_assert!(
                texts.iter().any(|(role, text)| *role == Role::User && is_prompt(text, request)),
                "{} is lost", request
            );
        }
    }

    #[test]
    fn folds_expand_to_what_they_were(
        session in session(), budget in budget(), backwards in any::<bool>(),
    ) {
        let transcript = transcript(&session);
        let mut context = context(&transcript, Vec::new());
        let only = Some(StageKind::Collapse);
        // What was made by other stages is folded, too.
        run(&mut context, Some(StageKind::Snip), &Budget::of(0));
        let before = written(&context);
        let tokens = context.tokens();
        run(&mut context, only, &budget);
        // The store comes back whole from its JSON.
        let json = serde_json::to_string(&context.folds).expect("folds are plain data");
        let read: outcrop_compactor::pipeline::Folds =
            serde_json::from_str(&json).expect("folds are plain data");
        prop_assert_eq!(serde_json::to_string(&read).expect("folds are plain data"), json);
        context.folds = read;
        let mut folds = context.folded();
        prop_assert_eq!(folds.len(), context.folds.len());
        if backwards {
            folds.reverse();
        }
        for fold in folds {
            prop_assert!(context.expand(&fold));
            prop_assert!(!context.expand(&fold));
        }
        prop_assert_eq!(written(&context), before);
        prop_assert_eq!(context.tokens(), tokens);
    }

    #[test]
    fn the_result_fits_or_says_that_it_does_not(session in session(), budget in budget()) {
        let transcript = transcript(&session);
        let context = context(&transcript, Vec::new());
        let before = context.tokens();
        let result = Pipeline::paper(paper()).run(context, &budget);
        let tokens: u64 = result.context.messages.iter().map(tokens_of).sum();
        prop_assert_eq!(result.fits, tokens < budget.threshold.unwrap_or(u64::MAX));
        prop_assert_eq!(result.tokens_before, before);
        if !result.fits {
            // Nothing was left undone: no stage has anything more to take.
            let mut context = result.context;
            for trace in run(&mut context, None, &budget) {
                prop_assert!(!trace.fired, "{:?}", trace);
            }
        }
    }

    /// With nothing over the threshold nothing changes but what is over its own limit.
    #[test]
    fn a_context_below_the_threshold_is_left_alone(session in session()) {
        let transcript = transcript(&session);
        let context = context(&transcript, Vec::new());
        let before = written(&context);
        let mut paper = Paper::default();
        paper.budget.tools.clear();
        paper.budget.failed_bash = outcrop_compactor::stages::Limit::None;
        paper.budget.others = outcrop_compactor::stages::Limit::None;
        let result = Pipeline::paper(paper).run(context, &Budget::default());
        prop_assert!(result.fits);
        prop_assert!(result.stages.iter().all(|trace| !trace.fired && trace.changes.is_empty()));
        prop_assert_eq!(written(&result.context), before);
    }

    #[test]
    fn results_are_valid_json(session in session(), budget in budget()) {
        let transcript = transcript(&session);
        let context = anchored(&transcript);
        let result = Pipeline::paper(paper()).run(context, &budget);
        let json = serde_json::to_value(&result).expect("results are plain data");
        let messages = json["context"].as_array().expect("a list of messages");
        prop_assert_eq!(messages.len(), result.context.joined().len());
        for message in messages {
            for block in message["blocks"].as_array().expect("a list of blocks") {
                prop_assert!(block["type"].is_string());
                prop_assert!(block["tokens"].is_u64());
            }
        }
    }
}
