//! The tables of what stands in space, and how it looks.

use super::{
    out::RowSink,
    table::{RowSource, Table, integer, real, text},
    virtools_table::{NAME, OBJECT, table},
};
use crate::column::SetForm;
use spelunk_core::{Error, Result, Task, Val};
use spelunk_open::Model;
use virtools::scene::Scene;

pub(super) const ENTITIES: Table = table(
    "entities",
    "What has a place in space: objects, cameras, lights, curves, sprites.",
    &[
        OBJECT,
        NAME,
        text("class", "Name of its class."),
        integer("parent", "What it stands below."),
        integer("mesh", "The mesh that is drawn.").sets_as("meshes.current", SetForm::Reference),
        integer(
            "hidden",
            "Whether it is not seen: because it is hidden, or what it stands below hides all that does.",
        ),
        real("x", "Where it is in the world.").sets("entity.position[0]"),
        real("y", "Where it is in the world; up.").sets("entity.position[1]"),
        real("z", "Where it is in the world; forward.").sets("entity.position[2]"),
        text("flags", "Its flags.").sets("entity.flags"),
    ],
    entities,
);

pub(super) const MESHES: Table = table(
    "meshes",
    "The shapes of entities.",
    &[
        OBJECT,
        NAME,
        integer("vertices", "Number of vertices."),
        integer("faces", "Number of triangles."),
        integer("lines", "Number of lines."),
        integer("materials", "Number of slots for materials."),
        integer("channels", "Number of materials that are drawn over it."),
        integer(
            "prelit",
            "Whether its colours are those of its vertices, whatever light there is.",
        ),
        text("flags", "Its flags.").sets("flags.flags"),
    ],
    meshes,
);

pub(super) const MESH_MATERIALS: Table = table(
    "mesh_materials",
    "The materials of meshes, slot by slot.",
    &[
        integer("mesh", "The mesh.").entry("#"),
        integer("slot", "The slot, from 0 on."),
        integer("material", "The material; none where there is nothing in the slot.")
            .sets_as("materials.slots[{slot}].material", SetForm::Reference),
        integer("faces", "Number of triangles that are drawn with it."),
    ],
    mesh_materials,
);

pub(super) const MATERIALS: Table = table(
    "materials",
    "How surfaces look.",
    &[
        OBJECT,
        NAME,
        text("diffuse", "Colour in the light of lamps, as `#rrggbbaa`.")
            .sets_as("material.diffuse", SetForm::Color),
        text("ambient", "Colour in light from everywhere.")
            .sets_as("material.ambient", SetForm::Color),
        text("specular", "Colour of highlights.").sets_as("material.specular", SetForm::Color),
        text("emissive", "Colour without any light.").sets_as("material.emissive", SetForm::Color),
        real("specular_power", "How small highlights are.").sets("material.specular_power"),
        integer("texture", "The first texture.").sets_as("material.texture", SetForm::Reference),
        text("texture_name", "Name of that texture."),
        integer("effect", "Its effect."),
        text("flags", "Its flags.").sets("material.flags"),
    ],
    materials,
);

pub(super) const TEXTURES: Table = table(
    "textures",
    "The pictures on surfaces, slot by slot.",
    &[
        OBJECT,
        NAME,
        integer("slot", "The slot, from 0 on."),
        text("file_name", "The file that the slot names.")
            .sets("file_names.slots[{slot}].file_name"),
        text("movie", "The movie that is played in place of pictures."),
        integer("width", "Width of the picture that is stored in the file; none where none is.")
            .unit("pixels"),
        integer("height", "Height of that picture.").unit("pixels"),
        text("transparent_color", "The colour that is transparent, as `#rrggbb`.")
            .sets_as("texture.transparent_color", SetForm::Color),
    ],
    textures,
);

pub(super) const GROUP_MEMBERS: Table = table(
    "group_members",
    "The members of groups.",
    &[
        OBJECT,
        NAME,
        integer("member", "The object that is in the group."),
        text("member_name", "Name of that object."),
        text("member_class", "Class of that object."),
    ],
    group_members,
);

/// Works on the scene of a file, where it is one of Virtools.
fn with_scene(
    source: &RowSource<'_>,
    task: &mut Task<'_>,
    work: impl FnOnce(&Scene<'_>, &mut Task<'_>) -> Result<()>,
) -> Result<()> {
    let Model::Virtools(file) = Model::of(source.container) else { return Ok(()) };
    task.transient(|task| {
        let scene = Scene::of(file, task)?;
        work(&scene, task)
    })
}

/// Red, green, blue and alpha from 0 to 1, as people write colours.
fn color(parts: [f32; 4]) -> String {
    let digits = parts.map(|part| format!("{:02x}", (part.clamp(0.0, 1.0) * 255.0).round() as u8));
    format!("#{}", digits.concat())
}

