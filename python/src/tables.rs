//! Tables as columns of Arrow, which every library of data frames takes without a copy.

use crate::file::Container;
use arrow_array::{
    ArrayRef, RecordBatch, RecordBatchIterator,
    builder::{BinaryBuilder, Float64Builder, Int64Builder, StringBuilder},
    ffi::FFI_ArrowSchema,
    ffi_stream::FFI_ArrowArrayStream,
};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use pyo3::{
    exceptions::PyValueError,
    prelude::*,
    types::{PyCapsule, PyDict},
};
use spelunk::{
    Result,
    tables::{
        Cell,
        column::{CategoryColumn, ColumnKind},
        rows::TableSink,
    },
};
use std::sync::Arc;

/// Rows of a batch.
const BATCH: usize = 1 << 16;

/// A table: batches of rows in columns.
#[pyclass(frozen, module = "spelunk._spelunk")]
#[derive(Debug)]
pub struct Table {
    schema: SchemaRef,
    batches: Vec<RecordBatch>,
}

#[pymethods]
impl Table {
    fn __len__(&self) -> usize {
        self.batches.iter().map(RecordBatch::num_rows).sum()
    }

    /// Names and types of the columns.
    #[getter]
    fn columns(&self) -> Vec<(String, String)> {
        let fields = self.schema.fields().iter();
        fields.map(|field| (field.name().clone(), field.data_type().to_string())).collect()
    }

    /// What the columns mean, where that is known.
    #[getter]
    fn documentation(&self) -> Vec<Option<String>> {
        let fields = self.schema.fields().iter();
        fields.map(|field| field.metadata().get("doc").cloned()).collect()
    }

    /// The stream of batches, by the Arrow PyCapsule interface; as often as it is asked for. A schema that is asked for is a wish, and
    /// these are the types that the columns have.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema;
        let batches = self.batches.clone().into_iter().map(Ok);
        let reader = RecordBatchIterator::new(batches, self.schema.clone());
        let stream = FFI_ArrowArrayStream::new(Box::new(reader));
        PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let schema = FFI_ArrowSchema::try_from(self.schema.as_ref());
        let schema = schema.map_err(|error| PyValueError::new_err(error.to_string()))?;
        PyCapsule::new_with_value(py, schema, c"arrow_schema")
    }

    /// The values of a row.
    fn row<'py>(&self, py: Python<'py>, index: usize) -> PyResult<Bound<'py, PyDict>> {
        let mut left = index;
        for batch in &self.batches {
            if left < batch.num_rows() {
                let row = PyDict::new(py);
                for (field, column) in self.schema.fields().iter().zip(batch.columns()) {
                    row.set_item(field.name(), value(py, column, left)?)?;
                }
                return Ok(row);
            }
            left -= batch.num_rows();
        }
        Err(pyo3::exceptions::PyIndexError::new_err("no such row"))
    }
}

/// A value of a column.
fn value<'py>(py: Python<'py>, column: &ArrayRef, row: usize) -> PyResult<Bound<'py, PyAny>> {
    use arrow_array::cast::AsArray;
    use arrow_array::types::{Float64Type, Int64Type};
    if column.is_null(row) {
        return Ok(py.None().into_bound(py));
    }
    Ok(match column.data_type() {
        DataType::Int64 => {
            column.as_primitive::<Int64Type>().value(row).into_pyobject(py)?.into_any()
        }
        DataType::Float64 => {
            column.as_primitive::<Float64Type>().value(row).into_pyobject(py)?.into_any()
        }
        DataType::Binary => column.as_binary::<i32>().value(row).into_pyobject(py)?.into_any(),
        _ => column.as_string::<i32>().value(row).into_pyobject(py)?.into_any(),
    })
}

/// A table of a GameData.
pub(crate) fn table(py: Python<'_>, file: &Container, name: &str) -> PyResult<Table> {
    let builder = file.with(py, |file| {
        let mut builder = Builder::default();
        file.table(name, &mut builder)?;
        Ok(builder)
    })?;
    builder.finish()
}

/// The rows that a statement of SQL gives.
pub(crate) fn query(py: Python<'_>, file: &Container, sql: &str) -> PyResult<Table> {
    let answer = file.with(py, |file| {
        let mut answer = Builder::default();
        let names = file.query(sql, &mut |_, cells| answer.add(cells))?;
        answer.name(&names);
        Ok(answer)
    })?;
    answer.finish()
}

/// A table on its way: the columns of the batch that is filled, and those that are full.
#[derive(Default)]
struct Builder {
    fields: Vec<Field>,
    columns: Vec<Column>,
    rows: usize,
    full: Vec<Vec<Column>>,
}

/// A column of a batch. What SQLite answers has types value by value: a column begins with that of its first value, and becomes one of
/// texts where others follow.
enum Column {
    /// Nothing but missing values, so many.
    Empty(usize),
    Integer(Int64Builder),
    Real(Float64Builder),
    Text(StringBuilder),
    Bytes(BinaryBuilder),
}

