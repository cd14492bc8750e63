//! `CKPlace` (`docs/formats/classes/entities.md#ckplace`).

use super::{
    be_object::BeObject,
    fresh::{Fresh, Host},
};
use crate::codec::{Array, Codec, Coded, Layout, Reference, field, group};
use spelunk_core::Ty;
use zerocopy::little_endian::U32;

const PAGE: &str = "docs/formats/classes/entities.md#ckplace";

/// A place: what is drawn together. It saves nothing of an entity.
#[derive(Clone, Debug, Default)]
pub struct Place {
    /// State that objects with behaviour save.
    pub be_object: BeObject,
    /// Camera of the place.
    pub camera: Option<Reference>,
    /// The level that it is a part of.
    pub level: Option<Reference>,
    /// Through what other places are seen. Engines drop those without a place.
    pub portals: Option<Vec<Portal>>,
    /// Entities in the place. Engines of 2.1 read it and never write it.
    pub children: Option<Array<U32>>,
}

/// Through what another place is seen.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Portal {
    /// The other place.
    pub place: Reference,
    /// The entity between them.
    pub portal: Reference,
}

impl Layout for Place {
    fn layout<C: Codec>(&mut self, c: &mut C) -> Coded<C> {
        self.be_object.layout(c)?;
        c.section(0x2000, group!("camera", "Its camera."), &mut self.camera, |c, camera| {
            c.object(field!("camera", Ty::U32, "Its camera."), camera)
        })?;
        c.section(0x8000, group!("level", "Its level."), &mut self.level, |c, level| {
            c.object(field!("level", Ty::U32, "The level that it is a part of."), level)
        })?;
        c.section(0x1000, group!("portals", "Other places."), &mut self.portals, |c, portals| {
            c.counted(
                field!("count", Ty::U32, "How many follow."),
                group!("portals", "Through what other places are seen."),
                portals,
                |c, Portal { place, portal }| {
                    c.object(field!("place", Ty::U32, "The other place."), place)?;
                    c.object(field!("portal", Ty::U32, "What is between them."), portal)
                },
            )
        })?;
        c.section(0x4000, group!("children", "What is in it."), &mut self.children, |c, all| {
            c.objects(field!("children", Ty::U32, "What is in it."), all)
        })
    }
}

impl Fresh for Place {
    fn fresh(host: &Host) -> Place {
        Place {
            be_object: Fresh::fresh(host),
            portals: Some(Vec::new()),
            camera: Some(host.null()),
            level: Some(host.null()),
            ..Place::default()
        }
    }
}
