//! Documents as text in which lines can be compared: what belongs together stands on one line.

use serde_json::Value;
use std::io::{self, Write};

/// Lines are filled up to about this many characters.
const WIDTH: usize = 100;

/// The text of a document, which ends with a line break.
pub fn of(value: &Value) -> String {
    let mut out = Vec::new();
    // Memory takes everything, and JSON is UTF-8.
    let _ = write(value, 0, &mut out);
    out.push(b'\n');
    String::from_utf8(out).unwrap_or_default()
}

/// Writes the text of a value that stands so deep in a document.
///
/// # Errors
/// Those of `out`.
pub fn write(value: &Value, indent: usize, out: &mut dyn Write) -> io::Result<()> {
    match value {
        Value::Object(map) if !map.is_empty() => {
            if let Some(flat) = flat(value, WIDTH.saturating_sub(indent)) {
                return out.write_all(flat.as_bytes());
            }
            out.write_all(b"{")?;
            for (nth, (key, value)) in map.iter().enumerate() {
                out.write_all(if nth == 0 { b"" } else { b"," })?;
                line(indent + 1, out)?;
                serde_json::to_writer(&mut *out, key)?;
                out.write_all(b": ")?;
                write(value, indent + 1, out)?;
            }
            line(indent, out)?;
            out.write_all(b"}")
        }
        Value::Array(items) if items.iter().any(|item| item.is_object() || item.is_array()) => {
            out.write_all(b"[")?;
            for (nth, item) in items.iter().enumerate() {
                out.write_all(if nth == 0 { b"" } else { b"," })?;
                line(indent + 1, out)?;
                write(item, indent + 1, out)?;
            }
            line(indent, out)?;
            out.write_all(b"]")
        }
        Value::Array(items) => scalars(items, indent, out),
        other => Ok(serde_json::to_writer(out, other)?),
    }
}

/// Scalars, as many on a line as fit.
fn scalars(items: &[Value], indent: usize, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(b"[")?;
    let mut column = indent;
    for (nth, item) in items.iter().enumerate() {
        let text = item.to_string();
        if nth > 0 && column + text.len() > WIDTH {
            out.write_all(b",")?;
            line(indent + 1, out)?;
            column = indent;
        } else if nth > 0 {
            out.write_all(b", ")?;
        }
        column += text.len() + 2;
        out.write_all(text.as_bytes())?;
    }
    out.write_all(b"]")
}

/// An object on one line of this length, where it holds nothing but scalars and fits.
fn flat(value: &Value, width: usize) -> Option<String> {
    let Value::Object(map) = value else { return None };
    let mut flat = String::from("{");
    for (key, value) in map {
        let is_long = |text: &str| text.len() > width;
        if value.is_object() || value.is_array() || value.as_str().is_some_and(is_long) {
            return None;
        }
        flat.push_str(if flat.len() > 1 { ", " } else { "" });
        flat.push_str(&format!("{}: {value}", Value::from(key.as_str())));
        if flat.len() >= width {
            return None;
        }
    }
    flat.push('}');
    Some(flat)
}

/// Ends a line, and begins the next one so deep.
pub(super) fn line(indent: usize, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(b"\n")?;
    (0..indent).try_for_each(|_| out.write_all(b" "))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    #[test]
    fn what_belongs_together_stands_on_one_line() {
        let value = json!({
            "flags": {"a": 1, "b": null},
            "points": [[1.5, 2.0, 3.0], [4.0, 5.0, 6.0]],
            "empty": {"list": [], "map": {}},
        });
        let text = super::of(&value);
        assert_eq!(
            text,
            "{\n \"flags\": {\"a\": 1, \"b\": null},\n \"points\": [\n  [1.5, 2.0, 3.0],\n  \
             [4.0, 5.0, 6.0]\n ],\n \"empty\": {\n  \"list\": [],\n  \"map\": {}\n }\n}\n"
        );
        assert_eq!(serde_json::from_str::<serde_json::Value>(&text).unwrap(), value);
        let long = json!([vec![1_000_000; 200]]);
        let text = super::of(&long);
        assert!(text.lines().all(|line| line.len() < 110), "{text}");
        assert_eq!(serde_json::from_str::<serde_json::Value>(&text).unwrap(), long);
    }
}
