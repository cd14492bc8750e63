//! Rules about a map by itself.

use super::{
    super::{
        AI_CAMP, BINDSTONE, DUMMIES, GameMode, HEIGHTS, PORTAL, SECTIONS, WEATHER, buildings,
        decoration, flags, lakes as lake, objects, section, spawns, teams, terrain, units,
        weather as sky,
    },
    codes,
    out::MapLintSink,
};
use spelunk_core::{Error, Result, scalar::I16};
use std::collections::{BTreeMap, BTreeSet};

/// Chunks that nobody reads, and teams of another kind of map.
pub(super) fn chunks(out: &mut MapLintSink<'_, '_>) -> Result<()> {
    for section in SECTIONS.iter().filter(|section| section.id != HEIGHTS) {
        let [_, others @ ..] = out.file.with_id(section.id) else { continue };
        for n in others {
            let Some(chunk) = out.file.chunk(*n) else { continue };
            if out.selection.has(&codes::SECOND) {
                let error = Error::new(&codes::SECOND).at(chunk.at().part(0, 4));
                let found = format!("{}.{}", chunk.id(), chunk.occurrence());
                out.task.warn(error.found(found).field(section.name))?;
            }
        }
    }
    let Some(of) = &out.map.teams else { return Ok(()) };
    if of.cooperative != (out.kind == GameMode::Cooperative) {
        let error = Error::new(&codes::TEAMS_KIND).found(format!("a {} map", out.kind.name()));
        out.report(error, &teams::SECTION, None, "")?;
    }
    Ok(())
}

/// Tiles without a definition, textures that cannot be, decoration of nothing.
pub(super) fn ground(out: &mut MapLintSink<'_, '_>) -> Result<()> {
    let map = out.map;
    let count = |bytes: &[u8], out: &mut MapLintSink<'_, '_>| -> Result<[u64; 256]> {
        out.task.budget.touch(bytes.len() as u64)?;
        let mut counts = [0_u64; 256];
        for byte in bytes {
            let place = counts.get_mut(usize::from(*byte));
            place.into_iter().for_each(|count| *count = count.saturating_add(1));
        }
        Ok(counts)
    };
    let defined = map.tile_definitions.len();
    if defined > 0 && out.wants(&[&codes::TILE]) {
        let counts = count(&map.tiles, out)?;
        for (tile, cells) in counts.iter().enumerate().skip(defined).filter(|(_, n)| **n > 0) {
            let error = Error::new(&codes::TILE).expected(format!("tiles below {defined}"));
            let found = format!("tile {tile} in {cells} cells");
            out.report(error.found(found), &terrain::TILES, None, "")?;
        }
    }
    for (nth, tile) in map.tile_definitions.iter().enumerate() {
        let highest = tile.textures.0.iter().max().copied().unwrap_or_default();
        if highest > 62 {
            let error =
                Error::new(&codes::TEXTURE).expected("slots 0 to 62").found(u64::from(highest));
            out.report(error, &terrain::DEFINITIONS, Some(nth), "textures")?;
        }
    }
    for (nth, id) in map.texture_ids.iter().copied().enumerate() {
        let far = nth.checked_sub(31).and_then(|far| map.texture_ids.get(far).copied());
        let (is_right, expected) = match (nth, far) {
            (0, _) => (id == 0, "0".to_owned()),
            (1..=31, _) => ((1..=terrain::NEAR).contains(&id), "1 to 119".to_owned()),
            (_, Some(far)) => {
                let near = far.saturating_add(terrain::NEAR);
                (id == near, format!("{near}, the near one of texture {far}"))
            }
            (_, None) => continue,
        };
        if !is_right {
            let error = Error::new(&codes::TEXTURE).expected(expected).found(u64::from(id));
            out.report(error, &terrain::TEXTURES, Some(nth), "texture_id")?;
        }
    }
    if !out.wants(&[&codes::DECORATION]) || map.decoration_groups.is_empty() {
        return Ok(());
    }
    let counts = count(&map.decoration, out)?;
    for (group, cells) in counts.iter().enumerate().skip(1).filter(|(_, cells)| **cells > 0) {
        let is_empty = match map.decoration_groups.get(group) {
            Some(group) => group.object_ids.0.iter().all(|id| id.get() == 0),
            None => true,
        };
        if is_empty {
            let found = format!("group {group} in {cells} cells");
            let error = Error::new(&codes::DECORATION).found(found);
            out.report(error, &decoration::DECORATION, None, "")?;
        }
    }
    Ok(())
}

