//! `CKScene` (`docs/formats/classes/scenes.md#ckscene`).

use super::{
    Value,
    be_object::{BeObject, SCENE_FLAGS},
    fresh::{Fresh, Host},
    renew::{Old, Renew, Renewed},
};
use crate::codec::{Array, Codec, Coded, Layout, Reference, Saved, field, group};
use spelunk_core::{Ty, field::ARGB};
use zerocopy::little_endian::U32;

const PAGE: &str = "docs/formats/classes/scenes.md#ckscene";

/// Names of the bits of [`Scene::flags`].
pub const FLAGS: &[(u32, &str)] = &[(1, "launched"), (2, "use environment")];

/// Names of the ways in which fog gets thicker.
pub const FOG_MODES: &[(i64, &str)] =
    &[(0, "none"), (1, "exponential"), (2, "exponential squared"), (3, "linear")];

/// A scene: objects, and how they start.
#[derive(Clone, Debug, Default)]
pub struct Scene {
    /// State of the base class.
    pub be_object: BeObject,
    /// The objects; from data version 1 on.
    pub objects: Option<Box<SceneObjects>>,
    /// Flags of the scene.
    pub flags: Option<u32>,
    /// Background, ambient light and fog of the scene.
    pub environment: Option<Environment>,
}

/// The objects of a scene.
#[derive(Clone, Debug, Default)]
pub struct SceneObjects {
    /// The level that it is a part of.
    pub level: Reference,
    /// The objects.
    pub objects: Array<U32>,
    /// Two for each object: how it starts, and one that is always null in real files.
    pub values: Vec<Option<Box<Saved<InitialValue>>>>,
    /// Flags of each object: [`SCENE_FLAGS`]. Below data version 8 the bits mean something else.
    pub flags: Array<U32>,
}

/// State that an object saved as the value with which it starts, by the class in its chunk.
#[derive(Clone, Debug, Default)]
pub struct InitialValue(pub Value);

impl Layout for InitialValue {
    fn layout<C: Codec>(&mut self, c: &mut C) -> Coded<C> {
        if matches!(self.0, Value::Unknown) {
            self.0 = Value::of_class(c.header().class_id);
        }
        self.0.layout(c)
    }
}

/// Background, ambient light and fog of a scene.
#[derive(Clone, Debug, Default)]
pub struct Environment {
    /// Behind everything: alpha, red, green, blue from the high byte down.
    pub background_color: u32,
    /// The light that is everywhere, as the background colour.
    pub ambient_color: u32,
    /// See [`FOG_MODES`].
    pub fog_mode: u32,
    /// Colour of the fog, as the background colour.
    pub fog_color: u32,
    /// Distance at which linear fog starts.
    pub fog_start: f32,
    /// Distance at which linear fog is thickest.
    pub fog_end: f32,
    /// Density of other fog.
    pub fog_density: f32,
    /// The texture behind everything.
    pub background_texture: Reference,
    /// The camera that is used first.
    pub starting_camera: Reference,
}

impl Layout for Scene {
    fn layout<C: Codec>(&mut self, c: &mut C) -> Coded<C> {
        self.be_object.layout(c)?;
        let known = c.version() >= 1;
        if c.when(known, "data version 1 and later") {
            c.section(0x2_0000, group!("objects", "The objects."), &mut self.objects, objects)?;
        }
        c.section(0x4_0000, group!("flags", "What it does."), &mut self.flags, |c, flags| {
            c.item(field!("flags", Ty::Word, "What it does.", bits(FLAGS)), flags)
        })?;
        c.section(
            0x8_0000,
            group!("environment", "What it looks like."),
            &mut self.environment,
            environment,
        )
    }
}

fn objects<C: Codec>(c: &mut C, value: &mut Box<SceneObjects>) -> Coded<C> {
    let SceneObjects { level, objects, values, flags } = value.as_mut();
    c.object(field!("level", Ty::U32, "The level that it is a part of."), level)?;
    let count = c.count(field!("count", Ty::I32, "How many objects follow."), flags.len())?;
    if !c.when(count > 0, "where there are any") {
        return Ok(());
    }
    c.parallel(field!("objects", Ty::U32, "The objects."), objects)?;
    c.sub_chunks(group!("values", "Two for each: how it starts, and none."), values)?;
    let field = field!("flags", Ty::Word, "What happens to each object.", bits(SCENE_FLAGS));
    c.array(field, count, flags)
}

fn environment<C: Codec>(c: &mut C, value: &mut Environment) -> Coded<C> {
    let field = field!("background_color", Ty::Word, "Alpha, red, green, blue.", unit(ARGB));
    c.item(field, &mut value.background_color)?;
    let field = field!("ambient_color", Ty::Word, "The light that is everywhere.", unit(ARGB));
    c.item(field, &mut value.ambient_color)?;
    let field = field!("fog_mode", Ty::U32, "How fog gets thicker.", values(FOG_MODES));
    c.item(field, &mut value.fog_mode)?;
    c.item(field!("fog_color", Ty::Word, "Colour of the fog.", unit(ARGB)), &mut value.fog_color)?;
    let field = field!("fog_start", Ty::F32, "Where linear fog starts.");
    c.item(field, &mut value.fog_start)?;
    let field = field!("fog_end", Ty::F32, "Where linear fog is thickest.");
    c.item(field, &mut value.fog_end)?;
    let field = field!("fog_density", Ty::F32, "How thick other fog is.");
    c.item(field, &mut value.fog_density)?;
    let field = field!("background_texture", Ty::U32, "What is behind everything.");
    c.object(field, &mut value.background_texture)?;
    let field = field!("starting_camera", Ty::U32, "The camera that is used first.");
    c.object(field, &mut value.starting_camera)
}

/// The bits of [`Scene::flags`].
const LAUNCHED: u32 = 1;
const USES_ENVIRONMENT: u32 = 2;

impl Fresh for Scene {
    fn fresh(host: &Host) -> Scene {
        Scene {
            // Scenes have no place in another scene.
            be_object: BeObject::default(),
            objects: Some(Box::new(SceneObjects { level: host.null(), ..SceneObjects::default() })),
            flags: Some(LAUNCHED | USES_ENVIRONMENT),
            environment: Some(Environment {
                background_color: 0xFF80_8080,
                ambient_color: 0x000F_0F0F,
                fog_end: 100.0,
                fog_start: 1.0,
                fog_density: 1.0,
                background_texture: host.null(),
                starting_camera: host.null(),
                ..Environment::default()
            }),
        }
    }
}

impl Renew for Scene {
    fn renew(&mut self, old: &Old) -> Renewed {
        const EXPONENTIAL_IS_EXPONENTIAL: u32 = 0x0201_0000;
        if old.version == 0 {
            return Err("engines refuse scenes of data version 0");
        }
        self.be_object.renew(old)?;
        let objects = self.objects.as_mut().filter(|_| old.version < 8);
        if let Some(objects) = objects {
            for flags in objects.flags.to_mut() {
                let now = flags.get();
                let reset = if now & 0x2 == 0 { 0 } else { 0x40 };
                let start = if now & 0x1 == 0 { 0x10 } else { 0x01 };
                *flags = U32::new(now & 0x8 | reset | start);
            }
        }
        let environment = self.environment.as_mut();
        if let Some(environment) = environment.filter(|it| matches!(it.fog_mode, 1 | 2)) {
            match old.build {
                0 => return Err("its fog depends on the product, which is not known"),
                1..EXPONENTIAL_IS_EXPONENTIAL => environment.fog_mode = 3,
                _ => {}
            }
        }
        Ok(())
    }
}
