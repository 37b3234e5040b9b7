//! Why a file is, or is not, in the context: a view of the session's records.

use serde::Serialize;

use super::Session;
use super::lookalikes::Lookalike;
use super::waiting::{Waiting, WaitingKind, nested_place, rules_holder};
use crate::host::Kind;
use crate::path::AbsPath;
use crate::record::{Cause, Evidence, Layer, Mention, Skip, Trigger};

/// The short answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Delivered when the session starts.
    Delivered,
    /// Delivered because of a read.
    DeliveredOnRead,
    /// A skill, command or agent that the start announces.
    Listed,
    /// A skill that a read announced.
    ListedOnRead,
    /// Waits for a read.
    Waiting,
    /// Considered and left out.
    LeftOut,
    /// Never a candidate.
    NotConsidered,
}

/// A step of the answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// The file that decided it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<AbsPath>,
    /// The line in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// What was decided.
    pub text: String,
}

/// Why a file is, or is not, in the context.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Explanation {
    /// The file that was asked about.
    pub path: AbsPath,
    /// The short answer.
    pub verdict: Verdict,
    /// How it is known.
    pub evidence: Evidence,
    /// Each decision, in order.
    pub findings: Vec<Finding>,
    /// What helps, where something does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remedy: Option<String>,
}