/// Lakes without cells.
pub(super) fn lakes(out: &mut MapLintSink<'_, '_>) -> Result<()> {
    for (nth, lake) in out.map.lakes.iter().enumerate() {
        let section = &lake::SECTION;
        if out.map.cell(lake.x.get(), lake.y.get()).is_none() {
            outside(out, section, nth, [lake.x, lake.y])?;
        } else if lake.depth.get() <= 0 {
            let error = Error::new(&codes::LAKE).expected("a depth above 0");
            out.report(error.found(i32::from(lake.depth.get())), section, Some(nth), "depth")?;
        }
        if lake.kind > 3 {
            let error = Error::new(&codes::LAKE).expected("0 to 3").found(u64::from(lake.kind));
            out.report(error, section, Some(nth), "kind")?;
        }
    }
    Ok(())
}

fn outside(
    out: &mut MapLintSink<'_, '_>,
    of: &section::Section,
    nth: usize,
    at: [I16; 2],
) -> Result<()> {
    let [x, y] = at.map(I16::get);
    if out.map.cell(x, y).is_some() {
        return Ok(());
    }
    let most = out.map.size.saturating_sub(1);
    let error = Error::new(&codes::OUTSIDE).expected(format!("cells from 0,0 to {most},{most}"));
    out.report(error.found(format!("{x},{y}")), of, Some(nth), "x")
}

/// Checks that entities lie inside the map, and that their ids are set.
pub(super) fn entities(out: &mut MapLintSink<'_, '_>) -> Result<()> {
    let map = out.map;
    let id = |out: &mut MapLintSink<'_, '_>, of, nth, id: i16, field| -> Result<()> {
        out.task.budget.steps(1)?;
        if id > 0 {
            return Ok(());
        }
        let error = Error::new(&codes::NO_ID).expected("an id above 0").found(i32::from(id));
        out.report(error, of, Some(nth), field)
    };
    for (nth, building) in map.buildings.iter().enumerate() {
        let of = &buildings::BUILDINGS;
        outside(out, of, nth, [building.x, building.y])?;
        id(out, of, nth, building.building_id.into(), "building_id")?;
    }
    for (nth, unit) in map.units.iter().enumerate() {
        outside(out, &units::UNITS, nth, [unit.x, unit.y])?;
        id(out, &units::UNITS, nth, unit.unit_id.get(), "unit_id")?;
    }
    let cells = map.portals.iter().map(|portal| (portal.x.get(), portal.y.get()));
    let portals: BTreeSet<(i16, i16)> = cells.collect();
    for (nth, object) in map.objects.iter().enumerate() {
        let (of, kind) = (&objects::OBJECTS, object.object_id.get());
        outside(out, of, nth, [object.x, object.y])?;
        id(out, of, nth, kind, "object_id")?;
        if kind == PORTAL && !portals.contains(&(object.x.get(), object.y.get())) {
            out.report(Error::new(&codes::PORTAL_OBJECT), of, Some(nth), "object_id")?;
        }
        if DUMMIES.contains(&kind) {
            let error = Error::new(&codes::DUMMY).found(i32::from(kind));
            out.report(error, of, Some(nth), "object_id")?;
        }
        let numbers = [object.camp_spawn_id.get(), object.camp_certain.get()];
        if kind != AI_CAMP && numbers != [0, 0] {
            let error = Error::new(&codes::CAMP).found(format!("{}, {}", numbers[0], numbers[1]));
            out.report(error, of, Some(nth), "camp_spawn_id")?;
        }
    }
    for (nth, object) in map.interactive.iter().enumerate() {
        outside(out, &objects::INTERACTIVE, nth, [object.x, object.y])?;
        id(out, &objects::INTERACTIVE, nth, object.object_id.get(), "object_id")?;
    }
    for (nth, portal) in map.portals.iter().enumerate() {
        outside(out, &objects::PORTALS, nth, [portal.x, portal.y])?;
        id(out, &objects::PORTALS, nth, portal.portal_id.get(), "portal_id")?;
    }
    groups(out)
}

/// The list of unit groups.
fn groups(out: &mut MapLintSink<'_, '_>) -> Result<()> {
    if out.map.unit_groups.is_empty() {
        return Ok(());
    }
    let highest = out.map.units.iter().map(|unit| unit.group).max().unwrap_or_default();
    let counted: Vec<u8> = (0..=highest).take(255).collect();
    if out.map.unit_groups == counted {
        return Ok(());
    }
    let error = Error::new(&codes::UNIT_GROUPS).expected(format!("{} groups", counted.len()));
    let found = match out.map.unit_groups.iter().copied().eq(0..counted.len() as u8) {
        true => "others".to_owned(),
        false => format!("{} groups", out.map.unit_groups.len()),
    };
    out.report(error.found(found), &units::GROUPS, None, "")
}

