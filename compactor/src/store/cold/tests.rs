use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::{Duration, UNIX_EPOCH};

use proptest::prelude::*;

use super::*;
use crate::cold::CHUNK;

/// 2026-09-01T10:00:00Z, long after the files of these tests were changed.
const AT: &str = "2026-09-01T10:00:00Z";
const WAIT: Duration = Duration::from_secs(60);

struct World {
    _folder: tempfile::TempDir,
    config: PathBuf,
    cold: Cold,
    out: PathBuf,
}

fn name() -> Name {
    Name {
        project: "-srv-shop".to_owned(),
        session: "aaaa0001".to_owned(),
    }
}

const TRANSCRIPT: &str = "projects/-srv-shop/aaaa0001.jsonl";

impl World {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        Self {
            config: folder.path().join("client"),
            cold: Cold::at(&folder.path().join("archive")),
            out: folder.path().join("out"),
            _folder: folder,
        }
    }

    /// One with every kind of file that a session has.
    fn whole() -> Self {
        let world = Self::new();
        world.put(TRANSCRIPT, b"{\"n\":1}\n{\"n\":2}\n");
        for (path, text) in [
            (
                "projects/-srv-shop/aaaa0001/subagents/agent-x.jsonl",
                "{}\n",
            ),
            (
                "projects/-srv-shop/aaaa0001/subagents/agent-x.meta.json",
                "{\"a\":1}",
            ),
            (
                "projects/-srv-shop/aaaa0001/tool-results/t1.txt",
                "M_STORED\r\n\0\u{fe}",
            ),
            ("projects/-srv-shop/aaaa0001/tool-results/empty.txt", ""),
            ("file-history/aaaa0001/0123456789abcdef@v1", "before\n"),
        ] {
            world.put(path, text.as_bytes());
        }
        world
    }

    fn put(&self, path: &str, bytes: &[u8]) {
        let path = self.config.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, bytes).unwrap();
        let file = File::options().write(true).open(&path).unwrap();
        // Another time for another length, in nanoseconds, too.
        let time = Duration::new(1_780_000_000 + bytes.len() as u64, 123_456_789);
        file.set_modified(UNIX_EPOCH + time).unwrap();
    }

    fn source(&self) -> Source {
        Source::find(&self.config, name(), Vec::new()).unwrap()
    }

    fn archive_with(&self, recheck: bool) -> SessionDone {
        let options = Options {
            at: AT.to_owned(),
            recheck,
            dry: false,
        };
        let writing = self.cold.write(WAIT).unwrap();
        writing.archive(&self.source(), &options).unwrap()
    }

    fn archive(&self) -> SessionDone {
        self.archive_with(false)
    }

    fn manifest(&self) -> Manifest {
        self.cold.manifest(&name()).unwrap().unwrap().manifest
    }

    fn restore(&self, generation: Option<u64>) -> Result<Vec<Restored>, StoreError> {
        let target = Target {
            folder: &self.out,
            generation,
            own_times: true,
            dry: false,
        };
        self.cold.restore(&self.manifest(), &target)
    }

    /// The transcript of a generation.
    fn transcript(&self, generation: u64) -> Vec<u8> {
        let _ = fs::remove_dir_all(&self.out);
        self.restore(Some(generation)).unwrap();
        fs::read(self.out.join(TRANSCRIPT)).unwrap()
    }

    fn objects(&self) -> Vec<PathBuf> {
        let all = self.cold.objects().all().unwrap();
        all.iter()
            .map(|(digest, _)| self.cold.objects().path(digest))
            .collect()
    }

    fn problems(&self) -> Vec<String> {
        let verified = self.cold.verify(|_| true).unwrap();
        let problems = verified.problems.iter();
        problems.map(|problem| problem.error.to_string()).collect()
    }
}

fn all_below(folder: &Path) -> Vec<PathBuf> {
    let (mut found, mut waiting) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = waiting.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            match entry.path().is_dir() {
                true => waiting.push(entry.path()),
                false => found.push(entry.path()),
            }
        }
    }
    found
}

