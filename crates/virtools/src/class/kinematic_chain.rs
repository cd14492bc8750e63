//! `CKKinematicChain` (`docs/formats/classes/animations.md#ckkinematicchain`).

use super::{
    fresh::{Fresh, Host},
    object::Object,
};
use crate::codec::{Codec, Coded, Layout, Reference, field, group};
use spelunk_core::Ty;

const PAGE: &str = "docs/formats/classes/animations.md#ckkinematicchain";

/// Body parts that follow the last one of them.
#[derive(Clone, Debug, Default)]
pub struct KinematicChain {
    /// State that every object saves.
    pub object: Object,
    /// The chain.
    pub chain: Option<Chain>,
}

/// The ends of a chain.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Chain {
    /// Null.
    pub reserved: Reference,
    /// The first body part.
    pub start: Reference,
    /// The last body part.
    pub end: Reference,
}

impl Layout for KinematicChain {
    fn layout<C: Codec>(&mut self, c: &mut C) -> Coded<C> {
        self.object.layout(c)?;
        c.section(0xFF, group!("chain", "The ends."), &mut self.chain, |c, chain| {
            let Chain { reserved, start, end } = chain;
            c.object(field!("reserved", Ty::U32, "Null."), reserved)?;
            c.object(field!("start", Ty::U32, "The first body part."), start)?;
            c.object(field!("end", Ty::U32, "The last body part."), end)
        })
    }
}

impl Fresh for KinematicChain {
    fn fresh(host: &Host) -> KinematicChain {
        let chain = Chain { reserved: host.null(), start: host.null(), end: host.null() };
        KinematicChain { object: Object::default(), chain: Some(chain) }
    }
}
