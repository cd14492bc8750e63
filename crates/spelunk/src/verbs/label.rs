//! What edits are called in histories.

use serde::Serialize;
use serde_json::Value;

/// What an edit is called in a history: the verb, and what was asked of it beside the file and where that goes.
pub(super) fn label<R: Serialize + Default>(verb: &str, request: &R) -> String {
    /// Letters of a label, at the most.
    const MOST: usize = 200;
    /// What says which file is changed, and how it takes its place.
    const PLACE: [&str; 11] = [
        "file",
        "output",
        "in_place",
        "backup",
        "history",
        "force",
        "dry_run",
        "follow_links",
        "into",
        "update",
        "files",
    ];
    let [asked, usual] =
        [request, &R::default()].map(|request| serde_json::to_value(request).unwrap_or_default());
    let mut words = vec![verb.to_owned()];
    for (key, value) in asked.as_object().into_iter().flatten() {
        if !PLACE.contains(&key.as_str()) && usual.get(key) != Some(value) {
            add_words(key, value, &mut words);
        }
    }
    let mut text = words.join(" ");
    if let Some((end, _)) = text.char_indices().nth(MOST) {
        text.truncate(end);
        text.push_str("...");
    }
    text
}

/// Adds a value of a request to the words of a label.
fn add_words(key: &str, value: &Value, words: &mut Vec<String>) {
    match value {
        Value::Null | Value::Bool(false) => {}
        Value::Bool(true) => words.push(format!("--{}", key.replace('_', "-"))),
        Value::Number(number) => words.push(format!("--{} {number}", key.replace('_', "-"))),
        Value::String(text) => words.push(text.clone()),
        Value::Array(values) => values.iter().for_each(|value| add_words(key, value, words)),
        // A field in parts.
        Value::Object(parts) => {
            let part = |key: &str| parts.get(key).and_then(Value::as_str).unwrap_or_default();
            match parts.contains_key("entry") {
                true => {
                    words.push(format!("{}/{}={}", part("entry"), part("field"), part("value")))
                }
                false => words.push(value.to_string()),
            }
        }
    }
}
