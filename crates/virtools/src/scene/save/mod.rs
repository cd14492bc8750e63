//! The way back: what is saved of what stands in space (`docs/formats/virtools-classes.md#2-classes`).
//!
//! Each part of a scene goes into the value of an object, new or not. What scenes know nothing of, such as scripts and
//! attributes, stays there as it is; what follows from other sections, such as cached render groups, is taken out.

mod animation;
mod entity;
mod mesh;
mod same;

pub use entity::entity_of;
pub use mesh::BUILDS_NORMALS;

use super::material::Material;
use crate::{class, codec::Reference};

/// A reference to an object of the table, or to none.
fn to(index: Option<u32>) -> Reference {
    index.map_or(Reference::null(true), Reference::index)
}

impl Material {
    /// Puts the material in the place of one that was saved. Colours are those of [`Material::data`].
    pub fn save(&self, saved: &mut class::material::Material) {
        let [first, more @ ..] = self.textures.map(to);
        let mut data = self.data;
        data.texture = first;
        saved.data = Some(data);
        saved.old_data = None;
        let several = self.textures.iter().skip(1).any(Option::is_some);
        if several || saved.textures.is_some() {
            saved.textures = Some(more);
        }
        if saved.effect() != self.effect {
            saved.effect = Some(self.effect).filter(|effect| *effect != 0);
            saved.effect_parameter = None;
        }
    }
}
