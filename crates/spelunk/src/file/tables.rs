//! Tables of a file.

use super::File;
use crate::{
    Result,
    tables::rows::{self, TableSink},
};

impl File {
    /// The names of the tables of a GameData, in the order of the file.
    ///
    /// # Errors
    /// [`NO_TABLES`](crate::open::codes::NO_TABLES) for other files; limits.
    pub fn tables(&self) -> Result<Vec<&'static str>> {
        let state = self.shared.now()?;
        let read = self.shared.run(&state, |container, task| {
            let tables = rows::tables(container, task)?;
            Ok((tables.iter().map(|category| category.table).collect(), 0))
        });
        read.map(|(names, _)| names)
    }

    /// Hands the rows of a table of a GameData to a sink.
    ///
    /// # Errors
    /// Those of [`rows::read`].
    pub fn table(&self, name: &str, sink: &mut dyn TableSink) -> Result<()> {
        self.with_container(|container, task| rows::read(container, name, sink, task))
    }

    /// Runs one statement of SQL that reads on the tables of the file as it is now, and hands out the rows of its result. Returns
    /// the names of its columns, of which no two are alike.
    ///
    /// # Errors
    /// Those of [`query`](crate::tables::query::query).
    #[cfg(feature = "sql")]
    pub fn query(&self, sql: &str, each: crate::tables::query::EachRow<'_>) -> Result<Vec<String>> {
        let name = self.path().map(|path| path.display().to_string()).unwrap_or_default();
        let mut opened = self.opened(self.shared.options.cancel.clone())?;
        let names = crate::tables::query::query(&name, &mut opened, sql, each)?;
        Ok(crate::tables::query::distinct(&names))
    }
}
