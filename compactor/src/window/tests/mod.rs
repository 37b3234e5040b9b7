//! The limits as they were measured, and what must hold of any.

mod values;

use outcrop_loader::client::{Client, Version};
use outcrop_loader::host::MemoryHost;
use outcrop_loader::origin::Origin;
use outcrop_loader::path::AbsPath;
use outcrop_loader::record::Evidence;
use outcrop_loader::session::Session;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed};

use super::*;

const NEW: Version = Version::new(2, 1, 332);
const OLD: Version = Version::new(2, 1, 197);
const OPUS: &str = "claude-opus-5-5";
const SONNET: &str = "claude-sonnet-5";

const WINDOW: &str = "CLAUDE_CODE_AUTO_COMPACT_WINDOW";
const SHARE: &str = "CLAUDE_AUTOCOMPACT_PCT_OVERRIDE";
const RESERVE: &str = "CLAUDE_CODE_MAX_OUTPUT_TOKENS";

/// A world of which only what decides a window is told.
#[derive(Default)]
struct World<'a> {
    env: &'a [(&'a str, &'a str)],
    user: &'a str,
    local: &'a str,
    state: &'a str,
    window: Option<u64>,
    largest_usage: u64,
}

impl World<'_> {
    fn window(&self, version: Version, model: &str) -> Window {
        let path = |text: &str| AbsPath::new(text).unwrap();
        let mut host = MemoryHost::new();
        host.dir(&path("/home/dev/shop"));
        for (file, text) in [
            ("/home/dev/.claude/settings.json", self.user),
            ("/home/dev/shop/.claude/settings.local.json", self.local),
            ("/home/dev/.claude.json", self.state),
        ] {
            if !text.is_empty() {
                host.file(&path(file), text.as_bytes());
            }
        }
        let mut origin = Origin::new(path("/home/dev/shop"), path("/home/dev"));
        origin.client = Client::of(version).unwrap();
        let pairs = self.env.iter();
        origin.env = pairs
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect();
        let session = Session::start(&host, origin);
        let given = Given {
            window: self.window,
            largest_usage: self.largest_usage,
            ..Given::of(&session)
        };
        Window::of(model, &given)
    }
}

fn with_env(env: &[(&str, &str)], version: Version, model: &str) -> Window {
    let world = World {
        env,
        ..World::default()
    };
    world.window(version, model)
}

fn cases(window: &Window) -> Vec<&'static str> {
    window.remarks.iter().map(|remark| remark.case).collect()
}

/// Bug B086: 200,000 with nothing set.
#[test]
fn the_limits_follow_from_the_models_window() {
    let world = World {
        window: Some(200_000),
        ..World::default()
    };
    let window = world.window(Version::new(2, 1, 270), "claude-opus-5");
    assert_eq!((window.effective, window.trigger), (180_000, 167_000));
    assert_eq!((window.block, window.reserve.value), (177_000, 20_000));
    assert_eq!(window.model_window.source, Source::Asked);
    assert_eq!(window.reserve.source, Source::Model);
    assert!(window.trigger - 166_500 <= 1_000);
    assert_eq!(window.evidence, Evidence::Observed);
    let wide = with_env(&[], NEW, OPUS);
    assert_eq!((wide.trigger, wide.block), (967_000, 977_000));
    let unknown = with_env(&[], Version::new(2, 1, 400), OPUS);
    assert_eq!(unknown.evidence, Evidence::Assumed);
}

