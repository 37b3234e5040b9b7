//! What variables and settings do, value by value.

use outcrop_loader::client::Version;

use super::super::{Mode, Source};
use super::{NEW, OLD, OPUS, RESERVE, SHARE, SONNET, WINDOW, World, cases, with_env};

#[test]
fn the_variable_of_the_window_is_read_as_by_the_client() {
    for (text, new, old) in [
        ("150000", 117_000, 117_000),
        ("50000", 67_000, 67_000),
        ("99999", 67_000, 67_000),
        ("100", 67_000, 67_000),
        ("0", 967_000, 167_000),
        ("-1", 967_000, 167_000),
        ("abc", 967_000, 167_000),
        ("auto", 967_000, 167_000),
        ("", 967_000, 167_000),
        ("2000000", 967_000, 167_000),
        ("150000abc", 117_000, 117_000),
        ("150k", 117_000, 67_000),
        ("150 k", 117_000, 67_000),
        ("150kb", 67_000, 67_000),
        ("150k tokens", 67_000, 67_000),
        ("0.5m", 467_000, 167_000),
        (".2m", 167_000, 167_000),
        ("1m", 967_000, 67_000),
        ("1.5e5", 117_000, 67_000),
        (" 150000 ", 117_000, 117_000),
        ("+150000", 117_000, 117_000),
        ("150_000", 117_000, 67_000),
        ("150,000", 117_000, 67_000),
        ("0x30d40", 967_000, 167_000),
    ] {
        let trigger = |version, model| with_env(&[(WINDOW, text)], version, model).trigger;
        assert_eq!(trigger(NEW, OPUS), new, "{text:?}");
        assert_eq!(trigger(OLD, SONNET), old, "{text:?}");
    }
    for (text, triggers) in [
        ("150k", [67_000, 67_000, 67_000, 67_000, 117_000]),
        ("1.5e5", [67_000, 117_000, 117_000, 117_000, 117_000]),
        ("150_000", [67_000, 67_000, 117_000, 117_000, 117_000]),
    ] {
        for (patch, trigger) in [207, 210, 211, 303, 304].into_iter().zip(triggers) {
            let version = Version::new(2, 1, patch);
            let found = with_env(&[(WINDOW, text)], version, SONNET).trigger;
            assert_eq!(found, trigger, "{text} {patch}");
        }
    }
    let case = |text| cases(&with_env(&[(WINDOW, text)], NEW, OPUS));
    assert_eq!(case("150000"), [""; 0]);
    assert_eq!(case("50000"), ["window-raised"]);
    assert_eq!(case("abc"), ["window-ignored"]);
    assert_eq!(case("2000000"), ["window-without-effect"]);
}

#[test]
fn a_window_makes_the_client_count_with_any_model() {
    let set = |text| with_env(&[(WINDOW, text)], NEW, "claude-sonnet-4-5");
    assert!(matches!(set("1000000").mode, Mode::AtTrigger { .. }));
    assert_eq!(set("1000000").trigger, 167_000);
    assert_eq!(set("abc").mode, Mode::OnRefusal);
    let world = World {
        user: r#"{"autoCompactWindow": 1000000}"#,
        ..World::default()
    };
    let window = world.window(NEW, "claude-sonnet-4-5");
    assert_eq!(window.trigger, 167_000);
    assert!(matches!(window.mode, Mode::AtTrigger { .. }));
    let by_share = with_env(&[(SHARE, "50")], NEW, "claude-sonnet-4-5");
    assert_eq!(by_share.mode, Mode::OnRefusal);
}

#[test]
fn the_setting_of_the_window_is_a_whole_number_or_nothing() {
    for (value, trigger) in [
        ("150000", 117_000),
        ("100000", 67_000),
        ("2000000", 967_000),
        ("50000", 967_000),
        ("0", 967_000),
        ("150000.5", 967_000),
        ("\"150000\"", 967_000),
        ("\"auto\"", 967_000),
        ("null", 967_000),
    ] {
        let user = format!("{{\n \"autoCompactWindow\": {value}}}");
        let world = World {
            user: &user,
            ..World::default()
        };
        let window = world.window(NEW, OPUS);
        assert_eq!(window.trigger, trigger, "{value}");
        let wants_remark = !["150000", "100000", "\"auto\"", "null"].contains(&value);
        assert_eq!(window.remarks.len(), usize::from(wants_remark), "{value}");
        for remark in &window.remarks {
            assert_eq!(remark.diagnostic().line, Some(2));
        }
    }
}

