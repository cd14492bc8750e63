//! Properties that glTF has no place for, as `extras` (`docs/export.md#extras`). 32-bit words are strings of eight digits.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};
use serde_json::Value;
use virtools::{
    class::{camera::Projection, light::LightData, material::MaterialData, scene::Environment},
    scene::material,
};

/// A position in a list of the document.
pub type Index = usize;

/// Images of the three axes, in the space of the document.
pub type Axes = [[f32; 3]; 3];

/// A dword whose bits mean something.
#[derive(Clone, Copy, Default, Debug)]
pub struct Word(pub u32);

impl Serialize for Word {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(&format_args!("0x{:08x}", self.0))
    }
}

impl<'de> Deserialize<'de> for Word {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Word, D::Error> {
        let text = String::deserialize(from)?;
        let digits = text.strip_prefix("0x").unwrap_or(&text);
        u32::from_str_radix(digits, 16).map(Word).map_err(D::Error::custom)
    }
}

/// Whether something is so. Editors make numbers of it.
fn flag<'de, D: Deserializer<'de>>(from: D) -> Result<bool, D::Error> {
    let value = Value::deserialize(from)?;
    value
        .as_bool()
        .or_else(|| Some(value.as_f64()? != 0.0))
        .ok_or_else(|| D::Error::custom("no flag"))
}

/// Names: a list of them, or a single one.
fn names<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<String>, D::Error> {
    match Value::deserialize(from)? {
        Value::String(name) => Ok(vec![name]),
        value => Vec::deserialize(value).map_err(D::Error::custom),
    }
}

/// Properties under the key `virtools`.
#[derive(Serialize, Deserialize, Default, Debug)]
pub struct Of<T> {
    pub virtools: T,
}

impl<T> Of<T> {
    pub const fn new(virtools: T) -> Of<T> {
        Of { virtools }
    }
}

/// Of the whole document.
#[derive(Serialize, Deserialize, Default, Debug)]
#[serde(default)]
pub struct RootExtras {
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub groups: Vec<Group>,
}

/// A group, with the members that are entities, by their nodes, and the others.
#[derive(Serialize, Deserialize, Default, Debug)]
#[serde(default)]
pub struct Group {
    pub index: u32,
    pub name: String,
    pub nodes: Vec<Index>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub others: Vec<Member>,
}

/// An object that is no node.
#[derive(Serialize, Deserialize, Default, Debug)]
#[serde(default)]
pub struct Member {
    pub index: u32,
    pub class: String,
    pub name: String,
}

/// Of the scene.
#[derive(Serialize, Deserialize, Default, Debug)]
#[serde(default)]
pub struct Scene {
    pub virtools: SceneState,
}

/// Properties of a scene.
#[derive(Serialize, Deserialize, Default, Debug)]
#[serde(default)]
pub struct SceneState {
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub surroundings: Option<Surroundings>,
    /// The groups once more: editors keep the `extras` of scenes, and not those of documents, and they give
    /// nodes other numbers.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub groups: Vec<SceneGroup>,
}

/// A group, with the positions of all members in the object table.
#[derive(Serialize, Deserialize, Default, Debug)]
#[serde(default)]
pub struct SceneGroup {
    pub name: String,
    pub members: Vec<u32>,
}

/// Surroundings of everything: background, ambient light and fog.
#[derive(Serialize, Deserialize, Default, Debug)]
#[serde(default)]
pub struct Surroundings {
    pub background_color: Word,
    pub ambient_color: Word,
    pub fog_mode: u32,
    pub fog_color: Word,
    pub fog_start: f32,
    pub fog_end: f32,
    pub fog_density: f32,
}

impl Surroundings {
    pub const fn of(from: &Environment) -> Surroundings {
        Surroundings {
            background_color: Word(from.background_color),
            ambient_color: Word(from.ambient_color),
            fog_mode: from.fog_mode,
            fog_color: Word(from.fog_color),
            fog_start: from.fog_start,
            fog_end: from.fog_end,
            fog_density: from.fog_density,
        }
    }
}

/// Of a node.
#[derive(Serialize, Deserialize, Default, Debug)]
#[serde(default)]
pub struct Node {
    /// Whether the entity is hidden.
    #[serde(skip_serializing_if = "std::ops::Not::not", deserialize_with = "flag")]
    pub hidden: bool,
    /// The names of the groups that it is in.
    #[serde(skip_serializing_if = "<[_]>::is_empty", deserialize_with = "names")]
    pub groups: Vec<String>,
    pub virtools: Entity,
}

impl Node {
    /// Whether the node is of no object.
    pub fn is_empty(&self) -> bool {
        self.virtools.class.is_empty()
    }
}

