//! From JSON to what values are filled with.

use crate::{
    Val,
    text::{CodePages, until_nul},
};
use serde_json::{Map, Value};
use std::borrow::Cow;
use virtools::codec::tree::Tree;

/// What a JSON value tells. A text with its stored bytes beside it is those bytes, unless it was changed.
pub(super) fn of<'v>(value: &'v Value, pages: &CodePages) -> Tree<'v> {
    match value {
        Value::Null => Tree::Val(Val::None),
        Value::Bool(value) => Tree::Val(Val::Bool(*value)),
        Value::Number(number) => Tree::Val(match (number.as_u64(), number.as_i64()) {
            (Some(number), _) => Val::U(number),
            (None, Some(number)) => Val::I(number),
            (None, None) => Val::F(number.as_f64().unwrap_or_default() as f32),
        }),
        Value::String(text) => Tree::Val(Val::Str(Cow::Borrowed(text))),
        Value::Array(items) => Tree::List(items.iter().map(|item| of(item, pages)).collect()),
        Value::Object(map) => match bits(map) {
            Some(bits) => Tree::Val(Val::F(f32::from_bits(bits))),
            None => Tree::Map(
                map.iter().filter_map(|(key, value)| entry(map, key, value, pages)).collect(),
            ),
        },
    }
}

/// One value below these steps.
pub(crate) fn at<'v>(steps: &'v [String], value: &'v Value, pages: &CodePages) -> Tree<'v> {
    let wrap = |tree, step: &'v String| Tree::Map(vec![(Cow::Borrowed(step.as_str()), tree)]);
    steps.iter().rev().fold(of(value, pages), wrap)
}

/// A number that JSON lacks.
fn bits(map: &Map<String, Value>) -> Option<u32> {
    let text = map.get("bits").filter(|_| map.len() == 1)?.as_str()?;
    u32::from_str_radix(text.strip_prefix("0x")?, 16).ok()
}

fn entry<'v>(
    map: &Map<String, Value>,
    key: &'v str,
    value: &'v Value,
    pages: &CodePages,
) -> Option<(Cow<'v, str>, Tree<'v>)> {
    let of_text = |key: &str| key.strip_suffix("_bytes").is_some_and(|text| map.contains_key(text));
    if of_text(key) {
        return None;
    }
    let stored = map.get(&format!("{key}_bytes")).and_then(Value::as_str).and_then(super::row::hex);
    let tree = match (value, stored) {
        (Value::String(text), Some(stored)) if pages.show(until_nul(&stored)) == text.as_str() => {
            Tree::Val(Val::Text(stored.into()))
        }
        _ => of(value, pages),
    };
    Some((Cow::Borrowed(key), tree))
}
