//! `CKTargetCamera` (`docs/formats/classes/entities.md#cktargetcamera`).

use super::{
    camera::Camera,
    fresh::{Fresh, Host},
};
use crate::codec::{Codec, Coded, Layout, Reference, field, group};
use spelunk_core::Ty;

const PAGE: &str = "docs/formats/classes/entities.md#cktargetcamera";

/// A camera that looks at an entity.
#[derive(Clone, Debug, Default)]
pub struct TargetCamera {
    /// State of the base class.
    pub camera: Camera,
    /// Entity that the camera looks at.
    pub target: Option<Reference>,
}

impl Layout for TargetCamera {
    fn layout<C: Codec>(&mut self, c: &mut C) -> Coded<C> {
        self.camera.layout(c)?;
        c.section(
            0x1000_0000,
            group!("target", "What it looks at."),
            &mut self.target,
            |c, target| c.object(field!("target", Ty::U32, "The entity."), target),
        )
    }
}

impl Fresh for TargetCamera {
    fn fresh(host: &Host) -> TargetCamera {
        TargetCamera { camera: Fresh::fresh(host), target: Some(host.null()) }
    }
}