fn entities(source: &RowSource<'_>, out: &mut RowSink<'_>, task: &mut Task<'_>) -> Result<()> {
    with_scene(source, task, |scene, _| {
        for (index, entity) in &scene.entities {
            let class = scene.class(*index);
            let [x, y, z] = entity.world.position;
            out.row(&[
                (*index).into(),
                source.show(scene.name(*index)),
                class.into(),
                entity.parent.into(),
                entity.mesh.into(),
                scene.is_hidden(*index).into(),
                x.into(),
                y.into(),
                z.into(),
                Val::Word(entity.flags).to_string().into(),
            ])?;
        }
        Ok(())
    })
}

fn meshes(source: &RowSource<'_>, out: &mut RowSink<'_>, task: &mut Task<'_>) -> Result<()> {
    with_scene(source, task, |scene, _| {
        for (index, mesh) in &scene.meshes {
            out.row(&[
                (*index).into(),
                source.show(scene.name(*index)),
                mesh.positions.len().into(),
                mesh.faces.len().into(),
                mesh.lines.len().into(),
                mesh.slots.len().into(),
                mesh.channels.len().into(),
                mesh.is_prelit().into(),
                Val::Word(mesh.flags).to_string().into(),
            ])?;
        }
        Ok(())
    })
}

fn mesh_materials(
    source: &RowSource<'_>,
    out: &mut RowSink<'_>,
    task: &mut Task<'_>,
) -> Result<()> {
    with_scene(source, task, |scene, task| {
        for (index, mesh) in &scene.meshes {
            task.budget.steps((mesh.faces.len() as u64) >> 3)?;
            let mut faces = vec![0_u64; mesh.slots.len()];
            for face in mesh.faces.iter() {
                if let Some(count) = faces.get_mut(usize::from(face.material.get())) {
                    *count = count.saturating_add(1);
                }
            }
            for ((slot, material), faces) in mesh.slots.iter().enumerate().zip(faces) {
                out.row(&[(*index).into(), slot.into(), (*material).into(), faces.into()])?;
            }
        }
        Ok(())
    })
}

fn materials(source: &RowSource<'_>, out: &mut RowSink<'_>, task: &mut Task<'_>) -> Result<()> {
    with_scene(source, task, |scene, _| {
        for (index, material) in &scene.materials {
            let [texture, ..] = material.textures;
            out.row(&[
                (*index).into(),
                source.show(scene.name(*index)),
                color(material.diffuse).into(),
                color(material.ambient).into(),
                color(material.specular).into(),
                color(material.emissive).into(),
                f64::from(material.data.specular_power).into(),
                texture.into(),
                texture.map(|texture| source.show(scene.name(texture))).into(),
                material.effect.into(),
                Val::Word(material.data.flags).to_string().into(),
            ])?;
        }
        Ok(())
    })
}

fn textures(source: &RowSource<'_>, out: &mut RowSink<'_>, task: &mut Task<'_>) -> Result<()> {
    let Model::Virtools(file) = Model::of(source.container) else { return Ok(()) };
    // Pictures have to be decoded for it.
    let with_size = out.wants("width") || out.wants("height");
    task.transient(|task| {
        let scene = Scene::textures(file, task)?;
        for (index, texture) in &scene.textures {
            let movie = texture.movie().map(|name| source.show(name));
            let key = texture.transparent_color;
            let key = key.map(|[red, green, blue]| format!("#{red:02x}{green:02x}{blue:02x}"));
            for slot in 0..texture.slots().max(1) {
                let mut size = None;
                if with_size {
                    let picture = task.transient(|task| texture.picture(slot, &mut task.budget));
                    match picture {
                        Ok(picture) => {
                            size = picture.map(|picture| (picture.width(), picture.height()));
                        }
                        Err(error) => report(error, task)?,
                    }
                }
                let (width, height) = size.unzip();
                out.row(&[
                    (*index).into(),
                    source.show(scene.name(*index)),
                    slot.into(),
                    texture.file_name(slot).map(|name| source.show(name)).into(),
                    movie.clone().into(),
                    width.into(),
                    height.into(),
                    key.clone().into(),
                ])?;
            }
        }
        Ok(())
    })
}

/// Reports a picture that cannot be decoded; limits and reading errors stay errors.
fn report(error: Error, task: &mut Task<'_>) -> Result<()> {
    if error.ends_work() { Err(error) } else { task.error(error) }
}

fn group_members(source: &RowSource<'_>, out: &mut RowSink<'_>, task: &mut Task<'_>) -> Result<()> {
    with_scene(source, task, |scene, _| {
        for (group, members) in &scene.groups {
            for member in members {
                out.row(&[
                    (*group).into(),
                    source.show(scene.name(*group)),
                    (*member).into(),
                    source.show(scene.name(*member)),
                    scene.class(*member).into(),
                ])?;
            }
        }
        Ok(())
    })
}
