use super::*;

fn side(place: usize, scope: Scope, text: &str) -> Side {
    Side {
        place,
        scope: Some(scope),
        text: text.to_owned(),
        cut: false,
    }
}

/// `(path, scope, text)` in order.
fn sides(list: &[(&str, Scope, &str)]) -> Vec<(String, Side)> {
    let side = |(index, (path, scope, text)): (usize, &(&str, Scope, &str))| {
        ((*path).to_owned(), side(index + 1, *scope, text))
    };
    list.iter().enumerate().map(side).collect()
}

fn compared(
    predicted: &[(&str, Scope, &str)],
    sent: &[(&str, Scope, &str)],
) -> Vec<(String, Vec<Status>)> {
    let moment = Moment::new(Some(Trigger::Startup), sides(predicted), sides(sent));
    let items = moment.items.into_iter();
    items.map(|item| (item.path, item.statuses)).collect()
}

const A: (&str, Scope, &str) = ("/a", Scope::User, "A");
const B: (&str, Scope, &str) = ("/b", Scope::Project, "B");
const C: (&str, Scope, &str) = ("/c", Scope::Local, "C");

fn is(path: &str, statuses: &[Status]) -> (String, Vec<Status>) {
    (path.to_owned(), statuses.to_vec())
}

#[test]
fn what_is_as_predicted_is_equal() {
    let equal = [Status::Equal];
    let wanted = [is("/a", &equal), is("/b", &equal)];
    assert_eq!(compared(&[A, B], &[A, B]), wanted);
    assert!(compared(&[], &[]).is_empty());
}

/// Each kind of difference, and where a missing layer is told.
#[test]
fn each_kind_of_difference_is_told() {
    let text = ("/b", Scope::Project, "other");
    let wanted = [is("/a", &[Status::Equal]), is("/b", &[Status::TextDiffers])];
    assert_eq!(compared(&[A, B], &[A, text]), wanted);
    let scope = ("/b", Scope::Local, "B");
    let wanted = [
        is("/a", &[Status::Equal]),
        is("/b", &[Status::ScopeDiffers]),
    ];
    assert_eq!(compared(&[A, B], &[A, scope]), wanted);
    let wanted = [
        is("/a", &[Status::Equal]),
        is("/b", &[Status::Missing]),
        is("/c", &[Status::Equal]),
    ];
    assert_eq!(compared(&[A, B, C], &[A, C]), wanted);
    let wanted = [
        is("/a", &[Status::Equal]),
        is("/c", &[Status::Extra]),
        is("/b", &[Status::Equal]),
    ];
    assert_eq!(compared(&[A, B], &[A, C, B]), wanted);
}

/// One layer that moved is told as one, not as all others having moved.
#[test]
fn only_what_moved_has_moved() {
    let equal = [Status::Equal];
    let wanted = [
        is("/c", &[Status::Moved]),
        is("/a", &equal),
        is("/b", &equal),
    ];
    assert_eq!(compared(&[A, B, C], &[C, A, B]), wanted);
    let other = ("/c", Scope::User, "other");
    let all = [Status::TextDiffers, Status::ScopeDiffers, Status::Moved];
    let wanted = [is("/c", &all), is("/a", &equal), is("/b", &equal)];
    assert_eq!(compared(&[A, B, C], &[other, A, B]), wanted);
}

/// A file that is delivered twice is paired twice.
#[test]
fn repeated_paths_are_paired_in_order() {
    let again = ("/a", Scope::User, "later");
    let equal = [Status::Equal];
    assert_eq!(
        compared(&[A, again], &[A, again]),
        [is("/a", &equal), is("/a", &equal)]
    );
    let wanted = [is("/a", &equal), is("/a", &[Status::Extra])];
    assert_eq!(compared(&[A], &[A, again]), wanted);
}

/// The notice of a cut belongs to the text.
#[test]
fn a_cut_on_one_side_differs() {
    let mut cut = sides(&[A]);
    cut[0].1.cut = true;
    let moment = Moment::new(None, sides(&[A]), cut);
    assert_eq!(moment.items[0].statuses, [Status::TextDiffers]);
}
