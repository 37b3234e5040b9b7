//! Token counts by family and kind of text, in bytes a second.

use divan::Bencher;
use divan::counter::BytesCount;
use outcrop_loader::tokens::{Counter, Family};

const FAMILIES: [Family; 2] = [Family::ClaudeV3, Family::ClaudeV4_8];

/// Some 300 kB, long enough that most words were seen before.
fn repeated(text: &str) -> String {
    text.repeat(300_000 / text.len() + 1)
}

fn count(bencher: Bencher<'_, '_>, family: Family, text: &str) {
    let mut counter = Counter::new(family);
    bencher
        .counter(BytesCount::of_str(text))
        .bench_local(|| counter.content(text).count);
}

#[divan::bench(args = FAMILIES)]
fn english(bencher: Bencher<'_, '_>, family: Family) {
    let pages = [
        include_str!("../../../README.md"),
        include_str!("../../../docs/facts.md"),
        include_str!("../../../docs/json.md"),
    ];
    count(bencher, family, &repeated(&pages.concat()));
}

#[divan::bench(args = FAMILIES)]
fn code(bencher: Bencher<'_, '_>, family: Family) {
    let files = [
        include_str!("../../src/settings/mod.rs"),
        include_str!("../../src/session/pass.rs"),
        include_str!("../../src/document/markdown/blocks.rs"),
    ];
    count(bencher, family, &repeated(&files.concat()));
}

#[divan::bench(args = FAMILIES)]
fn chinese(bencher: Bencher<'_, '_>, family: Family) {
    let text = "本仓库的每个包都有自己的说明文件。提交之前请先运行全部测试，并检查格式；\
                数据库的迁移只能追加，不能修改。接口返回的时间一律使用世界标准时间。\n\
                新的功能需要文档和测试，缺一不可！错误信息应当写明文件、行号和解决办法。\n";
    count(bencher, family, &repeated(text));
}

/// No word comes twice.
#[divan::bench(args = FAMILIES)]
fn base64(bencher: Bencher<'_, '_>, family: Family) {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut state = 1_u64;
    let mut next = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        char::from(DIGITS[usize::try_from(state >> 58).unwrap_or(0)])
    };
    let text: String = (0..300_000).map(|_| next()).collect();
    count(bencher, family, &text);
}
