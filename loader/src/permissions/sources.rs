//! Which rules and directories there are, and which count.

use super::rule::{self, RuleKind};
use super::{Directory, IgnoredBy, Mode, Permissions, Rule, Source, gaps, holes, tracked};
use crate::path::AbsPath;
use crate::request::denied::names;
use crate::session::Session;
use crate::settings::{Node, Place, SettingsFile, Tier};

pub(super) fn gather<'s, 'h>(session: &'s Session<'h>) -> Permissions<'s, 'h> {
    let state = session.state();
    let switch = "allowManagedPermissionRulesOnly";
    let managed_only = session.settings().managed_switch(switch);
    let mut permissions = Permissions {
        session,
        rules: Vec::new(),
        mode: Mode::of(session),
        directories: Vec::new(),
        trusted: state.trusts(&state.key),
        shell_has_run: false,
        managed_only,
    };
    for kind in RuleKind::ALL {
        permissions.of_settings(kind);
        permissions.of_flags(kind);
    }
    permissions.directories = permissions.all_directories();
    permissions.mark_holes();
    permissions
}

fn list<'f>(file: &'f SettingsFile, key: &str) -> &'f [Node] {
    let permissions = file.root.get("permissions");
    permissions
        .and_then(|permissions| permissions.get(key))
        .map_or(&[], Node::items)
}

impl Permissions<'_, '_> {
    fn of_settings(&mut self, kind: RuleKind) {
        let session = self.session;
        for file in &session.settings().files {
            // Asked once a file: it may take a look into git's index.
            let mut untrusted: Option<Option<String>> = None;
            for item in list(file, kind.key()) {
                let source = Source::Settings(file.place(item.line));
                let (text, ignored) = match item.text() {
                    Some(text) => (text.to_owned(), rule::parse(kind, text).err()),
                    None => (item.to_json().to_string(), Some("it is no text".to_owned())),
                };
                let mut untrusted = || {
                    if kind != RuleKind::Allow {
                        return None;
                    }
                    let found = untrusted.get_or_insert_with(|| self.untrusted(file.tier));
                    found.clone()
                };
                let by = |by| move |why| (by, why);
                let ignored = ignored.map(by(IgnoredBy::Form));
                let ignored = ignored
                    .or_else(|| self.unmanaged(file.tier).map(by(IgnoredBy::Policy)))
                    .or_else(|| untrusted().map(by(IgnoredBy::Trust)));
                self.push(kind, text, source, ignored);
            }
        }
    }

    fn of_flags(&mut self, kind: RuleKind) {
        let flags = &self.session.origin().flags;
        let (values, flag) = match kind {
            RuleKind::Allow => (&flags.allowed_tools, "--allowedTools"),
            RuleKind::Deny => (&flags.disallowed_tools, "--disallowedTools"),
            RuleKind::Ask => return,
        };
        // `--disallowedTools` counts beside managed rules (case perm-managed-only-flags).
        let binds = self.session.client().behaviour.managed_rules_bind_flags;
        let managed = self.managed_only.as_ref();
        let managed = managed.filter(|_| kind == RuleKind::Allow && binds);
        let managed = managed.map(only_managed);
        for text in names(values) {
            let wrong = rule::parse(kind, &text).err();
            let managed = managed.clone().map(|why| (IgnoredBy::Policy, why));
            let ignored = wrong.map(|why| (IgnoredBy::Form, why)).or(managed);
            self.push(kind, text, Source::Flag(flag), ignored);
        }
    }

    fn push(
        &mut self,
        kind: RuleKind,
        text: String,
        source: Source,
        ignored: Option<(IgnoredBy, String)>,
    ) {
        let (ignored_by, ignored) = ignored.unzip();
        self.rules.push(Rule {
            kind,
            text,
            source,
            ignored,
            ignored_by,
            holes: Vec::new(),
            gap: None,
        });
    }

    fn mark_holes(&mut self) {
        let behaviour = self.session.client().behaviour;
        let host = self.session.world().host;
        for index in 0..self.rules.len() {
            let source = &self.rules[index].source;
            let of_user = source.tier() == "user";
            let base = self.base_of(source);
            let rule = &mut self.rules[index];
            if rule.ignored.is_none() {
                rule.holes = holes::of(rule.kind, &rule.text, &behaviour);
            }
            // Trust may come; what the rule says stays.
            if matches!(rule.ignored_by, None | Some(IgnoredBy::Trust)) {
                rule.gap = gaps::of(rule.kind, &rule.text, (base.as_ref(), of_user), host);
            }
        }
    }

    fn unmanaged(&self, tier: Tier) -> Option<String> {
        let place = self.managed_only.as_ref()?;
        (tier != Tier::Managed).then(|| only_managed(place))
    }

    /// Why a grant of a project's settings does not count: the folder is not trusted (fact C6.3).
    fn untrusted(&self, tier: Tier) -> Option<String> {
        if self.trusted {
            return None;
        }
        let state = self.session.state();
        let why = format!("{} is not trusted (per {})", state.key, state.file);
        match tier {
            Tier::Project => Some(why),
            Tier::Local => {
                let session = self.session;
                let git = session.git();
                let file = session.cwd().join(".claude/settings.local.json");
                if git.is_none() && session.client().behaviour.local_grants_need_git {
                    return Some(format!(
                        "{why}, and no git tells that the file is the user's"
                    ));
                }
                let tracked = git
                    .is_some_and(|git| tracked::is_tracked(session.world().host, &git.root, &file));
                tracked.then(|| format!("git tracks the file, and {why}"))
            }
            Tier::User | Tier::Flag | Tier::Managed => None,
        }
    }

    fn all_directories(&self) -> Vec<Directory> {
        let session = self.session;
        let cwd = session.cwd();
        let directory = |path: AbsPath, source: Source, ignored: Option<String>| Directory {
            ignored: ignored.or_else(|| {
                let missing = session.world().host.metadata(&path).is_err();
                missing.then(|| "it does not exist".to_owned())
            }),
            path,
            source: Some(source),
        };
        let mut all = vec![Directory {
            path: cwd.clone(),
            source: None,
            ignored: None,
        }];
        for file in &session.settings().files {
            for item in list(file, "additionalDirectories") {
                let source = Source::Settings(file.place(item.line));
                let path = session.world().resolve(item.text().unwrap_or_default());
                let ignored = match item.text() {
                    None => Some("it is no text".to_owned()),
                    Some(_) => self.untrusted(file.tier),
                };
                all.push(directory(path, source, ignored));
            }
        }
        for path in &session.origin().add_dirs {
            all.push(directory(path.clone(), Source::Flag("--add-dir"), None));
        }
        all
    }
}

fn only_managed(place: &Place) -> String {
    format!("only managed rules count, by allowManagedPermissionRulesOnly at {place}")
}
