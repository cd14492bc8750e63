//! Parts of a GameData: files of mods that hold some of the rows alone (`docs/formats/cff.md#6-gamedata-categories`).

use super::{Category, GameData, RowChange, compare};
use spelunk_core::{Budget, Bytes, Result};
use std::collections::BTreeSet;

/// Categories whose parts hold single rows of an id; of others with several rows a part holds all rows of an id or none, as
/// the community's editor writes and reads them.
const ROW_BY_ROW: [i16; 6] = [2012, 2014, 2016, 2023, 2039, 2062];

impl Category {
    /// Whether the rows of an id stand for all of them in a part: those that the part lacks are gone then.
    pub fn parts_have_whole_ids(&self) -> bool {
        self.key > 1 && !ROW_BY_ROW.contains(&self.id)
    }
}

/// The rows of `new` that differ from those of `old`, as a part that the community's editor could have written: single rows,
/// or all rows of an id where the category has several and goes by ids. Empty where there is no difference.
///
/// # Errors
/// When one cannot be read; limits.
pub fn part(
    old: Option<(GameData<'_>, u32)>,
    new: (GameData<'_>, u32),
    budget: &mut Budget,
) -> Result<Bytes> {
    let table = new.0.table(new.1, budget)?;
    let mut wanted: BTreeSet<usize> = BTreeSet::new();
    let mut removed = Vec::new();
    match old {
        None => {
            budget.memory((table.len() as u64).saturating_mul(8))?;
            wanted.extend(0..table.len());
        }
        Some(old) => {
            for change in compare(old, new, budget)? {
                match change {
                    RowChange::Removed(row) => removed.push(row),
                    RowChange::Added(row) | RowChange::Changed { new: row, .. } => {
                        wanted.insert(row);
                    }
                }
            }
        }
    }
    if table.category().parts_have_whole_ids() {
        let mut ids: BTreeSet<u32> =
            wanted.iter().filter_map(|row| Some(table.row(*row)?.id())).collect();
        if let Some((old, chunk)) = old {
            let table = old.table(chunk, budget)?;
            ids.extend(removed.iter().filter_map(|row| Some(table.row(*row)?.id())));
        }
        for id in ids {
            wanted.extend(new.0.find(new.1, &[id], budget)?);
        }
    }
    let rows = || wanted.iter().filter_map(|row| Some(table.row(*row)?.bytes()));
    budget
        .memory(rows().map(<[u8]>::len).fold(0_u64, |sum, len| sum.saturating_add(len as u64)))?;
    Ok(rows().flatten().copied().collect::<Vec<u8>>().into())
}
