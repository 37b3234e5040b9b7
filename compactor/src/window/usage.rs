//! What the service reported, and the answer on which the client anchors its count.

use std::collections::hash_map::Entry;

use outcrop_loader::client::Counting;
use rustc_hash::FxHashMap;

pub use crate::transcript::Usage;

/// What was used in all, each message once. Several records may carry one message, and those
/// that were written while it still streamed tell a small output: the record with the largest
/// output counts (bugs B137, B138). A record without a message id is a message by itself.
///
/// This is what was paid for; how full the context is, [`anchor`] tells.
pub fn total<'a>(records: impl IntoIterator<Item = (Option<&'a str>, &'a Usage)>) -> Usage {
    let mut sum = Usage::default();
    let mut messages: FxHashMap<&str, Usage> = FxHashMap::default();
    for (message, usage) in records {
        let Some(message) = message else {
            add(&mut sum, usage);
            continue;
        };
        match messages.entry(message) {
            Entry::Vacant(entry) => {
                entry.insert(*usage);
            }
            Entry::Occupied(mut entry) if usage.output >= entry.get().output => {
                entry.insert(*usage);
            }
            Entry::Occupied(_) => {}
        }
    }
    for usage in messages.values() {
        add(&mut sum, usage);
    }
    sum
}

fn add(sum: &mut Usage, usage: &Usage) {
    sum.input = sum.input.saturating_add(usage.input);
    sum.cache_creation = sum.cache_creation.saturating_add(usage.cache_creation);
    sum.cache_read = sum.cache_read.saturating_add(usage.cache_read);
    sum.output = sum.output.saturating_add(usage.output);
}

/// A record of the context, as far as the anchor is concerned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counted<'a> {
    /// The id of the message, of an assistant's record.
    pub message: Option<&'a str>,
    /// The usage that it carries. The client's own messages (model `<synthetic>`) have none. Those
    /// that a boundary kept have an empty one: theirs is of a context that is gone.
    pub usage: Option<&'a Usage>,
    /// The usage of the last round, where the service took several for one answer: the last of
    /// `usage.iterations`.
    pub last_round: Option<&'a Usage>,
}

/// The usage that counts, and what is estimated on top of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Anchor {
    /// The position of the record that carries it.
    pub record: usize,
    /// The usage.
    pub usage: Usage,
    /// The position of the first record that is estimated. Of a message of several records it is
    /// the second: the client estimates what lies between them though its usage covers it.
    pub estimated_from: usize,
}

