//! Fields of rows, and the head of a file.

use crate::styles::TITLE;
use serde_json::Value;

pub(super) fn text<'r>(row: &'r Value, key: &str) -> &'r str {
    row[key].as_str().unwrap_or_default()
}

pub(super) fn number(row: &Value, key: &str) -> u64 {
    row[key].as_u64().unwrap_or_default()
}

/// A file, and the spaces that it inflates to.
#[derive(Default)]
pub(super) struct ExplainedFile(pub(super) Value);

impl ExplainedFile {
    /// The heading over what lies in a space.
    pub(super) fn heading(&self, space: &str) -> String {
        match self.0["spaces"][space].as_u64() {
            Some(len) => format!("{TITLE}{space}{TITLE:#}, {len} bytes inflated"),
            None => {
                let (file, size) = (text(&self.0, "file"), number(&self.0, "size"));
                format!("{TITLE}{file}{TITLE:#}, {size} bytes")
            }
        }
    }

    /// Digits of the largest place.
    pub(super) fn digits(&self) -> usize {
        let spaces = self.0["spaces"].as_object().into_iter().flat_map(serde_json::Map::values);
        let sizes = spaces.filter_map(Value::as_u64).chain([number(&self.0, "size")]);
        format!("{:x}", sizes.max().unwrap_or_default()).len()
    }
}
