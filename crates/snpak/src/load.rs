//! Packs with everything that reading them needs.

use crate::pack::Pack;
use bytes::Bytes;
use spelunk_core::{Budget, Collect, Error, Limits, Result, Task, codes};
use std::sync::Arc;

/// Number of assets of one name that an error lists.
const NAMED: usize = 20;

impl Pack {
    /// Opens the pack at `path`. What is damaged but can be read is passed over; [`Pack::read_from`] reports it.
    ///
    /// # Errors
    /// When it cannot be read; those of [`Pack::read_from`].
    #[cfg(feature = "fs")]
    pub fn open(path: impl AsRef<std::path::Path>) -> Result<Pack> {
        let source = spelunk_core::source::open(path.as_ref(), Default::default())?;
        let mut sink = Collect::default();
        let budget = Budget::new(Limits::for_len(source.len()));
        Pack::read_from(source, &mut Task::new(budget, &mut sink))
    }

    /// Opens a pack that is in memory.
    ///
    /// # Errors
    /// Those of [`Pack::read_from`].
    pub fn from_bytes(bytes: impl Into<Bytes>) -> Result<Pack> {
        let bytes = bytes.into();
        let mut sink = Collect::default();
        let budget = Budget::new(Limits::for_len(bytes.len() as u64));
        Pack::read_from(Arc::new(bytes), &mut Task::new(budget, &mut sink))
    }

    /// Returns the budget of a call by itself: that of the file, less the tables of ids and names.
    fn own_budget(&self) -> Budget {
        let limits = Limits::for_len(self.len());
        let mut budget = Budget::new(limits);
        // There is as much.
        let _ = budget.memory(self.lookups_held().min(limits.memory));
        budget
    }

    /// The plain bytes of the asset with this name, checked against their hash. An asset that a later one with its id hides does
    /// not count, and where there are variants the one without a variant is meant.
    ///
    /// # Errors
    /// [`NOT_FOUND`](codes::NOT_FOUND); [`AMBIGUOUS`](codes::AMBIGUOUS), which lists the positions of all assets with that name;
    /// those of [`Pack::payload`].
    pub fn load_by_name(&self, name: impl AsRef<[u8]>) -> Result<Bytes> {
        let mut sink = Collect::default();
        self.load_by_name_with(name, &mut Task::new(self.own_budget(), &mut sink))
    }

    /// The same with the budget of a task.
    ///
    /// # Errors
    /// Those of [`Pack::load_by_name`].
    pub fn load_by_name_with(&self, name: impl AsRef<[u8]>, task: &mut Task<'_>) -> Result<Bytes> {
        let name = name.as_ref();
        let mut rows = self.by_name(name, &mut task.budget)?;
        if rows.len() > 1 {
            // The table of ids is made by the first look.
            let ids = self.ids(&mut task.budget)?;
            rows.retain(|row| !ids.is_shadowed(*row));
        }
        if rows.len() > 1 {
            let plain =
                |row: &usize| self.entry(*row).is_some_and(|entry| self.variant(entry).is_none());
            let without: Vec<usize> = rows.iter().copied().filter(plain).collect();
            if let [_] = *without {
                rows = without;
            }
        }
        let shown = String::from_utf8_lossy(name);
        match *rows {
            [row] => self.payload(row, task),
            [] => Err(Error::new(&codes::NOT_FOUND)
                .expected("the name of an asset")
                .found(format!("`{shown}`"))),
            _ => {
                let listed: Vec<String> =
                    rows.iter().take(NAMED).map(|row| format!("#{row}")).collect();
                let more = if rows.len() > NAMED { ", ..." } else { "" };
                Err(Error::new(&codes::AMBIGUOUS)
                    .expected(format!("one of {}{more}", listed.join(", ")))
                    .found(format!("`{shown}`, the name of {} assets", rows.len())))
            }
        }
    }
}