#[test]
fn all_of_a_session_comes_back_as_it_was() {
    let world = World::whole();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let path = world.config.join(TRANSCRIPT);
        fs::set_permissions(path, fs::Permissions::from_mode(0o640)).unwrap();
    }
    let done = world.archive();
    assert_eq!(done.files.len(), 6);
    assert!(
        done.files
            .iter()
            .all(|file| matches!(file.became, Ok(Became::New)))
    );
    assert_eq!(world.cold.current(&world.source()), Current::Kept);
    assert_eq!(world.restore(None).unwrap().len(), 6);
    for before in all_below(&world.config) {
        let after = world.out.join(before.strip_prefix(&world.config).unwrap());
        assert_eq!(
            fs::read(&before).unwrap(),
            fs::read(&after).unwrap(),
            "{after:?}"
        );
        let (before, after) = (fs::metadata(before).unwrap(), fs::metadata(after).unwrap());
        assert_eq!(before.modified().unwrap(), after.modified().unwrap());
        assert_eq!(before.permissions(), after.permissions());
    }
    assert_eq!(all_below(&world.out).len(), 6);
    let again = world.archive();
    assert!(
        again
            .files
            .iter()
            .all(|file| matches!(file.became, Ok(Became::Same)))
    );
    assert_eq!((again.generation, again.added, again.stored), (1, 0, 0));
    let again = world.restore(None).unwrap();
    assert!(
        again.iter().all(|file| file.was_there),
        "nothing is written twice"
    );
}

/// What the client deleted of a session that it kept, as single stored results, stays.
#[test]
fn what_is_deleted_stays_in_the_store() {
    let world = World::whole();
    world.archive();
    let stored = "projects/-srv-shop/aaaa0001/tool-results/t1.txt";
    fs::remove_file(world.config.join(stored)).unwrap();
    world.put(TRANSCRIPT, b"{\"n\":1}\n{\"n\":2}\n{\"n\":3}\n");
    world.archive();
    world.restore(None).unwrap();
    assert!(world.out.join(stored).is_file());
}

#[test]
fn a_session_that_grew_is_added_to() {
    let world = World::new();
    let mut bytes: Vec<u8> = (0..2 * CHUNK + 7).map(|n| (n % 251) as u8).collect();
    world.put(TRANSCRIPT, &bytes);
    world.archive();
    let before: Vec<PathBuf> = world.objects();
    assert_eq!(before.len(), 3);
    bytes.extend_from_slice(b"more\n");
    world.put(TRANSCRIPT, &bytes);
    assert_eq!(world.cold.current(&world.source()), Current::Behind);
    let done = world.archive();
    assert!(matches!(done.files[0].became, Ok(Became::Grown)));
    assert_eq!(done.added, 5);
    assert_eq!(world.objects().len(), 4);
    assert_eq!(world.manifest().files[0].versions.len(), 1);
    assert_eq!(world.transcript(2), bytes);
    assert_eq!(world.transcript(1), bytes[..bytes.len() - 5]);
}

#[test]
fn what_was_changed_is_kept_beside_what_it_was() {
    let world = World::new();
    let texts: [&[u8]; 4] = [b"one\ntwo\n", b"one\n", b"ONE\ntwo\n", b""];
    for text in texts {
        world.put(TRANSCRIPT, text);
        world.archive();
    }
    assert_eq!(world.manifest().files[0].versions.len(), 4);
    for (generation, text) in (1..).zip(texts) {
        assert_eq!(world.transcript(generation), text);
    }
    assert_eq!(world.problems(), [""; 0]);
}

/// A changed file whose length and time are as they were is found when it is asked for.
#[test]
fn what_was_written_just_before_is_read_again() {
    let world = World::new();
    world.put(TRANSCRIPT, b"one\n");
    let path = world.config.join(TRANSCRIPT);
    let time = fs::metadata(&path).unwrap().modified().unwrap();
    world.archive();
    fs::write(&path, "two\n").unwrap();
    File::options()
        .write(true)
        .open(&path)
        .unwrap()
        .set_modified(time)
        .unwrap();
    assert!(matches!(world.archive().files[0].became, Ok(Became::Same)));
    assert!(matches!(
        world.archive_with(true).files[0].became,
        Ok(Became::Changed)
    ));
    // Where the file is as young as the run, it is read in any case.
    let young = World::new();
    let path = young.config.join(TRANSCRIPT);
    let write = |text: &str| {
        young.put(TRANSCRIPT, text.as_bytes());
        let now = UNIX_EPOCH + Duration::from_secs(1_788_256_799);
        File::options()
            .write(true)
            .open(&path)
            .unwrap()
            .set_modified(now)
            .unwrap();
    };
    write("one\n");
    young.archive();
    write("two\n");
    assert!(matches!(
        young.archive().files[0].became,
        Ok(Became::Changed)
    ));
}

