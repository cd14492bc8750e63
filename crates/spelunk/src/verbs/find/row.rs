//! Rows of what was found.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

/// A place where the pattern was found.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Row<'a> {
    /// The file.
    pub file: &'a str,
    /// The path of the entry.
    pub path: &'a str,
    /// Kind of the entry.
    pub kind: &'a str,
    /// Name of the entry.
    pub name: &'a str,
    /// The field, where it was not the entry itself that was found.
    #[serde(flatten)]
    pub field: Option<FoundField<'a>>,
    /// With `duplicates`: the content that several have.
    #[serde(flatten)]
    pub duplicate: Option<&'a DuplicateContent>,
}

/// A field that was found.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct FoundField<'a> {
    /// Path of the field within the entry.
    pub field: &'a str,
    /// Type of the field.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// Value of the field.
    pub value: Value,
    /// Meaning of the value, where it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub meaning: Option<String>,
}

/// Content that several entries or files have.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct DuplicateContent {
    /// Number of those that have it.
    pub copies: u64,
    /// Size of the content in bytes.
    pub size: u64,
    /// SHA-256 of the content.
    pub sha256: String,
    /// XXH3-128 of the content.
    pub xxh3: String,
}
