//! Forms of real set-ups in which nothing is found, whatever the rule: the bar for noise.

mod files;
mod setups;

use outcrop_loader::lint::{Options, World, lint};
use outcrop_loader::session::Session;

/// A name, and the files of a set-up.
type Form = (&'static str, &'static [(&'static str, &'static str)]);

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
