//! Wavefront OBJ with its material file to the space of Virtools: the opposite of what the exporter does. OBJ has no
//! places, so all entities are at the origin.

use super::{
    folder::{SourceFolder, beside},
    gltf::position,
    model::{Entity, Material, Model, Texture},
    obj_text,
    shape::{Shape, Triangle},
};
use crate::gltf::surface::{Alpha, Surface, argb, byte, linear, new_material};
use spelunk_core::{Bytes, Error, Result, Task};
use spelunk_open::codes;
use std::{cell::RefCell, path::Path};
use virtools::scene::material;
use zerocopy::little_endian::{F32, U32};

/// Reads a file. Its material file and textures are looked for in `folder`, and nowhere else.
///
/// # Errors
/// [`BAD_MODEL`](codes::BAD_MODEL) for what is no OBJ; limits; what the sink makes of a finding.
pub fn read(
    file: &Bytes,
    name: &str,
    folder: Option<&SourceFolder>,
    task: &mut Task<'_>,
) -> Result<Model> {
    let (text, until_read) = obj_text::shapes(file, &mut task.budget)?;
    let Loaded { models, materials } = load(&text, folder, task)?;
    let lines = file.split(|byte| *byte == b'\n').filter(|line| line.starts_with(b"l ")).count();
    if lines > 0 {
        task.warn(Error::new(&codes::NOT_IMPORTED).found(format!("{lines} lines")))?;
    }
    let mut model = Model::default();
    match materials {
        Ok(materials) => {
            for from in &materials {
                let material = material_of(from, folder, &mut model, task)?;
                model.materials.push(Material {
                    name: from.name.clone(),
                    index: None,
                    is_of_file: false,
                    material,
                });
            }
        }
        Err(error) => {
            let found = format!("materials: {error}");
            task.warn(Error::new(&codes::NOT_IMPORTED).found(found))?;
        }
    }
    for from in &models {
        let called =
            if from.name.is_empty() || from.name == "unnamed_object" { name } else { &from.name };
        // Each material of an object comes as a model of its own.
        if model.shapes.last().is_none_or(|last| last.name != called) {
            model.shapes.push(Shape {
                name: called.to_owned(),
                slots: vec![None],
                ..Shape::default()
            });
        }
        if let Some(shape) = model.shapes.last_mut() {
            add(&from.mesh, model.materials.len(), shape)?;
        }
    }
    for (shape, at) in model.shapes.iter_mut().zip(0_u32..) {
        fill(shape);
        model.entities.push(Entity::new(shape.name.clone(), Some(at)));
    }
    task.budget.release(until_read);
    Ok(model)
}

/// Parts of a file, each of one object and one material, and the materials, which may be missing.
struct Loaded {
    models: Vec<tobj::Model>,
    materials: std::result::Result<Vec<tobj::Material>, tobj::LoadError>,
}

/// Reads the parts of a file that have faces, and its material file.
fn load(text: &str, folder: Option<&SourceFolder>, task: &mut Task<'_>) -> Result<Loaded> {
    let mut options = tobj::LoadOptions::default();
    (options.triangulate, options.single_index) = (true, true);
    (options.ignore_points, options.ignore_lines) = (true, true);
    // A material file that is not there leaves the shapes.
    let budget = RefCell::new(&mut task.budget);
    let materials = |path: &Path| {
        let missing = Err(tobj::LoadError::OpenFileFailed);
        let Ok(file) = beside(folder, &path.to_string_lossy()) else { return missing };
        let mut budget = budget.borrow_mut();
        let text = file.read(0..file.len(), &mut budget);
        match text.and_then(|text| obj_text::materials(&text, &mut budget)) {
            Ok(text) => tobj::load_mtl_buf(&mut text.as_bytes()),
            Err(_) => missing,
        }
    };
    let loaded = tobj::load_obj_buf(&mut text.as_bytes(), &options, materials);
    let (mut models, materials) = loaded
        .map_err(|error| Error::new(&codes::BAD_MODEL).expected("OBJ").found(error.to_string()))?;
    // What stands behind the last face is a part, too, and mostly empty.
    models.retain(|model| !model.mesh.indices.is_empty());
    if models.is_empty() {
        return Err(Error::new(&codes::BAD_MODEL).expected("an OBJ with faces").found("none"));
    }
    Ok(Loaded { models, materials })
}

/// Gives values to all vertices of a shape that has some for only a part of them, and one for all where it has none.
fn fill(shape: &mut Shape) {
    let all = shape.positions.len();
    for (values, one) in [(&mut shape.colors, WHITE), (&mut shape.specular, 0)] {
        if values.is_empty() {
            values.push(U32::new(one));
        }
        values.resize(if values.len() > 1 { all } else { 1 }, U32::new(one));
    }
    if shape.uv.is_empty() {
        shape.uv.push([F32::ZERO; 2]);
    }
}

/// Opaque white.
const WHITE: u32 = 0xFFFF_FFFF;

