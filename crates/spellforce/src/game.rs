//! A GameData with everything that it needs to be read, changed and saved.

use crate::{
    cff::{ChunkFile, Chunks},
    gamedata::{AnyRow, GameData as Tables, schema::Row},
};
use spelunk_core::{
    Budget, Bytes, Change, Collect, Container, Edit, Error, Limits, Node, Result, Seg, Source,
    Task, codes, text::CodePages,
};
use std::sync::Arc;

/// Key of a row of a category: an id, and what stands behind it in the key of some categories.
///
/// ```
/// use spellforce::RowKey;
///
/// assert_eq!(RowKey::from(22).values(), [22]);
/// assert_eq!(RowKey::from((9000, 1)).values(), [9000, 1]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct RowKey {
    values: [u32; 3],
    len: usize,
}

impl RowKey {
    /// The values, the id first.
    pub fn values(&self) -> &[u32] {
        self.values.get(..self.len).unwrap_or_default()
    }
}

impl From<u32> for RowKey {
    fn from(id: u32) -> RowKey {
        RowKey { values: [id, 0, 0], len: 1 }
    }
}

impl From<u16> for RowKey {
    fn from(id: u16) -> RowKey {
        u32::from(id).into()
    }
}

impl From<i32> for RowKey {
    /// No row has a negative id, so that none is found by one.
    fn from(id: i32) -> RowKey {
        id.cast_unsigned().into()
    }
}

impl From<(u32, u32)> for RowKey {
    fn from((id, second): (u32, u32)) -> RowKey {
        RowKey { values: [id, second, 0], len: 2 }
    }
}

impl From<(u32, u32, u32)> for RowKey {
    fn from((id, second, third): (u32, u32, u32)) -> RowKey {
        RowKey { values: [id, second, third], len: 3 }
    }
}

/// An opened GameData, by rows.
///
/// Each row is one of the structs that the categories describe; in a file of the dialect `spec` one of those of
/// [`SPEC_CATEGORIES`](crate::gamedata::schema::SPEC_CATEGORIES). Limits are inside: each call may take what the
/// file may ([`Limits::for_len`]) less what it holds already. The forms that end in `_with` draw from a budget of the caller.
///
/// ```no_run
/// let mut game = spellforce::GameData::open("GameData.cff")?;
/// println!("{}", game.row::<spellforce::Item>(22)?.buy_value);
/// game.update::<spellforce::Item>(22, |item| item.buy_value = 100.into())?;
/// game.save("GameData-new.cff")?;
/// # Ok::<(), spellforce::Error>(())
/// ```
#[derive(Debug)]
pub struct GameData {
    chunks: Chunks,
    /// Memory that is charged for what is known of the file.
    held: u64,
}

impl GameData {
    /// Opens the file at `path`. What is damaged but can be read is passed over; [`GameData::read_from`] reports it.
    ///
    /// # Errors
    /// When it cannot be read, or is no GameData; limits.
    #[cfg(feature = "fs")]
    pub fn open(path: impl AsRef<std::path::Path>) -> Result<GameData> {
        GameData::of(spelunk_core::source::open(path.as_ref(), Default::default())?)
    }

    /// Opens a file that is in memory.
    ///
    /// # Errors
    /// When it is no GameData; limits.
    pub fn from_bytes(bytes: impl Into<Bytes>) -> Result<GameData> {
        GameData::of(Arc::new(bytes.into()))
    }

    fn of(source: Arc<dyn Source>) -> Result<GameData> {
        let mut sink = Collect::default();
        let limits = Limits::for_len(source.len());
        let mut task = Task::new(Budget::new(limits), &mut sink);
        let mut game = GameData::read_from(source, &mut task)?;
        game.held = limits.memory.saturating_sub(task.budget.left().memory);
        Ok(game)
    }

    /// Opens what a source holds, with the budget and the findings of a task.
    ///
    /// # Errors
    /// When it is no GameData; limits; what the sink makes of a finding.
    pub fn read_from(source: Arc<dyn Source>, task: &mut Task<'_>) -> Result<GameData> {
        let file = ChunkFile::open(source, task)?;
        let chunks = Chunks::of(file, task)?;
        if chunks.gamedata().is_none() {
            let error = Error::new(&codes::UNKNOWN_FORMAT).expected("a GameData");
            return Err(error.found("a chunk file of another kind"));
        }
        Ok(GameData { chunks, held: 0 })
    }

