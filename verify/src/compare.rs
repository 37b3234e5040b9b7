//! What was sent against what was predicted, layer by layer.

use outcrop_loader::record::{Delivery, Scope, Trigger};
use serde::Serialize;

use crate::sent::{Entered, Section, Sent};

/// How one layer compares. A layer can be moved and differ in its text as well.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// Sent as predicted.
    Equal,
    /// Sent at another place of the order.
    Moved,
    /// Sent under a heading that names another scope.
    ScopeDiffers,
    /// Sent with another text, or cut where the prediction is not, or the reverse.
    TextDiffers,
    /// Predicted, not sent.
    Missing,
    /// Sent, not predicted.
    Extra,
}

impl Status {
    /// The name, as in JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Equal => "equal",
            Self::Moved => "moved",
            Self::ScopeDiffers => "scope differs",
            Self::TextDiffers => "text differs",
            Self::Missing => "missing",
            Self::Extra => "extra",
        }
    }
}

/// One side of a comparison: a layer as predicted, or as sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Side {
    /// Its place in the delivery, from 1.
    pub place: usize,
    /// Its scope; headings of what a read brings name none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scope: Option<Scope>,
    /// Its text, without the client's notice.
    pub text: String,
    /// Whether the client's notice of a cut stands behind it.
    pub cut: bool,
}

/// One layer, predicted or sent or both.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Item {
    /// The path in the heading.
    pub path: String,
    /// How it compares, the gravest first; one entry that is [`Status::Equal`] where all is well.
    pub statuses: Vec<Status>,
    /// As predicted.
    pub predicted: Option<Side>,
    /// As sent.
    pub sent: Option<Side>,
}

impl Item {
    /// Whether it was sent as predicted.
    #[must_use]
    pub fn is_equal(&self) -> bool {
        self.statuses == [Status::Equal]
    }
}

/// One delivery: what entered at a moment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Moment {
    /// What brought it about; `None` where something was sent that no predicted event explains.
    pub trigger: Option<Trigger>,
    /// Its layers: those that were sent in their order, each missing one behind the layer that
    /// it was predicted to follow.
    pub items: Vec<Item>,
}

impl Moment {
    /// Compares one delivery.
    #[must_use]
    pub fn new(
        trigger: Option<Trigger>,
        predicted: Vec<(String, Side)>,
        sent: Vec<(String, Side)>,
    ) -> Self {
        let items = items(predicted, sent);
        Self { trigger, items }
    }

    /// Whether all of it was sent as predicted.
    #[must_use]
    pub fn is_equal(&self) -> bool {
        self.items.iter().all(Item::is_equal)
    }
}

/// A session's comparison: every delivery in order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Comparison {
    /// The deliveries.
    pub moments: Vec<Moment>,
}

impl Comparison {
    /// Compares the deliveries of a session with what was sent.
    #[must_use]
    pub fn new(deliveries: &[Delivery], sent: &Sent) -> Self {
        let mut moments = Vec::new();
        let mut calls = sent.calls.iter();
        let mut prompt = Some(&sent.prompt).filter(|prompt| **prompt != Entered::default());
        for delivery in deliveries {
            let sent = match delivery.trigger {
                Trigger::Startup => sent_sides(&sent.startup),
                Trigger::Prompt { .. } => prompt.take().map_or_else(Vec::new, entered_sides),
                Trigger::Read { .. } | Trigger::Tool { .. } => {
                    calls.next().map_or_else(Vec::new, entered_sides)
                }
            };
            let trigger = Some(delivery.trigger.clone());
            moments.push(Moment::new(trigger, predicted_sides(delivery), sent));
        }
        let unexplained = prompt.into_iter().chain(calls).map(entered_sides);
        for sent in unexplained.filter(|sent| !sent.is_empty()) {
            moments.push(Moment::new(None, Vec::new(), sent));
        }
        Self { moments }
    }

    /// Whether everything was sent as predicted.
    #[must_use]
    pub fn is_equal(&self) -> bool {
        self.moments.iter().all(Moment::is_equal)
    }

    /// Every layer.
    pub fn items(&self) -> impl Iterator<Item = &Item> {
        self.moments.iter().flat_map(|moment| &moment.items)
    }
}

