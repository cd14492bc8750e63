//! `CK2dEntity` (`docs/formats/classes/sprites.md#ck2dentity`).

use super::{
    be_object::BeObject,
    fresh::{Fresh, Host},
    renew::{Old, Renew, Renewed},
};
use crate::codec::{Codec, Coded, Layout, Reference, field, group};
use spelunk_core::Ty;

const PAGE: &str = "docs/formats/classes/sprites.md#ck2dentity";

/// The bit of [`Entity2dData::flags`] that says that there is a source rectangle.
pub const HAS_SOURCE: u32 = 0x1_0000;
/// The bit of [`Entity2dData::flags`] that says that there is a z order.
pub const HAS_Z_ORDER: u32 = 0x2_0000;
/// The bit of [`Entity2dData::flags`] that says that there is a parent.
pub const HAS_PARENT: u32 = 0x4_0000;

/// The bit of [`Entity2dData::flags`] of entities that engines need themselves. Below data version 5 an entity without this
/// bit is hidden when it is loaded.
pub const INTERNAL: u32 = 0x1;
/// The bit of [`Entity2dData::flags`] that says that places are parts of the screen and no pixels.
pub const HOMOGENEOUS: u32 = 0x200;

/// Names of the bits of [`Entity2dData::flags`].
pub const FLAGS: &[(u32, &str)] = &[
    (INTERNAL, "internal"),
    (0x08, "use size"),
    (0x20, "use source rectangle"),
    (0x40, "background"),
    (0x80, "not pickable"),
    (0x100, "ratio offset"),
    (HOMOGENEOUS, "homogeneous"),
    (0x400, "clip to camera"),
    (0x1000, "clip to parent"),
    (HAS_SOURCE, "source rectangle"),
    (HAS_Z_ORDER, "z order"),
    (HAS_PARENT, "parent"),
    (0x8_0000, "stick left"),
    (0x10_0000, "stick right"),
    (0x20_0000, "stick top"),
    (0x40_0000, "stick bottom"),
];

/// Something that is drawn on the plane of the screen.
#[derive(Clone, Debug, Default)]
pub struct Entity2d {
    /// State of the base class.
    pub be_object: BeObject,
    /// Place of the entity.
    pub data: Option<Entity2dData>,
    /// Material of the entity. Sprites have none.
    pub material: Option<Reference>,
    /// Below data version 5: flags as in [`Entity2dData`].
    pub old_flags: Option<u32>,
    /// Below data version 5: where it is, as two dwords: floats with [`HOMOGENEOUS`], else integers.
    pub old_position: Option<[u32; 2]>,
    /// Below data version 5: its size, as [`Entity2d::old_position`].
    pub old_size: Option<[u32; 2]>,
    /// Below data version 5: the size of its source, whose order is not known.
    pub old_source_size: Option<[i32; 4]>,
    /// Below data version 5: its z order.
    pub old_z_order: Option<i32>,
}

/// Place of a 2D entity, and the part of a picture that it shows. Rectangles are left, top, right, bottom.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Entity2dData {
    /// [`FLAGS`].
    pub flags: u32,
    /// Place of the entity: parts of the screen, 0 to 1, where it is homogeneous, else pixels.
    pub rectangle: [f32; 4],
    /// Part of the picture that is shown.
    pub source: Option<[f32; 4]>,
    /// Higher ones are drawn over lower ones.
    pub z_order: Option<i32>,
    /// The 2D entity that moves it along.
    pub parent: Option<Reference>,
}

impl Entity2d {
    /// Runs a codec over what sprites save, too.
    pub(super) fn shared<C: Codec>(&mut self, c: &mut C) -> Coded<C> {
        self.be_object.layout(c)?;
        let old = c.version() < 5;
        if c.when(!old, "data version 5 and up") {
            let record = group!("entity_2d", "Where it is.");
            return c.section(0x10_F000, record, &mut self.data, data);
        }
        let record = group!("old_flags", "Flags, below data version 5.");
        c.section(0x4000, record, &mut self.old_flags, flags)?;
        const FLOATS: Ty = Ty::Array(&Ty::F32, 2);
        const PIXELS: Ty = Ty::Array(&Ty::I32, 2);
        let homogeneous = self.old_flags.is_some_and(|flags| flags & HOMOGENEOUS != 0);
        let record = group!("old_position", "Where it is, below data version 5.");
        c.section(0x8000, record, &mut self.old_position, |c, position| {
            let field = match homogeneous {
                true => field!("position", FLOATS, "x, y."),
                false => field!("position", PIXELS, "x, y."),
            };
            c.item(field, position)
        })?;
        let record = group!("old_size", "Its size, below data version 5.");
        c.section(0x2000, record, &mut self.old_size, |c, size| {
            let field = match homogeneous {
                true => field!("size", FLOATS, "Width, height."),
                false => field!("size", PIXELS, "Width, height."),
            };
            c.item(field, size)
        })?;
        let record = group!("old_source_size", "Size of its source, below data version 5.");
        c.section(0x1000, record, &mut self.old_source_size, |c, size| {
            let field = field!("size", Ty::Array(&Ty::I32, 4), "In an order that is not known.");
            c.item(field, size)
        })?;
        let record = group!("old_z_order", "Its z order, below data version 5.");
        c.section(0x10_0000, record, &mut self.old_z_order, z_order)
    }
}

