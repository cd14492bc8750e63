//! `CKStateObject` (`docs/formats/classes/misc.md#ckstateobject`).

use super::{
    fresh::{Fresh, Host},
    object::Object,
};
use crate::codec::{Codec, Coded, Layout, field, group};
use spelunk_core::Ty;

const PAGE: &str = "docs/formats/classes/misc.md#ckstateobject";

/// A state that behaviours set and wait for.
#[derive(Clone, Debug, Default)]
pub struct State {
    /// State that every object saves.
    pub object: Object,
    /// Not 0 where it is set.
    pub state: Option<i32>,
}

impl Layout for State {
    fn layout<C: Codec>(&mut self, c: &mut C) -> Coded<C> {
        self.object.layout(c)?;
        c.section(0x10, group!("state", "The state."), &mut self.state, |c, state| {
            c.item(field!("state", Ty::I32, "Not 0 where it is set."), state)
        })
    }
}

impl Fresh for State {
    fn fresh(_: &Host) -> State {
        State { object: Object::default(), state: Some(0) }
    }
}
