//! The manifest: what every extracted entry was.

use super::{
    plan::{MANIFEST, Plan},
    wishes::ExtractionItem,
};
use crate::{
    Budget, Container, Error, Finding, Node, Profile, Result, Task, core::text::CodePages,
    core::walk::finish, open::files::FileSink, open::json,
};
use serde_json::{Map, Value, json};
use std::{
    collections::HashMap,
    io::{self, BufWriter, Write},
};

/// Size of a block of rows in bytes.
const BLOCK: usize = 256 << 10;

/// A row of the manifest, as JSON text without its last bracket: there may be more to add.
#[derive(Default)]
pub(super) struct Row(Vec<u8>);

impl Row {
    /// Makes the row of an entry: its listing, its size, and the file that it went to.
    ///
    /// # Errors
    /// Those of the listing.
    pub(super) fn of(
        container: &dyn Container,
        pages: &CodePages,
        (entry, size): (&ExtractionItem, u64),
        below: Option<&Vec<(usize, &str)>>,
        task: &mut Task<'_>,
    ) -> Result<Row> {
        // What the row of an asset without anything special takes.
        let mut row = Row(Vec::with_capacity(640));
        row.0.push(b'{');
        row.put("path", &entry.path)?;
        row.put("file", &entry.output)?;
        row.put("size", &size)?;
        finish(container.entry(entry.node, pages, task, &mut |listed, task| {
            task.keeping(|task, most| {
                let mut details = |walk: &mut dyn crate::Walk| listed.details.walk(task, walk);
                let appended = match below {
                    None => json::append(pages, &mut row.0, most, &["size"], &mut details),
                    Some(below) => row.with_below(pages, most, below, &mut details),
                };
                // The row is charged when it is kept.
                (appended, 0)
            })?;
            Ok(())
        }))?;
        Ok(row)
    }

    /// Adds the listing of an entry, with the files that its bulk payloads went to.
    fn with_below(
        &mut self,
        pages: &CodePages,
        most: u64,
        below: &[(usize, &str)],
        details: &mut dyn FnMut(&mut dyn crate::Walk) -> crate::core::walk::Walked,
    ) -> Result<()> {
        // Values, and beside them their text.
        let (mut fields, _, result) = json::object_within(pages, most / 2, details);
        result?;
        insert_outputs(below, &mut fields);
        for (name, value) in fields.iter().filter(|(name, _)| *name != "size") {
            self.put(name, value)?;
        }
        Ok(())
    }

    /// Adds a field.
    ///
    /// # Errors
    /// None that plain values have.
    pub(super) fn put(
        &mut self,
        name: &str,
        value: &(impl serde::Serialize + ?Sized),
    ) -> Result<()> {
        if self.0.len() > 1 {
            self.0.push(b',');
        }
        let failed = |error| Error::io(io::Error::other(error));
        serde_json::to_writer(&mut self.0, name).map_err(failed)?;
        self.0.push(b':');
        serde_json::to_writer(&mut self.0, value).map_err(failed)
    }

    /// Returns the memory in bytes that it takes until it is its turn.
    pub(super) const fn held(&self) -> u64 {
        self.0.capacity() as u64
    }
}

/// The rows of all entries, which lie behind each other in blocks: to let go of a million texts one by one takes long.
#[derive(Default)]
pub(super) struct ManifestRows {
    blocks: Vec<Vec<u8>>,
    /// Length and block of each row.
    rows: Vec<(usize, usize)>,
}

impl ManifestRows {
    /// Adds a row.
    ///
    /// # Errors
    /// Limits.
    pub(super) fn push(&mut self, row: &Row, budget: &mut Budget) -> Result<()> {
        let Row(text) = row;
        budget.room(&mut self.rows, 1)?;
        let fits = |block: &Vec<u8>| block.capacity().saturating_sub(block.len()) >= text.len();
        if !self.blocks.last().is_some_and(fits) {
            budget.room(&mut self.blocks, 1)?;
            // Few rows take no whole block.
            let few = self.blocks.last().map_or(4 << 10, |last| last.capacity().saturating_mul(2));
            self.blocks.push(budget.vec(few.min(BLOCK).max(text.len()) as u64)?);
        }
        if let Some(block) = self.blocks.last_mut() {
            block.extend_from_slice(text);
        }
        self.rows.push((text.len(), self.blocks.len().saturating_sub(1)));
        Ok(())
    }

    /// The text of each row.
    fn iter(&self) -> impl Iterator<Item = &[u8]> {
        let mut at = (0_usize, 0_usize);
        self.rows.iter().map(move |&(len, block)| {
            let start = if block == at.0 { at.1 } else { 0 };
            at = (block, start.saturating_add(len));
            let text = self.blocks.get(block).and_then(|text| text.get(start..at.1));
            text.unwrap_or_default()
        })
    }
}

