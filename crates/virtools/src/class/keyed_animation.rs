//! `CKKeyedAnimation` (`docs/formats/classes/animations.md#ckkeyedanimation`).

use super::{
    animation::Animation,
    fresh::{Fresh, Host},
};
use crate::codec::{Array, Codec, Coded, Layout, field, group};
use spelunk_core::Ty;
use zerocopy::little_endian::U32;

const PAGE: &str = "docs/formats/classes/animations.md#ckkeyedanimation";

/// An animation of keys.
#[derive(Clone, Debug, Default)]
pub struct KeyedAnimation {
    /// What its base class saves.
    pub animation: Animation,
    /// The animations of single objects of which it consists.
    pub animations: Option<Array<U32>>,
    /// Of which two it was made.
    pub merge: Option<Merge>,
}

/// How an animation was made of two.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Merge {
    /// Not 0 where it was.
    pub merged: i32,
    /// How much of the second one is in it, from 0 to 1.
    pub factor: f32,
}

impl Layout for KeyedAnimation {
    fn layout<C: Codec>(&mut self, c: &mut C) -> Coded<C> {
        self.animation.layout(c)?;
        c.section(
            0x1000,
            group!("animations", "Of which it consists."),
            &mut self.animations,
            |c, all| c.objects(field!("animations", Ty::U32, "Of single objects."), all),
        )?;
        c.section(
            0x10_0000,
            group!("merge", "Whether it was made of two."),
            &mut self.merge,
            |c, Merge { merged, factor }| {
                c.item(field!("merged", Ty::I32, "Not 0 where it was."), merged)?;
                c.item(field!("factor", Ty::F32, "How much of the second one."), factor)
            },
        )
    }
}

impl Fresh for KeyedAnimation {
    fn fresh(host: &Host) -> KeyedAnimation {
        KeyedAnimation {
            animation: Fresh::fresh(host),
            animations: Some(Array::new()),
            merge: Some(Merge { merged: 0, factor: 0.5 }),
        }
    }
}
