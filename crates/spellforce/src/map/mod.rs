//! Maps of SpellForce 1: what each chunk holds (`docs/formats/map.md`).
//!
//! Everything here was read in a third-party editor, and it is checked on synthetic files alone: no real map was available.
//!
//! [`Map`] is a whole map as values of its own. [`section`] describes the layout of each chunk, for those who look at chunks
//! where they lie.

mod buildings;
mod cells;
pub mod codes;
mod decoration;
mod flags;
mod lakes;
pub mod lint;
mod objects;
mod read;
mod section;
mod sections;
mod spawns;
mod teams;
mod teams_walk;
mod terrain;
mod units;
mod weather;
pub mod world;
mod write;

use crate::cff::ChunkFile;
pub use buildings::Building;
pub use decoration::{DecorationGroup, SIDE as DECORATION_SIDE};
pub use flags::{Cell, FlagCell};
pub use lakes::Lake;
pub use objects::{
    AI_CAMP, BINDSTONE, DUMMIES, InteractiveObject, MONUMENTS, Object, PORTAL, Portal,
};
pub(crate) use read::Records;
pub use section::{CountPrefix, RecordLayout, Section, SectionForm};
pub use sections::{SECTIONS, section, section_named, section_of};
pub use spawns::{CoopParameters, Spawn};
use spelunk_core::{Bytes, Result, Task};
pub use teams::{Minimap, Player, PlayerCell, Team, Teams};
pub(crate) use teams::{check_teams, new_player};
pub(crate) use teams_walk::walk_teams;
pub use terrain::{Height, TextureId, TileDefinition, TilesHead};
pub use units::{Unit, UnitGroup};
pub use weather::{WEATHER, WeatherShare};
pub(crate) use write::{place_of, rank};

/// The id of the chunk with the size of the map and its tiles.
pub const TILES: i16 = 2;

/// The id of the chunks that hold a row of heights each.
pub const HEIGHTS: i16 = 6;

/// A map. What a chunk that is not there would hold is empty.
///
/// Records are the newest layout; what an older data type leaves out is filled up.
#[derive(Clone, PartialEq, Debug)]
pub struct Map {
    /// Width and height in cells.
    pub size: u16,
    /// Byte behind the size: 0.
    pub zero: u8,
    /// The tile of each cell, at y × size + x.
    pub tiles: Bytes,
    /// Definitions of the tiles: 255.
    pub tile_definitions: Vec<TileDefinition>,
    /// 63 textures: that of the world, 31 far ones, 31 near ones.
    pub texture_ids: Vec<u8>,
    /// The height of each cell, at y × size + x.
    pub heights: Vec<u16>,
    /// Cells that block movement.
    pub movement_flags: Vec<Cell>,
    /// Cells that block vision.
    pub vision_flags: Vec<Cell>,
    /// Lakes.
    pub lakes: Vec<Lake>,
    /// The group of decoration of each cell of 1024 by 1024, at x × 1024 + y; see [`Map::decoration_at`].
    pub decoration: Bytes,
    /// Groups of decoration: 255, the first of which is not used.
    pub decoration_groups: Vec<DecorationGroup>,
    /// Objects.
    pub objects: Vec<Object>,
    /// Portals.
    pub portals: Vec<Portal>,
    /// Bindstones, monuments and other objects that players use.
    pub interactive: Vec<InteractiveObject>,
    /// Buildings.
    pub buildings: Vec<Building>,
    /// Units.
    pub units: Vec<Unit>,
    /// The shares of [`WEATHER`], in percent.
    pub weather: Vec<u8>,
    /// The groups of units: 0 to the highest one.
    pub unit_groups: Vec<u8>,
    /// Teams, where the map is not for campaigns.
    pub teams: Option<Teams>,
    /// The picture beside the teams.
    pub minimap: Option<Minimap>,
    /// Starting places of the players.
    pub spawns: Vec<Spawn>,
    /// Three rows of parameters in cooperative maps.
    pub coop: Vec<CoopParameters>,
    /// Cells that block, as chunk 60 has them, which the community's editor reads and never writes.
    pub flag_cells: Vec<FlagCell>,
}

/// Purpose of a map. Its chunks decide.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GameMode {
    /// One player and a story: neither of the other two.
    Campaign,
    /// Teams that play each other: chunk 53 without 59.
    Multiplayer,
    /// Players with each other: chunk 59.
    Cooperative,
}

impl GameMode {
    /// Returns the purpose of the map in a chunk file.
    pub fn of(file: &ChunkFile) -> GameMode {
        let has = |section: &Section| !file.with_id(section.id).is_empty();
        if has(&spawns::COOP) {
            GameMode::Cooperative
        } else if has(&teams::SECTION) {
            GameMode::Multiplayer
        } else {
            GameMode::Campaign
        }
    }

    /// Returns the name of the kind.
    pub const fn name(self) -> &'static str {
        match self {
            GameMode::Campaign => "campaign",
            GameMode::Multiplayer => "multiplayer",
            GameMode::Cooperative => "cooperative",
        }
    }
}

/// The name of the map chunk with this id.
pub fn chunk_name(id: i16) -> Option<&'static str> {
    match id {
        8000 => Some("unused"),
        _ => section(id).map(|section| section.title),
    }
}

/// Width and height of the map in cells, as chunk 2 states it; `None` where there is no chunk 2 or it is
/// too short.
///
/// # Errors
/// When the chunk cannot be read or inflated.
pub fn size(file: &ChunkFile, task: &mut Task<'_>) -> Result<Option<i16>> {
    let Some(chunk) = file.with_id(TILES).first() else { return Ok(None) };
    file.with_plain(*chunk, task, |plain| plain.first_chunk().copied().map(i16::from_le_bytes))
}
