//! Rules about ids in a map that a GameData has to know.

use super::{
    super::{
        SECTIONS, SectionForm, teams,
        world::{handle_of, row_of},
    },
    codes,
    out::MapLintSink,
};
use crate::gamedata::{GameData, TEXTS, category, schema};
use spelunk_core::{Error, Refers, Result, Ty, Val};

/// Whether a table has a row of this id; `None` where the GameData lacks the table.
fn has(
    gamedata: GameData<'_>,
    refers: Refers,
    id: i64,
    out: &mut MapLintSink<'_, '_>,
) -> Result<Option<bool>> {
    let mut known = None;
    let Ok(id) = u32::try_from(id) else { return Ok(Some(false)) };
    for chunk in gamedata.chunks_of(refers.table.cast_signed()) {
        let found = !gamedata.find(chunk, &[id], &mut out.task.budget)?.is_empty();
        known = Some(known.unwrap_or(false) || found);
    }
    Ok(known)
}

fn dangling(refers: Refers, id: i64) -> Error {
    let table = category(refers.table.cast_signed()).map_or("", |category| category.table);
    Error::new(&codes::DANGLING).expected(format!("a row of {table}")).found(Val::I(id))
}

/// Ids of rows that are not there. Tables that the GameData lacks are not searched.
pub(super) fn rows(out: &mut MapLintSink<'_, '_>, gamedata: GameData<'_>) -> Result<()> {
    if !out.wants(&[&codes::DANGLING]) {
        return Ok(());
    }
    let map = out.map;
    for section in SECTIONS.iter().filter(|of| matches!(of.shape, SectionForm::Rows(..))) {
        let Some((_, record)) = section.rows(section.data_type) else { continue };
        let rows = map.records(section).chunks_exact((record.size as usize).max(1));
        for slot in record.fields {
            let Some(refers) = slot.field.refers else { continue };
            for (nth, row) in rows.clone().enumerate() {
                let start = slot.offset as usize;
                let bytes = row.get(start..).unwrap_or_default();
                let id = match slot.field.ty.decode(bytes) {
                    Val::U(id) => i64::try_from(id).unwrap_or_default(),
                    Val::I(id) => id,
                    _ => continue,
                };
                // An id that stands for nothing is reported without a GameData.
                if id == 0 || (id < 0 && slot.field.ty == Ty::I16) {
                    continue;
                }
                if has(gamedata, refers, id, out)? == Some(false) {
                    out.report(dangling(refers, id), section, Some(nth), slot.field.name)?;
                }
            }
        }
    }
    let refers = Refers { zero_is_none: true, ..TEXT };
    for player in map.teams.iter().flat_map(|of| of.compositions.iter().flatten().flatten()) {
        let id = i64::from(player.text_id);
        if id != 0 && has(gamedata, refers, id, out)? == Some(false) {
            out.report(dangling(refers, id), &teams::SECTION, None, "")?;
        }
    }
    Ok(())
}

const TEXT: Refers =
    Refers { table: TEXTS.cast_unsigned(), field: 0, zero_is_none: true, when: None, with: None };

/// A map that the GameData has no row of.
pub(super) fn handle(
    out: &mut MapLintSink<'_, '_>,
    gamedata: GameData<'_>,
    path: &str,
) -> Result<()> {
    if gamedata.chunks_of(schema::MAPS).next().is_none() || !out.selection.has(&codes::NO_ROW) {
        return Ok(());
    }
    if row_of(gamedata, path, &mut out.task.budget)?.is_some() {
        return Ok(());
    }
    let error = Error::new(&codes::NO_ROW).expected("a row of maps with this handle");
    out.task.warn(error.found(handle_of(path).to_owned()))
}
