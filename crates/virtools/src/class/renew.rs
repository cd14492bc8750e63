//! What classes saved below the current data version, brought to the current layout
//! (`docs/formats/virtools-classes.md#old-data-versions`).
//!
//! Each class that saves something else now says in its own module what becomes of it, field group by field group; what
//! cannot be said keeps the whole chunk in its old layout. No real file of an old data version was at hand.

use super::{
    animation::Animation, behavior_io::BehaviorIo, body_part::BodyPart, character::Character,
    critical_section::CriticalSection, grid::Grid, group::Group,
    interface_object_manager::InterfaceObjectManager, keyed_animation::KeyedAnimation,
    kinematic_chain::KinematicChain, layer::Layer, level::Level, mesh::Mesh, midi_sound::MidiSound,
    object::Object, parameter::Parameter, parameter_local::ParameterLocal,
    parameter_out::ParameterOut, patch_mesh::PatchMesh, place::Place, sound::Sound,
    sprite_3d::Sprite3d, sprite_text::SpriteText, state::State, synchro::Synchro,
    target_camera::TargetCamera, target_light::TargetLight,
};

/// The data version of what current engines save.
pub const CURRENT: u8 = 10;

/// What is known of a chunk that is brought to the current layout, besides its value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Old {
    /// Data version of the chunk.
    pub(crate) version: u8,
    /// Version of the product that saved the file; 0 where it is not known.
    pub(crate) build: u32,
    /// Whether what the current layout has no place for may be left out.
    pub(crate) lossy: bool,
}

/// Success, or why a value stays in its old layout: what it holds that cannot be brought along.
pub(crate) type Renewed = Result<(), &'static str>;

/// What a class saved below the current data version, in the layout of the current one.
pub(crate) trait Renew {
    /// Moves what old fields hold to the current ones, as engines do when they load and save.
    fn renew(&mut self, old: &Old) -> Renewed;
}

impl<T: Renew> Renew for Box<T> {
    fn renew(&mut self, old: &Old) -> Renewed {
        self.as_mut().renew(old)
    }
}

/// The classes whose own fields are laid out alike in all data versions in which they are known.
macro_rules! as_their_bases {
    ($($class:ty: $($base:ident)?;)*) => {
        $(impl Renew for $class {
            fn renew(&mut self, old: &Old) -> Renewed {
                let _ = old;
                $(self.$base.renew(old)?;)?
                Ok(())
            }
        })*
    };
}

as_their_bases! {
    Object: ;
    State: object;
    BehaviorIo: object;
    ParameterLocal: parameter;
    ParameterOut: parameter;
    Parameter: object;
    InterfaceObjectManager: object;
    CriticalSection: object;
    Synchro: object;
    KinematicChain: object;
    Group: be_object;
    Level: be_object;
    Mesh: be_object;
    PatchMesh: mesh;
    Sound: be_object;
    MidiSound: sound;
    Animation: object;
    KeyedAnimation: animation;
    Layer: object;
    Place: be_object;
    Grid: entity;
    Sprite3d: entity;
    TargetCamera: camera;
    TargetLight: light;
    SpriteText: sprite;
}

impl Renew for Character {
    fn renew(&mut self, old: &Old) -> Renewed {
        self.entity.renew(old)?;
        let running = self.old_animations.is_some() || self.old_running.is_some();
        let others = self.old_root.is_some() || self.old_floor.is_some();
        if running || others || self.old_parts.is_some() {
            return Err("its animations and references are in sections of their own");
        }
        Ok(())
    }
}

impl Renew for BodyPart {
    fn renew(&mut self, old: &Old) -> Renewed {
        self.entity.renew(old)?;
        if self.old_joint.is_some() {
            return Err("its joint is in a section of its own");
        }
        Ok(())
    }
}

/// A colour of four numbers, red, green, blue and alpha from 0 to 1, as a dword: alpha in the high byte, blue in the low one.
pub(crate) fn argb([red, green, blue, alpha]: [f32; 4]) -> u32 {
    // Engines cut the fraction off.
    let byte = |part: f32| (part.clamp(0.0, 1.0) * 255.0) as u8;
    u32::from_be_bytes([alpha, red, green, blue].map(byte))
}
