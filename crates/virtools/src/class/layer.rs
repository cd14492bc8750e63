//! `CKLayer` (`docs/formats/classes/entities.md#cklayer`).

use super::{
    fresh::{Fresh, Host},
    object::Object,
};
use crate::{
    chunk::read::ObjRef,
    codec::{Codec, Coded, Layout, Padded, Reference, field, group},
};
use spelunk_core::{Ty, field::ARGB};
use zerocopy::little_endian::U32;

const PAGE: &str = "docs/formats/classes/entities.md#cklayer";

/// The version of layers that products from 2.1 on write.
const VERSION: i32 = 3;

/// A layer of a grid: one value for each square.
#[derive(Clone, Debug, Default)]
pub struct Layer {
    /// State that every object saves.
    pub object: Object,
    /// The layer.
    pub layer: Option<Box<LayerData>>,
}

/// Grid and squares of a layer.
#[derive(Clone, Debug, Default)]
pub struct LayerData {
    /// The grid.
    pub grid: Reference,
    /// The type of the squares, a number of the grid manager; outside file mode.
    pub layer_type: Option<i32>,
    /// Format of the squares; 0 is the only one that is known.
    pub format: i32,
    /// Version of this layout, up to 3; in file mode, 0 elsewhere.
    pub version: i32,
    /// Colour, as stored; from version 1 on.
    pub color: Option<u32>,
    /// The type of the squares, from version 3 on; below it they are integers.
    pub parameter_type: Option<[u32; 2]>,
    /// Flags, from version 2 on, and outside file mode; 1 where they are missing.
    pub flags: Option<u32>,
    /// The squares, in format 0 and with a grid; engines pass over those without one.
    pub squares: Option<Padded<U32>>,
}

impl Layout for Layer {
    fn layout<C: Codec>(&mut self, c: &mut C) -> Coded<C> {
        self.object.layout(c)?;
        c.section(0x10, group!("layer", "The layer."), &mut self.layer, |c, layer| {
            let layer = layer.as_mut();
            c.object(field!("grid", Ty::U32, "The grid."), &mut layer.grid)?;
            let file_mode = c.header().file_mode;
            if c.when(!file_mode, "outside file mode") {
                let field = field!("type", Ty::I32, "The type of the squares.");
                c.item(field, layer.layer_type.get_or_insert_default())?;
            }
            c.item(field!("format", Ty::I32, "How squares are stored."), &mut layer.format)?;
            if c.when(file_mode, "in file mode") {
                c.item(field!("version", Ty::I32, "Of this layout."), &mut layer.version)?;
            }
            let version = layer.version;
            if c.when(file_mode && version >= 1, "in file mode, version 1 and later") {
                let field = field!("color", Ty::Word, "Its colour.", unit(ARGB));
                c.item(field, layer.color.get_or_insert_default())?;
            }
            if c.when(file_mode && version >= 3, "in file mode, version 3 and later") {
                let field = field!(
                    "parameter_type",
                    Ty::Guid,
                    "The type of the squares.",
                    guids(&super::parameter_type::TYPE_NAMES)
                );
                c.item(field, layer.parameter_type.get_or_insert_default())?;
            }
            if c.when(!file_mode || version >= 2, "version 2 and later, or outside file mode") {
                let field = field!("flags", Ty::Word, "Flags of the layer.");
                c.item(field, layer.flags.get_or_insert_default())?;
            }
            let has_grid = layer.grid.get(file_mode) != ObjRef::Null;
            let known = layer.squares.is_some();
            // Without a grid engines have none, and pass over those of others.
            let stored = c.detect("squares", known, |words| has_grid || !words.is_empty());
            let has_squares = layer.format == 0 && (has_grid || stored);
            if c.when(has_squares, "format 0, with a grid or stored all the same") {
                let field = field!("squares", Ty::Word, "One value for each square.");
                c.buffer(field, layer.squares.get_or_insert_default())?;
            }
            Ok(())
        })
    }
}

impl Fresh for Layer {
    fn fresh(host: &Host) -> Layer {
        // 1 is what engines take where there are no flags.
        let flags = Some(1);
        // No loader stumbles over an empty list, whether or not it reads one without a grid.
        let squares = Some(Padded::default());
        let grid = host.null();
        let layer = LayerData { grid, version: VERSION, flags, squares, ..LayerData::default() };
        Layer { object: Object::default(), layer: Some(Box::new(layer)) }
    }
}
