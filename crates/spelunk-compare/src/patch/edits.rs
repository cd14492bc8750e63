//! Edits that make one JSON value another one: scalars and fields with their old and new values, lists item by item.
//!
//! Edits are made one after the other, from the front, so positions are those of the list as it is by then. Taken back
//! they are made from the last one on.

use crate::diff::operations;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use similar::DiffOp;
use spelunk_core::{Budget, Result};
use spelunk_open::json;
use std::io::{self, Write};
use twox_hash::XxHash3_128;

/// Memory of an item of a list while lists are compared, in bytes: its hash, and the way from one list to the other.
const ITEM: u64 = 128;

/// A place in a value, what is there, and what is to be there.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Edit {
    /// The place, as a JSON pointer (RFC 6901); that of the list where items change.
    pub at: String,
    /// Position of the first item, where it is items of a list that change; `old` and `new` are lists then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<usize>,
    /// Number of items of the list before, where items change.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of: Option<usize>,
    /// Value before; `None` where there was none.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub old: Option<Value>,
    /// Value now; `None` where there is none.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub new: Option<Value>,
}

/// Null is a value.
pub(super) fn present<'de, D: Deserializer<'de>>(
    from: D,
) -> std::result::Result<Option<Value>, D::Error> {
    Value::deserialize(from).map(Some)
}

impl Edit {
    /// The edit that takes this one back.
    #[must_use]
    pub fn reversed(self) -> Edit {
        let count =
            |side: &Option<Value>| side.as_ref().and_then(Value::as_array).map_or(0, Vec::len);
        let (before, after) = (count(&self.old), count(&self.new));
        let of = self.of.map(|of| of.saturating_sub(before).saturating_add(after));
        Edit { at: self.at, from: self.from, of, old: self.new, new: self.old }
    }
}

impl Edit {
    /// The memory that it takes, with the one that is taken back.
    pub(super) fn held(&self) -> u64 {
        let values = [&self.old, &self.new].into_iter().flatten().map(json::held);
        let own = (size_of::<Edit>() as u64).saturating_mul(3).saturating_add(self.at.len() as u64);
        values.fold(own, u64::saturating_add).saturating_mul(2)
    }

    /// Whether it is about how values are stored, in a row of a document.
    pub(crate) fn is_exact(&self) -> bool {
        self.at.starts_with("/exact")
    }

    /// Whether it is about the name of the entry of a row.
    pub(super) fn is_name(&self) -> bool {
        self.at == "/name" || self.at == "/name_bytes"
    }
}

/// State of a value that an edit is made to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum EditOutcome {
    /// The old value of the edit.
    Now,
    /// The new value of the edit already.
    Before,
}

/// The edits that make `new` of `old`, whose memory is taken.
///
/// # Errors
/// Limits.
pub(super) fn between(old: &Value, new: &Value, budget: &mut Budget) -> Result<Vec<Edit>> {
    let mut edits = Vec::new();
    compare(&mut String::new(), old, new, &mut EditCollector { edits: &mut edits, budget })?;
    Ok(edits)
}

/// Edits that were found, and what pays for them.
struct EditCollector<'f> {
    edits: &'f mut Vec<Edit>,
    budget: &'f mut Budget,
}

impl EditCollector<'_> {
    fn push(&mut self, edit: Edit) -> Result<()> {
        self.budget.memory(edit.held())?;
        self.edits.push(edit);
        Ok(())
    }
}

fn compare(at: &mut String, old: &Value, new: &Value, edits: &mut EditCollector<'_>) -> Result<()> {
    match (old, new) {
        (Value::Object(a), Value::Object(b)) => {
            for (key, old) in a {
                within(at, key, |at| match b.get(key) {
                    Some(new) => compare(at, old, new, edits),
                    None => edits.push(edit(at, Some(old), None)),
                })?;
            }
            for (key, new) in b.iter().filter(|(key, _)| !a.contains_key(*key)) {
                within(at, key, |at| edits.push(edit(at, None, Some(new))))?;
            }
            Ok(())
        }
        (Value::Array(a), Value::Array(b)) => lists(at, a, b, edits),
        (old, new) if old != new => edits.push(edit(at, Some(old), Some(new))),
        _ => Ok(()),
    }
}

fn edit(at: &str, old: Option<&Value>, new: Option<&Value>) -> Edit {
    Edit { at: at.to_owned(), from: None, of: None, old: old.cloned(), new: new.cloned() }
}

/// Goes one step further, and back.
fn within(
    at: &mut String,
    key: &str,
    inside: impl FnOnce(&mut String) -> Result<()>,
) -> Result<()> {
    let len = at.len();
    at.push('/');
    at.push_str(&key.replace('~', "~0").replace('/', "~1"));
    inside(at)?;
    at.truncate(len);
    Ok(())
}

