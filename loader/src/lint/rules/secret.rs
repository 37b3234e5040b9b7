//! L404: a token or key in an instruction file.

use super::prelude::*;
use crate::lint::committed::Committed;
use crate::secret::{self, Secret};

pub(in crate::lint) static RULE: Rule = Rule {
    id: "L404",
    name: "secret",
    severity: Severity::Error,
    summary: "A file holds a token or a private key, which every session sends along.",
    page: Page {
        what: "Looks for tokens of known form, by prefix, length and the mix of their characters, and \
               for blocks of private keys. Placeholders and the examples of manuals are left alone. \
               The secret itself is in no output.",
        why: "The text of the file is part of the requests of every session that receives it, of its \
              transcripts and of what hooks see. In a file that git tracks everybody with the \
              repository has it as well.",
        instead: "Revoke the secret, then name the variable or the store that holds it: the model needs \
                  the name, not the value.",
        drawbacks: "Forms without a prefix of their own, such as passwords, are not found. In a file \
                    that git ignores it is a warning.",
        evidence: "Fact 0.9: the same block goes with every request; peers' checks of secrets.",
        since: "0.1.0",
    },
    bad: &[Example {
        title: "a key in a command",
        files: &[(
            "CLAUDE.md",
            concat!(
                "Call it with `AWS_ACCESS_KEY_ID=AK",
                "IAQ3T7ZKV5M2XR6NJD ./deploy`.\n"
            ),
        )],
        fixed: &[],
    }],
    good: &[Example {
        title: "placeholders, prefixes, and the example of a manual",
        files: &[(
            "CLAUDE.md",
            "Keys begin with `sk-`, tokens with `ghp_`; set `API_KEY=sk-your-key-here` or\n\
             `ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx`, never AKIAIOSFODNN7EXAMPLE.\n\
             `sk-...`, `sk-ant-api03-<your key>`, glpat-XXXXXXXXXXXXXXXXXXXX.\n\n\
             ```\n-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----\n```\n",
        )],
        fixed: &[],
    }],
    check,
};

fn check(subject: &Subject<'_, '_>, report: &mut Report<'_, '_>) {
    let mut committed = Committed::new(subject);
    let has_git = subject.session.git().is_some();
    for file in &subject.files {
        let source = &file.document.source;
        let found = secret::find(source);
        if found.is_empty() {
            continue;
        }
        let is_ignored =
            has_git && file.path.is_within(subject.root()) && !committed.may_hold(&file.path);
        let severity = if is_ignored {
            Severity::Warning
        } else {
            Severity::Error
        };
        for Secret { range, name } in found {
            let is_removed = file
                .document
                .comments
                .iter()
                .any(|gone| gone.contains(&range.start));
            let message = if is_removed {
                format!(
                    "{name} stands here; the comment around it is not delivered, but the file holds it"
                )
            } else {
                format!(
                    "{name} stands here and is sent with the requests of every session that receives this file"
                )
            };
            report
                .at(Place::Bytes(file.path.clone(), range), message)
                .severity(severity)
                .chain(subject.chain(&file.path))
                .help("revoke it, and name the variable that holds the new one instead")
                .secret()
                .report();
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::lint::{Options, World, lint};
    use crate::session::Session;

    /// Put together here, so that no line of this file has the form of one.
    #[test]
    fn secrets_are_never_shown() {
        let body = "q7RbZ2kTm9WxLc4VnP8sJd3HgF6yEa5UoQ1i";
        let token = format!("{}{body}", "ghp_");
        let text = format!("a `{token}` b\n");
        let world = World::of(&[("CLAUDE.md", &text)]);
        let mut session = Session::start(&world.host, world.origin());
        let outcome = lint(&mut session, &Options::default());
        let shown = outcome.secrets.hide(&text);
        assert!(!format!("{:?}", outcome.findings[0].message).contains(&token));
        assert_eq!(shown.len(), text.len());
        assert!(!shown.contains(body), "{shown}");
    }
}
