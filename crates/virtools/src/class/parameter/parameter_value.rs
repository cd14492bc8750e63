//! Values of parameters in chunks of their own (`docs/formats/classes/parameters.md#values-in-sub-chunks`).

pub use super::{
    ChunkValue,
    curve::{Curve, CurveData, HAS_DATA, OldPoint, Point, PointData},
};
use crate::{
    class::parameter_type,
    codec::{Codec, Coded, Layout, field, group},
};
use spelunk_core::Ty;

const PAGE: &str = "docs/formats/classes/parameters.md#values-in-sub-chunks";

impl Layout for ChunkValue {
    fn layout<C: Codec>(&mut self, c: &mut C) -> Coded<C> {
        let structure = self.structure;
        c.section(0x0E, group!("curve", "A curve of the plane."), &mut self.curve, |c, curve| {
            c.sub_chunk(group!("chunk", "The curve."), curve)
        })?;
        c.section(0x50, group!("objects", "Some objects."), &mut self.objects, |c, objects| {
            c.objects(field!("objects", Ty::U32, "The objects."), objects)
        })?;
        c.flag(
            0x1224_8766,
            field!("no_dependencies", Ty::Bool, "Nothing comes along with an object."),
            &mut self.no_dependencies,
        )?;
        c.flag(
            0x1224_8767,
            field!("all_dependencies", Ty::Bool, "Everything comes along with an object."),
            &mut self.all_dependencies,
        )?;
        c.section(
            0x1224_8768,
            group!("dependencies", "What comes along with an object, by its class."),
            &mut self.dependencies,
            |c, pairs| {
                let count = c.remaining(pairs.len().saturating_mul(2)) >> 1;
                let field = field!(
                    "dependencies",
                    Ty::Array(&Ty::Word, 2),
                    "A class id, and bits that tell what comes along with objects of that class.",
                );
                c.array(field, count, pairs)
            },
        )?;
        c.section(
            0x1234_8765,
            group!("structure", "The members of a structure."),
            &mut self.members,
            |c, members| {
                let structure = parameter_type::find(structure);
                c.item_names(structure.map(|known| known.member.values).unwrap_or_default());
                let mut nth = 0;
                c.counted(
                    field!("count", Ty::U32, "How many members follow."),
                    group!("members", "Parameters, each in a sub-chunk of its own."),
                    members,
                    |c, member| {
                        if let Some(known) = structure {
                            c.label(&known.member, nth)?;
                            nth = nth.saturating_add(1);
                        }
                        c.sub_chunk(group!("parameter", "The member."), member)
                    },
                )
            },
        )
    }
}
