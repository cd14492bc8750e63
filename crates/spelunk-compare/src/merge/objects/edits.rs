//! Edits of entries: where they are, and which entries they mean.

use crate::patch::{self, Edit, EntryChange};
use serde_json::Value;
use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
};

/// The edits of an entry by where they are.
pub(super) struct Edits<'p>(BTreeMap<&'p str, PlaceEdits<'p>>);

/// The edits of one place.
#[derive(Default)]
struct PlaceEdits<'p> {
    edits: Vec<&'p Edit>,
    /// Ranges of the items of a list that they replace, in order, where that is all they do.
    items: Option<Vec<Range<usize>>>,
}

impl<'p> Edits<'p> {
    pub(super) fn of(edits: &'p [Edit]) -> Edits<'p> {
        let mut places: BTreeMap<_, PlaceEdits<'_>> = BTreeMap::new();
        for edit in edits {
            places.entry(edit.at.as_str()).or_default().edits.push(edit);
        }
        for place in places.values_mut() {
            place.items = place.edits.iter().map(|edit| replaced(edit)).collect();
        }
        Edits(places)
    }

    /// Returns the edits of the same place as an edit, of one that it lies in, and of those that lie in it.
    pub(super) fn near(&self, edit: &Edit) -> Vec<&'p Edit> {
        let at = edit.at.as_str();
        let above = at.match_indices('/').filter_map(|(end, _)| self.0.get(at.get(..end)?));
        let inside = format!("{at}/");
        let below = self.0.range(inside.as_str()..).take_while(|it| it.0.starts_with(&inside));
        let around = above.chain(below.map(|(_, place)| place));
        let mut near: Vec<&Edit> = around.flat_map(|place| &place.edits).copied().collect();
        if let Some(place) = self.0.get(at) {
            match (replaced(edit), &place.items) {
                (Some(items), Some(known)) => {
                    let first = known.partition_point(|known| known.end <= items.start);
                    let pairs = known.iter().zip(&place.edits).skip(first);
                    near.extend(pairs.take_while(|it| it.0.start < items.end).map(|(_, it)| it));
                }
                _ => near.extend(&place.edits),
            }
        }
        near
    }
}

/// The items of a list that an edit puts as many other ones in the place of.
pub(super) fn replaced(edit: &Edit) -> Option<Range<usize>> {
    let count = |side: &Option<Value>| side.as_ref().and_then(Value::as_array).map(Vec::len);
    let (from, old) = (edit.from?, count(&edit.old)?);
    (count(&edit.new) == Some(old)).then_some(from..from.saturating_add(old))
}

/// Returns the place of an edit, as paths of fields are shown.
pub(super) fn field(edit: &Edit) -> String {
    let path = edit.at.strip_prefix("/value").unwrap_or(&edit.at);
    let path = path.trim_start_matches('/').replace('/', ".");
    match replaced(edit) {
        Some(items) if items.len() == 1 => format!("{path}[{}]", items.start),
        _ => path,
    }
}

/// Whether a place lies in another one, or is it.
pub(super) fn lies_in(inner: &str, outer: &str) -> bool {
    inner.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// The keys of entries that a change refers to newly.
pub(super) fn referred(change: &EntryChange) -> impl Iterator<Item = u32> {
    let edits = || change.edits.iter().filter(|edit| !edit.is_exact());
    let old = edits().map(|edit| &edit.old).chain([&change.old]);
    newly(old, edits().map(|edit| &edit.new).chain([&change.new]))
}

/// The keys in new values that the old ones lack.
pub(super) fn newly<'v>(
    old: impl IntoIterator<Item = &'v Option<Value>>,
    new: impl IntoIterator<Item = &'v Option<Value>>,
) -> impl Iterator<Item = u32> {
    let (mut before, mut after) = (BTreeSet::new(), BTreeSet::new());
    old.into_iter().flatten().for_each(|value| patch::mentions(value, &mut before));
    new.into_iter().flatten().for_each(|value| patch::mentions(value, &mut after));
    after.into_iter().filter(move |key| !before.contains(key))
}
