//! `CKObject` (`docs/formats/classes/base.md#ckobject`).

use super::fresh::{Fresh, Host};
use crate::codec::{Codec, Coded, Layout, Text, field, group};
use spelunk_core::Ty;

const PAGE: &str = "docs/formats/classes/base.md#ckobject";

/// The section with the name, where files have no object table.
pub(crate) const NAME: u32 = 0x01;
/// The section of a hidden object.
pub(crate) const HIDDEN: u32 = 0x04;
/// The section of an object whose children are hidden too.
pub(crate) const HIERARCHICALLY_HIDDEN: u32 = 0x18;

/// State that every object saves.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Object {
    /// Name, in files below FileVersion 7. Later ones have it in the object table, whatever stands here.
    pub name: Option<Box<Text>>,
    /// Whether the object is hidden, and its children are not.
    pub hidden: bool,
    /// Whether the object is hidden, and its children with it.
    pub hierarchically_hidden: bool,
}

impl Object {
    /// Reads or writes the name, where files have no object table.
    pub(super) fn name<C: Codec>(&mut self, c: &mut C) -> Coded<C> {
        c.section(
            NAME,
            group!("object", "What only files below FileVersion 7 tell of an object here."),
            &mut self.name,
            |c, name| c.text(field!("name", Ty::Text, "Its name."), name),
        )
    }
}

impl Layout for Object {
    #[inline]
    fn layout<C: Codec>(&mut self, c: &mut C) -> Coded<C> {
        self.name(c)?;
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
