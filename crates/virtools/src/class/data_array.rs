//! `CKDataArray` (`docs/formats/classes/data-arrays.md#ckdataarray`).

use super::{
    be_object::BeObject,
    fresh::{Fresh, Host},
    parameter_out::ParameterOut,
    renew::{Old, Renew, Renewed},
};
use crate::{
    codec::{Codec, Coded, Layout, Reference, Saved, Text, field, group},
    codes,
};
use spelunk_core::{Error, Ty};

const PAGE: &str = "docs/formats/classes/data-arrays.md#ckdataarray";

/// Names of the types of columns.
pub const COLUMN_TYPES: &[(i64, &str)] =
    &[(1, "int"), (2, "float"), (3, "string"), (4, "object"), (5, "parameter")];

/// The type of columns whose cells are parameters.
const PARAMETER: u32 = 5;

/// A table.
#[derive(Clone, Debug, Default)]
pub struct DataArray {
    /// State of the base class.
    pub be_object: BeObject,
    /// The columns.
    pub columns: Option<Vec<Column>>,
    /// The rows, whose cells are as the columns say.
    pub rows: Option<Vec<Row>>,
    /// Sort order of the table.
    pub order: Option<SortOrder>,
}

/// A column.
#[derive(Clone, Debug, Default)]
pub struct Column {
    /// Name of the column.
    pub name: Text,
    /// Type of the cells, see [`COLUMN_TYPES`].
    pub column_type: u32,
    /// The type of the parameters, in columns of those.
    pub parameter_type: Option<[u32; 2]>,
}

/// A row.
#[derive(Clone, Debug, Default)]
pub struct Row {
    /// The cells, one for each column.
    pub cells: Vec<Cell>,
}

/// A cell, of the type of its column.
#[derive(Clone, Debug, Default)]
pub enum Cell {
    /// Nothing yet; cells that were read are never this.
    #[default]
    Empty,
    /// Type 1.
    Int(i32),
    /// Type 2.
    Float(f32),
    /// Type 3.
    Text(Text),
    /// Type 4.
    Object(Reference),
    /// Type 5: the parameter that holds the value.
    Parameter(Reference),
    /// Type 5 outside file mode: the parameter itself.
    Value(Option<Box<Saved<ParameterOut>>>),
}

/// Sort order of a table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SortOrder {
    /// In which direction.
    pub order: i32,
    /// By which column.
    pub sort_column: u32,
    /// The column by which rows are found, -1 for none. Missing in some chunks below data version 5.
    pub key_column: Option<i32>,
}

impl Layout for DataArray {
    fn layout<C: Codec>(&mut self, c: &mut C) -> Coded<C> {
        self.be_object.layout(c)?;
        c.section(0x1000, group!("format", "The columns."), &mut self.columns, |c, columns| {
            c.counted(
                field!("count", Ty::U32, "How many columns follow."),
                group!("columns", "The columns."),
                columns,
                column,
            )
        })?;
        let columns = self.columns.as_deref().unwrap_or_default();
        c.section(0x2000, group!("data", "The rows."), &mut self.rows, |c, rows| {
            c.counted(
                field!("count", Ty::U32, "How many rows follow."),
                group!("rows", "The rows."),
                rows,
                |c, row| {
                    let mut types = columns.iter().map(|column| column.column_type);
                    let group = group!("cells", "One for each column.");
                    c.list(group, columns.len(), &mut row.cells, |c, value| {
                        cell(c, types.next().unwrap_or_default(), value)
                    })
                },
            )
        })?;
        c.section(0x4000, group!("members", "How it is sorted."), &mut self.order, order)
    }
}

fn column<C: Codec>(c: &mut C, column: &mut Column) -> Coded<C> {
    let Column { name, column_type, parameter_type } = column;
    c.text(field!("name", Ty::Text, "Its name."), name)?;
    let field = field!("type", Ty::U32, "What its cells are.", values(COLUMN_TYPES));
    c.item(field, column_type)?;
    let of_parameters = *column_type == PARAMETER;
    if c.when(of_parameters, "columns of parameters") {
        let field = field!(
            "parameter_type",
            Ty::Guid,
            "The type of the parameters.",
            guids(&super::parameter_type::TYPE_NAMES)
        );
        c.item(field, parameter_type.get_or_insert_default())?;
    }
    Ok(())
}

fn cell<C: Codec>(c: &mut C, column_type: u32, cell: &mut Cell) -> Coded<C> {
    let file_mode = c.header().file_mode;
    if matches!(cell, Cell::Empty) {
        *cell = match column_type {
            1 => Cell::Int(0),
            2 => Cell::Float(0.0),
            3 => Cell::Text(Text::default()),
            4 => Cell::Object(Reference::null(file_mode)),
            PARAMETER if file_mode => Cell::Parameter(Reference::null(true)),
            PARAMETER => Cell::Value(None),
            _ => return Err(misfit(column_type)),
        };
    }
    match (column_type, cell) {
        (1, Cell::Int(value)) => c.item(field!("value", Ty::I32, "A number."), value),
        (2, Cell::Float(value)) => c.item(field!("value", Ty::F32, "A number."), value),
        (3, Cell::Text(value)) => c.text(field!("value", Ty::Text, "A string."), value),
        (4, Cell::Object(value)) => c.object(field!("value", Ty::U32, "An object."), value),
        (PARAMETER, Cell::Parameter(value)) if file_mode => {
            c.object(field!("value", Ty::U32, "The parameter that holds the value."), value)
        }
        (PARAMETER, Cell::Value(value)) if !file_mode => {
            c.sub_chunk(group!("value", "The parameter itself."), value)
        }
        _ => Err(misfit(column_type)),
    }
}

/// A cell that the type of its column does not allow.
#[cold]
fn misfit<S: From<Error>>(column_type: u32) -> S {
    let error = Error::new(&codes::LAYOUT).field("cells");
    error.expected("a cell of a type from 1 to 5").found(u64::from(column_type)).into()
}

fn order<C: Codec>(c: &mut C, value: &mut SortOrder) -> Coded<C> {
    let SortOrder { order, sort_column, key_column } = value;
    c.item(field!("order", Ty::I32, "In which direction it is sorted."), order)?;
    c.item(field!("sort_column", Ty::U32, "By which column it is sorted."), sort_column)?;
    let has_key = c.detect("key_column", key_column.is_some(), |words| !words.is_empty());
    if c.when(has_key, "missing in some chunks below data version 5") {
        let field = field!("key_column", Ty::I32, "By which rows are found; -1 for none.");
        c.item(field, key_column.get_or_insert_default())?;
    }
    Ok(())
}

impl Fresh for DataArray {
    fn fresh(host: &Host) -> DataArray {
        DataArray {
            be_object: Fresh::fresh(host),
            columns: Some(Vec::new()),
            rows: Some(Vec::new()),
            order: Some(SortOrder { order: 0, sort_column: 0, key_column: Some(-1) }),
        }
    }
}

impl Renew for DataArray {
    fn renew(&mut self, old: &Old) -> Renewed {
        self.be_object.renew(old)?;
        if let Some(order) = self.order.as_mut().filter(|_| old.version < 5) {
            order.key_column.get_or_insert(-1);
        }
        Ok(())
    }
}
