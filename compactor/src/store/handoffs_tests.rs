//! Tests of the folder of handoffs.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::path::Path;
use std::sync::Mutex;
use std::time::{Duration, SystemTime};

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp, civil};

use super::{Handoff, Handoffs, LARGEST, Left};

fn at(second: i8) -> civil::DateTime {
    civil::date(2026, 2, 27).at(9, 15, second, 0)
}

fn in_folder(folder: &Path) -> Handoffs {
    let single = folder.join("context-handoff.md");
    Handoffs::new(folder.join("handoffs"), Some(single), TimeZone::UTC)
}

fn files(handoffs: &Handoffs) -> Vec<String> {
    let found = handoffs.list().unwrap().into_iter();
    found.map(|one| one.name.file().to_owned()).collect()
}

fn waiting(handoffs: &Handoffs) -> Vec<Handoff> {
    handoffs.waiting().unwrap()
}

#[test]
fn one_second_and_title_give_many_names() {
    let folder = tempfile::tempdir().unwrap();
    let handoffs = in_folder(folder.path());
    for number in 0..3 {
        handoffs
            .write(at(1), "Deploy", &format!("{number}"))
            .unwrap();
    }
    let first = waiting(&handoffs).remove(0);
    handoffs.take(first).unwrap();
    // The name is free again, and its consumed form is not.
    handoffs.write(at(1), "Deploy", "3").unwrap();
    for one in waiting(&handoffs) {
        handoffs.take(one).unwrap();
    }
    let mut done = files(&handoffs);
    done.sort();
    let names = ["-2_done", "-3_done", "-4_done", "_done"];
    let names = names.map(|end| format!("2026-02-27_091501_deploy{end}.md"));
    assert_eq!(done, names);
    let texts: BTreeSet<Vec<u8>> = done
        .iter()
        .map(|name| fs::read(handoffs.folder().join(name)).unwrap())
        .collect();
    assert_eq!(texts, ["0", "1", "2", "3"].map(Vec::from).into());
}

/// Also where names of one second sort otherwise.
#[test]
fn what_was_written_first_is_listed_first() {
    let folder = tempfile::tempdir().unwrap();
    let handoffs = in_folder(folder.path());
    for number in 0..12_u64 {
        let path = handoffs.write(at(1), "same", &format!("{number}")).unwrap();
        let file = File::options().write(true).open(path).unwrap();
        let time = SystemTime::UNIX_EPOCH + Duration::from_millis(1_772_183_701_000 + number);
        file.set_modified(time).unwrap();
    }
    handoffs.write(at(0), "zero", "before").unwrap();
    let listed = waiting(&handoffs).into_iter();
    let texts: Vec<String> = listed
        .map(|one| fs::read_to_string(one.path).unwrap())
        .collect();
    let numbers = (0..12).map(|number| number.to_string());
    let expected: Vec<String> = std::iter::once("before".to_owned())
        .chain(numbers)
        .collect();
    assert_eq!(texts, expected);
}

#[test]
fn what_is_written_by_hand_counts() {
    let folder = tempfile::tempdir().unwrap();
    let handoffs = in_folder(folder.path());
    assert_eq!(files(&handoffs), [""; 0], "no folder holds none");
    handoffs.write(at(5), "Later", "later").unwrap();
    let path = |name: &str| handoffs.folder().join(name);
    fs::write(path("2026-02-27_091504_by-hand.md"), "by hand").unwrap();
    fs::write(path("notes.txt"), "no").unwrap();
    fs::write(path(".hidden.md"), "no").unwrap();
    fs::write(path("empty.md"), " \n").unwrap();
    fs::write(path("latin.md"), b"caf\xe9\n").unwrap();
    fs::create_dir(path("folder.md")).unwrap();
    File::create(path("large.md"))
        .unwrap()
        .set_len(LARGEST + 1)
        .unwrap();
    fs::write(folder.path().join("context-handoff.md"), "single").unwrap();
    let mut texts = Vec::new();
    let mut left = Vec::new();
    for one in waiting(&handoffs) {
        let name = one.name.file().to_owned();
        match handoffs.take(one) {
            Ok(taken) => texts.push((taken.text, taken.is_lossy)),
            Err(Left::Empty) => left.push((name, "empty")),
            Err(Left::Large(_)) => left.push((name, "large")),
            Err(other) => panic!("{name}: {other:?}"),
        }
    }
    let text = |text: &str| (text.to_owned(), false);
    assert_eq!(texts[..2], [text("by hand"), text("later")], "oldest first");
    assert!(texts.contains(&text("single")));
    assert!(texts.contains(&("caf\u{fffd}\n".to_owned(), true)));
    left.sort();
    assert_eq!(
        left,
        [
            ("empty.md".to_owned(), "empty"),
            ("large.md".to_owned(), "large")
        ]
    );
    assert!(folder.path().join("context-handoff_done.md").exists());
    assert_eq!(fs::read(path("latin_done.md")).unwrap(), b"caf\xe9\n");
    assert_eq!(waiting(&handoffs).len(), 2);
}

