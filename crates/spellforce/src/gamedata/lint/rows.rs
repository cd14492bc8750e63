//! Rows by themselves: their order, their keys, their texts.

use super::{codes, out::GameDataLintSink};
use crate::gamedata::{Key, Table};
use spelunk_core::{Error, Result, Ty, text::until_nul};
use std::collections::HashSet;

/// Ids that do not ascend, and keys that repeat.
pub(super) fn order(
    out: &mut GameDataLintSink<'_, '_, '_>,
    chunk: u32,
    table: &Table<'_>,
) -> Result<()> {
    if !out.wants(&[&codes::UNSORTED, &codes::REPEATED]) {
        return Ok(());
    }
    let len = table.len() as u64;
    // What a set of keys takes, with room to grow.
    let taken = len.saturating_mul(size_of::<[(Key, u64); 2]>() as u64);
    out.task.budget.steps(len)?;
    out.task.budget.memory(taken)?;
    let mut keys: HashSet<Key> = HashSet::with_capacity(table.len());
    // Rows that share an id may have nothing else to be told apart by.
    let may_repeat = table.category().shares_keys();
    let mut highest = 0;
    for (nth, row) in table.rows().enumerate() {
        let key = row.key();
        if key.id < highest {
            let expected = format!("an id from {highest} on");
            let error = Error::new(&codes::UNSORTED).expected(expected).found(key.id);
            out.report(error, chunk, nth, 0)?;
        }
        highest = highest.max(key.id);
        if !keys.insert(key) && !may_repeat {
            let [first, second] = key.sub;
            let parts = [Some(key.id), Some(first.into()), Some(second.into())];
            let parts = parts.into_iter().flatten().take(table.category().key);
            let shown = parts.map(|part| part.to_string()).collect::<Vec<_>>().join("/");
            out.report(Error::new(&codes::REPEATED).found(shown), chunk, nth, 0)?;
        }
    }
    drop(keys);
    out.task.budget.release(taken);
    Ok(())
}

/// Texts without an end, and with something behind it.
pub(super) fn texts(
    out: &mut GameDataLintSink<'_, '_, '_>,
    chunk: u32,
    table: &Table<'_>,
) -> Result<()> {
    let fields = table.category().fields().iter().enumerate();
    let texts: Vec<usize> =
        fields.filter(|(_, slot)| slot.field.ty == Ty::Text).map(|(nth, _)| nth).collect();
    if texts.is_empty() || !out.wants(&[&codes::FULL, &codes::TAIL]) {
        return Ok(());
    }
    for (nth, row) in table.rows().enumerate() {
        out.task.budget.touch(row.bytes().len() as u64)?;
        for field in &texts {
            let bytes = row.field(*field);
            if until_nul(bytes).len() == bytes.len() {
                if table.category().fills_texts {
                    continue;
                }
                let found = format!("{} bytes", bytes.len());
                out.report(Error::new(&codes::FULL).found(found), chunk, nth, *field)?;
            } else if let Some(tail) = row.tail(*field) {
                let found = format!("{} bytes", tail.len());
                out.report(Error::new(&codes::TAIL).found(found), chunk, nth, *field)?;
            }
        }
    }
    Ok(())
}
