//! `CKTargetLight` (`docs/formats/classes/entities.md#cktargetlight`).

use super::{
    fresh::{Fresh, Host},
    light::Light,
};
use crate::codec::{Codec, Coded, Layout, Reference, field, group};
use spelunk_core::Ty;

const PAGE: &str = "docs/formats/classes/entities.md#cktargetlight";

/// A light that points at an entity.
#[derive(Clone, Debug, Default)]
pub struct TargetLight {
    /// State of the base class.
    pub light: Light,
    /// Entity that the light points at.
    pub target: Option<Reference>,
}

impl Layout for TargetLight {
    fn layout<C: Codec>(&mut self, c: &mut C) -> Coded<C> {
        self.light.layout(c)?;
        c.section(
            0x8000_0000,
            group!("target", "What it points at."),
            &mut self.target,
            |c, target| c.object(field!("target", Ty::U32, "The entity."), target),
        )
    }
}

impl Fresh for TargetLight {
    fn fresh(host: &Host) -> TargetLight {
        TargetLight { light: Fresh::fresh(host), target: Some(host.null()) }
    }
}
