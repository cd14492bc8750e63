//! Entries that both sides added, and that are the same.

use crate::patch::{self, Edit, EntryChange, Patch};
use serde_json::Value;
use std::collections::{BTreeMap, HashMap};

/// Number of times that pairs are compared again, as those that differ make others differ that refer to them.
const ROUNDS: usize = 64;

/// For keys of entries that the side has whose changes are made, keys of the same entries of the side whose file is kept.
#[derive(Default)]
pub(super) struct Alike(BTreeMap<u32, u32>);

impl Alike {
    /// Entries of one kind and name, in their order, are the same where all of their content is, references to each other
    /// included.
    pub(super) fn of(kept: &Patch, made: &Patch) -> Alike {
        let mut named: HashMap<(&str, &str), Vec<u32>> = HashMap::new();
        let news = |patch: &Patch| -> BTreeMap<u32, Value> {
            let new = |change: &EntryChange| Some((change.entry, change.new.clone()?));
            let is_new = |change: &&EntryChange| change.old.is_none();
            patch.changes.iter().filter(is_new).filter_map(new).collect()
        };
        let (of_kept, of_made) = (news(kept), news(made));
        for key in of_kept.keys().rev() {
            named.entry(called(kept, *key)).or_default().push(*key);
        }
        let mut alike = Alike::default();
        for key in of_made.keys() {
            let partner = named.get_mut(&called(made, *key)).and_then(Vec::pop);
            alike.0.extend(partner.map(|partner| (*key, partner)));
        }
        for _ in 0..ROUNDS {
            let differs =
                |(made, kept): &(&u32, &u32)| !alike.same(of_made.get(made), of_kept.get(kept));
            let others: Vec<u32> = alike.0.iter().filter(differs).map(|(made, _)| *made).collect();
            if others.is_empty() {
                return alike;
            }
            for key in others {
                alike.0.remove(&key);
            }
        }
        Alike::default()
    }

    /// The key of the same entry on the kept side.
    pub(super) fn get(&self, made: u32) -> Option<u32> {
        self.0.get(&made).copied()
    }

    /// The pairs of keys.
    pub(super) fn pairs(&self) -> impl Iterator<Item = (u32, u32)> {
        self.0.iter().map(|(made, kept)| (*made, *kept))
    }

    /// Whether both sides have the same.
    pub(super) fn same(&self, made: Option<&Value>, kept: Option<&Value>) -> bool {
        match (made, kept) {
            (Some(Value::String(made)), Some(Value::String(kept))) => {
                let partner = || self.get(patch::key_number(made)?);
                made == kept || (partner().is_some() && partner() == patch::key_number(kept))
            }
            (Some(Value::Array(made)), Some(Value::Array(kept))) => {
                let mut pairs = made.iter().zip(kept);
                made.len() == kept.len()
                    && pairs.all(|(made, kept)| self.same(Some(made), Some(kept)))
            }
            (Some(Value::Object(made)), Some(Value::Object(kept))) => {
                let mut fields = made.iter();
                made.len() == kept.len()
                    && fields.all(|(name, made)| {
                        self.same(Some(made), kept.get(name)) && kept.contains_key(name)
                    })
            }
            (made, kept) => made == kept,
        }
    }

    /// Whether both sides made the same edit.
    pub(super) fn same_edit(&self, made: &Edit, kept: &Edit) -> bool {
        (&made.at, made.from, made.of) == (&kept.at, kept.from, kept.of)
            && self.same(made.old.as_ref(), kept.old.as_ref())
            && self.same(made.new.as_ref(), kept.new.as_ref())
    }
}

/// The kind and the name of a new entry.
fn called(patch: &Patch, key: u32) -> (&str, &str) {
    let entry = patch.entry(key);
    let place = entry.and_then(|entry| entry.new.as_ref());
    (entry.map_or("", |entry| &entry.kind), place.map_or("", |place| &place.name))
}
