//! Why a candidate is not delivered, as skips.

use super::pass::{Candidate, Pass};
use crate::host::HostError;
use crate::path::AbsPath;
use crate::record::{Mention, Reason, Skip};
use crate::state::Approval;

impl Pass<'_, '_> {
    /// Says of a reference that what it names comes only with a matching read.
    pub(crate) fn import_waits(&mut self, candidate: &Candidate, mention: Option<&Mention>) {
        if mention.is_none() {
            return;
        }
        let (reason, case, detail) = if self.lazy && self.knows(&candidate.path) {
            let detail = "the session has it already";
            (Reason::Duplicate, "delivered-before", detail)
        } else {
            let detail = "it has `paths` and a rule imports it, so it waits for a matching read \
                          as a rule does; import it from a CLAUDE.md to have it at once";
            (Reason::NotSelected, "waits-for-read", detail)
        };
        self.skip(candidate, mention, reason, case, detail.to_owned());
    }

    pub(crate) fn external_detail(&self) -> (&'static str, String) {
        let lies = "it lies outside the working directory";
        if self.lazy {
            let detail = format!(
                "{lies}; what a read loads imports nothing from there, even where external \
                 imports are approved"
            );
            return ("external-on-read", detail);
        }
        match self.world.state.approval {
            Approval::Declined => (
                "external-declined",
                format!(
                    "{lies}, and external imports were declined for this project: it stays out \
                     and the client does not ask again (hasClaudeMdExternalIncludesApproved of \
                     {} in {})",
                    self.world.state.key, self.world.state.file
                ),
            ),
            Approval::NeverAsked | Approval::Approved => (
                "external-never-asked",
                format!(
                    "{lies}; the client loads it only after you approve external imports in an \
                     interactive session; headless runs never ask"
                ),
            ),
        }
    }

    pub(crate) fn duplicate(
        &mut self,
        candidate: &Candidate,
        mention: Option<&Mention>,
        id: &AbsPath,
    ) {
        let first = self.delivered.get(id);
        // The same name met again by the walk is no second candidate.
        let same_name = first.is_some_and(|(path, _)| *path == candidate.path);
        if mention.is_none() && (same_name || first.is_none()) {
            return;
        }
        let detail = match first {
            Some((_, scope)) if same_name => {
                format!("it is delivered once, as the {scope} file found first")
            }
            Some((path, _)) => format!("it is the same file as {path}, which is delivered"),
            None => "it was considered before in this delivery".to_owned(),
        };
        self.skip(
            candidate,
            mention,
            Reason::Duplicate,
            "delivered-already",
            detail,
        );
    }

    pub(crate) fn skip_special(&mut self, candidate: &Candidate, mention: Option<&Mention>) {
        let detail = "it is a FIFO, a socket or a device, and was not opened".to_owned();
        let reason = Reason::Unreadable;
        self.skip(candidate, mention, reason, "special-file", detail);
    }

    pub(crate) fn skip_empty(&mut self, candidate: &Candidate, mention: Option<&Mention>) {
        let detail = "nothing but white space is left of it, so no section is sent".to_owned();
        self.skip(candidate, mention, Reason::NotSelected, "empty", detail);
    }

    pub(crate) fn unreadable(
        &mut self,
        candidate: &Candidate,
        mention: Option<&Mention>,
        error: &HostError,
    ) {
        let (reason, case) = match error {
            HostError::TooLarge { .. } => (Reason::TooLarge, "too-large"),
            HostError::NotFound | HostError::Loop => (Reason::Missing, "missing"),
            HostError::IsDirectory => (Reason::Directory, "directory"),
            HostError::Special => (Reason::Unreadable, "special-file"),
            HostError::Refused(_) => (Reason::Unreadable, "unreadable"),
        };
        self.skip(candidate, mention, reason, case, format!("it {error}"));
    }

    /// A reference that names nothing; `behind` is the text that follows it.
    pub(crate) fn missing(&mut self, candidate: &Candidate, mention: &Mention, behind: &str) {
        let near = self.near(mention, &candidate.path, behind);
        let detail = match &near {
            Some(near) => format!("it does not exist; {near}"),
            None => "it does not exist".to_owned(),
        };
        self.skip(candidate, Some(mention), Reason::Missing, "missing", detail);
        if let Some(skip) = self.skipped.last_mut() {
            skip.near = near;
        }
    }

    pub(crate) fn skip(
        &mut self,
        candidate: &Candidate,
        mention: Option<&Mention>,
        reason: Reason,
        case: &'static str,
        detail: String,
    ) {
        self.skipped.push(Skip {
            path: candidate.path.clone(),
            scope: self.world.label(candidate.scope),
            reason,
            case,
            mention: mention.cloned(),
            detail,
            near: None,
            evidence: self.world.evidence(),
        });
    }
}
