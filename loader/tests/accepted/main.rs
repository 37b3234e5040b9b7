//! Forms of real set-ups in which nothing is found, whatever the rule: the bar for noise. Beside them
//! those in which something is.

mod files;
mod setups;
mod told;

use outcrop_loader::lint::{Options, World, lint};
use outcrop_loader::session::Session;

/// The files of a set-up.
type Files = &'static [(&'static str, &'static str)];

/// A name, and the files of a set-up.
type Form = (&'static str, Files);

fn nothing_is_found(forms: &[Form]) {
    for (name, files) in forms {
        let world = World::of(files);
        let mut session = Session::start(&world.host, world.origin());
        let findings = lint(&mut session, &Options::default()).findings;
        let told: Vec<String> = findings
            .iter()
            .map(|finding| {
                let place = format!("{}:{}", finding.span.path, finding.span.line);
                format!("{place} {} {}", finding.rule.name, finding.message)
            })
            .collect();
        assert_eq!(told, [""; 0], "{name}");
    }
}

#[test]
fn nothing_is_found_in_usual_files() {
    nothing_is_found(files::FORMS);
}

#[test]
fn nothing_is_found_in_usual_setups() {
    nothing_is_found(setups::FORMS);
}

#[test]
fn faults_of_real_setups_are_found() {
    for (name, id, severity, files) in told::FORMS {
        let world = World::of(files);
        let mut session = Session::start(&world.host, world.origin());
        let findings = lint(&mut session, &Options::default()).findings;
        let found: Vec<_> = findings
            .iter()
            .map(|finding| (finding.rule.id, finding.severity))
            .collect();
        assert!(found.contains(&(*id, *severity)), "{name}: {found:?}");
    }
}
