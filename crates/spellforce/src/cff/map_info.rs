//! A map at a glance: `docs/formats/map.md`.

use super::{
    chunks::Chunks,
    details::{MAP, MAP_HEIGHT, MAP_WIDTH},
};
use crate::{
    bytes::tolerate,
    fields::fields,
    map::{self, Map, WEATHER},
};
use spelunk_core::{Field, Group, Record, Task, Ty, Walk, Walked};

fields! {
    KIND: "kind" Str "What the map is for: `campaign`, `multiplayer` or `cooperative`.";
    UNITS: "units" U64 "Number of units.";
    BUILDINGS: "buildings" U64 "Number of buildings.";
    OBJECTS: "objects" U64 "Number of objects.";
    INTERACTIVE: "interactive" U64 "Number of bindstones, monuments and the like.";
    PORTALS: "portals" U64 "Number of portals.";
    SPAWNS: "spawns" U64 "Number of players' starting places.";
    MOVEMENT: "movement_flags" U64 "Number of cells that block movement.";
    VISION: "vision_flags" U64 "Number of cells that block vision.";
    DECORATED: "decorated_cells" U64 "Number of cells with decoration.";
    TEAMS: "teams" Str "The players of each team.";
    MINIMAP: "minimap" Str "Width and height of the minimap." "pixels";
    PERCENT: "percent" U8 "How often there is this weather." "percent";
    LAKES: "lakes" U64 "Number of lakes of this kind.";
}

const PAGE: &str = "docs/formats/map.md";
static LAKE_KINDS: Record = Record::group("lakes", PAGE, "Lakes, by what they are filled with.");
static WEATHERS: Record = Record::group("weather", PAGE, "Kinds of weather that the map has.");
static COMPOSITIONS: Record = Record::group("compositions", PAGE, "The teams that there may be.");
static LOWEST: Field = Field::new("lowest", Ty::U16, "The lowest ground.");
static HIGHEST: Field = Field::new("highest", Ty::U16, "The highest ground.");

/// Lists of maps of SpellForce 2 whose records are counted.
const COUNTED: [(i16, &Field); 3] = [(1007, &UNITS), (1006, &BUILDINGS), (1001, &OBJECTS)];

impl Chunks {
    /// Walks what a map of SpellForce 2 has: what it is for, its size, what stands on it.
    fn walk_map2(&self, task: &mut Task<'_>, walk: &mut dyn Walk) -> Walked {
        let [mode] = self.values_of("overview", ["mode"], task)?;
        let size = self.values_of("terrain", ["width", "height"], task)?;
        walk.group(&Group::record("map", &MAP, None), |walk| {
            let kind = match mode {
                Some(0) => Some(map::GameMode::Campaign),
                Some(1) => Some(map::GameMode::Multiplayer),
                Some(2) => Some(map::GameMode::Cooperative),
                _ => None,
            };
            walk.field(&KIND, None, kind.map(map::GameMode::name).into())?;
            for (field, side) in [&MAP_WIDTH, &MAP_HEIGHT].into_iter().zip(size) {
                walk.field(field, None, side.into())?;
            }
            for (id, field) in COUNTED {
                let mut count = None;
                for n in self.file.with_id(id) {
                    let more = self.count_map2_records(*n, task)?;
                    count = more.map(|more| more.saturating_add(count.unwrap_or_default()));
                }
                walk.field(field, None, count.into())?;
            }
            Ok(())
        })
    }

    /// Walks what the map has; nothing where the file is none.
    pub(super) fn walk_map(&self, task: &mut Task<'_>, walk: &mut dyn Walk) -> Walked {
        if self.is_map2() {
            return self.walk_map2(task, walk);
        }
        let map = match self.map(task) {
            Ok(Some(map)) => map,
            Ok(None) => return Ok(()),
            Err(error) => return Ok(tolerate(error, task)?),
        };
        // It is let go behind this.
        task.budget.release((map.heights.len() as u64).saturating_mul(2));
        walk.group(&Group::record("map", &MAP, None), |walk| {
            walk.field(&KIND, None, map::GameMode::of(&self.file).name().into())?;
            walk.field(&UNITS, None, map.units.len().into())?;
            walk.field(&BUILDINGS, None, map.buildings.len().into())?;
            walk.field(&OBJECTS, None, map.objects.len().into())?;
            walk.field(&INTERACTIVE, None, map.interactive.len().into())?;
            walk.field(&PORTALS, None, map.portals.len().into())?;
            walk.field(&SPAWNS, None, map.spawns.len().into())?;
            walk.field(&MOVEMENT, None, map.movement_flags.len().into())?;
            walk.field(&VISION, None, map.vision_flags.len().into())?;
            let decorated = map.decoration.iter().filter(|group| **group != 0).count();
            walk.field(&DECORATED, None, decorated.into())?;
            let ground = map.heights.iter().min().zip(map.heights.iter().max());
            if let Some((lowest, highest)) = ground {
                walk.field(&LOWEST, None, u64::from(*lowest).into())?;
                walk.field(&HIGHEST, None, u64::from(*highest).into())?;
            }
            kinds(&map, walk)
        })
    }
}

/// Lakes, weather and teams.
fn kinds(map: &Map, walk: &mut dyn Walk) -> Walked {
    walk.group(&Group::record("lakes", &LAKE_KINDS, None), |walk| {
        for (kind, name) in [(0, "water"), (1, "swamp"), (2, "lava"), (3, "ice")] {
            let lakes = map.lakes.iter().filter(|lake| lake.kind == kind).count();
            if lakes > 0 {
                walk.keyed(name, &LAKE_KINDS, &LAKES, None, lakes.into())?;
            }
        }
        Ok(())
    })?;
    walk.group(&Group::record("weather", &WEATHERS, None), |walk| {
        for (name, percent) in WEATHER.iter().zip(&map.weather).filter(|(_, share)| **share > 0) {
            walk.keyed(name, &WEATHERS, &PERCENT, None, u64::from(*percent).into())?;
        }
        Ok(())
    })?;
    let compositions = map.teams.iter().flat_map(|teams| &teams.compositions);
    walk.group(&Group::list("compositions", &COMPOSITIONS, None), |walk| {
        for teams in compositions {
            let players: Vec<String> = teams.iter().map(|team| team.len().to_string()).collect();
            walk.field(&TEAMS, None, players.join(" + ").into())?;
        }
        Ok(())
    })?;
    if let Some(minimap) = &map.minimap {
        let size = format!("{} x {}", minimap.width, minimap.height);
        walk.field(&MINIMAP, None, size.into())?;
    }
    Ok(())
}
