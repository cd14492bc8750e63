//! Damage of a file, of which the rest is read.

use crate::codes;
use spelunk_core::{Class, Code, Error, Result, Seg, Span, Task};

/// Why records cannot be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fault {
    /// `prefix`, `manager` or `object`; `header1` or `data` where that section is cut or its stream damaged.
    pub kind: &'static str,
    /// Position of the record among its kind; of a section how many objects are whole.
    pub index: u64,
    /// From the start of the record to the end of its section; the stored bytes of a damaged section.
    pub at: Span,
    /// The size that the record declares, where that can be read.
    pub size: Option<u32>,
    /// Damage of the section, where it is not that of a single record.
    pub section: Option<SectionDamage>,
}

/// The damage of a section that ends too early, or whose stream breaks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SectionDamage {
    /// The code of the damage.
    pub code: &'static Code,
    /// Plain bytes that the section should hold.
    pub declared: u64,
    /// Plain bytes that came out of it.
    pub readable: u64,
    /// Objects that the file should hold.
    pub objects: u64,
}

impl Fault {
    /// Whether a whole section is damaged, and not one record.
    pub const fn is_of_section(&self) -> bool {
        self.section.is_some()
    }

    /// The fault as a located error.
    pub fn error(&self) -> Error {
        if let Some(damage) = &self.section {
            let (readable, whole, objects) = (damage.readable, self.index, damage.objects);
            return Error::new(damage.code)
                .at(self.at)
                .field(self.kind)
                .expected(format!("{} bytes when inflated", damage.declared))
                .found(format!(
                    "{readable} bytes that inflate, with {whole} of {objects} objects whole"
                ));
        }
        let error = Error::new(&codes::RECORD_SIZE)
            .at(self.at)
            .field("size")
            .within(Seg::Index(self.index))
            .field(self.kind)
            .expected(format!("at most {} bytes with its size", self.at.len));
        match self.size {
            Some(size) => error.found(format!("a size of {size} bytes")),
            None => error.found("the end of the section"),
        }
    }
}

/// Turns damage into a finding; limits and reading errors stay errors.
pub(super) fn tolerate<T>(result: Result<T>, task: &mut Task<'_>) -> Result<Option<T>> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(error) if error.code().class == Class::Malformed => task.error(error).map(|()| None),
        Err(error) => Err(error),
    }
}

/// Adds `name[index]` to the path of an error.
pub(super) fn in_item(error: Error, name: &'static str, index: usize) -> Error {
    error.within(Seg::Index(index as u64)).field(name)
}