/// Returns the hash by which an item of a list is compared.
fn hash(value: &Value) -> u128 {
    struct Hashed(XxHash3_128);
    impl Write for Hashed {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.write(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let mut hash = Hashed(XxHash3_128::new());
    // A hash takes everything, and values have a form in JSON.
    let _ = serde_json::to_writer(&mut hash, value);
    hash.0.finish_128()
}

/// Items that stand in one place of the lists are compared, others go and come.
fn lists(
    at: &mut String,
    old: &[Value],
    new: &[Value],
    edits: &mut EditCollector<'_>,
) -> Result<()> {
    if old == new {
        return Ok(());
    }
    let items = (old.len() as u64).saturating_add(new.len() as u64).saturating_mul(ITEM);
    edits.budget.memory(items)?;
    let hashes = |list: &[Value]| list.iter().map(hash).collect::<Vec<_>>();
    let operations = operations(&hashes(old), &hashes(new));
    let mut len = old.len();
    for op in operations {
        let part = |list: &[Value], from: usize, len: usize| {
            list.get(from..from.saturating_add(len)).unwrap_or_default().to_vec()
        };
        let (from, old, new) = match op {
            DiffOp::Equal { .. } => continue,
            DiffOp::Delete { old_index, old_len, new_index } => {
                (new_index, part(old, old_index, old_len), Vec::new())
            }
            DiffOp::Insert { new_index, new_len, .. } => {
                (new_index, Vec::new(), part(new, new_index, new_len))
            }
            DiffOp::Replace { old_index, old_len, new_index, new_len } => {
                (new_index, part(old, old_index, old_len), part(new, new_index, new_len))
            }
        };
        let is_tree = |value: &Value| value.is_object() || value.is_array();
        if old.len() == new.len() && old.iter().chain(&new).all(is_tree) {
            for (nth, (old, new)) in old.iter().zip(&new).enumerate() {
                let key = from.saturating_add(nth).to_string();
                within(at, &key, |at| compare(at, old, new, edits))?;
            }
        } else {
            let after = len.saturating_sub(old.len()).saturating_add(new.len());
            let (old, new) = (Some(old.into()), Some(new.into()));
            edits.push(Edit { at: at.clone(), from: Some(from), of: Some(len), old, new })?;
            len = after;
        }
    }
    edits.budget.release(items);
    Ok(())
}

/// Makes an edit; `Err` has what is there instead of what was to be, and the value is as it was then.
pub(super) fn make(
    edit: &Edit,
    value: &mut Value,
) -> std::result::Result<EditOutcome, Option<Value>> {
    if let Some(from) = edit.from {
        return make_in_list(edit, from, value);
    }
    let found = value.pointer(&edit.at);
    if found != edit.old.as_ref() {
        return if found == edit.new.as_ref() {
            Ok(EditOutcome::Before)
        } else {
            Err(found.cloned())
        };
    }
    match (value.pointer_mut(&edit.at), &edit.new) {
        (Some(place), Some(new)) => *place = new.clone(),
        (_, new) => {
            let (parent, key) = edit.at.rsplit_once('/').ok_or(None)?;
            let key = key.replace("~1", "/").replace("~0", "~");
            let parent = value.pointer_mut(parent).and_then(Value::as_object_mut).ok_or(None)?;
            match new {
                Some(new) => drop(parent.insert(key, new.clone())),
                None => drop(parent.shift_remove(&key)),
            }
        }
    }
    Ok(EditOutcome::Now)
}

fn make_in_list(
    edit: &Edit,
    from: usize,
    value: &mut Value,
) -> std::result::Result<EditOutcome, Option<Value>> {
    let items = |side: &Option<Value>| side.as_ref().and_then(Value::as_array).cloned();
    let (Some(old), Some(new)) = (items(&edit.old), items(&edit.new)) else { return Err(None) };
    let list = match value.pointer_mut(&edit.at) {
        Some(Value::Array(list)) => list,
        other => return Err(other.cloned()),
    };
    let has = |items: &[Value]| list.get(from..).is_some_and(|list| list.starts_with(items));
    let end = from.saturating_add(old.len());
    let count = Some(list.len());
    // What is only added has nothing that marks its place: the length does, and the end is where the end was.
    let fits = match (old.is_empty(), count == edit.of) {
        (false, _) | (true, true) => has(&old).then_some(from..end),
        (true, false) => (Some(from) == edit.of).then_some(list.len()..list.len()),
    };
    let after = edit.of.map(|of| of.saturating_sub(old.len()).saturating_add(new.len()));
    if has(&new) && count == after && (count != edit.of || !has(&old)) {
        return Ok(EditOutcome::Before);
    }
    if let Some(place) = fits {
        list.splice(place, new);
        return Ok(EditOutcome::Now);
    }
    Err(Some(list.get(from..end.min(list.len())).unwrap_or_default().to_vec().into()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::{collection, prelude::*};
    use serde_json::json;
    use spelunk_core::Limits;

    fn between(old: &Value, new: &Value) -> Vec<Edit> {
        super::between(old, new, &mut Budget::new(Limits::unlimited())).unwrap()
    }

    fn made(edits: &[Edit], value: &Value) -> Value {
        let mut value = value.clone();
        for edit in edits {
            assert_eq!(make(edit, &mut value), Ok(EditOutcome::Now), "{edit:?} {value}");
        }
        value
    }

    #[test]
    fn a_changed_number_is_one_edit() {
        let old = json!({"rows": [{"cells": [1, 2.5]}, {"cells": [3, 4]}]});
        let new = json!({"rows": [{"cells": [1, 2.75]}, {"cells": [3, 4]}]});
        let edits = between(&old, &new);
        let text = serde_json::to_string(&edits).unwrap();
        assert_eq!(text, r#"[{"at":"/rows/0/cells","from":1,"of":2,"old":[2.5],"new":[2.75]}]"#);
        assert_eq!(made(&edits, &old), new);
    }

    #[test]
    fn null_is_another_thing_than_nothing() {
        let edits = between(&json!({"a/b": null}), &json!({"a/b": {}, "c": null}));
        let text = serde_json::to_string(&edits).unwrap();
        assert_eq!(text, r#"[{"at":"/a~1b","old":null,"new":{}},{"at":"/c","new":null}]"#);
        assert_eq!(serde_json::from_str::<Vec<Edit>>(&text).unwrap(), edits);
    }

    #[test]
    fn what_does_not_fit_is_reported_and_changes_nothing() {
        let edit = Edit {
            at: "/a".into(),
            from: None,
            of: None,
            old: Some(1.into()),
            new: Some(2.into()),
        };
        let mut value = json!({"a": 3});
        assert_eq!(make(&edit, &mut value), Err(Some(3.into())));
        assert_eq!(value, json!({"a": 3}));
        assert_eq!(make(&edit, &mut json!({"a": 2})), Ok(EditOutcome::Before));
        assert_eq!(make(&edit, &mut json!([])), Err(None));
        let (old, new) = (Some(json!([1])), Some(json!([2, 3])));
        let edit = Edit { at: "/l".into(), from: Some(1), of: Some(2), old, new };
        assert_eq!(make(&edit, &mut json!({"l": [0, 2, 3]})), Ok(EditOutcome::Before));
        assert_eq!(make(&edit, &mut json!({"l": [0, 5, 3]})), Err(Some(json!([5]))));
        assert_eq!(make(&edit, &mut json!({"l": []})), Err(Some(json!([]))));
        // In a longer list too, as long as what goes is there.
        let mut value = json!({"l": [0, 1, 4]});
        assert_eq!(make(&edit, &mut value), Ok(EditOutcome::Now));
        assert_eq!(value, json!({"l": [0, 2, 3, 4]}));
    }

    #[test]
    fn what_is_only_added_goes_where_it_belongs_or_to_the_end() {
        let (old, new) = (Some(json!([])), Some(json!([0])));
        let at = |from| Edit {
            at: String::new(),
            from: Some(from),
            of: Some(2),
            old: old.clone(),
            new: new.clone(),
        };
        let mut value = json!([0, 0]);
        assert_eq!(make(&at(1), &mut value), Ok(EditOutcome::Now));
        assert_eq!(value, json!([0, 0, 0]));
        assert_eq!(make(&at(1), &mut value), Ok(EditOutcome::Before));
        assert_eq!(make(&at(1), &mut json!([0, 0, 0, 0])), Err(Some(json!([]))));
        let mut value = json!([1]);
        assert_eq!(make(&at(2), &mut value), Ok(EditOutcome::Now));
        assert_eq!(value, json!([1, 0]));
    }

    fn any_value() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            (0..3_u8).prop_map(Value::from),
            "[a/~]{0,2}".prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 40, 6, |inner| {
            prop_oneof![
                collection::vec(inner.clone(), 0..6).prop_map(Value::from),
                collection::btree_map("[a-c/~]{1,2}", inner, 0..5)
                    .prop_map(|map| Value::Object(map.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn edits_make_the_new_value_and_the_old_one_again(old in any_value(), new in any_value()) {
            let edits = between(&old, &new);
            prop_assert_eq!(&made(&edits, &old), &new);
            let back: Vec<Edit> = edits.into_iter().rev().map(Edit::reversed).collect();
            prop_assert_eq!(&made(&back, &new), &old);
        }
    }
}
