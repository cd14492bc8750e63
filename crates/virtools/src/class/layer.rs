//! `CKLayer` (`docs/formats/classes/entities.md#cklayer`).

use super::{
    fresh::{Fresh, Host},
    object::Object,
};
use crate::codec::{Codec, Coded, Layout, Padded, Reference, field, group};
use spelunk_core::Ty;
use zerocopy::little_endian::U32;

const PAGE: &str = "docs/formats/classes/entities.md#cklayer";

/// A layer of a grid: one value for each square.
#[derive(Clone, Debug, Default)]
pub struct Layer {
    /// What every object saves.
    pub object: Object,
    /// The layer.
    pub layer: Option<Box<LayerData>>,
}

/// What a layer is.
#[derive(Clone, Debug, Default)]
pub struct LayerData {
    /// The grid.
    pub grid: Reference,
    /// How the squares are stored; 0 is the only one that is known.
    pub format: i32,
    /// Version of this layout, up to 3.
    pub version: i32,
    /// Its colour, as stored.
    pub color: u32,
    /// The type of the squares, from version 3 on.
    pub parameter_type: Option<[u32; 2]>,
    /// Its flags, from version 2 on.
    pub flags: Option<u32>,
    /// The squares, in format 0.
    pub squares: Option<Padded<U32>>,
}

impl Layout for Layer {
    fn layout<C: Codec>(&mut self, c: &mut C) -> Coded<C> {
        self.object.layout(c)?;
        c.section(0x10, group!("layer", "The layer."), &mut self.layer, |c, layer| {
            let layer = layer.as_mut();
            c.object(field!("grid", Ty::U32, "The grid."), &mut layer.grid)?;
            c.item(field!("format", Ty::I32, "How squares are stored."), &mut layer.format)?;
            c.item(field!("version", Ty::I32, "Of this layout."), &mut layer.version)?;
            c.item(field!("color", Ty::Word, "Its colour."), &mut layer.color)?;
            let (format, version) = (layer.format, layer.version);
            if c.when(version >= 3, "version 3 and later") {
                let field = field!(
                    "parameter_type",
                    Ty::Guid,
                    "The type of the squares.",
                    guids(&super::parameter_type::TYPE_NAMES)
                );
                c.item(field, layer.parameter_type.get_or_insert_default())?;
            }
            if c.when(version >= 2, "version 2 and later") {
                let field = field!("flags", Ty::Word, "Flags of the layer.");
                c.item(field, layer.flags.get_or_insert_default())?;
            }
            if c.when(format == 0, "format 0") {
                let field = field!("squares", Ty::Word, "One value for each square.");
                c.buffer(field, layer.squares.get_or_insert_default())?;
            }
            Ok(())
        })
    }
}

/// The version of layers that products from 2.1 on write.
const VERSION: i32 = 3;

impl Fresh for Layer {
    fn fresh(host: &Host) -> Layer {
        let layer = LayerData { grid: host.null(), version: VERSION, ..LayerData::default() };
        Layer { object: Object::default(), layer: Some(Box::new(layer)) }
    }
}
