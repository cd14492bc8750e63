//! States of objects and managers, by their classes.

use super::renew::{Old, Renew, Renewed};
use super::{
    animation::Animation,
    attribute_manager::{self, AttributeManager},
    behavior::Behavior,
    behavior_io::BehaviorIo,
    behavior_link::BehaviorLink,
    behavior_manager::{self, BehaviorManager},
    body_part::BodyPart,
    camera::Camera,
    character::Character,
    critical_section::CriticalSection,
    curve::Curve,
    curve_point::CurvePoint,
    data_array::DataArray,
    entity_2d::Entity2d,
    entity_3d::Entity3d,
    fresh::{Fresh, Host, check_objects},
    grid::Grid,
    group::Group,
    interface_object_manager::InterfaceObjectManager,
    keyed_animation::KeyedAnimation,
    kinematic_chain::KinematicChain,
    layer::Layer,
    level::Level,
    light::Light,
    material::Material,
    mesh::Mesh,
    message_manager::{self, MessageManager},
    midi_sound::MidiSound,
    object::Object,
    object_animation::ObjectAnimation,
    parameter::Parameter,
    parameter_in::ParameterIn,
    parameter_local::ParameterLocal,
    parameter_operation::ParameterOperation,
    parameter_out::ParameterOut,
    patch_mesh::PatchMesh,
    place::Place,
    render_manager::{self, RenderManager},
    scene::Scene,
    sound::Sound,
    sprite::Sprite,
    sprite_3d::Sprite3d,
    sprite_text::SpriteText,
    state::State,
    synchro::Synchro,
    target_camera::TargetCamera,
    target_light::TargetLight,
    texture::Texture,
    texture_font_manager::{self, TextureFontManager},
    time_manager::{self, TimeManager},
    variable_manager::{self, VariableManager},
    wave_sound::WaveSound,
};
use crate::codec::{Codec, Coded, Layout, Saved};
use spelunk_core::scalar::Guid;
use std::fmt;

mod sealed {
    pub trait Sealed {}
}

/// A class of objects, by the struct of what its objects save: [`Mesh`], [`Material`], [`Texture`] and so on.
pub trait ClassValue: sealed::Sealed + Default {
    /// The ids of the classes that save it.
    const IDS: &'static [u32];

    /// Returns the state of this class, where the value is one.
    fn of(value: Value) -> Option<Self>;
}

/// Takes large values out of their boxes.
trait Unboxed<T> {
    fn unboxed(self) -> T;
}

impl<T> Unboxed<T> for T {
    fn unboxed(self) -> T {
        self
    }
}

impl<T> Unboxed<T> for Box<T> {
    fn unboxed(self) -> T {
        *self
    }
}

/// Most boxes that a [`ValuePool`] keeps, of all classes together: some megabytes.
const MOST_KEPT: usize = 1 << 14;

/// State of a class as a [`Value`] holds it: in its place, or in a box that can be used again.
trait Held: Default {
    /// Boxes that are kept.
    type Kept: Default + fmt::Debug;

    /// Whether there is a box.
    const IS_BOXED: bool;

    /// Keeps the box, emptied, where fewer than [`MOST_KEPT`] are `held`.
    fn keep(self, kept: &mut Self::Kept, held: &mut usize);

    /// Returns an empty state, in a box that was kept where there is one.
    fn take(kept: &mut Self::Kept, held: &mut usize) -> Self;
}

impl<T: Default + fmt::Debug> Held for Box<T> {
    type Kept = Vec<Box<T>>;

    const IS_BOXED: bool = true;

    #[inline]
    fn keep(mut self, kept: &mut Vec<Box<T>>, held: &mut usize) {
        if *held < MOST_KEPT {
            *self = T::default();
            kept.push(self);
            *held = held.saturating_add(1);
        }
    }

    #[inline]
    fn take(kept: &mut Vec<Box<T>>, held: &mut usize) -> Box<T> {
        match kept.pop() {
            Some(state) => {
                *held = held.saturating_sub(1);
                state
            }
            None => Box::default(),
        }
    }
}

