//! SpellForce's containers.
//!
//! * [`cff`]: the chunk file, which holds GameData, maps and saves, and in which later games of the
//!   same developers keep their maps too;
//! * [`gamedata`], [`map`], [`map2`] (of SpellForce 2), [`save`]: what is known of the chunks of each;
//! * [`pak`]: the archives `sf0.pak` and so on;
//! * [`set`]: several archives as one tree;
//! * [`pakdata`]: `pakdata.dat`, a third-party editor's cache of the directories of all archives;
//! * [`spec`]: layouts that only the written specification has;
//! * [`model`]: which of these an opened container is.
//!
//! [`GameData`] has the rows of a GameData, with limits inside:
//!
//! ```
//! # let bytes = spelunk_fixtures::samples::gamedata().build().bytes;
//! // `GameData::open("GameData.cff")` reads it from the disk.
//! let mut game = spellforce::GameData::from_bytes(bytes)?;
//! game.update::<spellforce::Item>(2, |item| item.buy_value = 100.into())?;
//! assert_eq!(game.row::<spellforce::Item>(2)?.buy_value, 100);
//! # Ok::<(), spellforce::Error>(())
//! ```
//!
//! Opening reads headers and tables. What is not understood (unknown chunks, gaps, padding, tails) is
//! part of the model, so that an opened file is written back with the same bytes.
//!
//! ```
//! use spelunk_core::{Budget, Bytes, Container, Format, Limits, Strict, Task, WriteOptions};
//! use std::sync::Arc;
//!
//! // A GameData with one category: 2064, weapon materials, one row of four bytes.
//! let mut file = vec![0x12, 0xdd, 0x72, 0xdd];
//! for word in [2_u32, 2, 1, 0] {
//!     file.extend(word.to_le_bytes());
//! }
//! file.extend([0x10, 0x08, 0, 0, 0, 0, 4, 0, 0, 0, 1, 0]);
//! file.extend([1, 0, 7, 0]);
//!
//! let mut sink = Strict;
//! let mut task = Task::new(Budget::new(Limits::for_len(file.len() as u64)), &mut sink);
//! let container = spellforce::cff::Cff.open(Arc::new(Bytes::from(file.clone())), &mut task)?;
//! assert_eq!(container.format(), "spellforce-cff");
//! let row = container.find("2064[0]", &container.code_pages(), &mut task)?;
//! assert_eq!(container.bytes(row[0], &mut task)?, [1, 0, 7, 0].as_slice());
//!
//! let mut again = Vec::new();
//! container.write(&mut again, &WriteOptions::default(), &mut task)?;
//! assert_eq!(again, file);
//! # Ok::<(), spelunk_core::Error>(())
//! ```

#![forbid(unsafe_code)]
#![deny(clippy::indexing_slicing, clippy::arithmetic_side_effects)]
#![cfg_attr(test, allow(clippy::indexing_slicing, clippy::arithmetic_side_effects))]

pub mod cff;
pub mod codes;
pub mod gamedata;
pub mod map;
pub mod map2;
pub mod model;
pub mod pak;
pub mod pakdata;
pub mod profile;
pub mod save;
pub mod set;
pub mod spec;

mod bytes;
mod fields;
mod flood;
mod game;

pub use game::{GameData, RowKey};
pub use gamedata::schema::{
    ArmyUnitBuilding, ArmyUnitCost, Building, BuildingCost, BuildingPolygon, CorpseLoot,
    Description, ExtendedDescription, FactionRelation, Head, HeroSkill, HeroSpell, InstalledScroll,
    InventoryScroll, Item, ItemArmor, ItemEffect, ItemRequirement, ItemSet, ItemUi, Level, Map,
    Merchant, MerchantItem, MerchantRate, Npc, Object, ObjectLoot, ObjectPolygon, Portal, Quest,
    Race, Resource, Row, Skill, SkillRequirement, Spell, SpellLine, Terrain, TextRow, Unit,
    UnitEquipment, UnitSpell, UnitStats, Unknown2055, Unknown2056, Upgrade, Weapon, WeaponMaterial,
    WeaponType,
};
pub use model::Model;
pub use spelunk_core::{
    Budget, Bytes, Collect, Error, Finding, Limits, Node, Result, Source, Strict, Task,
    WriteOptions,
};

use spelunk_core::Format;

/// Every format of this crate, in the order in which they are tried. The last one has no magic.
pub static FORMATS: &[&dyn Format] = &[&cff::Cff, &pak::Pak, &pakdata::PakData];
