//! GameData: 49 categories, which are tables, and the languages of their texts.
//!
//! A category is one chunk: rows back to back, without a count or a header. Rows are read where they lie. See
//! `docs/formats/gamedata.md` for every field, and `docs/formats/cff.md#6-gamedata-categories` and
//! `docs/formats/cff.md#7-text-data-and-languages` for what holds for all of them.

pub mod codes;
mod compare;
mod edit;
mod languages;
pub mod lint;
mod lookup;
mod part;
pub mod schema;
mod table;
pub(crate) mod tables;
mod texts;

pub use compare::{RowChange, compare};
pub use edit::{RowBuf, TableDraft};
pub use languages::{Asked, By, LOCAL, Language, Languages, PROFILES, Profile, profile, shown};
pub use part::part;
pub use schema::{CATEGORIES, Category, RowsPerId, Schema, TEXTS, category, category_named};
pub(crate) use table::whole_rows;
pub use table::{AnyRow, Key, Table};
pub use tables::{GameData, category_of};
pub(crate) use tables::{TableLookups, note_data_types};
