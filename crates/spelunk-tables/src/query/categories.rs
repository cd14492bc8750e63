//! The categories of one GameData as virtual tables of SQLite: rows are read where they lie, and found by their keys, so that
//! a statement reads the chunks that it names and nothing is copied. Where a statement goes through a table again and again
//! without a key, or asks several files, rows are filled in instead.

// rusqlite asks for it of tables and cursors, which have to begin with what SQLite knows of them. Each does, by `repr(C)`.
#![allow(unsafe_code)]

use super::{
    category::{chunk, declaration},
    sql::{quoted, refused},
};
use crate::{
    cell,
    column::{CategoryColumn, ColumnKind, columns},
};
use rusqlite::{
    Connection,
    types::ValueRef,
    vtab::{
        Context, CreateVTab, Filters, IndexConstraintOp, IndexInfo, Module, VTab, VTabConnection,
        VTabCursor, VTabKind, sqlite3_vtab, sqlite3_vtab_cursor,
    },
};
use spellforce::gamedata::{AnyRow, Category, GameData, Schema};
use spelunk_core::{
    Budget, Bytes, Container, Error, Result, Ty,
    text::{CodePages, until_nul},
};
use spelunk_open::languages::gamedata;
use std::{
    borrow::Cow,
    ffi::{CStr, CString, c_int},
    marker::PhantomData,
    sync::{Arc, Mutex, OnceLock, PoisonError},
};

/// The module of these tables, as statements of our own name it.
const MODULE: &CStr = c"spelunk_category";

/// A plan that goes through all rows. A positive number is that of the fields of the key that are looked up.
const ALL: c_int = 0;
/// A plan that takes the row of a number.
const BY_NUMBER: c_int = -1;

/// The file whose rows the tables have, once it is there, and what went wrong with it.
#[derive(Debug, Default)]
pub(super) struct Attachment {
    file: OnceLock<AttachedFile>,
    failed: Mutex<Option<Error>>,
}

struct AttachedFile {
    name: String,
    container: Box<dyn Container>,
    budget: Mutex<Budget>,
}

impl std::fmt::Debug for AttachedFile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("AttachedFile").field("name", &self.name).finish_non_exhaustive()
    }
}

impl Attachment {
    /// Gives the tables their file.
    pub(super) fn attach(&self, name: &str, container: Box<dyn Container>, budget: Budget) {
        let _ = self.file.set(AttachedFile {
            name: name.to_owned(),
            container,
            budget: Mutex::new(budget),
        });
    }