#[test]
fn a_flipped_byte_is_found_and_named() {
    let world = World::whole();
    world.archive();
    for object in world.objects() {
        let sound = fs::read(&object).unwrap();
        let places = [0, 4, sound.len() / 2, sound.len() - 5, sound.len() - 1];
        for place in places {
            for bit in [1, 0x80] {
                let mut damaged = sound.clone();
                damaged[place] ^= bit;
                fs::write(&object, &damaged).unwrap();
                let refused = world.restore(None).unwrap_err();
                let problems = world.problems();
                assert_eq!(problems.len(), 1, "{problems:?}");
                let file = object.file_name().unwrap().to_str().unwrap();
                for told in [refused.to_string(), problems[0].clone()] {
                    assert!(told.contains(file) && told.contains("is damaged"), "{told}");
                }
            }
        }
        fs::remove_file(&object).unwrap();
        assert!(world.problems()[0].contains("it is missing"));
        fs::write(&object, &sound).unwrap();
    }
    assert_eq!(
        all_below(&world.out),
        Vec::<PathBuf>::new(),
        "nothing was restored in part"
    );
    world.restore(None).unwrap();
}

#[test]
fn damage_is_mended_from_what_the_client_has() {
    let world = World::whole();
    world.archive();
    for object in world.objects() {
        fs::write(object, "x").unwrap();
    }
    // The empty file has no chunk.
    assert_eq!(world.problems().len(), 5);
    world.archive_with(true);
    assert_eq!(world.problems(), [""; 0]);
}

#[test]
fn a_broken_manifest_is_found_and_gone_round() {
    let world = World::new();
    world.put(TRANSCRIPT, b"one\n");
    world.archive();
    let path = world.cold.manifest_path(&name());
    let sound = fs::read(&path).unwrap();
    for length in 0..sound.len() - 1 {
        fs::write(&path, &sound[..length]).unwrap();
        let error = world.cold.manifest(&name()).unwrap_err().to_string();
        assert!(error.contains("aaaa0001.json is damaged"), "{error}");
    }
    for place in 0..sound.len() - 1 {
        let mut damaged = sound.clone();
        damaged[place] ^= 1;
        fs::write(&path, &damaged).unwrap();
        assert!(
            world.cold.manifest(&name()).is_err(),
            "byte {place} of {sound:?}"
        );
    }
    assert_eq!(world.problems().len(), 1);
    let done = world.archive();
    let (aside, _) = done.set_aside.unwrap();
    assert!(aside.ends_with("aaaa0001.json.damaged-1") && aside.is_file());
    assert_eq!(world.problems(), [""; 0]);
    // With an older one, that is what counts.
    world.put(TRANSCRIPT, b"one\ntwo\n");
    world.archive();
    fs::write(&path, "{").unwrap();
    let loaded = world.cold.manifest(&name()).unwrap().unwrap();
    assert!(loaded.damage.is_some());
    assert_eq!(loaded.manifest.generation, 1);
    assert_eq!(world.problems().len(), 1);
    assert!(world.archive().set_aside.is_some());
    assert_eq!(world.transcript(2), b"one\ntwo\n");
}

#[test]
fn no_file_is_written_over() {
    let world = World::whole();
    world.archive();
    let there = world.out.join(TRANSCRIPT);
    fs::create_dir_all(there.parent().unwrap()).unwrap();
    fs::write(&there, "mine").unwrap();
    let refused = world.restore(None).unwrap_err();
    assert!(matches!(refused, StoreError::Exists(path) if path == there));
    assert_eq!(all_below(&world.out), [there]);
}

#[test]
fn a_manifest_leads_to_no_other_folder() {
    for path in ["../x", "/etc/x", "a/../x", "a//x", "a\\x", ""] {
        let mut manifest = Manifest::new("-srv", "a");
        manifest.file_mut(path);
        let text = manifest.encode().unwrap();
        assert!(Manifest::decode(text.as_bytes()).is_err(), "{path}");
    }
}