impl Session<'_> {
    /// Explains one file.
    #[must_use]
    pub fn explain(&self, path: &AbsPath) -> Explanation {
        let real = self.world.host.canonicalize(path).ok();
        let is_it = |other: &AbsPath| other == path || Some(other) == real.as_ref();
        let mut answer = Explanation {
            path: path.clone(),
            verdict: Verdict::NotConsidered,
            evidence: self.world.evidence(),
            findings: Vec::new(),
            remedy: None,
        };
        for delivery in &self.deliveries {
            let place =
                |layer: &&Layer| is_it(&layer.path) || Some(&layer.identity) == real.as_ref();
            let layers = delivery.layers.iter().chain(&delivery.by_hook);
            for layer in layers.filter(place) {
                answer.verdict = match delivery.trigger {
                    Trigger::Startup => Verdict::Delivered,
                    _ => Verdict::DeliveredOnRead,
                };
                answer.evidence = layer.evidence;
                self.explain_layer(layer, &mut answer.findings);
            }
        }
        let skips = self
            .deliveries
            .iter()
            .flat_map(|delivery| &delivery.skipped);
        for skip in skips.filter(|skip| is_it(&skip.path)) {
            if answer.verdict == Verdict::NotConsidered {
                answer.verdict = Verdict::LeftOut;
                answer.evidence = skip.evidence;
            }
            let finding = explain_skip(skip);
            if !answer.findings.contains(&finding) {
                answer.findings.push(finding);
            }
        }
        if !matches!(
            answer.verdict,
            Verdict::Delivered | Verdict::DeliveredOnRead
        ) && let Some(waiting) = self.waits(path).or_else(|| self.waits(real.as_ref()?))
        {
            answer.verdict = Verdict::Waiting;
            answer.findings.insert(0, self.explain_waiting(&waiting));
        }
        if answer.verdict == Verdict::NotConsidered
            && let Some(why) = self.kept_from_reads(path)
        {
            answer.verdict = Verdict::LeftOut;
            answer.findings.push(Finding {
                path: None,
                line: None,
                text: format!("no read brings it: {why}"),
            });
        }
        if answer.verdict == Verdict::NotConsidered && !self.explain_listed(path, &mut answer) {
            self.explain_absence(path, &mut answer);
        }
        self.explain_hidden(path, &mut answer.findings);
        answer
    }

    fn explain_layer(&self, layer: &Layer, findings: &mut Vec<Finding>) {
        findings.push(self.explain_arrival(layer));
        let gone = layer.source.lines().count().saturating_sub(layer.lines());
        if let Some(notice) = &layer.notice {
            findings.push(Finding {
                path: Some(layer.path.clone()),
                line: layer.source_lines().last().map(|line| line + 1),
                text: format!(
                    "is cut: {} of {} lines are delivered, this line is the first lost",
                    notice.kept_lines, notice.lines
                ),
            });
        } else if gone > 0 {
            findings.push(Finding {
                path: None,
                line: None,
                text: format!(
                    "loses {gone} {} on the way: front matter, block comments and blank ends are \
                     not delivered",
                    if gone == 1 { "line" } else { "lines" }
                ),
            });
        }
        // The chain above an import, up to the file that was found by itself.
        if let Cause::Import(mention) = &layer.cause {
            self.explain_importer(mention, findings);
        }
    }

    /// How a layer came.
    fn explain_arrival(&self, layer: &Layer) -> Finding {
        let relative = |path: &AbsPath| path.relative_to(self.cwd());
        let (place, text) = match &layer.cause {
            Cause::Startup { directory: None } => (None, "loads when a session starts".to_owned()),
            Cause::Startup {
                directory: Some(directory),
            } => (
                None,
                format!(
                    "loads when a session starts, as a {} file of {}",
                    layer.scope,
                    self.directory(directory)
                ),
            ),
            Cause::Import(mention) => (
                Some(mention),
                format!(
                    "is imported by {} with `{}`",
                    relative(&mention.by),
                    mention.reference
                ),
            ),
            Cause::PathRule { pattern, read } => (
                None,
                format!(
                    "is a rule whose pattern `{pattern}` matches {}, which is read",
                    relative(read)
                ),
            ),
            Cause::Nested { read } => (
                None,
                format!(
                    "belongs to a directory above {}, which is read",
                    relative(read)
                ),
            ),
        };
        Finding {
            path: place.map(|mention| mention.by.clone()),
            line: place.map(|mention| mention.line),
            text,
        }
    }

    fn explain_importer(&self, mention: &Mention, findings: &mut Vec<Finding>) {
        let mut layers = self.deliveries.iter().flat_map(|delivery| &delivery.layers);
        if let Some(importer) = layers.find(|layer| layer.path == mention.by) {
            // Only how the importer came is part of the chain, not what became of its text.
            let mut finding = self.explain_arrival(importer);
            let name = importer.path.relative_to(self.cwd());
            finding.text = format!("{name} {}", finding.text);
            findings.push(finding);
            if let Cause::Import(mention) = &importer.cause {
                self.explain_importer(mention, findings);
            }
        } else if self.conditional_rules().any(|(path, _)| path == mention.by) {
            findings.push(Finding {
                path: Some(mention.by.clone()),
                line: None,
                text: format!(
                    "{} is a rule that waits for a read, but its imports load at once",
                    mention.by.relative_to(self.cwd())
                ),
            });
        }
    }

    /// A directory in a sentence.
    fn directory(&self, directory: &AbsPath) -> String {
        if directory == self.cwd() {
            "the working directory".to_owned()
        } else {
            directory.to_string()
        }
    }

    fn explain_waiting(&self, waiting: &Waiting) -> Finding {
        let text = match &waiting.kind {
            WaitingKind::Rule { patterns, base } => format!(
                "is a rule that waits until a file matches {}, seen from {}",
                patterns
                    .iter()
                    .map(|pattern| format!("`{pattern}`"))
                    .collect::<Vec<_>>()
                    .join(" or "),
                self.directory(base)
            ),
            WaitingKind::Nested => {
                let place = nested_place(&waiting.path);
                let directory = place.map(|(directory, _)| directory.relative_to(self.cwd()));
                format!(
                    "waits until a file in {} or below it is read",
                    directory.unwrap_or_default()
                )
            }
        };
        Finding {
            path: Some(waiting.path.clone()),
            line: None,
            text,
        }
    }

    fn explain_absence(&self, path: &AbsPath, answer: &mut Explanation) {
        let say = |text: &str| Finding {
            path: None,
            line: None,
            text: text.to_owned(),
        };
        match self.world.host.metadata(path).map(|meta| meta.kind) {
            Err(error) if error.is_absent() => return answer.findings.push(say("does not exist")),
            Ok(Kind::Directory) => {
                return answer
                    .findings
                    .push(say("is a directory; ask about a file in it"));
            }
            _ => {}
        }
        let (text, remedy) = self.absence(path);
        answer.findings.push(say(&text));
        answer.remedy = remedy;
    }

    /// Why a file that exists was never a candidate.
    fn absence(&self, path: &AbsPath) -> (String, Option<String>) {
        let name = path.file_name();
        let folder = path.parent().unwrap_or_else(|| path.clone());
        match Lookalike::of(name) {
            Some(Lookalike::Letters { known }) => {
                let text = format!("names are matched exactly, and the client looks for {known}");
                return (text, Some(format!("rename it to {known}")));
            }
            Some(Lookalike::Other { known, .. }) => {
                let text = format!("the client does not read files of this name; it reads {known}");
                let remedy = format!("rename it to {known}, or import it with @");
                return (text, Some(remedy));
            }
            None => {}
        }
        let of_user = self.world.origin.config().child("rules");
        let in_rules = rules_holder(path).is_some() || path.is_within(&of_user);
        if in_rules && !name.ends_with(".md") {
            let text = "only files whose name ends in .md, in small letters, are rules".to_owned();
            return (text, Some("rename it to end in .md".to_owned()));
        }
        let is_claude = matches!(name, "CLAUDE.md" | "CLAUDE.local.md" | "AGENTS.md");
        if is_claude && folder.is_root() {
            let text = "the walk stops below the root of the file system".to_owned();
            let managed = self.world.origin.managed.child("CLAUDE.md");
            return (
                text,
                Some(format!("put machine-wide instructions into {managed}")),
            );
        }
        if name == "AGENTS.md" && folder.is_within(self.cwd()) {
            let text = "AGENTS.md of a directory below the working directory is never read, not \
                        even when files there are"
                .to_owned();
            let remedy = "put a CLAUDE.md beside it that holds the line `@AGENTS.md`".to_owned();
            return (text, Some(remedy));
        }
        if is_claude && !self.cwd().is_within(&folder) && !folder.is_within(self.cwd()) {
            let text = "its directory is neither above nor below the working directory";
            return (
                text.to_owned(),
                Some(format!("start in {folder}, or import it with @")),
            );
        }
        let text = "nothing that is delivered imports it, and it is not one of the names that the \
                    client looks for";
        let remedy = format!(
            "write `@{}` into a file that is delivered",
            path.relative_to(self.cwd())
        );
        (text.to_owned(), Some(remedy))
    }

    /// References to the file that code or HTML hides.
    fn explain_hidden(&self, path: &AbsPath, findings: &mut Vec<Finding>) {
        for (by, mention) in self.world.hidden_references(path) {
            findings.push(Finding {
                path: Some(by),
                line: Some(mention.line),
                text: format!(
                    "`{}` stands in code or HTML here, so it is no import",
                    mention.reference
                ),
            });
        }
    }
}