#[test]
fn the_variable_goes_before_settings_and_the_nearer_settings_before_others() {
    let world = World {
        env: &[(WINDOW, "120000")],
        user: r#"{"autoCompactWindow": 150000}"#,
        ..World::default()
    };
    let window = world.window(NEW, OPUS);
    assert_eq!(window.trigger, 87_000);
    assert_eq!(window.window.source.to_string(), WINDOW);
    assert_eq!(cases(&window), ["window-overruled"]);
    let ignored = World {
        env: &[(WINDOW, "abc")],
        ..world
    };
    assert_eq!(ignored.window(NEW, OPUS).trigger, 117_000);
    let nearer = World {
        env: &[],
        local: r#"{"autoCompactWindow": 120000}"#,
        ..ignored
    };
    let window = nearer.window(NEW, OPUS);
    assert_eq!(window.trigger, 87_000);
    let place = "/home/dev/shop/.claude/settings.local.json:1";
    let wanted = format!("autoCompactWindow in {place}");
    assert_eq!(window.window.source.to_string(), wanted);
    let by_settings = World {
        user: "{\"env\": {\n\"CLAUDE_CODE_AUTO_COMPACT_WINDOW\": \"120000\"}}",
        ..World::default()
    };
    let window = by_settings.window(NEW, OPUS);
    assert_eq!(window.trigger, 87_000);
    let wanted = format!("{WINDOW} in /home/dev/.claude/settings.json:2");
    assert_eq!(window.window.source.to_string(), wanted);
}

/// Bug B088, and the odd values of the share.
#[test]
fn a_share_can_only_lower_the_trigger() {
    for (text, trigger, found) in [
        ("33", 26_400, None),
        ("50.5", 40_400, None),
        ("50%", 40_000, None),
        (" 40", 32_000, None),
        ("1e1", 8_000, None),
        ("1", 800, None),
        ("0.8", 640, Some("share-fraction")),
        ("95", 67_000, Some("share-without-effect")),
        ("100", 67_000, Some("share-without-effect")),
        ("0", 67_000, Some("share-ignored")),
        ("-5", 67_000, Some("share-ignored")),
        ("150", 67_000, Some("share-ignored")),
        ("abc", 67_000, Some("share-ignored")),
        ("", 67_000, None),
    ] {
        let window = with_env(&[(WINDOW, "100000"), (SHARE, text)], NEW, OPUS);
        assert_eq!(window.trigger, trigger, "{text:?}");
        assert_eq!(cases(&window), Vec::from_iter(found), "{text:?}");
        let effective = window.share.is_some_and(|share| share.effective);
        assert_eq!(effective, trigger < 67_000);
    }
    let world = World {
        env: &[(SHARE, "95")],
        window: Some(200_000),
        ..World::default()
    };
    let share = world.window(NEW, OPUS).share.unwrap();
    assert_eq!((share.tokens, share.effective), (171_000, false));
}

#[test]
fn the_reserve_is_the_longest_answer_but_bounded() {
    for (text, reserve) in [
        ("10000", 10_000),
        ("1e4", 10_000),
        ("5000abc", 5_000),
        ("1", 1),
        ("64000", 20_000),
        ("200000", 20_000),
        ("0", 20_000),
        ("-1", 20_000),
        ("abc", 20_000),
    ] {
        let window = with_env(&[(WINDOW, "100000"), (RESERVE, text)], NEW, OPUS);
        assert_eq!(window.trigger, 87_000 - reserve, "{text}");
    }
    for (text, new, old) in [
        ("10_000", 10_000, 10),
        ("10,000", 10_000, 10),
        ("10k", 10, 10),
        ("1e4", 10_000, 1),
        ("5000abc", 5_000, 5_000),
    ] {
        let reserve = |version| with_env(&[(RESERVE, text)], version, SONNET).reserve.value;
        assert_eq!((reserve(NEW), reserve(OLD)), (new, old), "{text}");
    }
    for (model, trigger) in [
        ("claude-3-5-haiku-20241022", 78_808),
        ("claude-3-5-sonnet-20241022", 78_808),
        ("claude-3-sonnet-20240229", 78_808),
        ("claude-3-opus-20240229", 82_904),
        ("claude-3-haiku-20240307", 82_904),
        ("claude-3-7-sonnet-20250219", 67_000),
        ("claude-opus-4-5", 67_000),
        ("my-model", 67_000),
    ] {
        let window = with_env(&[(WINDOW, "100000")], NEW, model);
        assert_eq!(window.trigger, trigger, "{model}");
    }
}