impl Column {
    fn of(kind: ColumnKind) -> Column {
        match kind {
            ColumnKind::Integer | ColumnKind::Bool | ColumnKind::Time => {
                Column::Integer(Int64Builder::new())
            }
            ColumnKind::Real => Column::Real(Float64Builder::new()),
            ColumnKind::Number => Column::Empty(0),
            ColumnKind::Text | ColumnKind::Json | ColumnKind::Hex => {
                Column::Text(StringBuilder::new())
            }
        }
    }

    /// Adds a value.
    fn add(&mut self, cell: &Cell<'_>) {
        match (&mut *self, cell) {
            (Column::Empty(count), Cell::Null) => *count += 1,
            (Column::Integer(column), Cell::Null) => column.append_null(),
            (Column::Real(column), Cell::Null) => column.append_null(),
            (Column::Text(column), Cell::Null) => column.append_null(),
            (Column::Bytes(column), Cell::Null) => column.append_null(),
            (Column::Integer(column), Cell::Integer(value)) => column.append_value(*value),
            (Column::Real(column), Cell::Real(value)) => column.append_value(*value),
            (Column::Text(column), Cell::Text(value)) => column.append_value(value),
            (Column::Bytes(column), Cell::Bytes(value)) => column.append_value(value),
            (Column::Real(column), Cell::Integer(value)) => column.append_value(*value as f64),
            (Column::Text(column), cell) => column.append_value(shown(cell)),
            (Column::Empty(count), cell) => {
                let count = *count;
                *self = Column::beginning(cell, count);
                self.add(cell);
            }
            (Column::Integer(values), Cell::Real(value)) => {
                let values = values.finish();
                let mut wider = Float64Builder::with_capacity(values.len() + 1);
                wider.extend(values.iter().map(|value| value.map(|value| value as f64)));
                wider.append_value(*value);
                *self = Column::Real(wider);
            }
            _ => {
                *self = self.texts();
                self.add(cell);
            }
        }
    }

    /// A column for values like this one, with so many missing values.
    fn beginning(cell: &Cell<'_>, missing: usize) -> Column {
        match cell {
            Cell::Integer(_) => {
                let mut column = Int64Builder::new();
                column.append_nulls(missing);
                Column::Integer(column)
            }
            Cell::Real(_) => {
                let mut column = Float64Builder::new();
                column.append_nulls(missing);
                Column::Real(column)
            }
            Cell::Bytes(_) => {
                let mut column = BinaryBuilder::new();
                (0..missing).for_each(|_| column.append_null());
                Column::Bytes(column)
            }
            Cell::Text(_) | Cell::Null => {
                let mut column = StringBuilder::new();
                (0..missing).for_each(|_| column.append_null());
                Column::Text(column)
            }
        }
    }

    /// The same values as texts.
    fn texts(&mut self) -> Column {
        let mut texts = StringBuilder::new();
        match self {
            Column::Empty(count) => (0..*count).for_each(|_| texts.append_null()),
            Column::Integer(column) => {
                texts.extend(
                    column.finish().iter().map(|value| value.map(|value| value.to_string())),
                );
            }
            Column::Real(column) => {
                texts.extend(
                    column.finish().iter().map(|value| value.map(|value| value.to_string())),
                );
            }
            Column::Bytes(column) => {
                let column = column.finish();
                let values =
                    column.iter().map(|value| value.map(|value| shown(&Cell::Bytes(value))));
                texts.extend(values);
            }
            Column::Text(column) => texts.extend(column.finish().iter()),
        }
        Column::Text(texts)
    }

    fn kind(&self) -> DataType {
        match self {
            Column::Integer(_) => DataType::Int64,
            Column::Real(_) => DataType::Float64,
            Column::Bytes(_) => DataType::Binary,
            // Of a column without values nothing is known.
            Column::Empty(_) | Column::Text(_) => DataType::Utf8,
        }
    }

    fn finish(mut self, as_kind: &DataType) -> ArrayRef {
        if self.kind() != *as_kind {
            self = match (as_kind, self) {
                (_, Column::Empty(count)) => Column::empty(as_kind, count),
                (DataType::Float64, Column::Integer(mut values)) => {
                    let values = values.finish();
                    let mut wider = Float64Builder::with_capacity(values.len());
                    wider.extend(values.iter().map(|value| value.map(|value| value as f64)));
                    Column::Real(wider)
                }
                (_, mut other) => other.texts(),
            };
        }
        match self {
            Column::Empty(count) => {
                let mut texts = StringBuilder::new();
                (0..count).for_each(|_| texts.append_null());
                Arc::new(texts.finish())
            }
            Column::Integer(mut column) => Arc::new(column.finish()),
            Column::Real(mut column) => Arc::new(column.finish()),
            Column::Text(mut column) => Arc::new(column.finish()),
            Column::Bytes(mut column) => Arc::new(column.finish()),
        }
    }

