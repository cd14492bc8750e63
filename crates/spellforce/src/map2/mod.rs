//! Maps of SpellForce 2: what each chunk holds (`docs/formats/map2.md`).
//!
//! Checked on fifteen real maps. [`SECTIONS`] describes the layout of each chunk as data; one interpreter finds the ends of its
//! parts and walks them. Where the bytes do not have the layout they stay bytes. [`Map`] is what can be drawn of a map, as values.

pub mod codes;
mod derived;
mod encode;
mod ground;
mod inhabitants;
mod layout;
pub mod lint;
mod objects;
mod overview;
mod places;
mod players;
mod read;
mod records;
mod scan;
mod sections;
mod terrain;
mod things;
mod water;
mod weather;

/// Name of the dialect of chunk files that these maps are.
pub const DIALECT: &str = "spellforce2";

pub(crate) use derived::renew;
pub use encode::StructureField;
pub(crate) use encode::{is_length_of, of_one_value};
pub use ground::{CELL, Ground, is_cut_upwards};
pub use inhabitants::{Building, Stock, Unit};
pub use layout::{Extent, Grid, Part, Section, SectionForm, Structure};
pub use objects::Object;
pub use overview::Targa;
pub(crate) use places::LAKES;
pub use places::{BackdropPlace, Hours, Reach};
pub use read::{Lake, Map, Picture, Thing};
pub(crate) use records::{RecordStarts, Starts, check, check_structure, walk_record, walk_section};
pub use sections::{SECTIONS, section, section_named};
pub(crate) use terrain::TERRAIN;
pub use terrain::{FieldHead, FieldWords, GrassLook, GridHead, Size};
pub use things::{Place, Ware};
