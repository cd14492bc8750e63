//! Documents as text in which lines can be compared: what belongs together stands on one line.

use serde_json::Value;

/// Lines are filled up to about this many characters.
const WIDTH: usize = 100;

/// The text of a document, which ends with a line break.
pub fn of(value: &Value) -> String {
    let mut out = String::new();
    write(value, 0, &mut out);
    out.push('\n');
    out
}

fn write(value: &Value, indent: usize, out: &mut String) {
    match value {
        Value::Object(map) if !map.is_empty() => {
            let flat = flat(value);
            if let Some(flat) = flat.filter(|flat| flat.len() + indent <= WIDTH) {
                out.push_str(&flat);
                return;
            }
            out.push('{');
            for (nth, (key, value)) in map.iter().enumerate() {
                out.push_str(if nth == 0 { "" } else { "," });
                line(indent + 1, out);
                out.push_str(&Value::from(key.as_str()).to_string());
                out.push_str(": ");
                write(value, indent + 1, out);
            }
            line(indent, out);
            out.push('}');
        }
        Value::Array(items) if items.iter().any(|item| item.is_object() || item.is_array()) => {
            out.push('[');
            for (nth, item) in items.iter().enumerate() {
                out.push_str(if nth == 0 { "" } else { "," });
                line(indent + 1, out);
                write(item, indent + 1, out);
            }
            line(indent, out);
            out.push(']');
        }
        Value::Array(items) => scalars(items, indent, out),
        other => out.push_str(&other.to_string()),
    }
}

/// Scalars, as many on a line as fit.
fn scalars(items: &[Value], indent: usize, out: &mut String) {
    out.push('[');
    let mut column = indent;
    for (nth, item) in items.iter().enumerate() {
        let text = item.to_string();
        if nth > 0 {
            out.push_str(", ");
        }
        if nth > 0 && column + text.len() > WIDTH {
            out.truncate(out.trim_end().len());
            line(indent + 1, out);
            column = indent;
        }
        column += text.len() + 2;
        out.push_str(&text);
    }
    out.push(']');
}

/// An object on one line, where it holds nothing but scalars.
fn flat(value: &Value) -> Option<String> {
    let Value::Object(map) = value else { return None };
    let mut parts = Vec::new();
    for (key, value) in map {
        if value.is_object() || value.is_array() {
            return None;
        }
        parts.push(format!("{}: {value}", Value::from(key.as_str())));
    }
    Some(format!("{{{}}}", parts.join(", ")))
}

fn line(indent: usize, out: &mut String) {
    out.push('\n');
    out.extend(std::iter::repeat_n(' ', indent));
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
