//! The cache of counts: it changes no answer, is safe to lose or break, and stays small.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::LazyLock;

use outcrop_tests::disk;
use serde_json::Value;

static PROGRAM: LazyLock<std::path::PathBuf> = LazyLock::new(disk::program);

fn shown(world: &Path, tokenizer: &str) -> Value {
    let output = Command::new(&*PROGRAM)
        .args([
            "show",
            "proj",
            "--json",
            "--home",
            "home",
            "--managed",
            "none",
        ])
        .args([
            "--client",
            "2.1.332",
            "--cache-dir",
            "cache",
            "--tokenizer",
            tokenizer,
        ])
        .current_dir(world)
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn a_cache_changes_no_answer() {
    let folder = tempfile::tempdir().unwrap();
    let world = folder.path();
    fs::create_dir_all(world.join("proj")).unwrap();
    fs::create_dir_all(world.join("home")).unwrap();
    fs::write(world.join("proj/CLAUDE.md"), "Run `make check` first.\n").unwrap();
    let file = world.join("cache/tokens-1");

    shown(world, "claude-v4.8");
    assert!(
        !file.exists(),
        "a small count of Claude is not worth a cache"
    );

    let first = shown(world, "o200k");
    assert_eq!(first["deliveries"][0]["tokens"]["kind"], "exact");
    let kept = fs::read(&file).unwrap();
    assert_eq!(kept.len() % 24, 0);
    assert_eq!(shown(world, "o200k"), first, "with the cache");
    assert_eq!(fs::read(&file).unwrap(), kept, "nothing new is kept");

    // Another text, another tokenizer: each has a count of its own.
    shown(world, "cl100k");
    assert_eq!(fs::read(&file).unwrap().len(), 2 * kept.len());

    for broken in [&b"no cache"[..], &[0xFF; 240][..], &kept[..kept.len() - 1]] {
        fs::write(&file, broken).unwrap();
        assert_eq!(shown(world, "o200k"), first, "with a broken cache");
        assert_eq!(fs::read(&file).unwrap().len() % 24, 0, "which is mended");
    }
    fs::remove_dir_all(world.join("cache")).unwrap();
    assert_eq!(shown(world, "o200k"), first, "without the cache");
}
