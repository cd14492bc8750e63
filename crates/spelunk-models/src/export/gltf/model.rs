//! The objects of glTF 2.0 that are written, named as its specification names them.
//!
//! `serde` turns these structs into JSON. What they make is checked by the validator of the Khronos Group, which all models of the tests
//! go through where Node.js is installed.

use crate::gltf::{
    extras::{self, Index},
    surface::Sampler,
};
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;

/// Whether a list is left out.
fn none<T>(list: &[T]) -> bool {
    list.is_empty()
}

/// Whether a name is left out.
fn unnamed(name: &str) -> bool {
    name.is_empty()
}

/// The whole document.
#[derive(Serialize, Default, Debug)]
#[serde(rename_all = "camelCase")]
pub struct Root {
    pub asset: Asset,
    #[serde(skip_serializing_if = "none")]
    pub extensions_used: Vec<&'static str>,
    pub scene: Index,
    pub scenes: Vec<Scene>,
    #[serde(skip_serializing_if = "none")]
    pub nodes: Vec<Node>,
    #[serde(skip_serializing_if = "none")]
    pub meshes: Vec<Mesh>,
    #[serde(skip_serializing_if = "none")]
    pub materials: Vec<Material>,
    #[serde(skip_serializing_if = "none")]
    pub textures: Vec<Texture>,
    #[serde(skip_serializing_if = "none")]
    pub images: Vec<Image>,
    #[serde(skip_serializing_if = "none")]
    pub samplers: Vec<Sampler>,
    #[serde(skip_serializing_if = "none")]
    pub cameras: Vec<Camera>,
    #[serde(skip_serializing_if = "none")]
    pub animations: Vec<Animation>,
    #[serde(skip_serializing_if = "none")]
    pub accessors: Vec<Accessor>,
    #[serde(skip_serializing_if = "none")]
    pub buffer_views: Vec<BufferView>,
    #[serde(skip_serializing_if = "none")]
    pub buffers: Vec<Buffer>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub extensions: Option<RootExtensions>,
    pub extras: extras::RootExtras,
}

#[derive(Serialize, Debug)]
pub struct Asset {
    pub version: &'static str,
    pub generator: &'static str,
}

impl Default for Asset {
    fn default() -> Asset {
        Asset { version: "2.0", generator: concat!("spelunk ", env!("CARGO_PKG_VERSION")) }
    }
}

#[derive(Serialize, Default, Debug)]
pub struct Scene {
    pub nodes: Vec<Index>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub extras: Option<extras::Scene>,
}

#[derive(Serialize, Default, Debug)]
pub struct Node {
    #[serde(skip_serializing_if = "unnamed")]
    pub name: String,
    #[serde(skip_serializing_if = "none")]
    pub children: Vec<Index>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub translation: Option<[f32; 3]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rotation: Option<[f32; 4]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scale: Option<[f32; 3]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mesh: Option<Index>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub camera: Option<Index>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub extensions: Option<NodeExtensions>,
    #[serde(skip_serializing_if = "extras::Node::is_empty")]
    pub extras: extras::Node,
}

#[derive(Serialize, Debug)]
pub struct NodeExtensions {
    #[serde(rename = "KHR_lights_punctual")]
    pub lights: LightOf,
}

#[derive(Serialize, Debug)]
pub struct LightOf {
    pub light: Index,
}

#[derive(Serialize, Default, Debug)]
pub struct RootExtensions {
    #[serde(rename = "KHR_lights_punctual")]
    pub lights: Lights,
}

#[derive(Serialize, Default, Debug)]
pub struct Lights {
    pub lights: Vec<Light>,
}

#[derive(Serialize, Debug)]
pub struct Light {
    #[serde(skip_serializing_if = "unnamed")]
    pub name: String,
    #[serde(rename = "type")]
    pub kind: &'static str,
    pub color: [f32; 3],
    pub intensity: f32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub range: Option<f32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spot: Option<Spot>,
}

#[derive(Serialize, Debug)]
#[serde(rename_all = "camelCase")]
pub struct Spot {
    pub inner_cone_angle: f32,
    pub outer_cone_angle: f32,
}

#[derive(Serialize, Debug)]
pub struct Mesh {
    #[serde(skip_serializing_if = "unnamed")]
    pub name: String,
    pub primitives: Vec<Primitive>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub extras: Option<extras::Of<extras::Mesh>>,
}

