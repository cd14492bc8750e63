//! Parts of a file beside the rows: header words, chunks and their order, code pages, bytes that texts alone do not give.

use super::cell;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use serde_json::{Map, Value};
use spellforce::{
    cff::{FileHeader, Form},
    gamedata::{Category, Schema},
};
use spelunk_core::{Error, Result, Val, field::Described, text::CodePages};
use spelunk_open::{codes, languages::Asked};
use std::{
    borrow::Cow,
    collections::{BTreeMap, HashMap},
};
use zerocopy::{FromBytes, IntoBytes};

/// Bytes, which are hexadecimal digits in text.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Hex(pub Vec<u8>);

impl Hex {
    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Serialize for Hex {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.collect_str(&Val::Bytes(self.0.as_slice().into()))
    }
}

impl<'de> Deserialize<'de> for Hex {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Hex, D::Error> {
        let text = Cow::<str>::deserialize(deserializer)?;
        let bytes = spelunk_core::value::hex(&text);
        bytes.map(Hex).ok_or_else(|| de::Error::custom("no hexadecimal digits"))
    }
}

/// Parts of a file beside the rows.
#[derive(Clone, Default, PartialEq, Debug, Serialize, Deserialize)]
pub struct Sidecar {
    /// The words of the header, by their names.
    pub header: Map<String, Value>,
    /// Whether every chunk header has an unpacked length.
    pub wide_headers: bool,
    /// Size of a chunk header in bytes, in the dialect `spec` alone: 11 as its table has it, 10 as its dump.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spec_header_size: Option<u64>,
    /// Bytes behind the last chunk.
    #[serde(default, skip_serializing_if = "Hex::is_empty")]
    pub tail: Hex,
    /// The code pages of handles.
    pub pages: String,
    /// Code pages of texts, by slot.
    pub languages: Vec<LanguageSlot>,
    /// The chunks, in the order of the file.
    pub chunks: Vec<SidecarChunk>,
    /// Texts that alone do not give all bytes of their fields.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub strings: Vec<StoredText>,
}

impl Sidecar {
    /// The form of the file.
    ///
    /// # Errors
    /// [`BAD_TABLES`](codes::BAD_TABLES) where there is none with such headers.
    pub fn form(&self) -> Result<Form> {
        let Some(size) = self.spec_header_size else { return Ok(Form::real(self.wide_headers)) };
        Form::spec(size).ok_or_else(|| {
            let error = Error::new(&codes::BAD_TABLES).expected("chunk headers of 11 or 10 bytes");
            error.found(size).field("spec_header_size")
        })
    }
}

/// The language of a slot.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LanguageSlot {
    /// The language id of its rows.
    pub slot: u8,
    /// Code of the language, as `de`.
    #[serde(default)]
    pub code: Option<String>,
    /// Name of the language.
    #[serde(default)]
    pub name: Option<String>,
    /// Code pages of the texts.
    pub pages: String,
}

/// A chunk.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct SidecarChunk {
    /// Id of the chunk; of rows that of their category.
    pub id: i16,
    /// Number of the chunk among those of one id.
    pub occurrence: i16,
    /// The packed word.
    pub packed: i16,
    /// Version of its layout.
    pub data_type: i16,
    /// The table that its rows are in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub table: Option<String>,
    /// Number of rows it had.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rows: Option<u64>,
    /// The unpacked length of the header, where it does not follow from the rows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unpacked_length: Option<i32>,
    /// The level that the rows were packed at.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub level: Option<u8>,
    /// The stream that the rows were packed to, where no level gives it again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stream: Option<Hex>,
    /// Bytes behind the last whole row.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remainder: Option<Hex>,
    /// The stored data of what is no table.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data: Option<Hex>,
}

impl SidecarChunk {
    /// The category whose rows it has.
    ///
    /// # Errors
    /// [`BAD_TABLES`](codes::BAD_TABLES) where there is none of this name.
    pub fn category(&self, schema: Schema) -> Result<Option<&'static Category>> {
        let Some(table) = &self.table else { return Ok(None) };
        let category = schema.category_named(table).filter(|category| category.id == self.id);
        category.map(Some).ok_or_else(|| {
            let found = format!("`{table}` of chunk {}", self.id);
            Error::new(&codes::BAD_TABLES).expected("the name of a category").found(found)
        })
    }
}

/// A text that alone does not give all bytes of its field.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct StoredText {
    /// The table.
    pub table: String,
    /// The place of the row.
    pub row: i64,
    /// The column.
    pub column: String,
    /// All bytes of the field.
    pub bytes: Hex,
}

/// The words of a header, by their names.
pub fn words(header: &FileHeader) -> Map<String, Value> {
    let bytes = header.as_bytes();
    let fields = FileHeader::RECORD.fields.iter();
    let word = |start: u32| {
        let start = start as usize;
        bytes.get(start..).and_then(<[u8]>::first_chunk).copied().map_or(0, u32::from_le_bytes)
    };
    fields.map(|slot| (slot.field.name.to_owned(), word(slot.offset).into())).collect()
}

/// The header with these words.
///
/// # Errors
/// [`BAD_TABLES`](codes::BAD_TABLES) where one is missing.
pub fn header(words: &Map<String, Value>) -> Result<FileHeader> {
    let mut bytes = Vec::new();
    for slot in FileHeader::RECORD.fields {
        let word = words.get(slot.field.name).and_then(Value::as_u64);
        let word = word.and_then(|word| u32::try_from(word).ok()).ok_or_else(|| {
            Error::new(&codes::BAD_TABLES).expected("a word of the header").field(slot.field.name)
        })?;
        bytes.extend_from_slice(&word.to_le_bytes());
    }
    FileHeader::read_from_bytes(&bytes).map_err(|_| Error::new(&codes::BAD_TABLES))
}

/// The code pages of all texts.
#[derive(Clone, Debug)]
pub struct Pages {
    slots: BTreeMap<u8, CodePages>,
    rest: CodePages,
}

impl Pages {
    /// Returns the pages that the sidecar names. What was asked for counts for slots that it does not know.
    ///
    /// # Errors
    /// [`CODE_PAGE`](codes::core::CODE_PAGE).
    pub fn of(sidecar: &Sidecar, asked: &Asked) -> Result<Pages> {
        let mut slots: BTreeMap<u8, CodePages> = asked.slots.iter().cloned().collect();
        for slot in &sidecar.languages {
            slots.insert(slot.slot, CodePages::from_labels(&slot.pages)?);
        }
        Ok(Pages { slots, rest: CodePages::from_labels(&sidecar.pages)? })
    }

    /// Returns the code pages of texts in a slot, or of handles.
    pub fn get(&self, slot: Option<u8>) -> &CodePages {
        slot.and_then(|slot| self.slots.get(&slot)).unwrap_or(&self.rest)
    }
}

/// The stored fields of a table, by row and position of the column.
#[derive(Clone, Debug, Default)]
pub struct Strings(HashMap<(i64, usize), Vec<u8>>);

impl Strings {
    /// Adds a field.
    pub fn add(&mut self, row: i64, column: usize, bytes: Vec<u8>) {
        self.0.insert((row, column), bytes);
    }

    /// Returns the bytes of a field, where its text is still the one that they decode to.
    pub fn get(
        &self,
        at: (i64, usize),
        text: &str,
        size: usize,
        pages: &CodePages,
    ) -> Option<&[u8]> {
        let bytes = self.0.get(&at).filter(|bytes| bytes.len() == size)?;
        (cell::text(bytes, pages).0 == text).then_some(bytes.as_slice())
    }
}
