//! Fields of the row about a file that was imported.

use crate::{models::import::Report, tables::translations::TranslationCounts as TextReport};
use schemars::JsonSchema;
use serde::Serialize;

/// Further fields of the row about the content, behind those that every verb has for a file that it wrote.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub struct ImportedRow {
    /// Numbers of objects, where a model or a picture was imported.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub objects: Option<ObjectCounts>,
    /// Numbers of texts, where translations were.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub texts: Option<TextCounts>,
    /// The image files that were written, with `textures`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub textures: Option<Vec<TextureFile>>,
}

/// Numbers of the objects of a model, by what became of them.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct ObjectCounts {
    /// Objects that are new.
    pub created: usize,
    /// Objects that were replaced.
    pub replaced: usize,
    /// Objects that are used as they are.
    pub kept: usize,
    /// Objects that are new under another name.
    pub renamed: usize,
}

/// Numbers of texts, by what became of them.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct TextCounts {
    /// Texts that changed.
    pub changed: u64,
    /// Texts that are new.
    pub added: u64,
    /// Texts that are the same.
    pub same: u64,
    /// Texts without a translation.
    pub untranslated: u64,
    /// Texts whose translation is marked as uncertain.
    pub fuzzy: u64,
    /// Texts whose source changed since.
    pub stale: u64,
    /// Texts that could not be taken.
    pub refused: u64,
}

/// An image file of a texture that the file only names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TextureFile {
    /// The file that was written.
    pub output: String,
    /// Size of the file in bytes.
    pub size: u64,
}

impl From<Report> for ObjectCounts {
    fn from(report: Report) -> ObjectCounts {
        let Report { created, replaced, kept, renamed } = report;
        ObjectCounts { created, replaced, kept, renamed }
    }
}

impl From<TextReport> for TextCounts {
    fn from(report: TextReport) -> TextCounts {
        let TextReport { changed, added, same, untranslated, fuzzy, stale, refused } = report;
        TextCounts { changed, added, same, untranslated, fuzzy, stale, refused }
    }
}
