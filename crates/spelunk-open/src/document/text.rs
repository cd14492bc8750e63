//! Documents as text in which lines can be compared: what belongs together stands on one line.

use serde_json::{Map, Value};
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
    let mut writer = TextWriter { text: Vec::with_capacity(2 * BLOCK), out };
    writer.value(value, indent)?;
    writer.flush()
}

/// Text is handed on in blocks of about so many bytes.
const BLOCK: usize = 1 << 13;

/// Writes values as text, a block at a time.
struct TextWriter<'o> {
    /// The end of the text, which was not handed on.
    text: Vec<u8>,
    out: &'o mut dyn Write,
}

impl TextWriter<'_> {
    fn flush(&mut self) -> io::Result<()> {
        self.out.write_all(&self.text)?;
        self.text.clear();
        Ok(())
    }

    fn mark(&mut self, mark: &str) {
        self.text.extend_from_slice(mark.as_bytes());
    }

    /// Ends a line, and begins the next one so deep.
    fn line(&mut self, indent: usize) -> io::Result<()> {
        if self.text.len() >= BLOCK {
            self.flush()?;
        }
        self.text.push(b'\n');
        self.text.extend(std::iter::repeat_n(b' ', indent));
        Ok(())
    }

    fn value(&mut self, value: &Value, indent: usize) -> io::Result<()> {
        match value {
            Value::Object(map) if !map.is_empty() => {
                if self.flat(map, WIDTH.saturating_sub(indent))? {
                    return Ok(());
                }
                self.mark("{");
                for (nth, (key, value)) in map.iter().enumerate() {
                    self.mark(if nth == 0 { "" } else { "," });
                    self.line(indent + 1)?;
                    serde_json::to_writer(&mut self.text, key)?;
                    self.mark(": ");
                    self.value(value, indent + 1)?;
                }
                self.line(indent)?;
                self.mark("}");
            }
            Value::Array(items) if items.iter().any(|item| item.is_object() || item.is_array()) => {
                self.mark("[");
                for (nth, item) in items.iter().enumerate() {
                    self.mark(if nth == 0 { "" } else { "," });
                    self.line(indent + 1)?;
                    self.value(item, indent + 1)?;
                }
                self.line(indent)?;
                self.mark("]");
            }
            Value::Array(items) => self.scalars(items, indent)?,
            // It may be all bytes of a chunk, which are not kept twice.
            Value::String(text) if text.len() > BLOCK => {
                self.flush()?;
                serde_json::to_writer(&mut *self.out, text)?;
            }
            other => serde_json::to_writer(&mut self.text, other)?,
        }
        Ok(())
    }

    /// Scalars, as many on a line as fit.
    fn scalars(&mut self, items: &[Value], indent: usize) -> io::Result<()> {
        self.mark("[");
        let mut column = indent;
        for (nth, item) in items.iter().enumerate() {
            // The line is ended before an item that does not fit, of which the length is known when it is written.
            let start = self.text.len();
            self.mark(if nth == 0 { "" } else { ", " });
            let before = self.text.len();
            serde_json::to_writer(&mut self.text, item)?;
            let len = self.text.len() - before;
            if nth > 0 && column + len > WIDTH {
                self.text.truncate(start);
                self.mark(",");
                self.line(indent + 1)?;
                serde_json::to_writer(&mut self.text, item)?;
                column = indent;
            }
            column += len + 2;
        }
        self.mark("]");
        Ok(())
    }

    /// An object on one line of this length, where it holds nothing but scalars and fits; else nothing is written.
    fn flat(&mut self, map: &Map<String, Value>, width: usize) -> io::Result<bool> {
        let is_long = |text: &str| text.len() > width;
        let fits = |value: &Value| {
            !(value.is_object() || value.is_array() || value.as_str().is_some_and(is_long))
        };
        if !map.values().all(fits) {
            return Ok(false);
        }
        let start = self.text.len();
        self.mark("{");
        for (nth, (key, value)) in map.iter().enumerate() {
            self.mark(if nth == 0 { "" } else { ", " });
            serde_json::to_writer(&mut self.text, key)?;
            self.mark(": ");
            serde_json::to_writer(&mut self.text, value)?;
            if self.text.len() - start >= width {
                self.text.truncate(start);
                return Ok(false);
            }
        }
        self.mark("}");
        Ok(true)
    }
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
