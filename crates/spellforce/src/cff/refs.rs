//! References of the rows of GameData: `docs/formats/gamedata.md`.

use super::{chunk::not_found, chunks::Chunks, item::ChunkFileNode};
use crate::gamedata::GameData;
use spelunk_core::{EachRef, Node, Reference, Refers, Result, Task, Val, WhenGone};

impl Chunks {
    /// Hands out what these entries refer to: rows, and all rows of one id.
    pub(super) fn refs_of(
        &self,
        nodes: &[Node],
        task: &mut Task<'_>,
        each: EachRef<'_, usize>,
    ) -> Result<()> {
        let Some(gamedata) = self.gamedata() else { return Ok(()) };
        for (position, node) in nodes.iter().enumerate() {
            let mut each =
                |reference: &Reference<'_>, task: &mut Task<'_>| each(position, reference, task);
            match ChunkFileNode::of(*node) {
                ChunkFileNode::Row(chunk, row) => {
                    refs(gamedata, chunk, row as usize, task, &mut each)?
                }
                ChunkFileNode::Group(chunk, id) => {
                    for row in gamedata.find(chunk, &[id], &mut task.budget)? {
                        refs(gamedata, chunk, row, task, &mut each)?;
                    }
                }
                ChunkFileNode::Chunk(_)
                | ChunkFileNode::Id(_)
                | ChunkFileNode::File(_)
                | ChunkFileNode::Nested(_) => {}
            }
        }
        Ok(())
    }

    /// Hands out what all rows refer to.
    pub(super) fn all_refs_of(&self, task: &mut Task<'_>, each: EachRef<'_, Node>) -> Result<()> {
        let Some(gamedata) = self.gamedata() else { return Ok(()) };
        for (chunk, category) in gamedata.categories() {
            if category.fields().iter().all(|slot| slot.field.refers.is_none()) {
                continue;
            }
            let Ok(table) = gamedata.table(chunk, &mut task.budget) else { continue };
            for row in 0..table.len() {
                let node = self.row_node(chunk, row);
                refs(gamedata, chunk, row, task, &mut |reference, task| {
                    each(node, reference, task)
                })?;
            }
        }
        Ok(())
    }
}

/// Hands out what a row refers to.
fn refs(
    gamedata: GameData<'_>,
    chunk: u32,
    nth: usize,
    task: &mut Task<'_>,
    each: &mut dyn FnMut(&Reference<'_>, &mut Task<'_>) -> Result<()>,
) -> Result<()> {
    let table = gamedata.table(chunk, &mut task.budget)?;
    let row = table.row(nth).ok_or_else(not_found)?;
    for (field, slot) in table.category().fields().iter().enumerate() {
        let Some(refers) = &slot.field.refers else { continue };
        task.budget.steps(1)?;
        let Some(key) = row.target(field, refers) else { continue };
        let node = target(gamedata, refers, &key, task)?;
        let reference = Reference {
            field: &slot.field,
            node,
            is_there: node.is_some(),
            key: Val::U(row.number(field).unsigned_abs()),
            name: None,
            kind: None,
            when_gone: WhenGone::Dangles,
        };
        each(&reference, task)?;
    }
    Ok(())
}

/// The row with this key, or all rows with this id.
fn target(
    gamedata: GameData<'_>,
    refers: &Refers,
    key: &[u32],
    task: &mut Task<'_>,
) -> Result<Option<Node>> {
    for chunk in gamedata.chunks_of(refers.table.cast_signed()) {
        let found = gamedata.find(chunk, key, &mut task.budget)?;
        let Some(row) = found.first() else { continue };
        let item = match (key, &*found) {
            ([id], [_, _, ..]) => ChunkFileNode::Group(chunk, *id),
            _ => ChunkFileNode::Row(chunk, *row as u32),
        };
        return Ok(Some(item.node()));
    }
    Ok(None)
}
