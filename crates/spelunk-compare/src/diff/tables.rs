//! The rows of GameData, compared.

use super::change::{Change, ComparedEntry, FieldChange};
use spellforce::{
    cff::Chunks,
    gamedata::{self, AnyRow, GameData, Languages, RowChange, TEXTS},
};
use spelunk_core::{Container, Field, Node, Result, Task, Ty, Val};
use spelunk_open::Model;

static CORNERS: Field = Field::new("corners", Ty::Str, "The corners of the polygon, x before y.");
static TAIL: Field =
    Field::new("tail", Ty::Bytes, "What stands behind the NUL that ends the text.");

/// A container whose chunk is compared.
pub(super) struct ComparedChunk<'s, 't> {
    pub(super) container: &'s dyn Container,
    pub(super) node: Node,
    pub(super) task: &'s mut Task<'t>,
}

impl<'s> ComparedChunk<'s, '_> {
    /// The tables, and the position of the chunk among them, where it is a category that can be read.
    fn table(&self) -> Option<(&'s Chunks, GameData<'s>, u32)> {
        let Model::Chunks(chunks) = Model::of(self.container) else { return None };
        let (gamedata, chunk) = (chunks.gamedata()?, chunks.position(self.node)?);
        let mut known = gamedata.categories();
        known.any(|(position, _)| position == chunk).then_some((chunks, gamedata, chunk))
    }
}

/// Compares the rows of two chunks; `None` where they are no tables of one category, or something lies behind their whole rows.
/// Rows are counted that belong together.
///
/// # Errors
/// When they cannot be read; limits.
pub(super) fn changes(
    mut old: ComparedChunk<'_, '_>,
    mut new: ComparedChunk<'_, '_>,
) -> Result<Option<Vec<Change>>> {
    let Some(((old_file, old_data, a), (new_file, new_data, b))) = old.table().zip(new.table())
    else {
        return Ok(None);
    };
    let tables =
        (old_data.table(a, &mut old.task.budget)?, new_data.table(b, &mut new.task.budget)?);
    let whole = tables.0.remainder().is_empty() && tables.1.remainder().is_empty();
    if tables.0.category() != tables.1.category() || !whole {
        return Ok(None);
    }
    let found = gamedata::compare((old_data, a), (new_data, b), &mut old.task.budget)?;
    // Finding out languages takes a look at all texts: only where texts differ.
    let has_texts = tables.0.category().id == TEXTS && !found.is_empty();
    let languages = match has_texts {
        true => Some((
            old_data.languages(&mut old.task.budget)?,
            new_data.languages(&mut new.task.budget)?,
        )),
        false => None,
    };
    let item = |side: &mut ComparedChunk<'_, '_>,
                file: &Chunks,
                gamedata: GameData<'_>,
                chunk,
                row|
     -> Result<ComparedEntry> {
        let path = gamedata.path(chunk, row, &mut side.task.budget)?;
        let table = gamedata.table(chunk, &mut side.task.budget)?;
        let size = table.range(row).map_or(0, |range| range.len() as u64);
        let kind = table.category().table.to_owned();
        Ok(ComparedEntry { node: file.row_node(chunk, row), path, kind, name: None, size })
    };
    let mut changes = old.task.budget.vec(found.len() as u64)?;
    for change in found {
        let change = match change {
            RowChange::Removed(row) => Change::Removed(item(&mut old, old_file, old_data, a, row)?),
            RowChange::Added(row) => Change::Added(item(&mut new, new_file, new_data, b, row)?),
            RowChange::Changed { old: row, new: other } => {
                let Some(rows) = tables.0.row(row).zip(tables.1.row(other)) else { continue };
                Change::Changed {
                    old: item(&mut old, old_file, old_data, a, row)?,
                    new: item(&mut new, new_file, new_data, b, other)?,
                    fields: fields(rows, languages),
                }
            }
        };
        old.task.budget.memory(change.size())?;
        changes.push(change);
    }
    Ok(Some(changes))
}

/// The fields that differ.
fn fields(
    (old, new): (AnyRow<'_>, AnyRow<'_>),
    languages: Option<(&Languages, &Languages)>,
) -> Vec<FieldChange> {
    let mut fields = Vec::new();
    let value = |path: &str, field, old, new| FieldChange::Value {
        path: path.to_owned(),
        field,
        old: Some(old),
        new: Some(new),
    };
    for (nth, slot) in old.category().fields().iter().enumerate() {
        if old.field(nth) == new.field(nth) {
            continue;
        }
        let (before, after) = languages.unzip();
        let (before, after) = (shown(&old, nth, before), shown(&new, nth, after));
        if old.value(nth) != new.value(nth) {
            fields.push(value(slot.field.name, &slot.field, before, after));
        } else {
            let tail =
                |row: &AnyRow<'_>| Val::Bytes(row.tail(nth).unwrap_or_default().to_vec().into());
            let path = format!("{}.tail", slot.field.name);
            fields.push(value(&path, &TAIL, tail(&old), tail(&new)));
        }
    }
    if !old.corners().eq(new.corners()) {
        let corners = |row: &AnyRow<'_>| {
            let corners: Vec<String> = row.corners().map(|[x, y]| format!("{x},{y}")).collect();
            Val::Str(corners.join(" ").into())
        };
        fields.push(value("corners", &CORNERS, corners(&old), corners(&new)));
    }
    fields
}

/// The value of a field; texts in their code page.
fn shown(row: &AnyRow<'_>, field: usize, languages: Option<&Languages>) -> Val<'static> {
    let text = languages.filter(|_| row.slot(field).is_some());
    match text.and_then(|languages| row.text(field, languages)) {
        Some(text) => Val::Str(text.into_owned().into()),
        None => row.value(field).into_owned(),
    }
}
