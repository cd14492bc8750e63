//! `CKCriticalSectionObject` (`docs/formats/classes/misc.md#ckcriticalsectionobject`).

use super::{
    fresh::{Fresh, Host},
    object::Object,
};
use crate::codec::{Codec, Coded, Layout, Reference, field, group};
use spelunk_core::Ty;

const PAGE: &str = "docs/formats/classes/misc.md#ckcriticalsectionobject";

/// A place where one object may be at a time.
#[derive(Clone, Debug, Default)]
pub struct CriticalSection {
    /// State that every object saves.
    pub object: Object,
    /// The object that is inside.
    pub inside: Option<Reference>,
}

impl Layout for CriticalSection {
    fn layout<C: Codec>(&mut self, c: &mut C) -> Coded<C> {
        self.object.layout(c)?;
        c.section(0x10, group!("critical_section", "Who is inside."), &mut self.inside, |c, it| {
            c.object(field!("inside", Ty::U32, "The object that is inside."), it)
        })
    }
}

impl Fresh for CriticalSection {
    fn fresh(host: &Host) -> CriticalSection {
        CriticalSection { object: Object::default(), inside: Some(host.null()) }
    }
}