/// The anchor of a context: the last usage in it, in the order of its records. `None` where there
/// is none yet and all is estimated (fact C4.7).
///
/// Records of sub-agents are no part of a context; callers leave them out.
#[must_use]
pub fn anchor(records: &[Counted<'_>], counting: &Counting) -> Option<Anchor> {
    let (record, usage) = records
        .iter()
        .enumerate()
        .rev()
        .find_map(|(at, record)| Some((at, in_force(record, counting)?)))?;
    let mut first = record;
    if records[record].message.is_some() {
        for (at, earlier) in records[..record].iter().enumerate().rev() {
            if earlier.message == records[record].message {
                first = at;
            } else if earlier.message.is_some() {
                break;
            }
        }
    }
    Some(Anchor {
        record,
        usage,
        estimated_from: first + 1,
    })
}

fn in_force(record: &Counted<'_>, counting: &Counting) -> Option<Usage> {
    let last_round = record.last_round.filter(|_| counting.last_round_counts);
    let usage = *last_round.or(record.usage)?;
    let was_sent = usage.input > 0 || usage.cache_creation > 0 || usage.cache_read > 0;
    (was_sent || !counting.passes_over_empty_usage).then_some(usage)
}

#[cfg(test)]
mod tests {
    use super::*;
    use outcrop_loader::client::Client;

    const fn usage(input: u64, output: u64) -> Usage {
        Usage {
            input,
            cache_creation: 0,
            cache_read: 0,
            output,
        }
    }

    fn counting(client: &str) -> Counting {
        let client = Client::of(client.parse().unwrap()).unwrap();
        client.behaviour.counting
    }

    fn tokens(records: &[Counted<'_>], client: &str) -> Option<(u64, usize)> {
        let anchor = anchor(records, &counting(client))?;
        Some((anchor.usage.total(), anchor.estimated_from))
    }

    fn answer<'a>(message: &'a str, usage: &'a Usage) -> Counted<'a> {
        Counted {
            message: Some(message),
            usage: Some(usage),
            last_round: None,
        }
    }

    const OTHER: Counted<'_> = Counted {
        message: None,
        usage: None,
        last_round: None,
    };

    /// Bugs B137 and B138, and a record that stands alone.
    #[test]
    fn a_message_is_paid_for_once_with_its_largest_output() {
        let (small, large) = (usage(100, 9), usage(100, 159));
        let streamed = [("m", &small), ("m", &large), ("m", &small)];
        let streamed = streamed.map(|(message, usage)| (Some(message), usage));
        assert_eq!(total(streamed), large);
        assert_eq!(total([(None, &small), (None, &small)]), usage(200, 18));
        assert_eq!(total([]), Usage::default());
    }

    /// Bug B089: the last request, never the sum of all.
    #[test]
    fn the_last_usage_is_the_context() {
        let usages = [(5, 20000, 0), (5, 300, 20000), (5, 300, 20300)];
        let usages = usages.map(|(input, cache_creation, cache_read)| Usage {
            input,
            cache_creation,
            cache_read,
            output: 100,
        });
        let [first, second, third] = ["1", "2", "3"];
        let records = [
            OTHER,
            answer(first, &usages[0]),
            OTHER,
            answer(second, &usages[1]),
            OTHER,
            answer(third, &usages[2]),
        ];
        let anchor = anchor(&records, &counting("2.1.332")).unwrap();
        assert_eq!(anchor.usage.total() - anchor.usage.output, 20_605);
        assert_eq!((anchor.record, anchor.estimated_from), (5, 6));
    }

    /// Doctored resumes in both clients, read off `preTokens`.
    #[test]
    fn records_of_one_message_are_estimated_from_the_second_on() {
        let (early, late) = (usage(1000, 9), usage(1000, 159));
        for client in ["2.1.332", "2.1.197"] {
            let apart = [OTHER, answer("m", &early), OTHER, answer("m", &late), OTHER];
            assert_eq!(tokens(&apart, client), Some((1159, 2)));
            let falling = [OTHER, answer("m", &late), answer("m", &early), OTHER];
            assert_eq!(tokens(&falling, client), Some((1009, 2)));
            let without_id = Counted {
                message: None,
                ..answer("", &early)
            };
            assert_eq!(tokens(&[without_id, without_id], client), Some((1009, 2)));
            assert_eq!(tokens(&[OTHER, OTHER], client), None);
        }
    }

    #[test]
    fn clients_differ_on_empty_usage_and_on_rounds() {
        let (first, empty, output) = (usage(1000, 5), usage(0, 0), usage(0, 7));
        let records = [answer("1", &first), OTHER, answer("2", &empty)];
        assert_eq!(tokens(&records, "2.1.332"), Some((1005, 1)));
        assert_eq!(tokens(&records, "2.1.197"), Some((0, 3)));
        let records = [answer("1", &first), OTHER, answer("2", &output)];
        assert_eq!(tokens(&records, "2.1.332"), Some((1005, 1)));
        assert_eq!(tokens(&records, "2.1.197"), Some((7, 3)));
        // A boundary, its summary, the answer that it kept, and the next prompt.
        let kept = [OTHER, OTHER, answer("1", &empty), OTHER];
        assert_eq!(tokens(&kept, "2.1.332"), None);
        assert_eq!(tokens(&kept, "2.1.197"), Some((0, 3)));
        let round = usage(700, 5);
        let rounds = [Counted {
            last_round: Some(&round),
            ..answer("1", &first)
        }];
        assert_eq!(tokens(&rounds, "2.1.332"), Some((705, 1)));
        assert_eq!(tokens(&rounds, "2.1.197"), Some((1005, 1)));
    }
}
