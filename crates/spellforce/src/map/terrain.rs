//! The ground: size and tiles (chunk 2), tile definitions (3), textures (4), heights (6).
//! `docs/formats/map.md#2-ground`.

use super::section::{CountPrefix, RecordLayout, Row, Section, SectionForm};
use spelunk_core::{Described, record};

record! {
    /// The words before the tiles.
    pub struct TilesHead: "tiles_head", "docs/formats/map.md#2-ground", 3 {
        /// Width and height of the map.
        size: I16 { unit: "cells" },
        /// 0; the editor ignores it.
        zero: U8,
    }
}

record! {
    /// Look of a tile, and whether it blocks.
    pub struct TileDefinition: "tile_definition", "docs/formats/map.md#21-tile-definitions", 14 {
        /// Three slots of textures: 0 to 31 far ones, 32 to 62 near ones.
        textures: U8s<3>,
        /// Amount of each texture. All zero is taken as a third each.
        weights: U8s<3>,
        /// The tile that stands for this one near by.
        reindex_data: U8,
        /// The tile that this one stands for.
        reindex_index: U8,
        /// 255 in files of the editor, which ignores it.
        constant_8: U8,
        /// 128 in files of the editor, which ignores it.
        constant_9: U8,
        /// Material of the ground.
        material: U8,
        /// 255 in files of the editor, which ignores it.
        constant_11: U8,
        /// Whether the tile blocks movement: odd is yes.
        blocks_movement: U8,
        /// Whether the tile blocks vision: odd is yes.
        blocks_vision: U8,
    }
}

record! {
    /// A texture. The first one is that of the world, 31 far ones follow, then as many near ones.
    pub struct TextureId: "texture_id", "docs/formats/map.md#2-ground", 1 {
        /// The texture: 1 to 119 far ones, near ones 119 more.
        texture_id: U8,
    }
}

record! {
    /// The height of the ground in a cell.
    pub struct Height: "height", "docs/formats/map.md#2-ground", 2 {
        /// The height.
        height: U16,
    }
}

impl Row for TileDefinition {}
impl Row for TextureId {}
impl Row for Height {}

pub(super) static TILES: Section = Section {
    id: 2,
    name: "tiles",
    title: "size and tiles",
    data_type: 6,
    shape: SectionForm::Tiles,
};

pub(super) static DEFINITIONS: Section = Section {
    id: 3,
    name: "tile_definitions",
    title: "tile definitions",
    data_type: 3,
    shape: SectionForm::Rows(
        CountPrefix::Fixed(255),
        &[RecordLayout::only(3, TileDefinition::RECORD)],
    ),
};

pub(super) static TEXTURES: Section = Section {
    id: 4,
    name: "textures",
    title: "texture ids",
    data_type: 4,
    shape: SectionForm::Rows(CountPrefix::Fixed(63), &[RecordLayout::only(4, TextureId::RECORD)]),
};

pub(super) static HEIGHTS: Section = Section {
    id: 6,
    name: "heights",
    title: "heights",
    data_type: 6,
    shape: SectionForm::Rows(CountPrefix::None, &[RecordLayout::only(6, Height::RECORD)]),
};

/// Near textures are this many ids behind the far ones.
pub(super) const NEAR: u8 = 119;
/// Tiles up to this one, exclusively, have one far texture alone.
pub(super) const MIXED_TILES: u8 = 32;
/// Tiles from this one on have one near texture alone.
pub(super) const NEAR_TILES: u8 = 224;

/// The textures of a new map: those with the lowest ids.
pub(super) fn default_textures() -> Vec<u8> {
    let near = (1..=31_u8).map(|far| far.saturating_add(NEAR));
    std::iter::once(0).chain(1..=31).chain(near).collect()
}

impl TileDefinition {
    /// Returns the definition that the community's editor gives a tile of a new map: one far texture up to tile 31, one near
    /// texture from 224 on, nothing between them.
    pub fn of_new_map(tile: u8) -> TileDefinition {
        let mut new = TileDefinition {
            constant_8: 255,
            constant_9: 128,
            constant_11: 255,
            reindex_data: tile,
            reindex_index: tile,
            ..<TileDefinition as zerocopy::FromZeros>::new_zeroed()
        };
        let [texture, ..] = &mut new.textures.0;
        let [weight, ..] = &mut new.weights.0;
        if tile < MIXED_TILES {
            (*texture, *weight) = (tile.max(1), 255);
        } else if tile >= NEAR_TILES {
            (*texture, *weight) = (tile.saturating_sub(192), 255);
            new.reindex_index = tile.saturating_sub(223);
        }
        if (1..MIXED_TILES).contains(&tile) {
            new.reindex_data = tile.saturating_add(223);
        }
        if (1..=120).contains(&tile) || tile >= NEAR_TILES {
            new.material = 10;
        }
        new
    }
}