    /// The error that ended the statement, if it was one of reading the file.
    pub(super) fn take_failure(&self) -> Option<Error> {
        self.failed.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Works on the file. What fails is kept, as SQLite hands on no more than a text.
    fn work<T>(
        &self,
        work: impl FnOnce(&AttachedFile, GameData<'_>, &mut Budget) -> Result<T>,
    ) -> rusqlite::Result<T> {
        let Some(file) = self.file.get() else {
            return Err(rusqlite::Error::ModuleError("no file is attached".to_owned()));
        };
        let mut budget = file.budget.lock().unwrap_or_else(PoisonError::into_inner);
        let worked = gamedata(&*file.container).and_then(|data| work(file, data, &mut budget));
        worked.map_err(|error| {
            let message = error.to_string();
            *self.failed.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
            rusqlite::Error::ModuleError(message)
        })
    }
}

/// Makes the module of the tables known to a database.
pub(super) fn register(connection: &Connection, attachment: Arc<Attachment>) -> Result<()> {
    const TABLES: &Module<'static, CategoryTable> = &Module::read_only_module();
    connection.create_module(MODULE, TABLES, Some(attachment)).map_err(refused)
}

/// The statement that makes the virtual table of a category, which has about `rows` rows.
pub(super) fn create(schema: &str, category: &Category, rows: u64) -> String {
    let (module, id, size) = (MODULE.to_string_lossy(), category.id, category.record.size);
    let (schema, table) = (quoted(schema), quoted(category.table));
    format!("CREATE VIRTUAL TABLE {schema}.{table} USING {module}({id}, {rows}, {size})")
}

/// A category as a virtual table.
#[repr(C)]
struct CategoryTable {
    base: sqlite3_vtab,
    category: &'static Category,
    columns: Vec<CategoryColumn>,
    /// The number of its rows, as its size says it.
    rows: u64,
    attachment: Arc<Attachment>,
}

impl CategoryTable {
    /// Number of fields of the key that can be looked up: all that are without a sign, as keys are compared.
    fn key_fields(&self) -> usize {
        let key = self.category.key_fields().iter();
        key.take_while(|slot| matches!(slot.field.ty, Ty::U8 | Ty::U16 | Ty::U32)).count()
    }

    /// The fields of the key that these constrained columns fix, from the first on, and the constraints that do.
    fn fixed(&self, equal: &[(c_int, usize)]) -> Vec<usize> {
        let of = |column: usize| {
            let column = c_int::try_from(column).ok()?;
            equal.iter().find(|(fixed, _)| *fixed == column).map(|(_, constraint)| *constraint)
        };
        // The number of the row is the first column.
        (1..=self.key_fields()).map_while(of).collect()
    }
}

// SAFETY: the struct is `repr(C)` and begins with what SQLite knows of it.
unsafe impl<'v> VTab<'v> for CategoryTable {
    type Aux = Arc<Attachment>;
    type Cursor = CategoryCursor<'v>;

    fn connect(
        _: &mut VTabConnection,
        attachment: Option<&Arc<Attachment>>,
        _: &[u8],
        _: &[u8],
        _: &[u8],
        arguments: &[&[u8]],
    ) -> rusqlite::Result<(Cow<'static, CStr>, CategoryTable)> {
        let number = |nth: usize| {
            let text = arguments.get(nth).and_then(|text| std::str::from_utf8(text).ok())?;
            text.trim().parse::<u64>().ok()
        };
        let id = number(0).and_then(|id| i16::try_from(id).ok());
        // Of the forms that have a category of this id, the one whose rows have the size.
        let category = id.zip(number(2)).and_then(|(id, size)| {
            let known = [Schema::Real, Schema::Spec].map(|schema| schema.category(id));
            known.into_iter().flatten().find(|it| u64::from(it.record.size) == size)
        });
        let (Some(category), Some(attachment)) = (category, attachment) else {
            return Err(rusqlite::Error::ModuleError("the id of a category is needed".to_owned()));
        };
        let table = CategoryTable {
            base: sqlite3_vtab::default(),
            category,
            columns: columns(category),
            rows: number(1).unwrap_or_default(),
            attachment: attachment.clone(),
        };
        Ok((Cow::Owned(CString::new(declaration(category))?), table))
    }

    fn best_index(&self, info: &mut IndexInfo) -> rusqlite::Result<bool> {
        let mut equal: Vec<(c_int, usize)> = Vec::new();
        for (nth, constraint) in info.constraints().enumerate() {
            let is_equal = constraint.operator() == IndexConstraintOp::SQLITE_INDEX_CONSTRAINT_EQ;
            if constraint.is_usable() && is_equal {
                equal.push((constraint.column(), nth));
            }
        }
        let fixed = self.fixed(&equal);
        // The rowid is the number as well.
        let number = equal.iter().find(|(column, _)| *column <= 0).map(|(_, nth)| *nth);
        let all = self.rows.max(1);
        let (plan, rows, used) = match (number, fixed.len()) {
            (Some(number), _) => (BY_NUMBER, 1, vec![number]),
            (None, 0) => (ALL, all, fixed),
            (None, len) => {
                // Of keys of several fields some rows share the first one.
                let rows = if len == self.category.key { 1 } else { all.min((all / 256).max(4)) };
                (c_int::try_from(len).unwrap_or(c_int::MAX), rows, fixed)
            }
        };
        for (nth, constraint) in (1..).zip(used) {
            info.constraint_usage(constraint).set_argv_index(nth);
        }
        let look_up = if plan == ALL { 0.0 } else { (all as f64).log2() };
        info.set_idx_num(plan);
        // By this the plan of the statement says which table it means, whatever the statement calls it.
        info.set_idx_str(self.category.table);
        info.set_estimated_cost(look_up + rows as f64);
        info.set_estimated_rows(i64::try_from(rows).unwrap_or(i64::MAX));
        Ok(true)
    }

    fn open(&'v mut self) -> rusqlite::Result<CategoryCursor<'v>> {
        Ok(CategoryCursor {
            base: sqlite3_vtab_cursor::default(),
            category: self.category,
            columns: self.columns.clone(),
            attachment: self.attachment.clone(),
            read: None,
            found: None,
            at: 0,
            end: 0,
            table: PhantomData,
        })
    }
}

impl CreateVTab<'_> for CategoryTable {
    const KIND: VTabKind = VTabKind::Default;
}

/// A walk over rows of a category.
#[repr(C)]
struct CategoryCursor<'v> {
    base: sqlite3_vtab_cursor,
    category: &'static Category,
    columns: Vec<CategoryColumn>,
    attachment: Arc<Attachment>,
    /// The position of the chunk and its plain data, once they were read.
    read: Option<(u32, Bytes)>,
    /// The rows that were looked up; all rows without.
    found: Option<Vec<usize>>,
    /// The place of the walk among those rows, and their number.
    at: usize,
    end: usize,
    table: PhantomData<&'v CategoryTable>,
}

impl CategoryCursor<'_> {
    /// The chunk of the category and its plain data, of which the rows are.
    fn read(&mut self) -> rusqlite::Result<(u32, usize)> {
        let size = self.category.row_size().unwrap_or(usize::MAX);
        let (chunk, plain) = match &self.read {
            Some(read) => read,
            None => {
                let id = self.category.id;
                let read = self.attachment.work(|_, data, budget| {
                    let chunk = chunk(data, id, budget)?;
                    Ok((chunk, data.file().plain(chunk, budget)?.clone()))
                })?;
                self.read.insert(read)
            }
        };
        Ok((*chunk, plain.len().checked_div(size).unwrap_or_default()))
    }

