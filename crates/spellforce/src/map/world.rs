//! Knowledge of a GameData about a map: its title, the places of its portals, the names of players' places.
//! `docs/formats/map.md#9-names`.

use super::Map;
use crate::{
    fields::fields,
    gamedata::{
        self, GameData,
        schema::{self, TextRow},
    },
};
use spelunk_core::{Budget, Group, Record, Result, Task, Walk, Walked, text::until_nul};

fields! {
    MAP_ID: "map_id" U32 "Id of the map; nothing where the GameData does not know it.";
    HANDLE: "handle" Text "By which the GameData knows it.";
    TITLE: "title" Str "Its name, in the edition's own language.";
    PORTAL_ID: "portal_id" I16 "Id of the portal.";
    X: "x" I16 "Its cell." "cells";
    Y: "y" I16 "Its cell." "cells";
    NAME: "name" Str "What it is called; nothing where the GameData does not know it.";
    TEXT_ID: "text_id" U16 "The text that the place is called.";
}

const PAGE: &str = "docs/formats/map.md#9-names";
static WORLD: Record = Record::group("world", PAGE, "What the GameData knows of the map.");
static PORTALS: Record = Record::group("portals", PAGE, "The portals of the map.");
static PLAYERS: Record = Record::group("players", PAGE, "Where players start.");

/// The handle by which GameData may know a map: its path below `map`, without its ending; else the name of the file alone.
/// In the slashes that were used.
pub fn handle_of(path: &str) -> &str {
    let is_slash = |c: char| c == '\\' || c == '/';
    let ending = path.len().saturating_sub(4);
    let path = match path.get(ending..) {
        Some(end) if end.eq_ignore_ascii_case(".map") => path.get(..ending).unwrap_or(path),
        _ => path,
    };
    let mut start = 0_usize;
    let mut below = None;
    for part in path.split(is_slash) {
        let end = start.saturating_add(part.len()).saturating_add(1);
        if part.eq_ignore_ascii_case("map") && end < path.len() {
            below = path.get(end..);
        }
        start = end;
    }
    below.or_else(|| path.rsplit(is_slash).next()).unwrap_or(path)
}

/// The row of a map among the maps of a GameData, by the chunk and its position; the path is that of the file. Case and the
/// kind of slashes make no difference. A map whose path is that of no row is the one whose handle ends with the name of the
/// file, if that is one alone.
///
/// # Errors
/// When the maps cannot be read; limits.
pub fn row_of(
    gamedata: GameData<'_>,
    path: &str,
    budget: &mut Budget,
) -> Result<Option<(u32, usize)>> {
    let plain = |handle: &[u8]| -> Vec<u8> {
        let slash = |byte: &u8| if *byte == b'/' { b'\\' } else { byte.to_ascii_lowercase() };
        handle.iter().map(slash).collect()
    };
    let below = plain(handle_of(path).as_bytes());
    let stem_of = |path: &[u8]| path.rsplit(|byte| *byte == b'\\').next().map(<[u8]>::to_vec);
    let stem = stem_of(&below);
    let (mut alike, mut count) = (None, 0_usize);
    for chunk in gamedata.chunks_of(schema::MAPS) {
        let table = gamedata.table(chunk, budget)?;
        budget.steps(table.len() as u64)?;
        for (nth, row) in table.rows().enumerate() {
            let handle = plain(until_nul(row.field(schema::Map::HANDLE)));
            if handle == below {
                return Ok(Some((chunk, nth)));
            }
            if stem_of(&handle) == stem {
                alike = Some((chunk, nth));
                count = count.saturating_add(1);
            }
        }
    }
    Ok(alike.filter(|_| count == 1))
}

/// A text in the edition's own language.
fn text(gamedata: GameData<'_>, id: i64, budget: &mut Budget) -> Result<Option<String>> {
    let Some(id) = u32::try_from(id).ok().filter(|id| *id != 0) else { return Ok(None) };
    let Some(row) = gamedata.text(id, 1, true, budget)? else { return Ok(None) };
    let languages = gamedata.languages(budget)?;
    Ok(Some(gamedata::shown(&row, TextRow::CONTENT, languages).into_owned()))
}

/// Returns the name of the row of a table: the text that its field `name_id` refers to.
fn name(
    gamedata: GameData<'_>,
    table: i16,
    id: i64,
    budget: &mut Budget,
) -> Result<Option<String>> {
    let Ok(id) = u32::try_from(id) else { return Ok(None) };
    for chunk in gamedata.chunks_of(table) {
        let found = gamedata.find(chunk, &[id], budget)?;
        let rows = gamedata.table(chunk, budget)?;
        let Some(row) = found.first().and_then(|row| rows.row(*row)) else { continue };
        let Some(field) = row.category().field("name_id") else { continue };
        return text(gamedata, row.number(field), budget);
    }
    Ok(None)
}

/// Walks what a GameData knows of a map whose file has this path.
///
/// # Errors
/// What the walker returns; reading errors; limits.
pub fn walk(
    map: &Map,
    gamedata: GameData<'_>,
    path: &str,
    task: &mut Task<'_>,
    walk: &mut dyn Walk,
) -> Walked {
    let budget = &mut task.budget;
    walk.group(&Group::record("world", &WORLD, None), |walk| {
        let row = row_of(gamedata, path, budget)?;
        let row = match row {
            Some((chunk, row)) => gamedata.table(chunk, budget)?.row(row),
            None => None,
        };
        match row {
            Some(row) => {
                let title = row.category().field("name_id").map(|field| row.number(field));
                let title = text(gamedata, title.unwrap_or_default(), budget)?;
                walk.field(&MAP_ID, None, row.id().into())?;
                walk.field(&HANDLE, None, row.value(schema::Map::HANDLE))?;
                walk.field(&TITLE, None, title.into())?;
            }
            None => walk.field(&MAP_ID, None, spelunk_core::Val::None)?,
        }
        walk.group(&Group::list("portals", &PORTALS, None), |walk| {
            for (nth, portal) in map.portals.iter().enumerate() {
                let id = portal.portal_id.get();
                let name = name(gamedata, schema::PORTALS, id.into(), budget)?;
                walk.group(&Group::item(nth, &PORTALS, None), |walk| {
                    walk.field(&PORTAL_ID, None, i32::from(id).into())?;
                    walk.field(&X, None, i32::from(portal.x.get()).into())?;
                    walk.field(&Y, None, i32::from(portal.y.get()).into())?;
                    walk.field(&NAME, None, name.into())
                })?;
            }
            Ok(())
        })?;
        walk.group(&Group::list("players", &PLAYERS, None), |walk| {
            for (nth, spawn) in map.spawns.iter().enumerate() {
                let id = spawn.text_id.get();
                let name = text(gamedata, id.into(), budget)?;
                walk.group(&Group::item(nth, &PLAYERS, None), |walk| {
                    walk.field(&X, None, i32::from(spawn.x.get()).into())?;
                    walk.field(&Y, None, i32::from(spawn.y.get()).into())?;
                    walk.field(&TEXT_ID, None, u64::from(id).into())?;
                    walk.field(&NAME, None, name.into())
                })?;
            }
            Ok(())
        })
    })
}
