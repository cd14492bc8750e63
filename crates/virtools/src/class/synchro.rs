//! `CKSynchroObject` (`docs/formats/classes/misc.md#cksynchroobject`).

use super::{
    fresh::{Fresh, Host},
    object::Object,
};
use crate::codec::{Array, Codec, Coded, Layout, field, group};
use spelunk_core::Ty;
use zerocopy::little_endian::U32;

const PAGE: &str = "docs/formats/classes/misc.md#cksynchroobject";

/// A meeting point of objects: all wait until enough have arrived.
#[derive(Clone, Debug, Default)]
pub struct Synchro {
    /// State that every object saves.
    pub object: Object,
    /// Objects that wait.
    pub rendezvous: Option<Rendezvous>,
}

/// Objects that wait at a meeting point.
#[derive(Clone, Debug, Default)]
pub struct Rendezvous {
    /// Number of objects that have to arrive.
    pub max_waiters: i32,
    /// Objects that have arrived.
    pub arrived: Array<U32>,
    /// Objects that have gone on.
    pub passed: Array<U32>,
}

impl Layout for Synchro {
    fn layout<C: Codec>(&mut self, c: &mut C) -> Coded<C> {
        self.object.layout(c)?;
        c.section(0x10, group!("rendezvous", "Who waits."), &mut self.rendezvous, |c, value| {
            let field = field!("max_waiters", Ty::I32, "How many have to arrive.");
            c.item(field, &mut value.max_waiters)?;
            c.objects(field!("arrived", Ty::U32, "Those that have arrived."), &mut value.arrived)?;
            c.objects(field!("passed", Ty::U32, "Those that have gone on."), &mut value.passed)
        })
    }
}

impl Fresh for Synchro {
    fn fresh(_: &Host) -> Synchro {
        Synchro { object: Object::default(), rendezvous: Some(Rendezvous::default()) }
    }
}
