//! Data arrays as tables of text (`docs/formats/classes/data-arrays.md#ckdataarray`).

use crate::{
    chunk::read::ObjRef,
    class::{
        self, Value,
        data_array::{Cell, DataArray},
    },
    codec::names::TargetResolver,
    file::{File, data::Owner, value::has_no_value},
    names::FileNames,
    script::ValueText,
};
use spelunk_core::{Budget, Result};

/// A data array.
#[derive(Clone, Debug, Default)]
pub struct DataArrayTable {
    /// The names of the columns as stored.
    pub columns: Vec<Vec<u8>>,
    /// The rows, with a cell for each column; `None` where nothing is.
    pub rows: Vec<Vec<Option<ValueText>>>,
}

/// Makes tables of the data arrays of a file.
#[derive(Debug)]
pub struct ArrayTables<'f> {
    file: &'f File,
    names: FileNames<'f>,
}

impl<'f> ArrayTables<'f> {
    /// Reads what the tables of a file need of it.
    ///
    /// # Errors
    /// When Data cannot be read; limits.
    pub fn of(file: &'f File, budget: &mut Budget) -> Result<ArrayTables<'f>> {
        Ok(ArrayTables { file, names: FileNames::of(file, budget)? })
    }

    /// The positions of all data arrays.
    ///
    /// # Errors
    /// Limits.
    pub fn indices(&self, budget: &mut Budget) -> Result<Vec<u32>> {
        let order = self.file.by_class(budget)?.iter().copied();
        Ok(order.filter(|index| self.file.class_of(*index) == Some(class::DATA_ARRAY)).collect())
    }

    /// The data array at a position of the object table; `None` where another object is.
    ///
    /// # Errors
    /// When it is damaged; limits.
    pub fn table(&self, index: u32, budget: &mut Budget) -> Result<Option<DataArrayTable>> {
        let saved = self.file.value(Owner::Object(index), &mut Vec::new(), budget)?;
        let Some(Value::DataArray(array)) = saved.map(|saved| saved.value) else { return Ok(None) };
        let DataArray { columns, rows, .. } = *array;
        let (columns, rows) = (columns.unwrap_or_default(), rows.unwrap_or_default());
        let columns: Vec<_> = columns.iter().map(|column| column.name.text().to_vec()).collect();
        let mut table = DataArrayTable { columns, rows: budget.vec(rows.len() as u64)? };
        for row in rows {
            let mut cells = budget.vec(row.cells.len() as u64)?;
            for cell in &row.cells {
                cells.push(self.cell(cell, budget)?);
            }
            table.rows.push(cells);
        }
        Ok(Some(table))
    }

    fn cell(&self, cell: &Cell, budget: &mut Budget) -> Result<Option<ValueText>> {
        // Many cells may show one long name; text is copied once more when it is written.
        let len = match cell {
            Cell::Object(reference) => {
                let target = self.names.object(reference.get(true));
                target.map_or(0, |(_, target)| target.name.len())
            }
            Cell::Text(text) => text.text().len(),
            _ => 0,
        };
        // And numbers are texts, too.
        budget.memory((len as u64).saturating_mul(4).saturating_add(24))?;
        let object = |reference: ObjRef| {
            let (index, target) = self.names.object(reference)?;
            let (kind, name) = (target.kind.into_owned(), target.name.into_owned());
            Some(ValueText::Named { index, kind, name })
        };
        Ok(match cell {
            Cell::Empty | Cell::Value(None) => None,
            Cell::Int(value) => Some(ValueText::Plain(value.to_string())),
            Cell::Float(value) => Some(ValueText::Plain(value.to_string())),
            Cell::Text(text) if text.is_null() => None,
            Cell::Text(text) => Some(ValueText::Text(text.text().to_vec())),
            Cell::Object(reference) => object(reference.get(true)),
            Cell::Parameter(reference) => match reference.get(true) {
                ObjRef::Index(index) => self.parameter(index, budget)?,
                _ => None,
            },
            Cell::Value(Some(saved)) => {
                let content = saved.value.parameter.parameter.as_ref();
                content.map(|content| ValueText::of(content, &self.names))
            }
        })
    }

    /// The value of the parameter that a cell refers to.
    fn parameter(&self, index: u32, budget: &mut Budget) -> Result<Option<ValueText>> {
        let saved = match self.file.value(Owner::Object(index), &mut Vec::new(), budget) {
            Err(error) if has_no_value(&error) => return Ok(None),
            saved => saved?,
        };
        let content = match saved.map(|saved| saved.value) {
            Some(Value::ParameterOut(value)) => value.parameter.parameter,
            Some(Value::ParameterLocal(value)) => value.parameter.parameter,
            Some(Value::Parameter(value)) => value.parameter,
            _ => None,
        };
        Ok(content.map(|content| ValueText::of(&content, &self.names)))
    }
}
