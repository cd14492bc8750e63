//! The render manager (`docs/formats/classes/managers.md#render-manager`).

use crate::codec::{Codec, Coded, Layout, field, group};
use spelunk_core::Ty;

const PAGE: &str = "docs/formats/classes/managers.md#render-manager";

/// GUID of the render manager.
pub const GUID: [u32; 2] = [0xA213_C8D5, 0];

/// The size of the view in which a file was made.
#[derive(Clone, Debug, Default)]
pub struct RenderManager {
    /// Width and height, in pixels.
    pub view_size: Option<[f32; 2]>,
}

impl Layout for RenderManager {
    fn layout<C: Codec>(&mut self, c: &mut C) -> Coded<C> {
        c.section(
            0xA213_C8D5,
            group!("view", "The view in which the file was made."),
            &mut self.view_size,
            |c, size| {
                const PAIR: Ty = Ty::Array(&Ty::F32, 2);
                c.item(field!("size", PAIR, "Width, height.", unit("pixels")), size)
            },
        )
    }
}