    fn empty(kind: &DataType, count: usize) -> Column {
        match kind {
            DataType::Int64 => Column::beginning(&Cell::Integer(0), count),
            DataType::Float64 => Column::beginning(&Cell::Real(0.0), count),
            DataType::Binary => Column::beginning(&Cell::Bytes(&[]), count),
            _ => Column::beginning(&Cell::Null, count),
        }
    }
}

/// A value as text. Bytes are hexadecimal.
fn shown(cell: &Cell<'_>) -> String {
    match cell {
        Cell::Null => String::new(),
        Cell::Integer(value) => value.to_string(),
        Cell::Real(value) => value.to_string(),
        Cell::Text(text) => text.clone().into_owned(),
        Cell::Bytes(bytes) => bytes.iter().map(|byte| format!("{byte:02x}")).collect(),
    }
}

impl Builder {
    fn add(&mut self, cells: &[Cell<'_>]) -> Result<()> {
        if self.columns.is_empty() {
            self.columns = cells.iter().map(|_| Column::Empty(0)).collect();
        }
        self.columns.iter_mut().zip(cells).for_each(|(column, cell)| column.add(cell));
        self.end_row();
        Ok(())
    }

    fn end_row(&mut self) {
        self.rows += 1;
        if self.rows == BATCH {
            self.rows = 0;
            // The next batch has the types of this one, as far as they are known.
            let next = self.columns.iter().map(|column| Column::empty(&column.kind(), 0)).collect();
            self.full.push(std::mem::replace(&mut self.columns, next));
        }
    }

    /// Names the columns of an answer. Two of one name are told apart as rows of the verb do it.
    fn name(&mut self, names: &[String]) {
        self.fields = names.iter().map(|name| Field::new(name, DataType::Utf8, true)).collect();
        if self.columns.is_empty() {
            self.columns = names.iter().map(|_| Column::Empty(0)).collect();
        }
    }

    fn finish(mut self) -> PyResult<Table> {
        if self.rows > 0 || self.full.is_empty() {
            self.full.push(std::mem::take(&mut self.columns));
        }
        // A column has the widest type that one of its batches has.
        let kinds: Vec<DataType> = (0..self.fields.len())
            .map(|nth| {
                let kinds = self.full.iter().filter_map(|batch| batch.get(nth));
                let known = kinds.filter(|column| !matches!(column, Column::Empty(_)));
                known.map(Column::kind).reduce(wider).unwrap_or(DataType::Utf8)
            })
            .collect();
        let fields = self.fields.into_iter().zip(&kinds);
        let fields: Vec<Field> =
            fields.map(|(field, kind)| field.with_data_type(kind.clone())).collect();
        let schema = Arc::new(Schema::new(fields));
        let batch = |columns: Vec<Column>| {
            let columns = columns.into_iter().zip(&kinds);
            let columns = columns.map(|(column, kind)| column.finish(kind)).collect();
            RecordBatch::try_new(schema.clone(), columns)
                .map_err(|error| PyValueError::new_err(error.to_string()))
        };
        let batches = match kinds.is_empty() {
            true => Vec::new(),
            false => self.full.into_iter().map(batch).collect::<PyResult<_>>()?,
        };
        Ok(Table { schema, batches })
    }
}

/// The type of a column that has values of both.
fn wider(one: DataType, other: DataType) -> DataType {
    match (&one, &other) {
        _ if one == other => one,
        (DataType::Int64, DataType::Float64) | (DataType::Float64, DataType::Int64) => {
            DataType::Float64
        }
        _ => DataType::Utf8,
    }
}

impl TableSink for Builder {
    fn begin(&mut self, columns: &[CategoryColumn], _: usize) -> Result<()> {
        self.columns = vec![Column::Integer(Int64Builder::new())];
        self.fields = vec![Field::new("row", DataType::Int64, false)];
        for column in columns {
            self.columns.push(Column::of(column.kind));
            let about = [("doc", column.doc), ("unit", column.unit)];
            let about = about.into_iter().filter(|(_, text)| !text.is_empty());
            let about = about.map(|(key, text)| (key.to_owned(), text.to_owned())).collect();
            let field = Field::new(column.name, DataType::Utf8, true).with_metadata(about);
            self.fields.push(field);
        }
        Ok(())
    }

    fn row(&mut self, place: i64, cells: &[Cell<'_>]) -> Result<()> {
        if let Some((first, others)) = self.columns.split_first_mut() {
            first.add(&Cell::Integer(place));
            others.iter_mut().zip(cells).for_each(|(column, cell)| column.add(cell));
        }
        self.end_row();
        Ok(())
    }
}