#[test]
fn the_narrow_window_and_a_recorded_usage_decide_the_models_window() {
    let narrow = "CLAUDE_CODE_DISABLE_1M_CONTEXT";
    for (model, value) in [(OPUS, "1"), ("claude-opus-5-5[1m]", "yes")] {
        let window = with_env(&[(narrow, value)], NEW, model);
        assert_eq!(window.trigger, 167_000);
        assert_eq!(window.model_window.source.to_string(), narrow);
    }
    let window = with_env(&[(narrow, "1")], NEW, "claude-sonnet-4-6");
    assert_eq!(window.model_window.source, Source::Model);
    let window = with_env(&[(narrow, "1")], NEW, "claude-sonnet-4-6[1m]");
    assert!(matches!(window.mode, Mode::AtTrigger { .. }));
    assert_eq!(window.trigger, 167_000);
    let world = World {
        largest_usage: 240_000,
        ..World::default()
    };
    let window = world.window(NEW, "claude-sonnet-4-6");
    assert_eq!(window.model_window.value, 1_000_000);
    assert_eq!(window.model_window.source, Source::Usage);
    assert_eq!(window.mode, Mode::OnRefusal);
}

#[test]
fn off_switches_leave_the_models_own_block_limit() {
    fn off(world: &World<'_>) -> Option<String> {
        let window = world.window(NEW, "claude-sonnet-4-6");
        assert_eq!((window.window.value, window.block), (200_000, 177_000));
        match window.mode {
            Mode::Off { source } => Some(source.to_string()),
            _ => None,
        }
    }
    let of_env = |value| {
        off(&World {
            env: &[("DISABLE_AUTO_COMPACT", value)],
            ..World::default()
        })
    };
    assert_eq!(of_env("1").as_deref(), Some("DISABLE_AUTO_COMPACT"));
    assert_eq!(of_env("yes").as_deref(), Some("DISABLE_AUTO_COMPACT"));
    assert_eq!(of_env("0"), None);
    assert_eq!(of_env("x"), None);
    let odd = with_env(&[("DISABLE_AUTO_COMPACT", "x")], NEW, OPUS);
    assert_eq!(cases(&odd), ["switch-ignored"]);
    let both = [("DISABLE_AUTO_COMPACT", "1"), (WINDOW, "100000")];
    let window = with_env(&both, NEW, "claude-sonnet-4-6");
    assert_eq!((window.window.value, window.block), (200_000, 177_000));
    assert_eq!(cases(&window), ["window-without-effect"]);
    assert_eq!(window.command_off, None);
    let window = with_env(&[("DISABLE_COMPACT", "1")], NEW, OPUS);
    assert!(window.command_off.is_some() && matches!(window.mode, Mode::Off { .. }));
    let of_files = |user, state| {
        off(&World {
            user,
            state,
            ..World::default()
        })
    };
    let (on, no) = (
        r#"{"autoCompactEnabled": true}"#,
        r#"{"autoCompactEnabled": false}"#,
    );
    let by_settings = "autoCompactEnabled in /home/dev/.claude/settings.json:1";
    let by_state = "autoCompactEnabled in /home/dev/.claude.json";
    assert_eq!(of_files(no, "").as_deref(), Some(by_settings));
    assert_eq!(of_files("", no).as_deref(), Some(by_state));
    assert_eq!(of_files(on, no), None);
    assert_eq!(of_files("", r#"{"autoCompactEnabled": "false"}"#), None);
    assert_eq!(of_files(no, on).as_deref(), Some(by_settings));
}

/// The switch must be true or false; the setting of the window costs itself only.
#[test]
fn a_switch_of_the_wrong_kind_voids_its_file() {
    let trigger = |user: &str| {
        let world = World {
            user,
            ..World::default()
        };
        world.window(NEW, OPUS).trigger
    };
    for value in ["\"no\"", "0", "null"] {
        let user = format!(r#"{{"autoCompactEnabled": {value}, "autoCompactWindow": 150000}}"#);
        assert_eq!(trigger(&user), 967_000, "{value}");
    }
    let user =
        r#"{"autoCompactWindow": true, "env": {"CLAUDE_CODE_AUTO_COMPACT_WINDOW": "120000"}}"#;
    assert_eq!(trigger(user), 87_000);
}