    /// The number of the row of the walk.
    fn number(&self) -> usize {
        match &self.found {
            Some(found) => found.get(self.at).copied().unwrap_or(usize::MAX),
            None => self.at,
        }
    }

    fn row(&self) -> Option<AnyRow<'_>> {
        let (_, plain) = self.read.as_ref()?;
        let size = self.category.row_size()?;
        let start = self.number().checked_mul(size)?;
        AnyRow::of(self.category, plain.get(start..start.checked_add(size)?)?)
    }
}

// SAFETY: the struct is `repr(C)` and begins with what SQLite knows of it.
unsafe impl VTabCursor for CategoryCursor<'_> {
    fn filter(
        &mut self,
        plan: c_int,
        _: Option<&str>,
        arguments: &Filters<'_>,
    ) -> rusqlite::Result<()> {
        (self.at, self.end, self.found) = (0, 0, None);
        // A file that could not be attached has no rows, as it would have none to be filled with.
        if self.attachment.file.get().is_none() {
            return Ok(());
        }
        let (chunk, len) = self.read()?;
        self.end = len;
        if plan == ALL {
            return Ok(());
        }
        let numbers: Option<Vec<u32>> = arguments.iter().map(number).collect();
        let found = match (plan, numbers) {
            // No row has such a number, or such a key.
            (_, None) => Vec::new(),
            (BY_NUMBER, Some(numbers)) => {
                let numbers = numbers.iter().map(|number| *number as usize);
                numbers.filter(|number| *number < len).collect()
            }
            (_, Some(key)) => {
                self.attachment.work(|_, data, budget| data.find(chunk, &key, budget))?
            }
        };
        self.end = found.len();
        self.found = Some(found);
        Ok(())
    }

    fn next(&mut self) -> rusqlite::Result<()> {
        self.at = self.at.saturating_add(1);
        Ok(())
    }

    fn eof(&self) -> bool {
        self.at >= self.end
    }

    fn column(&self, out: &mut Context, nth: c_int) -> rusqlite::Result<()> {
        let Some(nth) = usize::try_from(nth).ok().and_then(|nth| nth.checked_sub(1)) else {
            return out.set_result(self.rowid()?);
        };
        let Some(column) = self.columns.get(nth) else {
            return out.set_result(self.attachment.file.get().map(|file| file.name.as_str()));
        };
        let Some(row) = self.row() else { return out.set_result(rusqlite::types::Null) };
        match column.kind {
            ColumnKind::Text => {
                let (bytes, slot) = (row.field(column.field), row.slot(column.field));
                let text = self.attachment.work(|_, data, budget| {
                    let stored = until_nul(bytes);
                    // To find out the languages, all texts are read.
                    match std::str::from_utf8(stored) {
                        Ok(text) if text.is_ascii() && data.shows_ascii_as_it_is() => {
                            Ok(Cow::Borrowed(text))
                        }
                        _ => Ok(cell::decoded(bytes, data.languages(budget)?.pages(slot))),
                    }
                })?;
                out.set_result(text.as_ref())
            }
            // No other kind is in a code page.
            _ => out.set_result(cell::of(&row, column, &CodePages::utf8()).0),
        }
    }

    fn rowid(&self) -> rusqlite::Result<i64> {
        Ok(i64::try_from(self.number()).unwrap_or(i64::MAX))
    }
}

/// The number that a value is where numbers are compared with it, if rows can have it.
fn number(value: ValueRef<'_>) -> Option<u32> {
    match value {
        ValueRef::Integer(number) => u32::try_from(number).ok(),
        ValueRef::Real(number) => whole(number),
        ValueRef::Text(text) => {
            let text = std::str::from_utf8(text).ok()?.trim();
            text.parse().ok().or_else(|| text.parse().ok().and_then(whole))
        }
        ValueRef::Null | ValueRef::Blob(_) => None,
    }
}

fn whole(number: f64) -> Option<u32> {
    let is_whole = number.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(&number);
    is_whole.then_some(number as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_numbers_as_sqlite_compares_them() {
        let text = |text: &'static str| number(ValueRef::Text(text.as_bytes()));
        assert_eq!(number(ValueRef::Integer(22)), Some(22));
        assert_eq!(number(ValueRef::Integer(-1)), None);
        assert_eq!(number(ValueRef::Real(22.0)), Some(22));
        assert_eq!(number(ValueRef::Real(22.5)), None);
        assert_eq!([text("22"), text(" 22.0 "), text("2.2e1")], [Some(22); 3]);
        assert_eq!([text("22x"), text(""), text("0x16")], [None; 3]);
        assert_eq!(number(ValueRef::Null), None);
    }
}
