//! The rules one by one, each with the smallest document that showed it.

use super::*;
use crate::client::Client;

fn behaviour(version: &str) -> Behaviour {
    Client::of(version.parse().unwrap()).unwrap().behaviour
}

fn body(source: &str, version: &str) -> Body {
    read(source, 0, &behaviour(version))
}

fn paths(found: &[Reference]) -> String {
    let paths: Vec<_> = found.iter().map(|found| found.path.as_str()).collect();
    paths.join(" ")
}

/// The imports of both readers, which must agree.
fn imports(source: &str) -> String {
    let new = paths(&body(source, "2.1.332").imports);
    assert_eq!(new, paths(&body(source, "2.1.197").imports), "{source:?}");
    new
}

fn imports_of_each(source: &str) -> [String; 2] {
    ["2.1.332", "2.1.197"].map(|version| paths(&body(source, version).imports))
}

/// The delivered texts of both.
fn texts(source: &str) -> [String; 2] {
    ["2.1.332", "2.1.197"].map(|version| body(source, version).text)
}

#[test]
fn runs_begin_behind_markup() {
    assert_eq!(
        imports("**@k1** [@k2](x) `c`@k3 <b>@k4 \\*@k5 x@k6"),
        "k1 k2 k3 k4 k5"
    );
    assert_eq!(imports("x \\!@k1, \\\\@k2 \\@k3"), "k1, k2");
    assert_eq!(imports("@k1&amp; &nbsp;@k2 &#32;@k3"), "k1&amp;");
    assert_eq!(imports("<https://a.b>@k1 <@k2> ![@k3](x)"), "k1");
}

#[test]
fn item_text_is_searched_as_it_stands() {
    assert_eq!(imports("x ` @k1 `"), "");
    assert_eq!(imports("- x ` @k1 `"), "k1");
    assert_eq!(imports("- **x @k1** ` @k2 ` @k3"), "k1** k2 k3 k1");
    assert_eq!(imports("- `@k1`\n- > x ` @k2 `\n- # x ` @k3 `"), "");
    let read = body("- x ` @k1 ` `@k2`", "2.1.332");
    assert_eq!(
        (paths(&read.imports), paths(&read.hidden)),
        ("k1".into(), "k2".into())
    );
}

#[test]
fn rests_of_comments_are_searched() {
    assert_eq!(imports("<!-- @k1 --> ` @k2 `\n@k3"), "k2 k3");
    assert_eq!(
        imports("<!-- a --> [x]( @k1 )\n\n- <!-- b --> @k2"),
        "k1 k2"
    );
    assert_eq!(imports("<!-- a\n@k1"), "");
    assert_eq!(paths(&body("<div>\n@k1\n</div>", "2.1.332").hidden), "k1");
}

#[test]
fn block_comments_go() {
    assert_eq!(texts("a\n<!-- c -->\n\nb"), ["a\nb", "a\nb"]);
    assert_eq!(texts("<!-- c -->   \n   \n   x")[0], "   \n   x");
    assert_eq!(texts("<!-- c --> b\nd")[0], " b\nd");
    for kept in [
        "p\n <!-- c -->\nq",
        "- a\n  <!-- c -->",
        "    <!-- c -->",
        "<!--> x",
        "<!-- c",
    ] {
        assert_eq!(texts(kept), [kept, kept]);
    }
    // It ends a quote for the newer reader, and is part of it for the older one.
    assert_eq!(
        texts("> - a\n  <!-- c -->\nb"),
        ["> - a\nb", "> - a\n  <!-- c -->\nb\n"]
    );
}

#[test]
fn only_a_cut_text_is_rebuilt() {
    let source = "a\r\n\n[x]: y\n`<!-- c -->`\n";
    assert_eq!(texts(source), [source, "a\n\n`<!-- c -->`\n"]);
    assert_eq!(texts("a\r<!-- c -->\r\r[x]: y"), ["a\n[x]: y", "a\n"]);
    assert_eq!(texts("# `<!--`\n\t"), ["# `<!--`\n\t", "# `<!--`\n\n"]);
    assert_eq!(texts("a\n\n<!-- z -->\n\t"), ["a\n\n\t", "a\n\n"]);
    assert_eq!(texts("a\r\n<!-->b\r\n"), ["a\n<!-->b\n", "a\n<!-->b\n"]);
    assert_eq!(texts("a\r\n<!-- b\r\n"), ["a\r\n<!-- b\r\n", "a\n<!-- b\n"]);
}

