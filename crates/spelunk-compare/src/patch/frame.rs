//! Making the very file: the rows of the old one, changed, in the frame of the new one.

use super::{
    applied::{Applied, changed},
    entry::{self, Sort},
    form::{EntryChange, EntryOrigin, Frame, Patch, PatchEntry, Run, bad, sources},
    keys::{self, Keys},
};
use serde_json::Value;
use spelunk_core::{Bytes, Collect, Error, Result};
use spelunk_open::{
    Opened, codes,
    document::{self, silent},
    model,
    skeleton::{self, Origin},
};
use std::collections::HashMap;
use virtools::File;

/// Puts the rows into the skeleton of the new file, in its order.
pub(super) fn apply(patch: &Patch, frame: &Frame, origin: &Origin<'_>) -> Result<Applied> {
    let mut opened = Opened::open(origin.source.clone(), origin.options)?;
    let pages = opened.code_pages();
    let of: HashMap<u32, &EntryChange> =
        patch.changes.iter().map(|change| (change.entry, change)).collect();
    let bytes = spelunk_core::value::hex(&frame.new.bytes)
        .ok_or_else(|| bad("a skeleton that is not hexadecimal"))?;
    let bytes = Bytes::from(bytes);
    let options = skeleton::roomy(origin.options, origin.source.len().saturating_mul(4));
    let skeleton = File::read_from(&bytes, &mut silent(&options, &mut Collect::default()))?;
    let (rows, keys) = opened.run(|container, task| {
        let file = model::virtools(container, &codes::NO_DOCUMENT)?;
        let known = known(patch);
        let key = |index| known.get(&(Sort::Object, index)).copied();
        let key = |index| key(index).map_or_else(|| keys::unknown(index), keys::key);
        let old_keys = Keys::of(file, key, pages.clone());
        let order = sources(&frame.objects);
        let new_key = |index: u32| match order.get(index as usize) {
            Some(EntryOrigin::Kept(old)) => key(*old),
            Some(EntryOrigin::New(entry)) => keys::key(*entry),
            None => String::new(),
        };
        let keys = Keys::of(&skeleton, new_key, pages);
        let mut rows = |sort: Sort, runs: &[Run]| -> Result<Vec<Value>> {
            let row = |source: EntryOrigin| match source {
                EntryOrigin::Kept(index) => {
                    let (mut row, _) = entry::row_of(file, (sort, index), &old_keys, task)?;
                    let change = known.get(&(sort, index)).and_then(|key| of.get(key));
                    if let Some(change) = change {
                        let conflicts = changed(change, &mut row).1;
                        if !conflicts.is_empty() {
                            return Err(bad(
                                "changes that do not fit the file that they were made from",
                            ));
                        }
                    }
                    Ok(row)
                }
                EntryOrigin::New(key) => {
                    let new = of.get(&key).and_then(|change| change.new.clone());
                    new.ok_or_else(|| bad("no row of a new entry"))
                }
            };
            sources(runs).into_iter().map(row).collect()
        };
        let managers = rows(Sort::Manager, &frame.managers)?;
        let mut objects = rows(Sort::Object, &frame.objects)?;
        for (row, index) in objects.iter_mut().zip(0_u32..) {
            if let Some(map) = row.as_object_mut() {
                map.insert("index".into(), index.into());
            }
        }
        Ok::<_, Error>(([managers, objects], keys))
    })?;
    let rows = rows.each_ref().map(Vec::as_slice);
    let made = document::assemble(bytes, frame.new.level, rows, &keys, &options)?;
    Ok(Applied {
        opened: made.opened,
        options: made.options,
        same_file: true,
        made: patch.changes.len() as u64,
        made_before: 0,
        conflicts: Vec::new(),
    })
}

/// The keys of the entries of the old file.
fn known(patch: &Patch) -> HashMap<(Sort, u32), u32> {
    let at =
        |entry: &PatchEntry| Some(((Sort::of(&entry.kind), entry.old.as_ref()?.index), entry.key));
    patch.entries.iter().filter_map(at).collect()
}