/// Adds the faces of one material.
fn add(from: &tobj::Mesh, materials: usize, shape: &mut Shape) -> Result<()> {
    let start = position(shape.positions.len());
    let three = |values: &[f32]| <[f32; 3]>::try_from(values).unwrap_or_default();
    let flipped = |values: &[f32]| {
        let [x, y, z] = three(values);
        [x, y, -z].map(F32::new)
    };
    let before = shape.positions.len();
    shape.positions.extend(from.positions.chunks_exact(3).map(flipped));
    let all = shape.positions.len();
    // One part without normals has those of all others follow from the faces, too.
    let normals = from.normals.chunks_exact(3).map(flipped);
    if normals.len() == all - before && shape.normals.len() == before {
        shape.normals.extend(normals);
    } else {
        shape.normals.clear();
    }
    if !from.texcoords.is_empty() || !shape.uv.is_empty() {
        shape.uv.resize(before, [F32::ZERO; 2]);
        shape.uv.extend(from.texcoords.chunks_exact(2).map(|pair| {
            let [u, v] = <[f32; 2]>::try_from(pair).unwrap_or_default();
            [u, 1.0 - v].map(F32::new)
        }));
        shape.uv.resize(all, [F32::ZERO; 2]);
    }
    if !from.vertex_color.is_empty() || !shape.colors.is_empty() {
        shape.colors.resize(before, U32::new(WHITE));
        shape.colors.extend(from.vertex_color.chunks_exact(3).map(|color| {
            let [red, green, blue] = three(color).map(byte);
            U32::new(u32::from_be_bytes([u8::MAX, red, green, blue]))
        }));
        shape.colors.resize(all, U32::new(WHITE));
    }
    let material = from.material_id.filter(|id| *id < materials).map(position);
    let slot = match material {
        None => 0,
        Some(_) => {
            let known = shape.slots.iter().position(|slot| *slot == material);
            known.unwrap_or_else(|| {
                shape.slots.push(material);
                shape.slots.len() - 1
            })
        }
    };
    let slot = u16::try_from(slot).unwrap_or_default();
    for corners in from.indices.chunks_exact(3) {
        let [a, b, c] = <[u32; 3]>::try_from(corners).unwrap_or_default();
        let corners = [a, c, b].map(|corner| corner.saturating_add(start));
        if corners.iter().any(|corner| *corner as usize >= all) {
            return Err(Error::new(&codes::BAD_MODEL).expected("vertices that are there"));
        }
        shape.faces.push(Triangle { corners, slot });
    }
    Ok(())
}

/// A material; colours of OBJ are as they are stored.
fn material_of(
    from: &tobj::Material,
    folder: Option<&SourceFolder>,
    model: &mut Model,
    task: &mut Task<'_>,
) -> Result<material::Material> {
    let mut data = new_material();
    let light = |color: [f32; 3]| color.map(|part| linear(part.clamp(0.0, 1.0)));
    let opaque = |[red, green, blue]: [f32; 3]| argb([red, green, blue, 1.0]);
    let [red, green, blue] = light(from.diffuse.unwrap_or([1.0; 3]));
    let alpha = from.dissolve.unwrap_or(1.0).clamp(0.0, 1.0);
    let surface = Surface {
        base_color: [red, green, blue, alpha],
        emissive: light(from.emissive.unwrap_or_default()),
        alpha: if alpha < 1.0 { Alpha::Blend } else { Alpha::Opaque },
        ..Surface::of(&material::Material::new(data), false)
    };
    surface.put(false, &mut data);
    if let Some(ambient) = from.ambient {
        data.ambient = opaque(light(ambient));
    }
    if let Some(specular) = from.specular {
        data.specular = opaque(light(specular));
    }
    data.specular_power = from.shininess.filter(|power| power.is_finite()).unwrap_or_default();
    let mut material = material::Material::new(data);
    if let Some(texture) = &from.diffuse_texture {
        let [first, ..] = &mut material.textures;
        *first = Some(texture_of(texture, folder, model, task)?);
    }
    Ok(material)
}

/// The texture of an image file, which may be missing.
fn texture_of(
    path: &str,
    folder: Option<&SourceFolder>,
    model: &mut Model,
    task: &mut Task<'_>,
) -> Result<u32> {
    let file = path.rsplit(['/', '\\']).next().unwrap_or(path);
    let name = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    task.budget.steps(model.textures.len() as u64)?;
    if let Some(known) = model.textures.iter().position(|texture| texture.name == name) {
        return Ok(position(known));
    }
    let found = beside(folder, path).ok();
    let image = found.map(|file| file.read(0..file.len(), &mut task.budget)).transpose()?;
    let named = image.is_none().then(|| file.to_owned());
    model.textures.push(Texture {
        name: name.to_owned(),
        file: named,
        image,
        ..Texture::default()
    });
    Ok(position(model.textures.len() - 1))
}
