//! What each part of a session costs in tokens.

use outcrop_loader::path::AbsPath;
use outcrop_loader::record::{Delivery, Layer};
use outcrop_loader::session::{Session, WaitingList};
use outcrop_loader::tokens::{Kind, Model, Tokens};
use outcrop_verify::Profile;
use outcrop_verify::profile::Place;

use super::counts::tally;
use crate::args::Global;

/// Tokens of the layers of a session and of files that wait.
pub(crate) struct Sizes {
    model: Model,
    /// What the client's /context says of each layer, instead of its tokens within the message.
    pub(crate) as_context: bool,
    layers: Vec<Vec<Tokens>>,
    by_hook: Vec<Vec<Tokens>>,
    /// For the first of the waiting files; `None` for one that cannot be read.
    pub(crate) waiting: Vec<Option<Tokens>>,
}

impl Sizes {
    /// Counts all layers, and `shown` of the waiting files.
    pub(crate) fn new(
        global: &Global,
        model: Model,
        session: &mut Session<'_>,
        waiting: &WaitingList,
        shown: usize,
        as_context: bool,
    ) -> Self {
        let files = waiting.files.iter().take(shown);
        let documents: Vec<_> = files.map(|file| session.document(&file.path)).collect();
        let deliveries = session.deliveries();
        let each = deliveries
            .iter()
            .flat_map(|one| one.layers.iter().chain(&one.by_hook));
        let texts = each.map(|layer| layer.text.as_str());
        let waits = documents
            .iter()
            .flatten()
            .map(|document| document.text.as_str());
        let counts = tally(global, model, texts.chain(waits));
        let waiting = documents.iter().map(|document| {
            let text = document.as_ref().map(|document| document.text.as_str());
            text.map(|text| counts[text])
        });
        let waiting = waiting.collect();
        let sizes = |layers: &dyn Fn(&Delivery) -> &Vec<Layer>| -> Vec<Vec<Tokens>> {
            let of = |layer: &Layer| counts[layer.text.as_str()];
            deliveries
                .iter()
                .map(|one| layers(one).iter().map(of).collect())
                .collect()
        };
        let mut layers = sizes(&|delivery| &delivery.layers);
        let by_hook = sizes(&|delivery| &delivery.by_hook);
        if as_context {
            layers = in_context(model, session);
        }
        Self {
            model,
            as_context,
            layers,
            by_hook,
            waiting,
        }
    }

    pub(crate) fn model(&self) -> Model {
        self.model
    }

    /// Counts the layers alone.
    pub(crate) fn of_layers(global: &Global, model: Model, session: &mut Session<'_>) -> Self {
        Self::new(global, model, session, &WaitingList::default(), 0, false)
    }

    /// The tokens of a file that is delivered.
    pub(crate) fn of_file(&self, session: &Session<'_>, path: &AbsPath) -> Option<Tokens> {
        let deliveries = session.deliveries().iter().enumerate();
        let mut sizes = deliveries.flat_map(|(index, delivery)| {
            let layers = delivery.layers.iter().zip(self.layers(index));
            layers.chain(delivery.by_hook.iter().zip(self.by_hook(index)))
        });
        let found = sizes.find(|(layer, _)| layer.path == *path);
        found.map(|(_, tokens)| *tokens)
    }

    /// The tokens of the layers of a delivery, by its place in the session.
    pub(crate) fn layers(&self, delivery: usize) -> &[Tokens] {
        self.layers.get(delivery).map_or(&[], Vec::as_slice)
    }

    /// The same of what a hook of the client's own adds.
    pub(crate) fn by_hook(&self, delivery: usize) -> &[Tokens] {
        self.by_hook.get(delivery).map_or(&[], Vec::as_slice)
    }

    /// What the client adds, in tokens.
    pub(crate) fn client(
        &self,
        session: &Session<'_>,
        start: &Delivery,
        profile: &Profile,
    ) -> Client {
        let mut counter = self.model.counter();
        let mut size = |text: &str| usize::try_from(counter.part(text).count).unwrap_or(usize::MAX);
        let sizes = profile.sizes(&Place::of(session), &mut size);
        Client {
            framing: profile.framing_of(start, &mut size),
            system: sizes.system,
            tools: sizes.tools,
            message: sizes.message,
        }
    }
}

/// The tokens of one file that is delivered; nothing else is counted.
pub(crate) fn size_of(
    global: &Global,
    model: Model,
    session: &Session<'_>,
    path: &AbsPath,
) -> Option<Tokens> {
    let deliveries = session.deliveries().iter();
    let mut layers = deliveries.flat_map(|one| one.layers.iter().chain(&one.by_hook));
    let text = layers.find(|layer| layer.path == *path)?.text.as_str();
    tally(global, model, [text]).get(text).copied()
}

/// What the client adds of its own.
pub(crate) struct Client {
    /// Around the layers of the start; `None` where that was not learned.
    pub(crate) framing: Option<usize>,
    pub(crate) system: usize,
    pub(crate) tools: usize,
    pub(crate) message: usize,
}

/// The sum of counts, and how they are known in the worst case.
pub(crate) fn total(counts: impl Iterator<Item = Tokens>) -> Tokens {
    let nothing = Tokens {
        count: 0,
        kind: Kind::Exact,
    };
    counts.fold(nothing, |sum, tokens| Tokens {
        count: sum.count + tokens.count,
        kind: sum.kind.max(tokens.kind),
    })
}

/// What the client's /context counts of each layer: the text of its file as one message, with
/// white space at its ends and the message's frame (fact I11).
fn in_context(model: Model, session: &mut Session<'_>) -> Vec<Vec<Tokens>> {
    let paths = session.deliveries().iter().map(|delivery| {
        let layers = delivery.layers.iter();
        let own = |layer: &Layer| {
            // A cut index and a managed setting are no whole files.
            let is_whole = layer.title.is_none() && layer.notice.is_none();
            (layer.path.clone(), layer.text.clone(), is_whole)
        };
        layers.map(own).collect::<Vec<_>>()
    });
    let paths: Vec<Vec<_>> = paths.collect();
    let mut counter = model.counter();
    let mut of = |(path, text, is_whole): (AbsPath, String, bool)| {
        let document = session.document(&path).filter(|_| is_whole);
        let text: &str = document.as_ref().map_or(&text, |document| &document.text);
        model.judged(counter.message(text), text)
    };
    let each = paths.into_iter();
    each.map(|layers| layers.into_iter().map(&mut of).collect())
        .collect()
}