    /// Returns the chunks, for what rows do not hold.
    pub const fn chunks(&self) -> &Chunks {
        &self.chunks
    }

    /// The tables, for who has a budget.
    ///
    /// # Errors
    /// None of a file that was opened.
    pub fn tables(&self) -> Result<Tables<'_>> {
        self.chunks.gamedata().ok_or_else(|| Error::new(&codes::NOT_FOUND))
    }

    fn budget(&self) -> Budget {
        let limits = Limits::for_len(self.chunks.size());
        let mut budget = Budget::new(limits);
        // More than there is cannot be held.
        let _ = budget.memory(self.held.min(limits.memory));
        budget
    }

    /// The row of a category with this key, or with this id where one row alone has it.
    ///
    /// # Errors
    /// [`NOT_FOUND`](codes::NOT_FOUND); [`AMBIGUOUS`](codes::AMBIGUOUS), which names the keys of all rows; reading errors; limits.
    pub fn row<R: Row>(&self, key: impl Into<RowKey>) -> Result<R> {
        let mut sink = Collect::default();
        self.row_with(key, &mut Task::new(self.budget(), &mut sink))
    }

    /// The same with the budget of a task.
    ///
    /// # Errors
    /// Those of [`GameData::row`].
    pub fn row_with<R: Row>(&self, key: impl Into<RowKey>, task: &mut Task<'_>) -> Result<R> {
        let found = self.find::<R>(key.into(), task)?;
        of_bytes(&found.row)
    }

    /// All rows of a category, in the order of the file.
    ///
    /// # Errors
    /// Reading errors; limits.
    pub fn rows<R: Row>(&self) -> Result<Vec<R>> {
        let mut sink = Collect::default();
        self.rows_with(&mut Task::new(self.budget(), &mut sink))
    }

    /// The same with the budget of a task.
    ///
    /// # Errors
    /// Those of [`GameData::rows`].
    pub fn rows_with<R: Row>(&self, task: &mut Task<'_>) -> Result<Vec<R>> {
        let mut rows = Vec::new();
        self.refuse_other_layout::<R>()?;
        for table in self.tables()?.tables(R::CATEGORY.id, &mut task.budget)? {
            task.budget.steps(table.len() as u64)?;
            task.budget.room(&mut rows, table.len())?;
            for row in table.rows() {
                rows.push(of_bytes(&row)?);
            }
        }
        Ok(rows)
    }

    /// Changes the row with this key. Its key may be changed as well; the row goes to where it belongs then.
    ///
    /// # Errors
    /// Those of [`GameData::row`]; what a row cannot hold. Nothing is changed then.
    pub fn update<R: Row>(
        &mut self,
        key: impl Into<RowKey>,
        change: impl FnOnce(&mut R),
    ) -> Result<()> {
        let mut sink = Collect::default();
        let budget = self.budget();
        let most = budget.left().memory.saturating_add(self.held);
        let mut task = Task::new(budget, &mut sink);
        self.update_with(key, change, &mut task)?;
        self.held = most.saturating_sub(task.budget.left().memory);
        Ok(())
    }

    /// The same with the budget of a task.
    ///
    /// # Errors
    /// Those of [`GameData::update`].
    pub fn update_with<R: Row>(
        &mut self,
        key: impl Into<RowKey>,
        change: impl FnOnce(&mut R),
        task: &mut Task<'_>,
    ) -> Result<()> {
        let found = self.find::<R>(key.into(), task)?;
        let (node, old) = (found.node, found.row.key_values());
        let mut row: R = of_bytes(&found.row)?;
        change(&mut row);
        let mut bytes = row.as_bytes().to_vec();
        // The corners of a polygon stand behind the fields of the struct.
        bytes.extend(found.row.bytes().iter().skip(bytes.len()));
        let changed = AnyRow::of(R::CATEGORY, &bytes).ok_or_else(|| {
            Error::new(&codes::UNREADABLE).expected("as many corners as there were")
        })?;
        let new = changed.key_values();
        let name: Vec<String> = new.iter().map(u32::to_string).collect();
        let name = name.join("/");
        let mut changes = vec![Change::SetBytes { node, bytes: bytes.into() }];
        if new != old {
            changes.push(Change::Rename { node, name: name.as_bytes() });
        }
        self.chunks.apply(&changes, &CodePages::utf8(), task)?;
        Ok(())
    }

    /// Writes the file to `path`: it is there when it is complete, or not at all, and what was there is replaced. Without a change
    /// these are the bytes that were opened.
    ///
    /// # Errors
    /// Reading and writing errors; limits.
    #[cfg(feature = "fs")]
    pub fn save(&self, path: impl AsRef<std::path::Path>) -> Result<()> {
        use spelunk_core::replace::{Existing, Replacement};
        let mut new = Replacement::begin(path.as_ref(), Existing::Replace)?;
        self.write(&mut new)?;
        new.commit().map(drop)
    }

    /// Writes the file to `out`.
    ///
    /// # Errors
    /// Reading and writing errors; limits.
    pub fn write(&self, out: &mut dyn std::io::Write) -> Result<()> {
        let mut sink = Collect::default();
        let mut task = Task::new(self.budget(), &mut sink);
        Container::write(&self.chunks, out, &Default::default(), &mut task)
    }

    /// Refuses rows whose layout is not that of the category in files of this form.
    fn refuse_other_layout<R: Row>(&self) -> Result<()> {
        let (id, size) = (R::CATEGORY.id, R::CATEGORY.record.size);
        match self.tables()?.schema().category(id).map(|known| known.record.size) {
            Some(known) if known != size => {
                let error = Error::new(&codes::NOT_FOUND).field(R::CATEGORY.table);
                let expected =
                    format!("the struct of rows of {known} bytes, as files of this form have them");
                Err(error.expected(expected).found(format!("one of {size} bytes")))
            }
            _ => Ok(()),
        }
    }

    fn find<R: Row>(&self, key: RowKey, task: &mut Task<'_>) -> Result<GameRow<'_>> {
        /// Number of keys that an error names.
        const NAMED: usize = 8;
        let (category, budget) = (R::CATEGORY, &mut task.budget);
        self.refuse_other_layout::<R>()?;
        let tables = self.tables()?;
        let mut found = Vec::new();
        for chunk in tables.chunks_of(category.id) {
            let table = tables.table(chunk, budget)?;
            for nth in tables.find(chunk, key.values(), budget)? {
                let row = table.row(nth).ok_or_else(|| Error::new(&codes::NOT_FOUND))?;
                budget.room(&mut found, 1)?;
                found.push(GameRow { node: self.chunks.row_node(chunk, nth), row });
            }
        }
        let text = |values: &[u32]| {
            let values: Vec<String> = values.iter().map(u32::to_string).collect();
            values.join("/")
        };
        let asked = format!("`{}/{}`", category.table, text(key.values()));
        match <[GameRow<'_>; 1]>::try_from(found) {
            Ok([found]) => Ok(found),
            Err(found) if found.is_empty() => {
                let expected = format!("a key of the table `{}`", category.table);
                Err(Error::new(&codes::NOT_FOUND).expected(expected).found(asked))
            }
            Err(found) => {
                let keys = found.iter().take(NAMED).map(|found| text(&found.row.key_values()));
                let keys: Vec<String> = keys.collect();
                let more = if found.len() > NAMED { ", ..." } else { "" };
                let expected = format!("one of {}{more}", keys.join(", "));
                let error = Error::new(&codes::AMBIGUOUS).expected(expected).found(asked);
                Err(error.within(Seg::Field(category.table)))
            }
        }
    }
}

struct GameRow<'f> {
    node: Node,
    row: AnyRow<'f>,
}

/// A row as the struct of its category.
fn of_bytes<R: Row>(row: &AnyRow<'_>) -> Result<R> {
    let (row, _) = R::read_from_prefix(row.bytes()).map_err(|_| Error::new(&codes::TRUNCATED))?;
    Ok(row)
}