/// Stored state of an entity.
#[derive(Serialize, Deserialize, Default, Debug)]
#[serde(default)]
pub struct Entity {
    pub index: u32,
    pub class: String,
    /// Name of the entity: editors put numbers behind names that they know already.
    pub name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub flags: Option<Word>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moveable_flags: Option<Word>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub z_order: Option<i32>,
    /// The four rows of the world matrix without their fourth column, which is that of all matrices.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub matrix: Option<[[f32; 3]; 4]>,
    /// The part of that matrix that no node can have, to be applied before the rest: three axes. The vertices of a mesh
    /// that is drawn have gone by it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shear: Option<Axes>,
    /// The parent, where the node cannot be below it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent: Option<u32>,
    /// The name of the mesh, where there is nothing of it to be drawn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mesh: Option<String>,
    /// All meshes, where there are others than the one that is drawn.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub meshes: Vec<String>,
    /// Whether what stands below it is hidden with it.
    #[serde(skip_serializing_if = "std::ops::Not::not", deserialize_with = "flag")]
    pub hides_children: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not", deserialize_with = "flag")]
    pub skin: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub camera: Option<Camera>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub light: Option<Light>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub curve: Option<Curve>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub point: Option<Point>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sprite: Option<Sprite>,
}

/// Stored state of a camera.
#[derive(Serialize, Deserialize, Default, Debug)]
#[serde(default)]
pub struct Camera {
    pub projection: u32,
    pub fov: f32,
    pub zoom: f32,
    /// Width and height of what it shows.
    pub aspect: [u32; 2],
    pub near_plane: f32,
    pub far_plane: f32,
}

impl Camera {
    pub const fn of(from: &Projection) -> Camera {
        Camera {
            projection: from.projection,
            fov: from.fov,
            zoom: from.zoom,
            aspect: [from.width(), from.height()],
            near_plane: from.near_plane,
            far_plane: from.far_plane,
        }
    }

    pub fn projection(&self) -> Projection {
        let [width, height] = self.aspect.map(|side| side & 0xFFFF);
        Projection {
            projection: self.projection,
            fov: self.fov,
            zoom: self.zoom,
            aspect: width | height << 16,
            near_plane: self.near_plane,
            far_plane: self.far_plane,
        }
    }
}

/// Stored state of a light.
#[derive(Serialize, Deserialize, Default, Debug)]
#[serde(default)]
pub struct Light {
    pub kind_and_flags: Word,
    pub color: Word,
    pub attenuation: [f32; 3],
    pub range: f32,
    pub power: f32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub falloff: Option<f32>,
    /// The inner and the outer angle of a spot, from side to side.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cone: Option<[f32; 2]>,
}

impl Light {
    pub fn of(light: &LightData, power: f32) -> Light {
        Light {
            kind_and_flags: Word(light.kind_and_flags),
            color: Word(light.color),
            attenuation: light.attenuation,
            range: light.range,
            power,
            falloff: light.spot.map(|spot| spot.falloff),
            cone: light.spot.map(|spot| [spot.inner_cone, spot.outer_cone]),
        }
    }
}

/// Stored state of a curve.
#[derive(Serialize, Deserialize, Default, Debug)]
#[serde(default)]
pub struct Curve {
    pub points: Vec<u32>,
    pub fitting: f32,
    pub steps: u32,
    #[serde(deserialize_with = "flag")]
    pub closed: bool,
}

/// Stored state of a point of a curve.
#[derive(Serialize, Deserialize, Default, Debug)]
#[serde(default)]
pub struct Point {
    /// As it is stored. Documents of before had another name for it.
    #[serde(alias = "use_tcb", deserialize_with = "flag")]
    pub use_tangents: bool,
    #[serde(deserialize_with = "flag")]
    pub linear: bool,
    pub tcb: [f32; 3],
    pub tangent_in: [f32; 3],
    pub tangent_out: [f32; 3],
}

/// Stored state of a sprite.
#[derive(Serialize, Deserialize, Default, Debug)]
#[serde(default)]
pub struct Sprite {
    pub mode: u32,
    pub half_size: [f32; 2],
    pub offset: [f32; 2],
    pub uv: [f32; 4],
    #[serde(skip_serializing_if = "Option::is_none")]
    pub material: Option<Material>,
}