impl Layout for Entity2d {
    fn layout<C: Codec>(&mut self, c: &mut C) -> Coded<C> {
        self.shared(c)?;
        let old = c.version() < 5;
        if !c.when(!old, "data version 5 and up") {
            return Ok(());
        }
        let record = group!("material", "Its material.");
        c.section(0x20_0000, record, &mut self.material, |c, material| {
            c.object(field!("material", Ty::U32, "How it looks."), material)
        })
    }
}

fn flags<C: Codec>(c: &mut C, value: &mut u32) -> Coded<C> {
    c.item(field!("flags", Ty::Word, "How it is drawn, and what follows.", bits(FLAGS)), value)
}

fn z_order<C: Codec>(c: &mut C, value: &mut i32) -> Coded<C> {
    c.item(field!("z_order", Ty::I32, "Higher ones are drawn over lower ones."), value)
}

fn data<C: Codec>(c: &mut C, value: &mut Entity2dData) -> Coded<C> {
    flags(c, &mut value.flags)?;
    let field = field!("rectangle", Ty::Array(&Ty::F32, 4), "Left, top, right, bottom.");
    c.item(field, &mut value.rectangle)?;
    let has = |flag| value.flags & flag != 0;
    let (has_source, has_z_order, has_parent) =
        (has(HAS_SOURCE), has(HAS_Z_ORDER), has(HAS_PARENT));
    if c.when(has_source, "flag 0x10000") {
        let field = field!("source", Ty::Array(&Ty::F32, 4), "Left, top, right, bottom.");
        c.item(field, value.source.get_or_insert_default())?;
    }
    if c.when(has_z_order, "flag 0x20000") {
        z_order(c, value.z_order.get_or_insert_default())?;
    }
    if c.when(has_parent, "flag 0x40000") {
        let field = field!("parent", Ty::U32, "The 2D entity that moves it along.");
        c.object(field, value.parent.get_or_insert_default())?;
    }
    Ok(())
}

/// The flags of most 2D entities of real files: a part of the screen that shows a part of its picture.
const NEW_FLAGS: u32 = 0x2B_0221;

impl Fresh for Entity2d {
    fn fresh(host: &Host) -> Entity2d {
        let whole = [0.0, 0.0, 1.0, 1.0];
        let data = Some(Entity2dData {
            flags: NEW_FLAGS,
            rectangle: whole,
            source: Some(whole),
            z_order: Some(20),
            parent: None,
        });
        Entity2d { be_object: Fresh::fresh(host), data, ..Entity2d::default() }
    }
}

impl Renew for Entity2d {
    fn renew(&mut self, old: &Old) -> Renewed {
        const NOT_HIDDEN: u32 = 0x1;
        const HOMOGENEOUS: u32 = 0x200;
        const STICK_LEFT_AND_TOP: u32 = 0x28_0000;
        self.be_object.renew(old)?;
        let all = (
            self.old_flags.take(),
            self.old_position.take(),
            self.old_size.take(),
            self.old_z_order.take(),
        );
        if self.old_source_size.take().is_some() && !old.lossy {
            return Err("the order of its source size is not known");
        }
        if self.data.is_some() || matches!(all, (None, None, None, None)) {
            return Ok(());
        }
        let (Some(flags), Some(position), Some(size), z_order) = all else {
            return Err("its flags, its position or its size is missing");
        };
        // What was internal counts as not hidden.
        if flags & NOT_HIDDEN == 0 {
            self.be_object.object.hidden = true;
        }
        let number = |word: u32| match flags & HOMOGENEOUS {
            0 => word.cast_signed() as f32,
            _ => f32::from_bits(word),
        };
        let ([left, top], [width, height]) = (position.map(number), size.map(number));
        let kept = flags & !(NOT_HIDDEN | HAS_SOURCE | HAS_Z_ORDER | HAS_PARENT);
        let ordered = if z_order.is_some() { HAS_Z_ORDER } else { 0 };
        self.data = Some(Entity2dData {
            flags: kept | STICK_LEFT_AND_TOP | ordered,
            rectangle: [left, top, left + width, top + height],
            source: None,
            z_order,
            parent: None,
        });
        Ok(())
    }
}
