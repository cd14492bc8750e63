//! Virtools files (`.nmo`, `.cmo`, `.vmo`, `.nms`), as the authoring tools, the players and games such
//! as Ballance store their objects.
//!
//! Every FileVersion from 0 to 9: headers, object table, plugin dependencies, records of managers and objects,
//! included files; and the chunks in which objects save their state, down to identifiers, references and
//! sub-chunks. Real files are of FileVersion 8; all others were tried on files made for tests only. The layout
//! is described in `docs/formats/virtools.md`; the modules under [`file`](mod@file) and [`chunk`] follow its
//! sections in the order in which the bytes lie in the file.
//!
//! * [`File`] is the model. Opening and writing it gives the same bytes for every file that opens.
//! * [`Head`] reads the 64 bytes of the headers alone, for those who look through many files.
//! * [`Virtools`] is the format behind [`Format`](spelunk_core::Format) and
//!   [`Container`](spelunk_core::Container).
//! * [`class`] knows the classes of objects, and of each what its objects save: a value of [`class::Value`].
//! * [`codec`] reads, writes, walks and changes such values; each class describes its layout once.
//! * [`registered`] names what files know by GUID alone: building blocks, managers, operations.
//! * [`script`] puts behaviours, links and parameters together; [`scene`] what stands in space and how it looks;
//!   [`tables`] makes text of data arrays.
//! * [`runtime`] has objects in memory, with ids and names under the rules of engines.
//!
//! ```
//! # let bytes = spelunk_fixtures::samples::level().build().bytes;
//! // `File::open("level.nmo")` reads it from the disk.
//! let file = virtools::File::from_bytes(bytes)?;
//! let mesh = file.get::<virtools::Mesh>("Cube_Mesh")?;
//! assert_eq!(mesh.positions().len(), 8);
//! # Ok::<(), virtools::Error>(())
//! ```
//!
//! With a budget and a sink for findings:
//!
//! ```
//! use spelunk_core::{Budget, Bytes, Strict, Task, limits::Limits};
//! use virtools::File;
//! # let bytes = spelunk_fixtures::samples::level().build().bytes;
//!
//! let mut sink = Strict;
//! let mut task = Task::new(Budget::new(Limits::for_len(bytes.len() as u64)), &mut sink);
//! let file = File::read_from(&Bytes::from(bytes), &mut task)?;
//! for (object, record) in file.table().objects.iter().zip(&file.records(&mut task.budget)?.objects) {
//!     let class = virtools::class::name(object.class_id, file.head().product_build());
//!     let name = file.table().name(object).escape_ascii();
//!     println!("{class} {name}: {} bytes", record.chunk.len);
//! }
//! # Ok::<(), spelunk_core::Error>(())
//! ```
//!
//! What an object saved:
//!
//! ```
//! use spelunk_core::{Budget, Bytes, Strict, Task, limits::Limits};
//! use virtools::{File, class::Value, file::data::Owner};
//! # let bytes = spelunk_fixtures::samples::level().build().bytes;
//!
//! let mut sink = Strict;
//! let mut task = Task::new(Budget::new(Limits::for_len(bytes.len() as u64)), &mut sink);
//! let file = File::read_from(&Bytes::from(bytes), &mut task)?;
//! let mut faults = Vec::new();
//! let saved = file.value(Owner::Object(2), &mut faults, &mut task.budget)?.expect("a chunk");
//! let Value::Mesh(mesh) = saved.value else { panic!("the object is a mesh") };
//! assert!(faults.is_empty());
//! assert_eq!(mesh.faces.map(|faces| faces.len()), Some(12));
//! # Ok::<(), spelunk_core::Error>(())
//! ```

#![forbid(unsafe_code)]
#![deny(clippy::indexing_slicing, clippy::arithmetic_side_effects)]
#![cfg_attr(test, allow(clippy::indexing_slicing, clippy::arithmetic_side_effects))]

pub mod chunk;
pub mod class;
pub mod codec;
pub mod codes;
mod container;
mod edit;
mod entries;
pub mod file;
mod headers;
mod info;
pub mod lint;
mod names;
mod paths;
pub mod profile;
mod refs;
pub mod registered;
pub mod runtime;
pub mod scene;
pub mod script;
pub mod tables;

pub use class::{
    ClassValue,
    animation::Animation,
    behavior::Behavior,
    behavior_io::BehaviorIo,
    behavior_link::BehaviorLink,
    body_part::BodyPart,
    camera::Camera,
    character::Character,
    critical_section::CriticalSection,
    curve::Curve,
    curve_point::CurvePoint,
    data_array::DataArray,
    entity_2d::Entity2d,
    entity_3d::{Entity3d, Entity3d as Entity},
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
    wave_sound::WaveSound,
};
pub use container::{FORMAT, Virtools};
pub use file::{File, header::Head};
pub use spelunk_core::{
    Budget, Bytes, Collect, Error, Finding, Limits, Node, Result, Source, Strict, Task,
    WriteOptions,
};