fn predicted_sides(delivery: &Delivery) -> Vec<(String, Side)> {
    let layers = delivery.layers.iter().chain(&delivery.by_hook).enumerate();
    let side = |(index, layer): (usize, &outcrop_loader::record::Layer)| {
        let side = Side {
            place: index + 1,
            scope: Some(layer.scope),
            text: layer.text.clone(),
            cut: layer.notice.is_some(),
        };
        (layer.name().to_owned(), side)
    };
    layers.map(side).collect()
}

/// What a hook added stands behind the rest.
fn entered_sides(entered: &Entered) -> Vec<(String, Side)> {
    sent_sides(entered.sections.iter().chain(&entered.by_hook))
}

fn sent_sides<'s>(sections: impl IntoIterator<Item = &'s Section>) -> Vec<(String, Side)> {
    let side = |(index, section): (usize, &Section)| {
        let side = Side {
            place: index + 1,
            scope: section.scope,
            text: section.text.clone(),
            cut: section.notice.is_some(),
        };
        (section.path.clone(), side)
    };
    sections.into_iter().enumerate().map(side).collect()
}

fn items(predicted: Vec<(String, Side)>, sent: Vec<(String, Side)>) -> Vec<Item> {
    // A path that comes twice is paired in order.
    let mut free: Vec<Option<(String, Side)>> = predicted.into_iter().map(Some).collect();
    let mut list: Vec<Item> = Vec::new();
    for (path, side) in sent {
        let mut places = free.iter_mut();
        let partner = places.find(|place| place.as_ref().is_some_and(|(known, _)| *known == path));
        let predicted = partner.and_then(Option::take).map(|(_, side)| side);
        list.push(Item {
            path,
            statuses: Vec::new(),
            predicted,
            sent: Some(side),
        });
    }
    let stay = in_order(&list);
    for (item, stays) in list.iter_mut().zip(stay) {
        item.statuses = statuses(item, stays);
    }
    for (path, side) in free.into_iter().flatten() {
        let before = |item: &Item| {
            let place = item.predicted.as_ref().map(|other| other.place);
            place.is_some_and(|place| place < side.place)
        };
        let at = list.iter().rposition(before).map_or(0, |at| at + 1);
        let item = Item {
            path,
            statuses: vec![Status::Missing],
            predicted: Some(side),
            sent: None,
        };
        list.insert(at, item);
    }
    list
}

fn statuses(item: &Item, stays: bool) -> Vec<Status> {
    let (Some(predicted), Some(sent)) = (&item.predicted, &item.sent) else {
        return vec![Status::Extra];
    };
    let scopes = predicted.scope.zip(sent.scope);
    let mut statuses = Vec::new();
    if predicted.text != sent.text || predicted.cut != sent.cut {
        statuses.push(Status::TextDiffers);
    }
    if scopes.is_some_and(|(predicted, sent)| predicted != sent) {
        statuses.push(Status::ScopeDiffers);
    }
    if !stays {
        statuses.push(Status::Moved);
    }
    if statuses.is_empty() {
        statuses.push(Status::Equal);
    }
    statuses
}

/// Which items stand in the predicted order: a longest run of them that does, so that one layer
/// that moved is not told as all others having moved.
fn in_order(items: &[Item]) -> Vec<bool> {
    let places: Vec<Option<usize>> = items
        .iter()
        .map(|item| item.predicted.as_ref().map(|side| side.place))
        .collect();
    // For each item the length of the longest rising run that ends there, and the item before.
    let mut best: Vec<(usize, Option<usize>)> = Vec::with_capacity(places.len());
    for place in &places {
        let mut found = (usize::from(place.is_some()), None);
        for (before, length) in best
            .iter()
            .enumerate()
            .map(|(at, (length, _))| (at, *length))
        {
            let rises = places[before].is_some() && places[before] < *place;
            if rises && length + 1 > found.0 {
                found = (length + 1, Some(before));
            }
        }
        best.push(found);
    }
    let mut stays = vec![false; items.len()];
    let mut at = (0..best.len()).rev().max_by_key(|at| best[*at].0);
    while let Some(place) = at {
        stays[place] = places[place].is_some();
        at = best[place].1;
    }
    stays
}

#[cfg(test)]
mod tests;