/// Resumes with usages up to 1,100,000 on both sides of the trigger (fact C4.8).
#[test]
fn only_some_models_are_compacted_at_a_trigger() {
    let trigger = |version, model| {
        let window = with_env(&[], version, model);
        let is_compacted = window.mode != Mode::OnRefusal;
        is_compacted.then_some(window.trigger)
    };
    let (wide, narrow) = (Some(967_000), Some(167_000));
    for (model, new, old) in [
        ("claude-opus-5-5", wide, None),
        ("claude-opus-5-5[1m]", wide, None),
        ("claude-opus-5", wide, None),
        ("claude-sonnet-5", wide, narrow),
        ("claude-sonnet-5[1m]", wide, wide),
        ("claude-sonnet-5-5", wide, narrow),
        ("claude-haiku-5-5", wide, None),
        ("claude-haiku-5-5[1m]", wide, None),
        ("claude-fable-5-2", wide, None),
        ("claude-opus-4-8", wide, None),
        ("claude-opus-4-8[1m]", wide, None),
        ("claude-opus-4-7", wide, None),
        ("claude-sonnet-4-7", wide, None),
        ("claude-opus-4-6", narrow, narrow),
        ("CLAUDE-OPUS-4-6", narrow, narrow),
        ("claude-opus-4-6[1m]", None, None),
        ("claude-opus-4-5", None, None),
        ("claude-sonnet-4-6", narrow, narrow),
        ("us.anthropic.claude-sonnet-4-6-v1:0", narrow, narrow),
        ("anthropic/claude-sonnet-4-6", narrow, narrow),
        ("claude-sonnet-4-6@20260101", narrow, narrow),
        ("claude-sonnet-4-6[1m]", None, None),
        ("claude-sonnet-4-5", None, None),
        ("claude-sonnet-4-5[1m]", None, None),
        ("claude-haiku-4-5", None, None),
        ("claude-3-5-haiku-20241022", None, None),
        ("claude-unknown-9", wide, None),
        ("my-model", wide, None),
    ] {
        assert_eq!(trigger(NEW, model), new, "{model}");
        assert_eq!(trigger(OLD, model), old, "{model}");
    }
}

/// Facts C4.9 and C4.10, and that the block limit does not follow the variable of the window.
#[test]
fn what_comes_next_depends_on_the_answers_so_far() {
    let (new, old) = (
        with_env(&[(WINDOW, "100000")], NEW, "claude-sonnet-4-6"),
        with_env(&[(WINDOW, "100000")], OLD, SONNET),
    );
    for (window, full) in [(&new, Next::Compaction), (&old, Next::TooLong)] {
        assert_eq!(window.next(66_999, 2), Next::Request);
        assert_eq!(window.next(67_000, 2), Next::Compaction);
        assert_eq!(window.next(176_999, 1), Next::Request);
        assert_eq!(window.next(177_000, 1), full);
        assert_eq!(window.next(177_000, 2), Next::Compaction);
    }
    let on_refusal = with_env(&[], NEW, "claude-sonnet-4-5");
    assert_eq!(on_refusal.next(1_100_000, 2), Next::Request);
    let off = with_env(&[("DISABLE_AUTO_COMPACT", "1")], NEW, OPUS);
    assert_eq!(off.next(976_999, 2), Next::Request);
    assert_eq!(off.next(977_000, 2), Next::TooLong);
}

fn texts() -> impl Strategy<Value = String> {
    prop_oneof![
        "[0-9]{1,9}",
        "[-+ .]?[0-9]{0,7}[.]?[0-9]{0,3}(e[-+]?[0-9]{1,3})?[kKmM%_, ]{0,2}",
        "\\PC{0,6}",
    ]
}

proptest! {
    #![proptest_config(Config { rng_seed: RngSeed::Fixed(6), failure_persistence: None, ..Config::default() })]
    #[test]
    fn limits_are_in_order_whatever_is_set(
        values in prop::array::uniform3(prop::option::of(texts())),
        asked in prop::option::of(0..=u64::MAX),
        largest_usage in prop_oneof![Just(0), 0..=u64::MAX],
        model in prop::sample::select(vec![OPUS, SONNET, "claude-3-opus", "claude-sonnet-4-6[1m]", "é[1m"]),
        version in prop::sample::select(vec![OLD, NEW]),
        off in any::<bool>(),
    ) {
        let names = [WINDOW, SHARE, RESERVE];
        let mut env: Vec<(&str, &str)> = Vec::new();
        for (name, value) in names.iter().zip(&values) {
            env.extend(value.as_deref().map(|value| (*name, value)));
        }
        env.extend(off.then_some(("DISABLE_AUTO_COMPACT", "1")));
        let of = |env: &[(&str, &str)]| {
            World { env, window: asked, largest_usage, ..World::default() }.window(version, model)
        };
        let window = of(&env);
        let model_window = window.model_window.value;
        prop_assert!(window.trigger <= window.effective);
        prop_assert!(window.trigger <= window.block);
        prop_assert!(window.effective <= window.window.value);
        prop_assert!(window.window.value <= model_window);
        prop_assert!(window.block <= model_window.saturating_sub(window.reserve.value));
        prop_assert!(window.reserve.value <= 20_000);
        env.retain(|(name, _)| *name != SHARE);
        let without = of(&env);
        prop_assert!(window.trigger <= without.trigger, "a share only lowers");
        prop_assert_eq!(window.block, without.block);
    }
}
