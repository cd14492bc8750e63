//! Truth files, which other programs made of real files, and numbers in them.

use serde_json::Value;

/// The content of a truth file; `None` where there is no corpus.
///
/// # Panics
/// Where the text is no JSON.
pub fn truth(text: Option<String>) -> Option<Value> {
    Some(serde_json::from_str(&text?).expect("JSON"))
}

/// The number under `key`.
///
/// # Panics
/// Where there is none.
pub fn number(value: &Value, key: &str) -> u64 {
    value[key].as_u64().unwrap_or_else(|| panic!("{key} is no number in {value}"))
}

/// A hexadecimal number such as `0x13022002`, padded or not.
///
/// # Panics
/// Where the value is none.
pub fn word(value: &Value) -> u64 {
    let text = value.as_str().unwrap_or_else(|| panic!("{value} is no word"));
    u64::from_str_radix(text.trim_start_matches("0x"), 16).unwrap()
}