#[test]
fn a_session_that_grows_meanwhile_is_kept_as_far_as_it_was() {
    let world = World::new();
    let line = [b"{\"text\":\"".as_slice(), &[b'x'; 200], b"\"}\n"].concat();
    world.put(TRANSCRIPT, &line.repeat(500));
    std::thread::scope(|scope| {
        // A bounded number of lines, however long the archiving takes.
        let writer = scope.spawn(|| {
            let path = world.config.join(TRANSCRIPT);
            let mut file = File::options().append(true).open(path).unwrap();
            for _ in 0..2000 {
                io::Write::write_all(&mut file, &line).unwrap();
                std::thread::sleep(Duration::from_micros(50));
            }
        });
        while !writer.is_finished() {
            let done = world.archive();
            assert!(done.files[0].became.is_ok(), "{done:?}");
        }
    });
    world.archive();
    let manifest = world.manifest();
    assert_eq!(manifest.files[0].versions.len(), 1);
    assert_eq!(world.problems(), [""; 0]);
    let whole = fs::read(world.config.join(TRANSCRIPT)).unwrap();
    assert_eq!(world.transcript(manifest.generation), whole);
    for generation in 1..manifest.generation {
        assert!(whole.starts_with(&world.transcript(generation)));
    }
}

#[test]
fn archivers_wait_for_each_other() {
    let world = World::whole();
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| world.archive());
        }
    });
    assert_eq!(world.manifest().generation, 1);
    assert_eq!(world.problems(), [""; 0]);
    let _held = world.cold.write(WAIT).unwrap();
    let refused = world.cold.write(Duration::ZERO).unwrap_err();
    assert!(
        refused.to_string().contains("in use by `outcrop archive`"),
        "{refused}"
    );
}

#[cfg(unix)]
#[test]
fn links_are_not_followed_and_odd_names_are_told() {
    use std::os::unix::ffi::OsStrExt as _;
    let world = World::whole();
    let results = world
        .config
        .join("projects/-srv-shop/aaaa0001/tool-results");
    std::os::unix::fs::symlink("/etc", results.join("link")).unwrap();
    let odd = std::ffi::OsStr::from_bytes(b"odd\xff.txt");
    fs::write(results.join(odd), "x").unwrap();
    let source = world.source();
    assert_eq!(source.files.len(), 6);
    let mut reasons: Vec<&str> = source.left_out.iter().map(|left| &*left.reason).collect();
    reasons.sort_unstable();
    assert_eq!(
        reasons,
        [
            "it is no file but a link, or a device",
            "its name is no UTF-8"
        ]
    );
}

#[derive(Debug, Clone)]
enum Step {
    Append(Vec<u8>),
    Write(Vec<u8>),
    Cut(prop::sample::Index),
    Touch,
}

fn step() -> impl Strategy<Value = Step> {
    let bytes = || prop::collection::vec(any::<u8>(), 0..200);
    prop_oneof![
        4 => bytes().prop_map(Step::Append),
        1 => bytes().prop_map(Step::Write),
        1 => any::<prop::sample::Index>().prop_map(Step::Cut),
        1 => Just(Step::Touch),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    /// Whatever happened to a file, what it was at each archiving comes back byte for byte.
    #[test]
    fn every_generation_comes_back(steps in prop::collection::vec(step(), 1..8)) {
        let world = World::new();
        let (mut bytes, mut known) = (b"{}\n".to_vec(), Vec::new());
        for (number, step) in steps.into_iter().enumerate() {
            match step {
                Step::Append(more) => bytes.extend(more),
                Step::Write(other) => bytes = other,
                Step::Cut(at) => bytes.truncate(at.index(bytes.len() + 1)),
                Step::Touch => {}
            }
            world.put(TRANSCRIPT, &bytes);
            let file = File::options().write(true).open(world.config.join(TRANSCRIPT)).unwrap();
            let time = Duration::from_secs(1_780_000_000 + number as u64);
            file.set_modified(UNIX_EPOCH + time).unwrap();
            let done = world.archive();
            known.push((done.generation, bytes.clone()));
        }
        for (generation, bytes) in known {
            prop_assert_eq!(world.transcript(generation), bytes);
        }
        prop_assert_eq!(world.problems(), [""; 0]);
    }
}
