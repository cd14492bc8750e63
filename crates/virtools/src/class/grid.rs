//! `CKGrid` (`docs/formats/classes/entities.md#ckgrid`).

use super::{
    entity_3d::Entity3d,
    fresh::{Fresh, Host},
    layer::Layer,
};
use crate::codec::{Array, Codec, Coded, Layout, Saved, field, group};
use spelunk_core::Ty;
use zerocopy::little_endian::U32;

const PAGE: &str = "docs/formats/classes/entities.md#ckgrid";

/// A board of squares.
#[derive(Clone, Debug, Default)]
pub struct Grid {
    /// State of the base class.
    pub entity: Entity3d,
    /// The board.
    pub grid: Option<GridData>,
}

/// Board and layers of a grid.
#[derive(Clone, Debug, Default)]
pub struct GridData {
    /// Squares in a row.
    pub width: i32,
    /// Squares in a column.
    pub length: i32,
    /// 0.
    pub reserved: i32,
    /// Priority of the grid where grids overlap.
    pub priority: i32,
    /// Orientation of the grid.
    pub orientation: u32,
    /// 1; in file mode only.
    pub references: Option<i32>,
    /// The layers.
    pub layers: Array<U32>,
    /// Saved state of each layer; outside file mode.
    pub saved_layers: Vec<Option<Box<Saved<Layer>>>>,
}

impl Layout for Grid {
    fn layout<C: Codec>(&mut self, c: &mut C) -> Coded<C> {
        self.entity.layout(c)?;
        c.section(0x40_0000, group!("grid", "The board."), &mut self.grid, |c, grid| {
            let GridData { width, length, reserved, priority, orientation, .. } = grid;
            c.item(field!("width", Ty::I32, "Squares in a row."), width)?;
            c.item(field!("length", Ty::I32, "Squares in a column."), length)?;
            c.item(field!("reserved", Ty::I32, "0."), reserved)?;
            c.item(field!("priority", Ty::I32, "Which of two grids counts."), priority)?;
            c.item(field!("orientation", Ty::U32, "How it lies."), orientation)?;
            let GridData { references, layers, saved_layers, .. } = grid;
            let file_mode = c.header().file_mode;
            if c.when(file_mode, "in file mode") {
                let field = field!("references", Ty::I32, "1.");
                c.item(field, references.get_or_insert_default())?;
            }
            c.objects(field!("layers", Ty::U32, "The layers."), layers)?;
            if !c.when(!file_mode, "outside file mode") {
                return Ok(());
            }
            let record = group!("saved_layers", "What each layer saved.");
            c.list(record, layers.len(), saved_layers, |c, saved| {
                c.sub_chunk(group!("saved", "What the layer saved."), saved)
            })
        })
    }
}

impl Fresh for Grid {
    fn fresh(host: &Host) -> Grid {
        let grid = Some(GridData { references: Some(1), ..GridData::default() });
        Grid { entity: Fresh::fresh(host), grid }
    }
}