/// NPC ids that are used more than once.
pub(super) fn npcs(out: &mut MapLintSink<'_, '_>) -> Result<()> {
    let map = out.map;
    let mut known: BTreeMap<u16, (&str, usize)> = BTreeMap::new();
    let units = map.units.iter().map(|unit| unit.npc_id.get()).enumerate();
    let objects = map.objects.iter().map(|object| object.npc_id.get()).enumerate();
    let buildings = map.buildings.iter().map(|of| of.npc_id.get().cast_unsigned()).enumerate();
    let all = units
        .map(|of| (&units::UNITS, of))
        .chain(objects.map(|of| (&objects::OBJECTS, of)))
        .chain(buildings.map(|of| (&buildings::BUILDINGS, of)));
    for (section, (nth, npc)) in all.filter(|(_, (_, npc))| *npc != 0) {
        out.task.budget.steps(1)?;
        if let Some((name, first)) = known.get(&npc) {
            let found = format!("{npc}, which {name}[{first}] has");
            out.report(
                Error::new(&codes::NPC_REPEATED).found(found),
                section,
                Some(nth),
                "npc_id",
            )?;
        } else {
            known.insert(npc, (section.name, nth));
        }
    }
    Ok(())
}

/// Cells that block and are none, or twice.
pub(super) fn flags(out: &mut MapLintSink<'_, '_>) -> Result<()> {
    let map = out.map;
    for (section, cells) in
        [(&flags::MOVEMENT, &map.movement_flags), (&flags::VISION, &map.vision_flags)]
    {
        let mut seen = BTreeSet::new();
        for (nth, cell) in cells.iter().enumerate() {
            out.task.budget.steps(1)?;
            outside(out, section, nth, [cell.x, cell.y])?;
            if !seen.insert((cell.x.get(), cell.y.get())) {
                let found = format!("{},{}", cell.x, cell.y);
                let error = Error::new(&codes::CELL_REPEATED).found(found);
                out.report(error, section, Some(nth), "")?;
            }
        }
    }
    for (nth, cell) in map.flag_cells.iter().enumerate() {
        out.task.budget.steps(1)?;
        outside(out, &flags::BOTH, nth, [cell.x, cell.y])?;
    }
    Ok(())
}

/// Shares of weather.
pub(super) fn weather(out: &mut MapLintSink<'_, '_>) -> Result<()> {
    let shares = &out.map.weather;
    if shares.is_empty() {
        return Ok(());
    }
    let sum: u32 = shares.iter().map(|share| u32::from(*share)).sum();
    if sum != 100 {
        let error = Error::new(&codes::WEATHER).expected("100").found(sum);
        return out.report(error, &sky::SECTION, None, "");
    }
    if shares.len() != WEATHER.len() {
        let expected = format!("{} kinds", WEATHER.len());
        let error = Error::new(&codes::WEATHER).expected(expected).found(shares.len());
        return out.report(error, &sky::SECTION, None, "");
    }
    Ok(())
}

/// Spawns and the players of teams.
pub(super) fn players(out: &mut MapLintSink<'_, '_>) -> Result<()> {
    let map = out.map;
    let stones = map.interactive.iter().filter(|object| object.object_id.get() == BINDSTONE);
    let stones: BTreeSet<(i16, i16)> = stones.map(|of| (of.x.get(), of.y.get())).collect();
    let mut cells = BTreeSet::new();
    for (nth, spawn) in map.spawns.iter().enumerate() {
        let cell = (spawn.x.get(), spawn.y.get());
        outside(out, &spawns::SPAWNS, nth, [spawn.x, spawn.y])?;
        cells.insert(cell);
        if !stones.contains(&cell) {
            let error = Error::new(&codes::NO_BINDSTONE).found(format!("{},{}", cell.0, cell.1));
            out.report(error, &spawns::SPAWNS, Some(nth), "x")?;
        }
    }
    let Some(of) = &map.teams else { return Ok(()) };
    let players = || of.compositions.iter().flatten().flatten();
    if map.spawns.is_empty() {
        if players().next().is_some() {
            out.report(Error::new(&codes::NO_SPAWNS), &teams::SECTION, None, "")?;
        }
        return Ok(());
    }
    for (number, composition) in of.compositions.iter().map(|of| (of.len(), of)) {
        for player in composition.iter().flatten() {
            out.task.budget.steps(1)?;
            if !cells.contains(&(player.x, player.y)) {
                let found = format!("{},{} with {number} teams", player.x, player.y);
                let error = Error::new(&codes::NO_SPAWN).found(found);
                out.report(error, &teams::SECTION, None, "")?;
            }
        }
    }
    Ok(())
}