/// Adds where the bulk payloads went to the list of them in the row of their asset.
fn insert_outputs(below: &[(usize, &str)], fields: &mut Map<String, Value>) {
    let Some(list) = fields.get_mut("bulk").and_then(Value::as_array_mut) else { return };
    for (nth, output) in below {
        if let Some(item) = list.get_mut(*nth).and_then(Value::as_object_mut) {
            item.insert("file".into(), (*output).into());
        }
    }
}

/// The outputs of entries that lie below others, by those.
///
/// # Errors
/// Limits.
pub(super) fn below<'w>(
    wanted: &'w [ExtractionItem],
    budget: &mut Budget,
) -> Result<HashMap<Node, Vec<(usize, &'w str)>>> {
    let hung = wanted.iter().filter(|entry| entry.below.is_some()).count() as u64;
    // Each alone below another one is the most that they take.
    budget.memory(hung.saturating_mul(HUNG))?;
    let mut below: HashMap<Node, Vec<(usize, &str)>> = HashMap::new();
    for entry in wanted {
        if let Some((parent, nth)) = entry.below {
            below.entry(parent).or_default().push((nth, &entry.output));
        }
    }
    Ok(below)
}

/// Memory in bytes that an entry below another one takes in a table that grows, with a list of four.
const HUNG: u64 = 4 * size_of::<(usize, &str)>() as u64 + 3 * 40;

/// Part of the manifest that packing needs.
#[derive(Default)]
pub(super) struct Packing {
    pub(super) level: Option<u8>,
    /// The skeleton as JSON; null where the container needs none or can have none, false where none was wanted.
    pub(super) skeleton: Value,
    /// Place of each entry in the skeleton, and whether its content was taken out of that.
    pub(super) places: Vec<(Node, bool)>,
}

impl Packing {
    /// Returns the part for a container of this format where no skeleton was wanted.
    pub(super) fn without(format: &Profile) -> Packing {
        let could_have = format.extraction.lacks_skeleton;
        let skeleton = if could_have { false.into() } else { Value::Null };
        Packing { skeleton, ..Packing::default() }
    }
}

/// Writes the manifest: the fields of the container, then a line for each entry.
///
/// # Errors
/// What the sink makes of findings; writing errors.
pub(super) fn write(
    to: &dyn FileSink,
    container: &dyn Container,
    pages: &CodePages,
    plan: &Plan<'_>,
    rows: &ManifestRows,
    packing: Packing,
    task: &mut Task<'_>,
) -> Result<()> {
    // The text of it takes the memory of it once more.
    let (details, held, result) = task.keeping(|task, most| {
        let walked = |walk: &mut dyn crate::Walk| container.info(task, walk);
        let (details, held, result) = json::object_within(pages, most / 2, walked);
        let held = held.saturating_mul(2);
        ((details, held, result), held)
    });
    if let Err(error) = result {
        task.error(error)?;
    }
    let head = json!({
        "spelunk_manifest": 1,
        "format": container.format(),
        "dialect": container.dialect(),
        "size": container.size(),
        "encoding": pages.to_string(),
        "level": packing.level,
        "skeleton": packing.skeleton,
        "details": details,
    });
    let mut text =
        serde_json::to_vec_pretty(&head).map_err(|error| Error::io(io::Error::other(error)))?;
    // The entries come behind the other fields.
    let open = text.strip_suffix(b"\n}").map_or(text.len(), <[u8]>::len);
    text.truncate(open);
    text.extend_from_slice(b",\n  \"entries\": [");
    let cancel = task.budget.cancel().cloned().unwrap_or_default();
    let mut fill = |out: &mut dyn Write| {
        let mut out = BufWriter::new(out);
        out.write_all(&text)?;
        for (nth, row) in rows.iter().enumerate() {
            cancel.check().map_err(io::Error::other)?;
            out.write_all(if nth == 0 { b"\n    " } else { b",\n    " })?;
            out.write_all(row)?;
            if let Some((node, emptied)) = packing.places.get(nth) {
                write!(out, ",\"node\":{},\"emptied\":{emptied}", node.0)?;
            }
            out.write_all(b"}")?;
        }
        out.write_all(b"\n  ]\n}\n")?;
        out.flush()
    };
    let filled = fill_file(to, plan, MANIFEST, &mut fill, task);
    task.budget.release(held);
    filled
}

/// Writes a file whose content is there; findings go to the task.
pub(super) fn put(
    to: &dyn FileSink,
    plan: &Plan<'_>,
    output: &str,
    bytes: &[u8],
    task: &mut Task<'_>,
) -> Result<()> {
    fill_file(to, plan, output, &mut |out| out.write_all(bytes), task)
}

/// As [`put`], of what `fill` writes.
fn fill_file(
    to: &dyn FileSink,
    plan: &Plan<'_>,
    output: &str,
    fill: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>,
    task: &mut Task<'_>,
) -> Result<()> {
    let lost = to.write(&plan.folder(), output, fill)?;
    lost.into_iter().try_for_each(|Finding { severity, error }| task.report(severity, error))
}
