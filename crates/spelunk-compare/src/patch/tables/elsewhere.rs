//! Changes of rows and of records, made to another file than that which they were made from: each is decided as a merge decides it.

use super::{
    cell::{self, Slots},
    form::{Both, RowChange},
};
use crate::{
    decide::{Choice, Deed, Differences, Places, States, Version},
    patch::{
        form::{bad, conflict},
        making::Patched,
    },
};
use serde_json::{Map, Value};
use spellforce::gamedata::{GameData, RowBuf, TableDraft};
use spelunk_core::{Error, Result, Task};

/// Rows of a category, or records of a list, that a patch is made to.
pub(super) trait RowList {
    /// A row by itself.
    type Row: Clone + PartialEq;

    /// Returns the position of the row that a change means; `stated` is the row that it adds or takes out.
    ///
    /// # Errors
    /// Contradictions of the patch; reading errors; limits.
    fn find(
        &self,
        change: &RowChange,
        stated: Option<&Self::Row>,
        task: &mut Task<'_>,
    ) -> Result<Option<usize>>;

    /// Returns a row of the file.
    ///
    /// # Errors
    /// Limits.
    fn row(&self, nth: usize, task: &mut Task<'_>) -> Result<Option<Self::Row>>;

    /// Returns the row that these fields make in a version.
    ///
    /// # Errors
    /// [`BAD_PATCH`](spelunk_open::codes::BAD_PATCH); what a row cannot hold.
    fn made(&self, fields: &Map<String, Value>, version: Version) -> Result<Self::Row>;

    /// Puts the value that a field has in a version into a row.
    ///
    /// # Errors
    /// [`BAD_PATCH`](spelunk_open::codes::BAD_PATCH); what the field cannot hold.
    fn put(&self, row: &mut Self::Row, name: &str, value: &Value, version: Version) -> Result<()>;

    /// Returns the value of a field, for people.
    fn shown(&self, row: &Self::Row, name: &str) -> String;

    /// Adds a row.
    ///
    /// # Errors
    /// What the list cannot hold.
    fn add(&mut self, row: Self::Row) -> Result<()>;

    /// Takes a row out.
    ///
    /// # Errors
    /// Where there is none.
    fn remove(&mut self, nth: usize) -> Result<()>;

    /// Puts a row in the place of another one.
    ///
    /// # Errors
    /// Fields that make no row.
    fn set(&mut self, nth: usize, row: Self::Row) -> Result<()>;

    /// Words for a row, as conflicts have them.
    const ROW: &'static str;
}

/// Place of a row: in the patch, or in the file.
#[derive(Clone, Copy)]
pub(super) enum RowPlace {
    Patch,
    Row(usize),
}

/// A change, and the list that it is made to.
pub(super) struct ChangedRow<'c, L: RowList> {
    list: L,
    change: &'c RowChange,
    /// The row that is added or taken out.
    stated: Option<L::Row>,
    /// The row of the file.
    found: Option<L::Row>,
}

impl<'c, L: RowList> ChangedRow<'c, L> {
    /// Finds the row that a change means. Returns it with its places.
    ///
    /// # Errors
    /// Contradictions of the patch; reading errors; limits.
    pub(super) fn find(
        list: L,
        change: &'c RowChange,
        task: &mut Task<'_>,
    ) -> Result<(ChangedRow<'c, L>, Places<RowPlace>)> {
        let (added, removed) = (change.add.as_ref(), change.remove.as_ref());
        let stated = match (added, removed) {
            (Some(fields), _) => Some(list.made(fields, Version::Theirs)?),
            (None, Some(fields)) => Some(list.made(fields, Version::Base)?),
            (None, None) => None,
        };
        let nth = list.find(change, stated.as_ref(), task)?;
        let found = nth.map(|nth| list.row(nth, task)).transpose()?.flatten();
        let patch = |is_there: bool| is_there.then_some(RowPlace::Patch);
        let at = Places {
            base: patch(added.is_none()),
            ours: nth.filter(|_| found.is_some()).map(RowPlace::Row),
            theirs: patch(added.is_some() || removed.is_none()),
        };
        Ok((ChangedRow { list, change, stated, found }, at))
    }

    /// Decides what becomes of each field that changes, where the row is there.
    fn choices(&self) -> Result<Vec<(&'c str, Choice)>> {
        let Some(now) = &self.found else { return Ok(Vec::new()) };
        let decided = |(name, [old, new]): (&'c String, &[Value; 2])| {
            let [mut was, mut is] = [now.clone(), now.clone()];
            self.list.put(&mut was, name, old, Version::Base)?;
            self.list.put(&mut is, name, new, Version::Theirs)?;
            let choice = Choice::by(&was, now, &is, PartialEq::eq);
            Ok((name.as_str(), choice))
        };
        self.change.set.iter().flatten().map(decided).collect()
    }

    /// The values of a field before and after.
    fn values(&self, name: &str) -> Result<&'c [Value; 2]> {
        let values = self.change.set.as_ref().and_then(|set| set.get(name));
        values.ok_or_else(|| bad(format!("no field {name}")))
    }
}

impl<'c, L: RowList> States for ChangedRow<'c, L> {
    type Place = RowPlace;
    /// Name of a field.
    type Slot = &'c str;

    const UNITES: bool = false;

