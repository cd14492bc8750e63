//! `CKCamera` (`docs/formats/classes/entities.md#ckcamera`).

use super::{
    entity_3d::Entity3d,
    fresh::{Fresh, Host},
    renew::{Old, Renew, Renewed},
};
use crate::codec::{Codec, Coded, Layout, field, group};
use spelunk_core::{BitField, Field, Ty};

const PAGE: &str = "docs/formats/classes/entities.md#ckcamera";

/// The width in [`Projection::aspect`].
const WIDTH: BitField = BitField::new("width", 0, 16, "Width of what it shows, such as 4.");
/// The height in [`Projection::aspect`].
const HEIGHT: BitField = BitField::new("height", 16, 16, "Height of what it shows, such as 3.");

/// Names of the projections of a camera.
pub const PROJECTIONS: &[(i64, &str)] = &[(1, "perspective"), (2, "orthographic")];

/// A camera. It looks along its third axis.
#[derive(Clone, Debug, Default)]
pub struct Camera {
    /// State of the base class.
    pub entity: Entity3d,
    /// Projection of the camera.
    pub projection: Option<Projection>,
    /// Below data version 5: the angle that it sees, in radians.
    pub old_fov: Option<f32>,
    /// Below data version 5: how it projects, see [`PROJECTIONS`].
    pub old_projection: Option<u32>,
    /// Below data version 5: the zoom of orthographic projections.
    pub old_zoom: Option<f32>,
    /// Below data version 5: width and height of what it shows.
    pub old_aspect: Option<[i32; 2]>,
    /// Below data version 5: the near and the far plane.
    pub old_planes: Option<[f32; 2]>,
}

/// Projection of a camera.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Projection {
    /// See [`PROJECTIONS`].
    pub projection: u32,
    /// The angle from left to right that it sees, in radians.
    pub fov: f32,
    /// The zoom of orthographic projections.
    pub zoom: f32,
    /// Width and height of what it shows, as stored.
    pub aspect: u32,
    /// Nothing nearer is seen.
    pub near_plane: f32,
    /// Nothing farther is seen.
    pub far_plane: f32,
}

impl Projection {
    /// Whether what is far is small. Engines test the lowest bit of [`Projection::projection`].
    pub const fn is_perspective(&self) -> bool {
        self.projection & 1 != 0
    }

    /// Width of what it shows, in relation to the height.
    pub const fn width(&self) -> u32 {
        WIDTH.of(self.aspect)
    }

    /// Height of what it shows, in relation to the width.
    pub const fn height(&self) -> u32 {
        HEIGHT.of(self.aspect)
    }
}

impl Layout for Camera {
    fn layout<C: Codec>(&mut self, c: &mut C) -> Coded<C> {
        self.entity.layout(c)?;
        c.section(
            0xFC0_0000,
            group!("projection", "How it projects."),
            &mut self.projection,
            |c, value| {
                c.item(mode(), &mut value.projection)?;
                let field = field!("fov", Ty::F32, "From left to right.", unit("radians"));
                c.item(field, &mut value.fov)?;
                c.item(field!("zoom", Ty::F32, "Where orthographic."), &mut value.zoom)?;
                let doc = field!(
                    "aspect",
                    Ty::Word,
                    "Width and height of what it shows, such as 4 and 3.",
                    parts(&[WIDTH, HEIGHT])
                );
                c.item(doc, &mut value.aspect)?;
                let field = field!("near_plane", Ty::F32, "Nothing nearer is seen.");
                c.item(field, &mut value.near_plane)?;
                let field = field!("far_plane", Ty::F32, "Nothing farther is seen.");
                c.item(field, &mut value.far_plane)
            },
        )?;
        self.old(c)
    }
}

impl Camera {
    /// Sections below data version 5.
    fn old<C: Codec>(&mut self, c: &mut C) -> Coded<C> {
        c.section(
            0x40_0000,
            group!("old_fov", "The angle that it sees, below data version 5."),
            &mut self.old_fov,
            |c, fov| c.item(field!("fov", Ty::F32, "The angle.", unit("radians")), fov),
        )?;
        c.section(
            0x80_0000,
            group!("old_projection", "How it projects, below data version 5."),
            &mut self.old_projection,
            |c, projection| c.item(mode(), projection),
        )?;
        c.section(
            0x100_0000,
            group!("old_zoom", "The zoom, below data version 5."),
            &mut self.old_zoom,
            |c, zoom| c.item(field!("zoom", Ty::F32, "Where orthographic."), zoom),
        )?;
        c.section(
            0x200_0000,
            group!("old_aspect", "What it shows, below data version 5."),
            &mut self.old_aspect,
            |c, aspect| c.item(field!("aspect", Ty::Array(&Ty::I32, 2), "Width, height."), aspect),
        )?;
        c.section(
            0x400_0000,
            group!("old_planes", "How far it sees, below data version 5."),
            &mut self.old_planes,
            |c, planes| {
                let field = field!("planes", Ty::Array(&Ty::F32, 2), "Near plane, far plane.");
                c.item(field, planes)
            },
        )
    }
}

fn mode() -> &'static Field {
    field!("projection", Ty::U32, "How it projects.", values(PROJECTIONS))
}

impl Fresh for Camera {
    fn fresh(host: &Host) -> Camera {
        let projection = Some(Projection {
            projection: 1,
            fov: std::f32::consts::FRAC_PI_2,
            zoom: 1.0,
            aspect: 4 | 3 << 16,
            near_plane: 1.0,
            far_plane: 5000.0,
        });
        Camera { entity: Fresh::fresh(host), projection, ..Camera::default() }
    }
}

impl Renew for Camera {
    fn renew(&mut self, old: &Old) -> Renewed {
        self.entity.renew(old)?;
        let all = (
            self.old_fov.take(),
            self.old_projection.take(),
            self.old_zoom.take(),
            self.old_aspect.take(),
            self.old_planes.take(),
        );
        if self.projection.is_some() {
            return Ok(());
        }
        let (fov, projection, zoom, aspect, planes) = match all {
            (None, None, None, None, None) => return Ok(()),
            (Some(fov), Some(projection), Some(zoom), Some(aspect), Some(planes)) => {
                (fov, projection, zoom, aspect, planes)
            }
            _ => return Err("sections of its projection are missing"),
        };
        let [Ok(width), Ok(height)] = aspect.map(u16::try_from) else {
            return Err("width or height of what it shows has more than 16 bits");
        };
        let [near_plane, far_plane] = planes;
        self.projection = Some(Projection {
            projection,
            fov,
            zoom,
            aspect: HEIGHT.put(width.into(), height.into()),
            near_plane,
            far_plane,
        });
        Ok(())
    }
}
