//! From JSON to what values are filled with.

use serde_json::{Map, Value};
use spelunk_core::{Val, text::CodePages};
use std::borrow::Cow;
use virtools::codec::tree::Tree;

/// Returns the tree of a JSON value. A text with its stored bytes beside it is those bytes, unless it was changed.
pub(super) fn of<'v>(value: &'v Value, pages: &CodePages) -> Tree<'v> {
    match value {
        Value::Array(items) => Tree::List(items.iter().map(|item| of(item, pages)).collect()),
        value => match (Val::from_json(value), value) {
            (None, Value::Object(map)) => Tree::Map(
                map.iter().filter_map(|(key, value)| entry(map, key, value, pages)).collect(),
            ),
            (Some(value), _) => Tree::Val(value),
            // A number that no value has is not the same as none: as text it is refused.
            (None, value) => Tree::Val(Val::from(value.to_string())),
        },
    }
}

/// Returns the tree of one value below these steps.
pub fn at<'v>(steps: &'v [String], value: &'v Value, pages: &CodePages) -> Tree<'v> {
    let wrap = |tree, step: &'v String| Tree::Map(vec![(Cow::Borrowed(step.as_str()), tree)]);
    steps.iter().rev().fold(of(value, pages), wrap)
}

fn entry<'v>(
    map: &'v Map<String, Value>,
    key: &'v str,
    value: &'v Value,
    pages: &CodePages,
) -> Option<(Cow<'v, str>, Tree<'v>)> {
    let of_text = |key: &str| key.strip_suffix("_bytes").is_some_and(|text| map.contains_key(text));
    if of_text(key) {
        return None;
    }
    let tree = match value {
        Value::String(text) => {
            let stored = map.get(&format!("{key}_bytes"));
            Tree::Val(Val::text_from_json(text, stored, pages))
        }
        value => of(value, pages),
    };
    Some((Cow::Borrowed(key), tree))
}