#[test]
fn a_taken_file_takes_no_others_place() {
    let folder = tempfile::tempdir().unwrap();
    let handoffs = in_folder(folder.path());
    fs::create_dir(handoffs.folder()).unwrap();
    let path = |name: &str| handoffs.folder().join(name);
    fs::write(path("a_done.md"), "old").unwrap();
    fs::write(path("a.md"), "new").unwrap();
    let taken = handoffs.take(waiting(&handoffs).remove(0)).unwrap();
    assert_eq!(taken.path, path("a-2_done.md"));
    assert_eq!(fs::read(path("a_done.md")).unwrap(), b"old");
    handoffs.give_back(&taken).unwrap();
    assert_eq!(fs::read(path("a.md")).unwrap(), b"new");
    // Where the name has another file by then, the text still waits.
    let taken = handoffs.take(waiting(&handoffs).remove(0)).unwrap();
    fs::write(path("a.md"), "newer").unwrap();
    handoffs.give_back(&taken).unwrap();
    let texts: BTreeSet<Vec<u8>> = waiting(&handoffs)
        .iter()
        .map(|one| fs::read(&one.path).unwrap())
        .collect();
    assert_eq!(texts, BTreeSet::from([b"new".to_vec(), b"newer".to_vec()]));
}

#[test]
fn only_what_was_taken_long_ago_is_removed() {
    let folder = tempfile::tempdir().unwrap();
    let handoffs = in_folder(folder.path());
    fs::create_dir(handoffs.folder()).unwrap();
    let day = Duration::from_secs(24 * 60 * 60);
    let old = SystemTime::now() - 30 * day;
    for name in ["old_done.md", "old.md", "taken-now.md", "new_done.md"] {
        let path = handoffs.folder().join(name);
        fs::write(&path, "x").unwrap();
        if name != "new_done.md" {
            let file = File::options().write(true).open(&path).unwrap();
            file.set_modified(old).unwrap();
        }
    }
    let now = waiting(&handoffs).into_iter();
    for one in now.filter(|one| one.name.file() == "taken-now.md") {
        handoffs.take(one).unwrap();
    }
    let before = Timestamp::now() - SignedDuration::from_hours(7 * 24);
    let removed: Vec<String> = handoffs
        .list()
        .unwrap()
        .into_iter()
        .filter(|one| handoffs.remove(one, before).unwrap())
        .map(|one| one.name.file().to_owned())
        .collect();
    assert_eq!(removed, ["old_done.md"]);
    let left: BTreeSet<String> = files(&handoffs).into_iter().collect();
    let expected = ["new_done.md", "old.md", "taken-now_done.md"].map(str::to_owned);
    assert_eq!(left, BTreeSet::from(expected));
}

#[test]
fn writers_and_takers_at_once_lose_nothing() {
    const WRITERS: usize = 8;
    const EACH: usize = 20;
    let folder = tempfile::tempdir().unwrap();
    let handoffs = in_folder(folder.path());
    let taken = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for writer in 0..WRITERS {
            let handoffs = &handoffs;
            scope.spawn(move || {
                for number in 0..EACH {
                    let text = format!("{writer} {number}");
                    handoffs.write(at(1), "same", &text).unwrap();
                }
            });
        }
        for _ in 0..4 {
            scope.spawn(|| {
                while taken.lock().unwrap().len() < WRITERS * EACH {
                    for one in waiting(&handoffs) {
                        match handoffs.take(one) {
                            Ok(one) => taken.lock().unwrap().push(one.text),
                            Err(Left::Gone) => {}
                            Err(left) => panic!("{left:?}"),
                        }
                    }
                }
            });
        }
    });
    let taken = taken.into_inner().unwrap();
    let different: BTreeSet<&String> = taken.iter().collect();
    assert_eq!(
        (taken.len(), different.len()),
        (WRITERS * EACH, WRITERS * EACH)
    );
    assert_eq!(files(&handoffs).len(), WRITERS * EACH);
}
