//! Objects by class and name.

use super::{File, data::Owner};
use crate::class::{self, ClassValue};
use spelunk_core::{
    Budget, Bytes, Collect, Error, Limits, Result, Task, codes,
    text::{CodePages, until_nul},
};

/// Most objects of one name that an error lists.
const NAMED: usize = 20;

impl File {
    /// Opens the file at `path`. What is damaged but can be read is passed over; [`File::read_from`] reports it.
    ///
    /// # Errors
    /// When it cannot be read; those of [`File::read_from`].
    #[cfg(feature = "fs")]
    pub fn open(path: impl AsRef<std::path::Path>) -> Result<File> {
        let source = spelunk_core::source::open(path.as_ref(), Default::default())?;
        let mut sink = Collect::default();
        let budget = Budget::new(Limits::for_len(source.len()));
        File::read_from(&*source, &mut Task::new(budget, &mut sink))
    }

    /// Opens a file that is in memory.
    ///
    /// # Errors
    /// Those of [`File::read_from`].
    pub fn from_bytes(bytes: impl Into<Bytes>) -> Result<File> {
        let bytes = bytes.into();
        let mut sink = Collect::default();
        let budget = Budget::new(Limits::for_len(bytes.len() as u64));
        File::read_from(&bytes, &mut Task::new(budget, &mut sink))
    }

    /// Budget of a call by itself: that of the file, less what it holds.
    fn own_budget(&self) -> Budget {
        let limits = Limits::for_len(self.size());
        let mut budget = Budget::new(limits);
        let inflated = self.data().inflated_len().saturating_add(self.header1().inflated_len());
        let held = inflated.saturating_add(self.copied_len()).min(limits.memory);
        // There is as much.
        let _ = budget.memory(held);
        budget
    }

    /// Returns the value of the object of a class with this name. Names are taken in Windows-1252, as the SDK stores them.
    ///
    /// Sections that do not fit the layout of the class are passed over; [`File::value`] reports them.
    ///
    /// ```
    /// # let bytes = spelunk_fixtures::samples::level().build().bytes;
    /// let file = virtools::File::from_bytes(bytes)?;
    /// let mesh = file.get::<virtools::Mesh>("Cube_Mesh")?;
    /// assert_eq!(mesh.positions().len(), 8);
    /// # Ok::<(), virtools::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`NOT_FOUND`](codes::NOT_FOUND); [`AMBIGUOUS`](codes::AMBIGUOUS), which lists the positions of all objects with that
    /// name; those of [`File::value`]; limits.
    pub fn get<T: ClassValue>(&self, name: &str) -> Result<T> {
        let mut sink = Collect::default();
        self.get_with(name, &mut Task::new(self.own_budget(), &mut sink))
    }

    /// The same with the budget of a task.
    ///
    /// # Errors
    /// Those of [`File::get`].
    pub fn get_with<T: ClassValue>(&self, name: &str, task: &mut Task<'_>) -> Result<T> {
        let pages = CodePages::cp1252();
        let mut found = Vec::new();
        for index in self.indices_of::<T>(&mut task.budget)? {
            let object = self.table().objects.get(index as usize);
            let stored = object.map(|object| self.table().name(object)).unwrap_or_default();
            task.budget.touch(stored.len() as u64)?;
            if pages.show(until_nul(stored)) == name {
                task.budget.room(&mut found, 1)?;
                found.push(index);
            }
        }
        let class = self.class_name(T::IDS.first().copied().unwrap_or_default());
        match *found.as_slice() {
            [index] => self.read_as(index, task),
            [] => Err(Error::new(&codes::NOT_FOUND)
                .expected(format!("the name of a {class}"))
                .found(format!("`{name}`"))),
            _ => {
                let listed = found.iter().take(NAMED).map(|index| format!("#{index}"));
                let listed: Vec<String> = listed.collect();
                let more = if found.len() > NAMED { ", ..." } else { "" };
                Err(Error::new(&codes::AMBIGUOUS)
                    .expected(format!("one of {}{more}", listed.join(", ")))
                    .found(format!("`{name}`, the name of {} {class}", found.len())))
            }
        }
    }

    /// Returns the value of the object at this position.
    ///
    /// # Errors
    /// [`NOT_FOUND`](codes::NOT_FOUND) where there is none, or one of another class; those of [`File::value`]; limits.
    pub fn get_at<T: ClassValue>(&self, index: u32) -> Result<T> {
        let mut sink = Collect::default();
        self.read_as(index, &mut Task::new(self.own_budget(), &mut sink))
    }

    /// The positions of the objects of a class, in the order of the file.
    ///
    /// # Errors
    /// Limits.
    pub fn positions_of<T: ClassValue>(&self) -> Result<Vec<u32>> {
        self.indices_of::<T>(&mut self.own_budget())
    }

    fn indices_of<T: ClassValue>(&self, budget: &mut Budget) -> Result<Vec<u32>> {
        budget.steps(self.table().objects.len() as u64)?;
        let mut found = Vec::new();
        for (index, object) in (0_u32..).zip(&self.table().objects) {
            if T::IDS.contains(&object.class_id) {
                budget.room(&mut found, 1)?;
                found.push(index);
            }
        }
        Ok(found)
    }

    fn read_as<T: ClassValue>(&self, index: u32, task: &mut Task<'_>) -> Result<T> {
        let missing = || Error::new(&codes::NOT_FOUND).found(format!("`#{index}`"));
        if !self
            .table()
            .objects
            .get(index as usize)
            .is_some_and(|object| T::IDS.contains(&object.class_id))
        {
            return Err(missing().expected(
                T::IDS.iter().map(|id| class::name(*id, u32::MAX)).collect::<Vec<_>>().join(" or "),
            ));
        }
        let mut faults = Vec::new();
        let saved = self.value(Owner::Object(index), &mut faults, &mut task.budget)?;
        // One that saved nothing is as objects of its class are that saved nothing.
        let value = saved.map(|saved| saved.value).unwrap_or_default();
        Ok(T::of(value).unwrap_or_default())
    }
}
