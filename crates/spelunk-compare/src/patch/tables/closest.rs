//! Records of lists, which have no keys, found by what they hold: wherever they are by now, and where others changed a part of them.

use super::form::RowChange;
use crate::patch::form::bad;
use serde_json::{Map, Value};
use spellforce::cff::List;
use spelunk_core::{Result, Task};

impl RowChange {
    /// The position of a record that changes.
    ///
    /// # Errors
    /// [`BAD_PATCH`](spelunk_open::codes::BAD_PATCH) for another key.
    pub(super) fn position(&self) -> Result<usize> {
        match self.key.as_slice() {
            [position] if self.nth == 0 => Ok(*position as usize),
            key => Err(bad(format!("the position {key:?}"))),
        }
    }

    /// All fields of a record that changes, before and after; `None` where the patch has only those that change.
    pub(super) fn whole(&self) -> Option<[Map<String, Value>; 2]> {
        let (kept, set) = (self.kept.as_ref()?, self.set.as_ref()?);
        let [mut was, mut is] = [kept.clone(), kept.clone()];
        for (name, [old, new]) in set {
            put(&mut was, name, old);
            put(&mut is, name, new);
        }
        Some([was, is])
    }
}

/// Puts the value of a field into the fields of a record, or takes it out of these.
pub(super) fn put(fields: &mut Map<String, Value>, name: &str, value: &Value) {
    match value {
        Value::Null => drop(fields.remove(name)),
        value => drop(fields.insert(name.to_owned(), value.clone())),
    }
}

/// What is known of a record that changes.
pub(super) struct Known<'c> {
    /// Its bytes before and after.
    pub(super) versions: [Vec<u8>; 2],
    /// The fields that stay.
    pub(super) kept: Option<&'c Map<String, Value>>,
}

impl Known<'_> {
    /// The position of a record with these bytes: the one where it was, else the first. Such records are the same, whichever is
    /// taken.
    pub(super) fn exact(list: &List, hint: usize, bytes: &[u8]) -> Option<usize> {
        let here = Some(hint).filter(|nth| list.row(*nth) == Some(bytes));
        here.or_else(|| list.rows().position(|known| known == bytes))
    }

    /// The position of the record: where it was, if it is there as it was or as it is to be; else the one place where it is so;
    /// else that of the one record that has the most of the fields that stay, if those are more than half of them. `None` where
    /// several are as good.
    ///
    /// # Errors
    /// Those of `fields`, which reads a record.
    pub(super) fn find(
        &self,
        list: &List,
        hint: usize,
        task: &mut Task<'_>,
        fields: impl Fn(&[u8], &mut Task<'_>) -> Result<Map<String, Value>>,
    ) -> Result<Option<usize>> {
        let is = |row: &[u8], version: &Vec<u8>| row == version.as_slice();
        if list.row(hint).is_some_and(|row| self.versions.iter().any(|known| is(row, known))) {
            return Ok(Some(hint));
        }
        for version in &self.versions {
            let mut same = list.rows().enumerate().filter(|(_, row)| is(row, version));
            if let Some((first, _)) = same.next() {
                return Ok(Some(first).filter(|_| same.next().is_none()));
            }
        }
        let kept = self.kept.into_iter().flatten();
        let kept: Vec<(&String, &Value)> = kept.collect();
        let (mut best, mut alike) = (kept.len() / 2, Vec::new());
        for (nth, row) in list.rows().enumerate() {
            task.budget.steps(kept.len() as u64)?;
            let row = fields(row, task)?;
            let same = kept.iter().filter(|(name, value)| row.get(*name) == Some(*value)).count();
            if same > best {
                alike.clear();
                best = same;
            }
            if same == best && best > kept.len() / 2 {
                alike.push(nth);
            }
        }
        Ok(match alike[..] {
            [one] => Some(one),
            _ => alike.into_iter().find(|nth| *nth == hint),
        })
    }
}
