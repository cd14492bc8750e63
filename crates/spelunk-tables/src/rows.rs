//! Rows of the tables of a GameData, cell by cell, without a database.

use crate::{
    cell::{self, Cell},
    column::{CategoryColumn, columns},
};
use spellforce::gamedata::Category;
use spelunk_core::{Container, Error, Result, Task};
use spelunk_open::{codes, languages::gamedata};

/// Takes the rows of a table: first its columns and the number of rows, then the place of each row and its cells.
pub trait TableSink {
    /// Begins a table.
    ///
    /// # Errors
    /// Its own.
    fn begin(&mut self, columns: &[CategoryColumn], rows: usize) -> Result<()>;

    /// Takes a row.
    ///
    /// # Errors
    /// Its own.
    fn row(&mut self, place: i64, cells: &[Cell<'_>]) -> Result<()>;
}

/// The tables of a file, in its order.
///
/// # Errors
/// [`NO_TABLES`](codes::NO_TABLES) for other formats; limits.
pub fn tables(container: &dyn Container, task: &mut Task<'_>) -> Result<Vec<&'static Category>> {
    let mut known: Vec<&'static Category> = Vec::new();
    for (_, category) in gamedata(container)?.categories() {
        task.budget.steps(1)?;
        if known.iter().all(|other| other.id != category.id) {
            known.push(category);
        }
    }
    Ok(known)
}

/// Hands out the rows of a table. Texts are in the code pages of their languages.
///
/// # Errors
/// [`NO_TABLES`](codes::NO_TABLES) for other formats, and with the names of all tables where there is none of this name; reading
/// errors; limits; those of the sink.
pub fn read(
    container: &dyn Container,
    name: &str,
    sink: &mut dyn TableSink,
    task: &mut Task<'_>,
) -> Result<()> {
    let gamedata = gamedata(container)?;
    let found = gamedata.categories().find(|(_, category)| category.table == name);
    let Some((chunk, category)) = found else {
        let names: Vec<&str> = tables(container, task)?.iter().map(|known| known.table).collect();
        return Err(Error::new(&codes::core::NOT_FOUND)
            .expected(format!("one of the tables {}", names.join(", ")))
            .found(format!("`{name}`")));
    };
    let languages = gamedata.languages(&mut task.budget)?;
    let table = gamedata.table(chunk, &mut task.budget)?;
    let columns = columns(category);
    sink.begin(&columns, table.len())?;
    let mut cells = Vec::with_capacity(columns.len());
    for (place, row) in (0..).zip(table.rows()) {
        task.budget.touch(row.bytes().len() as u64)?;
        cells.clear();
        cells.extend(columns.iter().map(|column| {
            let (cell, _) = cell::of(&row, column, languages.pages(row.slot(column.field)));
            cell
        }));
        sink.row(place, &cells)?;
    }
    Ok(())
}
