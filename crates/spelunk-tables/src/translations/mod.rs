//! The texts of a GameData for translators: one language beside another as a PO catalogue ([`po`]) or a CSV table
//! ([`csv`]), and the translated ones in again (`docs/tables.md#translations`).
//!
//! Only texts are touched. One that comes back as it went out changes nothing; a text that its language did not have
//! becomes a row like that of the language it was translated from.

#[cfg(feature = "csv")]
pub mod csv;
pub mod po;
mod put;
mod sheet;

pub use put::{TranslationCounts, put};
pub use sheet::{Name, Pair, Sheet, Translation, TranslationUnit, Wish, sheet};
