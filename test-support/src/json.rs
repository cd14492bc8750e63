//! Truth files, which other programs made of real files.

use serde_json::Value;

/// The content of a truth file; `None` where there is no corpus.
///
/// # Panics
/// Where the text is no JSON.
pub fn truth(text: Option<String>) -> Option<Value> {
    Some(serde_json::from_str(&text?).expect("JSON"))
}