macro_rules! values {
    (
        classes { $($class:ident $($id:literal)+: $value:ty,)* }
        managers { $($manager:ident $guid:path => $managed:ty,)* }
    ) => {
        /// State of an object or a manager. Rare and large ones are boxed.
        #[derive(Clone, Debug, Default)]
        #[allow(missing_docs, reason = "each is documented as a type")]
        pub enum Value {
            $($class($value),)*
            $($manager($managed),)*
            /// Of a class that is not known: no section is.
            #[default]
            Unknown,
        }

        impl Value {
            /// An empty value of a class.
            pub fn of_class(id: u32) -> Value {
                match id {
                    $($($id)|+ => Value::$class(Default::default()),)*
                    _ => Value::Unknown,
                }
            }

            /// Becomes an empty value of a class. It is made in its place, for moving it would take longer, and of
            /// what a pool keeps, which keeps what was there.
            #[inline]
            pub(crate) fn start(&mut self, id: u32, pool: &mut ValuePool) {
                pool.keep(self);
                let ValuePool { held, kept } = pool;
                match id {
                    $($($id)|+ => self.put(Value::$class(Held::take(&mut kept.$class, held))),)*
                    _ => {}
                }
            }

            /// The value that a new object of a class is saved with; `None` for classes that are not known, or of
            /// which there are no objects.
            pub fn fresh(id: u32, host: &Host) -> Option<Value> {
                check_objects(id).ok()?;
                Some(match id {
                    $($($id)|+ => Value::$class(Fresh::fresh(host)),)*
                    _ => return None,
                }.framed(id))
            }

            /// An empty value of a manager.
            pub fn of_manager(guid: Guid) -> Value {
                match [guid.d1.get(), guid.d2.get()] {
                    $($guid => Value::$manager(Default::default()),)*
                    _ => Value::Unknown,
                }
            }
        }

        /// Boxes that are kept, by their classes.
        #[derive(Debug, Default)]
        #[allow(non_snake_case, reason = "each is named after its class")]
        struct KeptBoxes {
            $($class: <$value as Held>::Kept,)*
        }

        impl ValuePool {
            /// Empties a value. Its box is kept.
            #[inline]
            fn keep(&mut self, value: &mut Value) {
                let ValuePool { held, kept } = self;
                match value {
                    Value::Unknown => {}
                    $(Value::$class(_) if <$value as Held>::IS_BOXED => {
                        if let Value::$class(state) = std::mem::take(value) {
                            state.keep(&mut kept.$class, held);
                        }
                    })*
                    _ => *value = Value::Unknown,
                }
            }
        }

        $(
            // Where the state lies in a box, that of the box is used.
            impl Held for $class {
                type Kept = ();

                const IS_BOXED: bool = false;

                #[inline]
                fn keep(self, (): &mut (), _: &mut usize) {}

                #[inline]
                fn take((): &mut (), _: &mut usize) -> $class {
                    $class::default()
                }
            }

            impl sealed::Sealed for $class {}

            impl ClassValue for $class {
                const IDS: &'static [u32] = &[$($id),+];

                fn of(value: Value) -> Option<$class> {
                    match value {
                        Value::$class(value) => Some(value.unboxed()),
                        _ => None,
                    }
                }
            }
        )*

        impl Renew for Value {
            fn renew(&mut self, old: &Old) -> Renewed {
                match self {
                    $(Value::$class(value) => value.renew(old),)*
                    // What managers save has versions of its own.
                    $(Value::$manager(_) => Ok(()),)*
                    Value::Unknown => Ok(()),
                }
            }
        }

        impl Layout for Value {
            #[inline]
            fn layout<C: Codec>(&mut self, c: &mut C) -> Coded<C> {
                match self {
                    $(Value::$class(value) => value.layout(c),)*
                    $(Value::$manager(value) => value.layout(c),)*
                    Value::Unknown => Ok(()),
                }
            }
        }
    };
}

/// Memory of values that are no longer needed, by their classes, for values that are read later. It is of use where many
/// objects or files are read one after the other.
#[derive(Debug, Default)]
pub struct ValuePool {
    /// Number of all boxes that are kept.
    held: usize,
    kept: KeptBoxes,
}

impl ValuePool {
    /// Empties a value and keeps its memory. It lets go of the file that it was read from, whose buffers can be
    /// [used again](crate::File::recycle) when all values have.
    pub fn recycle(&mut self, saved: &mut Saved<Value>) {
        saved.extras = None;
        self.keep(&mut saved.value);
    }
}

impl Value {
    /// The two classes that save the same differ in what a new object is: an entity is a frame, an object is none.
    fn framed(self, id: u32) -> Value {
        match self {
            Value::Entity3d(entity) if id == super::ENTITY_3D => {
                Value::Entity3d(Box::new(entity.frame()))
            }
            value => value,
        }
    }

    /// Takes the place of a value that is not known, which holds nothing that would have to be dropped.
    #[inline]
    fn put(&mut self, value: Value) {
        std::mem::forget(std::mem::replace(self, value));
    }
}

values! {
    classes {
        Object 1: Object,
        ParameterIn 2: ParameterIn,
        ParameterOut 3: ParameterOut,
        ParameterOperation 4: Box<ParameterOperation>,
        State 5: State,
        BehaviorLink 6: BehaviorLink,
        Behavior 8: Box<Behavior>,
        BehaviorIo 9: BehaviorIo,
        Scene 10: Box<Scene>,
        KinematicChain 13: KinematicChain,
        ObjectAnimation 15: Box<ObjectAnimation>,
        Animation 16: Box<Animation>,
        KeyedAnimation 18: Box<KeyedAnimation>,
        Synchro 20: Synchro,
        Level 21: Box<Level>,
        Place 22: Box<Place>,
        Group 23: Box<Group>,
        Sound 24: Box<Sound>,
        WaveSound 25: Box<WaveSound>,
        MidiSound 26: Box<MidiSound>,
        Entity2d 27: Box<Entity2d>,
        Sprite 28: Box<Sprite>,
        SpriteText 29: Box<SpriteText>,
        Material 30: Box<Material>,
        Texture 31: Box<Texture>,
        Mesh 32: Box<Mesh>,
        Entity3d 33 41: Box<Entity3d>,
        Camera 34: Box<Camera>,
        TargetCamera 35: Box<TargetCamera>,
        CurvePoint 36: Box<CurvePoint>,
        Sprite3d 37: Box<Sprite3d>,
        Light 38: Box<Light>,
        TargetLight 39: Box<TargetLight>,
        Character 40: Box<Character>,
        BodyPart 42: Box<BodyPart>,
        Curve 43: Box<Curve>,
        ParameterLocal 45: ParameterLocal,
        Parameter 46: Parameter,
        InterfaceObjectManager 48: InterfaceObjectManager,
        CriticalSection 49: CriticalSection,
        Grid 50: Box<Grid>,
        Layer 51: Layer,
        DataArray 52: Box<DataArray>,
        PatchMesh 53: Box<PatchMesh>,
    }
    managers {
        AttributeManager attribute_manager::GUID => AttributeManager,
        BehaviorManager behavior_manager::GUID => BehaviorManager,
        MessageManager message_manager::GUID => MessageManager,
        RenderManager render_manager::GUID => RenderManager,
        TextureFontManager texture_font_manager::GUID => TextureFontManager,
        TimeManager time_manager::GUID => TimeManager,
        VariableManager variable_manager::GUID => VariableManager,
    }
}
