//! `CKObject` (`docs/formats/classes/base.md#ckobject`).

use super::fresh::{Fresh, Host};
use crate::codec::{Codec, Coded, Layout, field};
use spelunk_core::Ty;

/// The section by which an object tells that it is hidden.
pub(crate) const HIDDEN: u32 = 0x04;
/// The section by which it tells that its children are hidden too.
pub(crate) const HIERARCHICALLY_HIDDEN: u32 = 0x18;

/// What every object saves.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Object {
    /// It is hidden, and its children are not.
    pub hidden: bool,
    /// It is hidden, and its children with it.
    pub hierarchically_hidden: bool,
}

impl Layout for Object {
    #[inline]
    fn layout<C: Codec>(&mut self, c: &mut C) -> Coded<C> {
        c.flag(HIDDEN, field!("hidden", Ty::Bool, "The object is hidden."), &mut self.hidden)?;
        c.flag(
            HIERARCHICALLY_HIDDEN,
            field!("hierarchically_hidden", Ty::Bool, "The object and its children are hidden."),
            &mut self.hierarchically_hidden,
        )
    }
}

impl Fresh for Object {
    fn fresh(_: &Host) -> Object {
        Object::default()
    }
}
