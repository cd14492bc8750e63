//! The classes whose own fields are laid out alike in all data versions in which they are known, so that what they saved is
//! brought to the current layout as their bases are.

use super::{
    animation::Animation,
    behavior_io::BehaviorIo,
    critical_section::CriticalSection,
    grid::Grid,
    group::Group,
    interface_object_manager::InterfaceObjectManager,
    keyed_animation::KeyedAnimation,
    kinematic_chain::KinematicChain,
    layer::Layer,
    level::Level,
    mesh::Mesh,
    midi_sound::MidiSound,
    object::Object,
    parameter::Parameter,
    parameter_local::ParameterLocal,
    parameter_out::ParameterOut,
    patch_mesh::PatchMesh,
    place::Place,
    renew::{Old, Renew, Renewed},
    sound::Sound,
    sprite_3d::Sprite3d,
    sprite_text::SpriteText,
    state::State,
    synchro::Synchro,
    target_camera::TargetCamera,
    target_light::TargetLight,
};

/// Implements [`Renew`] for classes as their bases do.
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
