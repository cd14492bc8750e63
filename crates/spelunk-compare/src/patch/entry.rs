//! Entries of a file as rows of a document.

use super::{Edit, keys::Keys};
use serde_json::{Map, Value};
use spelunk_core::{
    Bytes, Error, Result, Task,
    text::until_nul,
    value::{hex, to_hex},
};
use spelunk_open::{
    codes,
    document::{
        row::{self, References},
        tree,
    },
};
use virtools::{File, file::data::Owner};

/// The sorts of entries, each with positions of its own.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Sort {
    Object,
    Manager,
    Included,
}

impl Sort {
    /// The sort that entries of a kind are of.
    pub(super) fn of(kind: &str) -> Sort {
        match kind {
            "manager" => Sort::Manager,
            "included file" => Sort::Included,
            _ => Sort::Object,
        }
    }

    fn owner(self, index: u32) -> Option<Owner> {
        match self {
            Sort::Object => Some(Owner::Object(index)),
            Sort::Manager => Some(Owner::Manager(index)),
            Sort::Included => None,
        }
    }
}

/// Returns the row of an entry in a patch, and the memory that it takes, which stays taken.
pub(super) fn row_of(
    file: &File,
    (sort, index): (Sort, u32),
    keys: &Keys,
    task: &mut Task<'_>,
) -> Result<(Value, u64)> {
    let (row, held) = match sort.owner(index) {
        Some(owner) => row::of(file, owner, keys, task)?,
        None => {
            let included = file.tail().included.get(index as usize);
            let included = included.ok_or_else(|| Error::new(&codes::core::NOT_FOUND))?;
            let len = included.name.len().saturating_mul(5).saturating_add(included.content.len());
            let held = (len as u64).saturating_mul(2).saturating_add(1 << 10);
            task.budget.memory(held)?;
            let mut row = Map::new();
            let shown = keys.pages().show(until_nul(&included.name)).into_owned();
            if shown.as_bytes() != included.name {
                let stored = to_hex(&included.name);
                row.insert("name_bytes".into(), stored.into());
            }
            row.insert("name".into(), shown.into());
            let content = to_hex(&included.content);
            row.insert("bytes".into(), content.into());
            (row, held)
        }
    };
    Ok((Value::Object(row), held))
}

/// Returns what a file would store for a row: the name, and the content.
pub(super) fn stored(
    file: &File,
    (sort, index): (Sort, u32),
    row: &Value,
    keys: &Keys,
    task: &mut Task<'_>,
) -> Result<(Option<Vec<u8>>, Vec<u8>)> {
    let name = row::name(row, keys.pages());
    let content = match sort.owner(index) {
        Some(owner) => row::chunk(file, owner, row, keys, task)?.unwrap_or_default(),
        None => row["bytes"].as_str().and_then(hex).ok_or_else(bad_row)?,
    };
    Ok((name, content))
}

/// Puts the content of a row in the place of what is there.
pub(super) fn put(
    file: &mut File,
    (sort, index): (Sort, u32),
    row: &Value,
    keys: &Keys,
    task: &mut Task<'_>,
) -> Result<()> {
    let (name, content) = stored(file, (sort, index), row, keys, task)?;
    let Some(owner) = sort.owner(index) else {
        file.set_included(index, Bytes::from(content))?;
        return file.rename_included(index, &name.ok_or_else(bad_row)?);
    };
    if file.records(&mut task.budget)?.chunk(owner, &mut task.budget)? != content {
        file.set_chunk(owner, content.into(), &mut task.budget)?;
    }
    rename(file, owner, name, task)
}

/// Puts the name of a row in the place of what is there.
pub(super) fn put_name(
    file: &mut File,
    (sort, index): (Sort, u32),
    row: &Value,
    keys: &Keys,
    task: &mut Task<'_>,
) -> Result<()> {
    let name = row::name(row, keys.pages());
    sort.owner(index).map_or(Ok(()), |owner| rename(file, owner, name, task))
}

fn rename(file: &mut File, owner: Owner, name: Option<Vec<u8>>, task: &mut Task<'_>) -> Result<()> {
    let Owner::Object(index) = owner else { return Ok(()) };
    let name = name.ok_or_else(bad_row)?;
    let object = file.table().objects.get(index as usize);
    match object.is_some_and(|object| file.table().name(object) != name) {
        true => file.rename(index, &name, &mut task.budget),
        false => Ok(()),
    }
}

/// Changes single values where they are, which leaves all else as it is stored, be it only what fills strings up.
/// Returns whether that could be done; nothing is changed if not.
pub(super) fn edit(
    file: &mut File,
    (sort, index): (Sort, u32),
    edits: &[Edit],
    keys: &Keys,
    task: &mut Task<'_>,
) -> Result<bool> {
    let Some(owner) = sort.owner(index) else { return Ok(false) };
    let Some(places) = edits.iter().map(in_place).collect::<Option<Vec<_>>>() else {
        return Ok(false);
    };
    let before = task.budget.left().memory;
    let Some(mut saved) = file.value(owner, &mut Vec::new(), &mut task.budget)? else {
        return Ok(false);
    };
    for (mut steps, from, values) in places {
        for (nth, new) in values.iter().enumerate() {
            let index = from.map(|from| from.saturating_add(nth).to_string());
            steps.extend(index);
            let filled = saved.fill(tree::at(&steps, new, keys.pages()), keys);
            if filled.is_err() {
                return Ok(false);
            }
            steps.truncate(steps.len().saturating_sub(usize::from(from.is_some())));
        }
    }
    task.budget.release(before.saturating_sub(task.budget.left().memory));
    Ok(file.set_value(owner, &mut saved, &mut task.budget).is_ok())
}

/// The place of an edit, the position of the first item there where it is a list, and what is to be there, where as much is
/// there before.
fn in_place(edit: &Edit) -> Option<(Vec<String>, Option<usize>, &[Value])> {
    let path = edit.at.strip_prefix("/value/")?;
    let steps = path.split('/').map(|step| step.replace("~1", "/").replace("~0", "~")).collect();
    match (edit.from, &edit.old, &edit.new) {
        (None, Some(_), Some(new)) => Some((steps, None, std::slice::from_ref(new))),
        (Some(from), Some(Value::Array(old)), Some(Value::Array(new)))
            if old.len() == new.len() =>
        {
            Some((steps, Some(from), new))
        }
        _ => None,
    }
}

pub(super) fn bad_row() -> Error {
    Error::new(&codes::BAD_PATCH).found("a row without a name or content")
}