    fn is_same(
        &mut self,
        _: (Version, RowPlace),
        _: (Version, RowPlace),
        _: &mut Task<'_>,
    ) -> Result<bool> {
        // A row that is stated is compared with that of the file; of one that changes, the fields say what becomes of it.
        Ok(self.stated.is_some() && self.stated == self.found)
    }

    fn differences(
        &mut self,
        _: Places<RowPlace>,
        _: bool,
        _: &mut Task<'_>,
    ) -> Result<Differences<&'c str>> {
        let mut found = Differences { taken: Vec::new(), conflicts: Vec::new() };
        for (name, choice) in self.choices()? {
            match choice {
                Choice::Ours => {}
                Choice::Theirs => found.taken.push(name),
                Choice::Conflict => found.conflicts.push(name),
            }
        }
        Ok(found)
    }
}

impl<'c, L: RowList> Patched for ChangedRow<'c, L> {
    fn add(&mut self, _: RowPlace, _: &mut Task<'_>) -> Result<Vec<Error>> {
        self.stated.take().into_iter().try_for_each(|row| self.list.add(row))?;
        Ok(Vec::new())
    }

    fn remove(&mut self, ours: RowPlace, _: &mut Task<'_>) -> Result<()> {
        match ours {
            RowPlace::Row(nth) => self.list.remove(nth),
            RowPlace::Patch => Ok(()),
        }
    }

    fn set(
        &mut self,
        at: Places<RowPlace>,
        taken: &[&'c str],
        _: &mut Task<'_>,
    ) -> Result<Vec<Error>> {
        let (Some(RowPlace::Row(nth)), Some(mut row)) = (at.ours, self.found.take()) else {
            return Ok(Vec::new());
        };
        // A text is in the code page of its slot, which may change with it.
        for is_number in [true, false] {
            for name in taken {
                let [_, new] = self.values(name)?;
                if new.is_number() == is_number {
                    self.list.put(&mut row, name, new, Version::Theirs)?;
                }
            }
        }
        match self.list.set(nth, row) {
            Ok(()) => Ok(Vec::new()),
            Err(error) if error.ends_work() => Err(error),
            // Each of the values is one that fits, and all together are none: others were changed too.
            Err(_) => Ok(vec![conflict(&format!("the {}", L::ROW), "other parts")]),
        }
    }

    fn field_conflict(
        &mut self,
        _: Places<RowPlace>,
        name: &&'c str,
        _: &mut Task<'_>,
    ) -> Result<Error> {
        let [old, _] = self.values(name)?;
        let found = self.found.as_ref().map(|row| self.list.shown(row, name));
        Ok(conflict(&format!("{name} {old}"), &found.unwrap_or_default()))
    }

    fn entry_conflict(&self, ours: Deed, theirs: Deed) -> Error {
        match (ours, theirs) {
            (Deed::Added, _) => conflict(&format!("no such {}", L::ROW), "another one"),
            (_, Deed::Removed) => {
                conflict(&format!("the {} that is to go", L::ROW), "other values")
            }
            _ => conflict(&format!("the {}", L::ROW), "none"),
        }
    }
}

/// Rows of a category.
pub(super) struct CategoryRowList<'d, 'f> {
    pub(super) gamedata: GameData<'f>,
    pub(super) chunk: u32,
    pub(super) draft: &'d mut TableDraft<'f>,
    pub(super) slots: &'d Both<Slots>,
}

impl CategoryRowList<'_, '_> {
    const fn slots(&self, version: Version) -> &Slots {
        match version {
            Version::Base => &self.slots.old,
            Version::Ours | Version::Theirs => &self.slots.new,
        }
    }
}

impl RowList for CategoryRowList<'_, '_> {
    type Row = RowBuf;

    const ROW: &'static str = "row";

    fn find(
        &self,
        change: &RowChange,
        stated: Option<&RowBuf>,
        task: &mut Task<'_>,
    ) -> Result<Option<usize>> {
        let alike = self.gamedata.find(self.chunk, &change.key, &mut task.budget)?;
        let same = stated.filter(|_| change.add.is_some()).and_then(|stated| {
            let is_same = |row: &&usize| {
                self.draft.row(**row).is_some_and(|row| row.bytes() == stated.row().bytes())
            };
            alike.iter().find(is_same)
        });
        Ok(same.or_else(|| alike.get(change.nth as usize)).copied())
    }

    fn row(&self, nth: usize, _: &mut Task<'_>) -> Result<Option<RowBuf>> {
        Ok(self.draft.row(nth).map(|row| RowBuf::of(&row)))
    }

    fn made(&self, fields: &Map<String, Value>, version: Version) -> Result<RowBuf> {
        cell::row(self.draft.table().category(), fields, self.slots(version))
    }

    fn put(&self, row: &mut RowBuf, name: &str, value: &Value, version: Version) -> Result<()> {
        cell::put(row, name, value, self.slots(version))
    }

    fn shown(&self, row: &RowBuf, name: &str) -> String {
        let row = row.row();
        match row.category().field(name) {
            Some(field) => cell::value(&row, field, &self.slots.new).to_string(),
            None => cell::corners(&row).to_string(),
        }
    }

    fn add(&mut self, row: RowBuf) -> Result<()> {
        self.draft.add(row);
        Ok(())
    }

    fn remove(&mut self, nth: usize) -> Result<()> {
        self.draft.remove(nth);
        Ok(())
    }

    fn set(&mut self, nth: usize, row: RowBuf) -> Result<()> {
        self.draft.set(nth, row);
        Ok(())
    }
}
