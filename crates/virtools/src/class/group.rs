//! `CKGroup` (`docs/formats/classes/base.md#ckgroup`).

use super::{
    be_object::BeObject,
    fresh::{Fresh, Host},
};
use crate::codec::{Array, Codec, Coded, Layout, field, group};
use spelunk_core::Ty;
use zerocopy::little_endian::U32;

const PAGE: &str = "docs/formats/classes/base.md#ckgroup";

/// A group of objects.
#[derive(Clone, Debug, Default)]
pub struct Group {
    /// State of the base class.
    pub be_object: BeObject,
    /// The members, null ones among them; `None` for an empty group.
    pub members: Option<Array<U32>>,
}

impl Layout for Group {
    fn layout<C: Codec>(&mut self, c: &mut C) -> Coded<C> {
        self.be_object.layout(c)?;
        c.section(0xFFFFF, group!("group", "The members."), &mut self.members, |c, members| {
            c.objects(field!("members", Ty::U32, "Any objects with behaviour."), members)
        })
    }
}

impl Fresh for Group {
    fn fresh(host: &Host) -> Group {
        Group { be_object: Fresh::fresh(host), members: None }
    }
}
