//! Forms of six languages, by a table of sentences.

use super::talk::Talk;

/// The languages in which a sentence takes a form.
fn found(purpose: &str, sentence: &str) -> Vec<String> {
    let languages = |list: Vec<serde_json::Value>| -> Vec<String> {
        let languages = list
            .into_iter()
            .map(|one| one["language"].as_str().unwrap_or("?").to_owned());
        languages.collect()
    };
    let start = Talk::default().user("hi").says("hello");
    let talk = match purpose {
        "correction" => start.user(sentence),
        "claim" => start.says(sentence),
        _ => Talk::default().user(sentence),
    };
    let loss = talk.summarised("nothing");
    let list = |findings: serde_json::Value| findings["lost"].as_array().unwrap().clone();
    languages(match purpose {
        "constraint" => list(serde_json::to_value(&loss.constraints).unwrap()),
        "decision" => list(serde_json::to_value(&loss.decisions).unwrap()),
        "correction" => list(serde_json::to_value(&loss.corrections).unwrap()),
        _ => {
            let claims = serde_json::to_value(&loss.claims_without_evidence).unwrap();
            claims.as_array().unwrap().clone()
        }
    })
}

#[test]
fn sentences_of_six_languages() {
    let table = include_str!("phrases.txt");
    let (mut count, mut failed) = (0, Vec::new());
    for line in table
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
    {
        let [purpose, language, want, sentence] = line.split('\t').collect::<Vec<_>>()[..4] else {
            panic!("{line}");
        };
        // The sentence may hold a tab.
        let sentence = line.splitn(4, '\t').last().unwrap_or(sentence);
        let sentence = sentence.replace("\\n", "\n");
        let got = found(purpose, &sentence);
        let is_right = match want {
            "yes" => got.iter().any(|one| one == language) && got.len() == 1,
            _ => got.is_empty(),
        };
        count += 1;
        if !is_right {
            failed.push(format!(
                "{purpose} {language} {want}: {sentence:?} gave {got:?}"
            ));
        }
    }
    assert!(count > 300, "{count} sentences");
    assert!(
        failed.is_empty(),
        "{} of {count}:\n{}",
        failed.len(),
        failed.join("\n")
    );
}