fn explain_skip(skip: &Skip) -> Finding {
    let by = skip.mention.as_ref();
    let named = by.map_or_else(String::new, |mention| {
        format!(
            "is named by {} with `{}`, but ",
            mention.by, mention.reference
        )
    });
    Finding {
        path: by.map(|mention| mention.by.clone()),
        line: by.map(|mention| mention.line),
        text: format!(
            "{named}is left out ({}): {}",
            skip.reason.name(),
            skip.detail
        ),
    }
}

#[cfg(test)]
mod tests {
    use crate::host::MemoryHost;
    use crate::origin::Origin;
    use crate::path::AbsPath;
    use crate::session::Session;

    fn abs(text: &str) -> AbsPath {
        AbsPath::new(text).unwrap()
    }

    /// Only a folder of rules has rules, and a file waits for its own directory.
    #[test]
    fn places_are_told_from_their_folders() {
        let mut host = MemoryHost::new();
        let files = [
            "/p/rules/engine.ts",
            "/p/.claude/rules/a.txt",
            "/home/.claude/rules/a.txt",
            "/p/.claude/x/CLAUDE.md",
            "/p/q/.claude/rules/r.md",
        ];
        for path in files {
            host.file(&abs(path), *b"T");
        }
        let session = Session::start(&host, Origin::new(abs("/p"), abs("/home")));
        let said = |path: &str| session.explain(&abs(path)).findings[0].text.clone();
        let only = "only files whose name ends in .md, in small letters, are rules";
        assert!(said(files[0]).starts_with("nothing that is delivered imports it"));
        assert_eq!(said(files[1]), only);
        assert_eq!(said(files[2]), only);
        assert_eq!(
            said(files[3]),
            "waits until a file in .claude/x or below it is read"
        );
        assert_eq!(
            said(files[4]),
            "waits until a file in q or below it is read"
        );
    }

    /// Texts of importers that lose lines belong to neither step of the chain.
    #[test]
    fn each_step_of_a_chain_names_its_file() {
        let mut host = MemoryHost::new();
        let texts = [
            ("/p/CLAUDE.md", "<!-- gone -->\n@a.md\n"),
            ("/p/a.md", "---\nx: y\n---\n@b.md\n"),
            ("/p/b.md", "---\nx: y\n---\nB\n"),
        ];
        for (path, text) in texts {
            host.file(&abs(path), text.as_bytes());
        }
        let session = Session::start(&host, Origin::new(abs("/p"), abs("/home")));
        let answer = session.explain(&abs("/p/b.md"));
        let starts = [
            "is imported by a.md",
            "loses 3 lines",
            "a.md is imported by CLAUDE.md",
            "CLAUDE.md loads when a session starts",
        ];
        let texts: Vec<&str> = answer.findings.iter().map(|f| f.text.as_str()).collect();
        assert_eq!(texts.len(), starts.len(), "{texts:?}");
        for (text, start) in texts.iter().zip(starts) {
            assert!(text.starts_with(start), "{texts:?}");
        }
    }
}
