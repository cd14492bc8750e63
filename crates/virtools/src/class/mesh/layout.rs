//! Layout of the sections of meshes.

use super::{
    CHANNEL_FLAGS, Channel, FLAGS, Face, MaterialSlot, Mesh, NO_NORMALS, NO_POSITIONS, ONE_COLOR,
    ONE_SPECULAR, ONE_UV, Progressive, RenderGroup, SAVE_FLAGS, Vertices, Weights,
};
use crate::{
    class::{material::BLENDS, vector::VECTOR},
    codec::{Codec, Coded, Layout, field, group},
    codes,
};
use spelunk_core::{Error, Ty};

const PAGE: &str = "docs/formats/classes/meshes.md#ckmesh";

impl Layout for Mesh {
    fn layout<C: Codec>(&mut self, c: &mut C) -> Coded<C> {
        self.be_object.layout(c)?;
        let known = c.version() >= 9;
        if !c.when(known, "data version 9 and up") {
            return Ok(());
        }
        self.flags_section(c)?;
        let record = group!("materials", "The material slots.");
        c.section(0x10_0000, record, &mut self.materials, |c, slots| {
            c.counted(
                field!("count", Ty::U32, "How many slots follow."),
                group!("slots", "Faces refer to them by their position."),
                slots,
                |c, MaterialSlot { material, reserved }| {
                    c.object(field!("material", Ty::U32, "The material."), material)?;
                    c.item(field!("reserved", Ty::Word, "0."), reserved)
                },
            )
        })?;
        c.section(0x1_0000, group!("faces", "The faces."), &mut self.faces, |c, faces| {
            let count = c.count(field!("count", Ty::U32, "How many follow."), faces.len())?;
            c.records::<Face>("faces", count, faces)
        })?;
        c.section(0x4_0000, group!("lines", "The lines."), &mut self.lines, |c, lines| {
            let field = field!("count", Ty::U32, "How many follow.");
            let count = c.count(field, lines.items.len())?;
            let field = field!("lines", Ty::Array(&Ty::U16, 2), "From one vertex to another.");
            c.buffer(field, lines)?;
            same_count(count, lines.items.len())
        })?;
        let record = group!("vertices", "The vertices.");
        c.section(0x2_0000, record, &mut self.vertices, |c, all| vertices(c, all))?;
        let record = group!("channels", "Materials that are drawn over it.");
        c.section(0x4000, record, &mut self.channels, |c, channels| {
            c.counted(
                field!("count", Ty::U32, "How many follow."),
                group!("channels", "The materials."),
                channels,
                channel,
            )
        })?;
        self.weights_section(c)?;
        let record = group!("face_channel_masks", "Which channels are drawn over which face.");
        c.section(0x8000, record, &mut self.face_channel_masks, |c, masks| {
            let count = c.count(field!("count", Ty::U32, "How many follow."), masks.items.len())?;
            c.padded(field!("masks", Ty::U16, "A bit for each channel."), count, masks)
        })?;
        let record = group!("progressive", "How it is made of fewer vertices.");
        c.section(0x80_0000, record, &mut self.progressive, |c, value| progressive(c, value))?;
        let record = group!("render_groups", "What is drawn at once.");
        c.section(0x40_0000, record, &mut self.render_groups, |c, groups| {
            c.counted(
                field!("count", Ty::U32, "How many follow."),
                group!("groups", "One for each material."),
                groups,
                render_group,
            )
        })?;
        let record = group!("blend_shapes", "Blend shapes of later products.");
        c.section(0x100_0000, record, &mut self.blend_shapes, |c, words| {
            let field = field!("words", Ty::Array(&Ty::Word, 3), "0 where there are none.");
            c.item(field, words)
        })
    }
}

impl Mesh {
    /// Runs a codec over what meshes of patches save, too: flags and weights.
    pub(in crate::class) fn shared<C: Codec>(&mut self, c: &mut C) -> Coded<C> {
        self.be_object.layout(c)?;
        let known = c.version() >= 9;
        if c.when(known, "data version 9 and up") {
            self.flags_section(c)?;
            self.weights_section(c)?;
        }
        Ok(())
    }

    fn flags_section<C: Codec>(&mut self, c: &mut C) -> Coded<C> {
        c.section(
            0x2000,
            group!("flags", "What kind of mesh it is."),
            &mut self.flags,
            |c, flags| {
                c.item(field!("flags", Ty::Word, "What kind of mesh it is.", bits(FLAGS)), flags)
            },
        )
    }

    fn weights_section<C: Codec>(&mut self, c: &mut C) -> Coded<C> {
        let record = group!("weights", "How much each vertex is changed.");
        c.section(0x8_0000, record, &mut self.weights, weights)
    }
}

/// Agrees that a count is that of what follows.
fn same_count<E: From<Error>>(count: usize, found: usize) -> Result<(), E> {
    if count == found {
        return Ok(());
    }
    let error = Error::new(&codes::LAYOUT).field("count");
    Err(error.expected(format!("{found} items")).found(count).into())
}