#[test]
fn tabs_end_no_paragraph() {
    assert_eq!(imports("a\n  \n    @k1"), "");
    assert_eq!(imports("a\n\t\n    @k1"), "k1");
    assert_eq!(imports("- a\n\u{A0}\n      @k1"), "");
    assert_eq!(imports("- \t@k1\n\n-\t@k2"), "k2");
}

#[test]
fn html_ends_paragraphs_in_lower_case_only() {
    assert_eq!(
        imports("p\n<div>\n@k1\n\np\n<DIV>\n@k2\n\np\n <div>\n@k3"),
        "k2 k3"
    );
    assert_eq!(imports("<?a ?> @k1\n\n<my_rules>\n@k2\n\n@k3"), "k1 k3");
    assert_eq!(imports("- a\n<b>\n@k1\n</b>"), "");
}

#[test]
fn fences() {
    assert_eq!(imports("p\n``` @k1"), "k1");
    assert_eq!(imports("p\n``` @k1\n"), "");
    assert_eq!(imports("```\n@k1\n```\t\n@k2\n```\n@k3"), "k3");
    assert_eq!(
        imports("- a\n      ```\n      @k1\n      ```\n@k2"),
        "k1 k2"
    );
}

#[test]
fn definitions_hide() {
    assert_eq!(imports("[x]: y\n\"a\n\n @k1\"\n@k2"), "k2");
    assert_eq!(imports("[x]:\u{A0}@k1"), "k1");
    assert_eq!(imports("[@k1][r] [@k2][s]\n\n[R]: x"), "k1");
}

#[test]
fn emphasis_is_not_that_of_commonmark() {
    assert_eq!(
        imports("*a**@k1* **a****@k2** \\**@k3** *@k4\\**"),
        "k1 k2 k3 k4"
    );
    assert_eq!(imports("*a **@k1*"), "");
    assert_eq!(imports("*(**@k1**)*"), "");
    assert_eq!(imports("***a*b @k1*c***"), "k1*c");
    assert_eq!(imports("[a [b](x) @k1](y) [a](x\u{A0}@k2)"), "k1 k2)");
}

#[test]
fn lazy_lines_differ() {
    assert_eq!(imports("> a\n@k1"), "k1");
    assert_eq!(imports_of_each("> - ```\n  @k1"), ["k1", ""]);
    assert_eq!(imports_of_each("> - a\nb\n>\n>     @k1"), ["k1", ""]);
    assert_eq!(imports("> [x]:\n@k1"), "k1");
    assert_eq!(imports("> a\n```\n@k1\n```"), "");
}

#[test]
fn a_byte_order_mark_is_no_indentation() {
    assert_eq!(imports("\u{FEFF}@k1"), "k1");
    assert_eq!(imports("\u{FEFF}    @k1"), "k1");
    let kept = "\u{FEFF}<!-- c -->";
    assert_eq!(texts(kept), [kept, kept]);
}

#[test]
fn places_lead_to_the_source() {
    let source = "\u{FEFF}a\r\n> - x\ty\r>   lazy @k1\r\nlazy @k\\ 2\n\n-\t- a\n\t\t@k3\n\n`@k4` [\\[ @k5](x)\r\n<!-- c\r\n-->\r\nend";
    for version in ["2.1.332", "2.1.197"] {
        let read = body(source, version);
        let found: Vec<_> = read
            .imports
            .iter()
            .map(|found| &source[found.range.clone()])
            .collect();
        assert_eq!(found, ["@k1", "@k\\ 2", "@k3", "@k5"]);
        assert_eq!(&source[read.hidden[0].range.clone()], "@k4");
        assert_eq!(&source[read.comments[0].clone()], "<!-- c\r\n-->\r\n");
        assert!(read.text.ends_with("(x)\nend"));
        for (at, c) in read.text.char_indices().filter(|(_, c)| !c.is_whitespace()) {
            assert!(source[read.map.source_offset(at)..].starts_with(c));
        }
    }
}

#[test]
fn nesting_is_bounded() {
    for piece in [
        ">",
        "> ",
        "- ",
        "- > ",
        "> a\nb\n> > ",
        "*a **b ",
        "[",
        "<!-- ",
        "`",
        "  - a\n",
    ] {
        let source = format!("{}@k1 -->](x)* `", piece.repeat(20_000));
        for version in ["2.1.332", "2.1.197"] {
            let read = body(&source, version);
            assert!(read.text.len() <= source.len());
        }
    }
}