/// Stored state of a mesh.
#[derive(Serialize, Deserialize, Default, Debug)]
#[serde(default)]
pub struct Mesh {
    pub index: u32,
    pub name: String,
    pub flags: Word,
    pub save_flags: Word,
    /// The names of the materials of all slots; none is empty, for editors make text of lists with `null` in them.
    pub slots: Vec<String>,
    /// The colour of all vertices.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub color: Option<Word>,
    /// The colour of highlights of all vertices.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub specular: Option<Word>,
    /// The texture coordinates of all vertices, where they are not among the attributes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uv: Option<[f32; 2]>,
    /// The shear of its entity, by which the vertices have gone: the attributes `_POSITION` and `_NORMAL` hold where they were.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shear: Option<Axes>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub channels: Vec<Channel>,
}

/// Stored state of a channel.
#[derive(Serialize, Deserialize, Default, Debug)]
#[serde(default)]
pub struct Channel {
    pub flags: Word,
    pub source_blend: u32,
    pub destination_blend: u32,
    /// Number of the set of texture coordinates that is its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub texcoord: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub material: Option<Material>,
}

/// Stored state of faces.
#[derive(Serialize, Deserialize, Default, Debug)]
#[serde(default)]
pub struct Primitive {
    /// The material slot.
    pub slot: usize,
}

/// Stored state of a material.
#[derive(Serialize, Deserialize, Default, Debug)]
#[serde(default)]
pub struct Material {
    pub index: u32,
    pub name: String,
    pub diffuse: Word,
    pub ambient: Word,
    pub specular: Word,
    pub emissive: Word,
    pub specular_power: f32,
    pub border_color: Word,
    pub modes: Word,
    pub flags: Word,
    #[serde(skip_serializing_if = "is_zero")]
    pub effect: u32,
    /// The textures. Editors keep the `extras` of materials, and not those of textures.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub textures: Vec<MaterialTexture>,
}

/// A texture of a material; without a name where there is none.
#[derive(Serialize, Deserialize, Default, Debug)]
#[serde(default)]
pub struct MaterialTexture {
    #[serde(skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// Origin of the picture.
    #[serde(flatten)]
    pub image: Image,
    /// Whether it has neither picture nor file, or a picture that cannot be read: the document has none of it then.
    #[serde(skip_serializing_if = "std::ops::Not::not", deserialize_with = "flag")]
    pub absent: bool,
    /// Stored state of the texture.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stored: Option<Texture>,
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

impl Material {
    /// Returns the stored state of a material, with that of its textures, which `texture` returns.
    pub fn of(
        index: u32,
        from: &material::Material,
        name: &dyn Fn(u32) -> String,
        texture: &dyn Fn(u32) -> MaterialTexture,
    ) -> Material {
        let MaterialData { specular_power, .. } = from.data;
        let count = from.textures.iter().rposition(Option::is_some).map_or(0, |last| last + 1);
        let textures = from.textures.iter().take(count);
        Material {
            index,
            name: name(index),
            diffuse: Word(from.data.diffuse),
            ambient: Word(from.data.ambient),
            specular: Word(from.data.specular),
            emissive: Word(from.data.emissive),
            specular_power,
            border_color: Word(from.data.border_color),
            modes: Word(from.data.modes),
            flags: Word(from.data.flags),
            effect: from.effect,
            textures: textures
                .map(|it| it.map_or_else(MaterialTexture::default, texture))
                .collect(),
        }
    }
}

/// Stored state of a texture.
#[derive(Serialize, Deserialize, Clone, Default, Debug)]
#[serde(default)]
pub struct Texture {
    pub index: u32,
    pub flags: Word,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub video_format: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub transparent_color: Option<[u8; 3]>,
    pub slots: usize,
    pub current_slot: usize,
    #[serde(skip_serializing_if = "std::ops::Not::not", deserialize_with = "flag")]
    pub cube: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub movie: Option<String>,
}

/// Origin of an image.
#[derive(Serialize, Deserialize, Clone, Default, Debug)]
#[serde(default)]
pub struct Image {
    /// The name of its file.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub file: String,
    /// Whether that was not found, so that a white pixel stands in its place.
    #[serde(skip_serializing_if = "std::ops::Not::not", deserialize_with = "flag")]
    pub missing: bool,
    /// Whether the picture was in the container, and not in that file.
    #[serde(skip_serializing_if = "std::ops::Not::not", deserialize_with = "flag")]
    pub embedded: bool,
}

/// Stored state of an animation.
#[derive(Serialize, Deserialize, Default, Debug)]
#[serde(default)]
pub struct Animation {
    pub index: u32,
    pub class: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub flags: Option<Word>,
    /// The entity that moves as a whole, by its position.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub root: Option<u32>,
    /// In frames.
    pub length: f32,
    /// Frames in a second, where it is linked to it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub frame_rate: Option<f32>,
}