fn vertices<C: Codec>(c: &mut C, value: &mut Vertices) -> Coded<C> {
    c.item(field!("count", Ty::U32, "How many vertices there are."), &mut value.count)?;
    let any = value.count != 0;
    if !c.when(any, "any vertices") {
        return Ok(());
    }
    let field = field!("save_flags", Ty::Word, "What is stored of them.", bits(SAVE_FLAGS));
    c.item(field, &mut value.save_flags)?;
    let field = field!("size", Ty::U32, "What follows, with this itself.", unit("dwords"));
    c.sized(field, true, |c| {
        const PAIR: Ty = Ty::Array(&Ty::F32, 2);
        let count = value.any(NO_POSITIONS);
        c.array(field!("positions", VECTOR, "x, y, z."), count, &mut value.positions)?;
        let count = value.many(ONE_COLOR);
        c.array(field!("colors", Ty::Word, "ARGB."), count, &mut value.colors)?;
        let count = value.many(ONE_SPECULAR);
        c.array(field!("specular", Ty::Word, "ARGB."), count, &mut value.specular)?;
        let count = value.any(NO_NORMALS);
        c.array(field!("normals", VECTOR, "x, y, z."), count, &mut value.normals)?;
        let count = value.many(ONE_UV);
        c.array(field!("uv", PAIR, "u to the right, v down."), count, &mut value.uv)
    })
}

fn channel<C: Codec>(c: &mut C, value: &mut Channel) -> Coded<C> {
    let Channel { material, flags, source_blend, destination_blend, uv } = value;
    c.object(field!("material", Ty::U32, "The material."), material)?;
    c.item(field!("flags", Ty::Word, "How it is drawn.", bits(CHANNEL_FLAGS)), flags)?;
    let field = field!("source_blend", Ty::U32, "Factor of its colour.", values(BLENDS));
    c.item(field, source_blend)?;
    let field = field!("destination_blend", Ty::U32, "Factor of what is below.", values(BLENDS));
    c.item(field, destination_blend)?;
    let count =
        c.count(field!("uv_count", Ty::U32, "Pairs; 0 for those of the mesh."), uv.len())?;
    c.array(field!("uv", Ty::Array(&Ty::F32, 2), "u to the right, v down."), count, uv)
}

fn weights<C: Codec>(c: &mut C, value: &mut Weights) -> Coded<C> {
    let Weights { count, same, each, more } = value;
    c.item(field!("count", Ty::U32, "How many vertices there are."), count)?;
    let is_same = c.detect("same", same.is_some(), |words| words.len() == 1);
    if c.when(is_same, "one more dword") {
        let field = field!("same", Ty::F32, "The weight of all vertices.");
        return c.item(field, same.get_or_insert_default());
    }
    let has_each = c.detect("each", each.is_some(), |words| !words.is_empty());
    if !c.when(has_each, "not at the end of the section") {
        return Ok(());
    }
    c.buffer(field!("each", Ty::F32, "One for each vertex."), each.get_or_insert_default())?;
    let has_more = c.detect("more", more.is_some(), |words| !words.is_empty());
    if c.when(has_more, "not at the end of the section") {
        c.item(field!("more", Ty::F32, "May follow."), more.get_or_insert_default())?;
    }
    Ok(())
}

fn progressive<C: Codec>(c: &mut C, value: &mut Progressive) -> Coded<C> {
    let Progressive { vertex_count, morph_enabled, morph_step, data } = value;
    c.item(field!("vertex_count", Ty::I32, "Vertices that it has now."), vertex_count)?;
    let field = field!("morph_enabled", Ty::I32, "1 where vertices move over.");
    c.item(field, morph_enabled)?;
    c.item(field!("morph_step", Ty::I32, "In how many steps."), morph_step)?;
    let count = c.remaining(data.len());
    c.array(field!("data", Ty::Word, "The steps, whose layout is not known."), count, data)
}

fn render_group<C: Codec>(c: &mut C, value: &mut RenderGroup) -> Coded<C> {
    c.object(field!("material", Ty::U32, "The material."), &mut value.material)?;
    let field = field!("vertices", Ty::U16, "Those of the mesh; none where they are the same.");
    c.buffer(field, &mut value.vertices)?;
    c.buffer(field!("indices", Ty::U16, "Its indices."), &mut value.indices)?;
    let field = field!("primitive", Ty::U32, "What indices make.", values(&[(4, "triangles")]));
    c.item(field, &mut value.primitive)?;
    c.item(field!("vertex_count", Ty::U32, "Vertices drawn."), &mut value.vertex_count)?;
    c.item(field!("index_count", Ty::U32, "Indices drawn."), &mut value.index_count)?;
    c.item(field!("reserved", Ty::Word, "0."), &mut value.reserved)?;
    c.buffer(field!("faces", Ty::U32, "The faces that it draws."), &mut value.faces)?;
    c.item(field!("reserved_2", Ty::Word, "0."), &mut value.reserved_2)
}
