//! What objects and managers saved, as values.

use super::{File, data::Owner};
use crate::{
    class::Value,
    codec::{Saved, read::Reader},
};
use spelunk_core::{Budget, Error, Result};

impl File {
    /// What an object or a manager saved; `None` where it has no chunk. Sections that do not fit the layout of the
    /// class are added to `faults` and stay in the value as they are.
    ///
    /// # Errors
    /// When Data or the chunk cannot be read; [`codes::IDENTIFIER`](crate::codes::IDENTIFIER) where its chain of
    /// identifiers is broken, [`codes::CHUNK_VERSION`](crate::codes::CHUNK_VERSION) where its layout is not known
    /// at all; limits.
    pub fn value(
        &self,
        owner: Owner,
        faults: &mut Vec<Error>,
        budget: &mut Budget,
    ) -> Result<Option<Saved<Value>>> {
        let records = self.records(budget)?;
        let Some(chunk) = records.view(owner, self.data.plain_at(), budget)? else {
            return Ok(None);
        };
        let bytes = records.chunk_owner(owner, budget)?;
        Reader::read(self.empty(owner, budget)?, chunk, bytes, faults, budget).map(Some)
    }

    /// An empty value of the class of an object, or of a manager.
    fn empty(&self, owner: Owner, budget: &mut Budget) -> Result<Value> {
        Ok(match owner {
            Owner::Object(index) => self.class_of(index).map(Value::of_class).unwrap_or_default(),
            Owner::Manager(index) => {
                let manager = self.records(budget)?.managers.get(index as usize);
                manager.map(|manager| Value::of_manager(manager.guid)).unwrap_or_default()
            }
        })
    }
}
