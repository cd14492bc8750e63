//! `CKBehaviorIO` (`docs/formats/classes/behaviors.md#ckbehaviorio`).

use super::{
    fresh::{Fresh, Host},
    object::Object,
};
use crate::codec::{Codec, Coded, Layout, field, group};
use spelunk_core::Ty;

const PAGE: &str = "docs/formats/classes/behaviors.md#ckbehaviorio";

/// The bit of [`BehaviorIo::flags`] of inputs.
pub const INPUT: u32 = 1;
/// The bit of [`BehaviorIo::flags`] of outputs.
pub const OUTPUT: u32 = 2;

/// Names of the flags of an input or output.
pub const FLAGS: &[(u32, &str)] = &[(INPUT, "input"), (OUTPUT, "output"), (0x100, "active")];

/// An input or an output of a behaviour; which behaviour, is in the lists of that one.
#[derive(Clone, Debug, Default)]
pub struct BehaviorIo {
    /// State that every object saves.
    pub object: Object,
    /// Flags ([`FLAGS`]).
    pub flags: Option<u32>,
}

impl Layout for BehaviorIo {
    fn layout<C: Codec>(&mut self, c: &mut C) -> Coded<C> {
        self.object.layout(c)?;
        c.section(0x08, group!("io", "What it is."), &mut self.flags, |c, flags| {
            c.item(field!("flags", Ty::Word, "Input or output.", bits(FLAGS)), flags)
        })
    }
}

impl Fresh for BehaviorIo {
    fn fresh(_: &Host) -> BehaviorIo {
        BehaviorIo { object: Object::default(), flags: Some(OUTPUT) }
    }
}