#[derive(Serialize, Debug)]
pub struct Primitive {
    pub attributes: BTreeMap<String, Index>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub indices: Option<Index>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub material: Option<Index>,
    /// 1 lines, 3 one line through all, 4 triangles.
    pub mode: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub extras: Option<extras::Of<extras::Primitive>>,
}

#[derive(Serialize, Default, Debug)]
#[serde(rename_all = "camelCase")]
pub struct Material {
    #[serde(skip_serializing_if = "unnamed")]
    pub name: String,
    pub pbr_metallic_roughness: Pbr,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub emissive_factor: Option<[f32; 3]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alpha_mode: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alpha_cutoff: Option<f32>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub double_sided: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub extensions: Option<MaterialExtensions>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub extras: Option<extras::Of<extras::Material>>,
}

#[derive(Serialize, Default, Debug)]
#[serde(rename_all = "camelCase")]
pub struct Pbr {
    pub base_color_factor: [f32; 4],
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base_color_texture: Option<TextureInfo>,
    pub metallic_factor: f32,
    pub roughness_factor: f32,
}

#[derive(Serialize, Debug)]
pub struct TextureInfo {
    pub index: Index,
}

#[derive(Serialize, Debug)]
pub struct MaterialExtensions {
    #[serde(rename = "KHR_materials_unlit")]
    pub unlit: Unlit,
}

#[derive(Serialize, Debug)]
pub struct Unlit {}

#[derive(Serialize, Debug)]
pub struct Texture {
    #[serde(skip_serializing_if = "unnamed")]
    pub name: String,
    pub sampler: Index,
    pub source: Index,
    pub extras: extras::Of<extras::Texture>,
}

#[derive(Serialize, Debug)]
#[serde(rename_all = "camelCase")]
pub struct Image {
    #[serde(skip_serializing_if = "unnamed")]
    pub name: String,
    pub mime_type: &'static str,
    pub buffer_view: Index,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub extras: Option<extras::Of<extras::Image>>,
}

#[derive(Serialize, Debug)]
pub struct Camera {
    #[serde(skip_serializing_if = "unnamed")]
    pub name: String,
    #[serde(rename = "type")]
    pub kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub perspective: Option<Perspective>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub orthographic: Option<Orthographic>,
}

#[derive(Serialize, Debug)]
#[serde(rename_all = "camelCase")]
pub struct Perspective {
    pub aspect_ratio: f32,
    pub yfov: f32,
    pub znear: f32,
    pub zfar: f32,
}

#[derive(Serialize, Debug)]
pub struct Orthographic {
    pub xmag: f32,
    pub ymag: f32,
    pub znear: f32,
    pub zfar: f32,
}

#[derive(Serialize, Debug)]
pub struct Animation {
    #[serde(skip_serializing_if = "unnamed")]
    pub name: String,
    pub channels: Vec<Channel>,
    pub samplers: Vec<AnimationSampler>,
    pub extras: extras::Of<extras::Animation>,
}

#[derive(Serialize, Debug)]
pub struct Channel {
    pub sampler: Index,
    pub target: ChannelTarget,
}

#[derive(Serialize, Debug)]
pub struct ChannelTarget {
    pub node: Index,
    pub path: &'static str,
}

#[derive(Serialize, Debug)]
pub struct AnimationSampler {
    pub input: Index,
    pub output: Index,
    pub interpolation: &'static str,
}

/// Type of the numbers of an accessor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u32)]
pub enum ComponentType {
    U16 = 5123,
    U32 = 5125,
    F32 = 5126,
}

impl Serialize for ComponentType {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_u32(*self as u32)
    }
}

#[derive(Serialize, Debug)]
#[serde(rename_all = "camelCase")]
pub struct Accessor {
    pub buffer_view: Index,
    pub component_type: ComponentType,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub normalized: bool,
    pub count: usize,
    #[serde(rename = "type")]
    pub kind: &'static str,
    #[serde(skip_serializing_if = "none")]
    pub min: Vec<f32>,
    #[serde(skip_serializing_if = "none")]
    pub max: Vec<f32>,
}

#[derive(Serialize, Debug)]
#[serde(rename_all = "camelCase")]
pub struct BufferView {
    pub buffer: Index,
    pub byte_offset: usize,
    pub byte_length: usize,
    /// 34962 vertices, 34963 indices.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<u32>,
}

#[derive(Serialize, Debug)]
#[serde(rename_all = "camelCase")]
pub struct Buffer {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uri: Option<String>,
    pub byte_length: usize,
}
