//! State that behaviours save below data version 5 (`docs/formats/classes/behaviors.md#below-data-version-5`).

use super::{
    Data, FLAGS, INPUT_PARAMETERS, INPUTS, LINKS, LOCAL_PARAMETERS, OPERATIONS, OUTPUT_PARAMETERS,
    OUTPUTS, Prototype, SUB_BEHAVIORS, flags,
};
pub use super::{OldBehavior, OldData, Oldest, Parts, SavedPart};
use crate::{
    chunk::old::OBJECT,
    codec::{Array, Codec, Coded, Layout, field, group},
};
use spelunk_core::{Field, Ty};
use zerocopy::little_endian::U32;

const PAGE: &str = "docs/formats/classes/behaviors.md#below-data-version-5";

impl<T> Parts<T> {
    /// The list, which is all that is saved from data version 5 on.
    fn listed(self) -> Result<Array<U32>, &'static str> {
        if self.saved.is_empty() { Ok(self.listed) } else { Err("it holds what its parts saved") }
    }
}

static PROTOTYPE: Field = Field::new("prototype", Ty::Guid, "Which building block it is.")
    .guids(&crate::registered::PROTOTYPE_NAMES);
static FLAGS_FIELD: Field = Field::new("flags", Ty::Word, "What it is.").bits(FLAGS);
static CLASS: Field = Field::new("compatible_class", Ty::U32, "Class of what it can work on.");
static KIND: Field = Field::new("kind", Ty::U32, "Its kind.");
static PRIORITY: Field = Field::new("priority", Ty::I32, "Higher ones are run earlier.");
static OWNER: Field = Field::new("owner", Ty::U32, "What it belongs to.");
static VERSION: Field = Field::new("prototype_version", Ty::Word, "The version of the block.");
static TARGET: Field = Field::new("target", Ty::U32, "The input that tells what it works on.");

impl Layout for OldBehavior {
    fn layout<C: Codec>(&mut self, c: &mut C) -> Coded<C> {
        c.section(0x20, group!("old_behavior", "What it is."), &mut self.data, |c, data| {
            c.item(&PROTOTYPE, &mut data.prototype)?;
            c.item(&FLAGS_FIELD, &mut data.flags)?;
            c.item(&CLASS, &mut data.compatible_class)?;
            c.item(&KIND, &mut data.kind)?;
            c.item(&PRIORITY, &mut data.priority)?;
            c.object(&OWNER, &mut data.owner)?;
            c.item(&VERSION, &mut data.version)
        })?;
        self.oldest.layout(c)?;
        c.section(
            0x100,
            group!("sub_behaviors", "Of the graph."),
            &mut self.sub_behaviors,
            |c, all| parts(c, &SUB_BEHAVIORS, all),
        )?;
        c.section(0x8_0000, group!("links", "Of the graph."), &mut self.links, |c, all| {
            c.objects(&LINKS, all)
        })?;
        c.section(
            0x4000,
            group!("operations", "Of the graph."),
            &mut self.operations,
            |c, all| c.objects(&OPERATIONS, all),
        )?;
        c.section(
            0x200,
            group!("input_parameters", "Its own."),
            &mut self.input_parameters,
            |c, all| c.objects(&INPUT_PARAMETERS, all),
        )?;
        c.section(
            0x2_0000,
            group!("local_parameters", "Its own."),
            &mut self.local_parameters,
            |c, all| parts(c, &LOCAL_PARAMETERS, all),
        )?;
        c.section(
            0x400,
            group!("output_parameters", "Its own."),
            &mut self.output_parameters,
            |c, all| c.objects(&OUTPUT_PARAMETERS, all),
        )?;
        c.section(0x800, group!("inputs", "Its own."), &mut self.inputs, |c, all| {
            c.objects(&INPUTS, all)
        })?;
        c.section(0x1000, group!("outputs", "Its own."), &mut self.outputs, |c, all| {
            c.objects(&OUTPUTS, all)
        })
    }
}

/// A list, or so many times a reference and what that saved. Nothing but what
/// fills the section decides which of them it is.
fn parts<C: Codec, T: Layout + Default>(
    c: &mut C,
    field: &'static Field,
    value: &mut Parts<T>,
) -> Coded<C> {
    let Parts { listed, saved } = value;
    let alone = !c.header().file_mode;
    let known = !saved.is_empty();
    if c.detect("saved", known, |words| alone && are_pairs(words)) {
        return c.counted(
            field!("count", Ty::U32, "How many follow."),
            group!("saved", "Each with what it saved."),
            saved,
            |c, SavedPart { part, saved }| {
                c.object(field, part)?;
                c.sub_chunk(group!("saved", "What it saved."), saved)
            },
        );
    }
    c.objects(field, listed)
}

/// Whether a count and so many times a reference and a sub-chunk fill a section.
fn are_pairs(words: &[U32]) -> bool {
    let Some((count, mut rest)) = words.split_first().filter(|(count, _)| count.get() != 0) else {
        return false;
    };
    for _ in 0..count.get() {
        // In the oldest chunks an id stands behind a mark.
        let reference = if rest.starts_with(&OBJECT) { OBJECT.len().saturating_add(1) } else { 1 };
        let sub_chunk = rest.get(reference..).and_then(<[U32]>::split_first);
        let Some((size, behind)) = sub_chunk else { return false };
        let Some(behind) = behind.get(size.get() as usize..) else { return false };
        rest = behind;
    }
    rest.is_empty()
}

impl Layout for Oldest {
    fn layout<C: Codec>(&mut self, c: &mut C) -> Coded<C> {
        c.section(
            0x4_0000,
            group!("old_prototype", "Which building block it is."),
            &mut self.prototype,
            |c, guid| c.item(&PROTOTYPE, guid),
        )?;
        c.section(0x40, group!("old_flags", "What it is."), &mut self.flags, |c, flags| {
            c.item(&FLAGS_FIELD, flags)
        })?;
        c.section(
            0x80,
            group!("old_compatible_class", "What it can work on."),
            &mut self.compatible_class,
            |c, class| c.item(&CLASS, class),
        )?;
        c.section(0x8000, group!("old_kind", "Its kind."), &mut self.kind, |c, kind| {
            c.item(&KIND, kind)
        })?;
        c.section(
            0x1_0000,
            group!("old_owner", "What it belongs to."),
            &mut self.owner,
            |c, owner| c.object(&OWNER, owner),
        )?;
        c.section(
            0x80_0000,
            group!("old_priority", "When it is run."),
            &mut self.priority,
            |c, priority| c.item(&PRIORITY, priority),
        )?;
        c.section(
            0x100_0000,
            group!("old_target", "What it works on."),
            &mut self.target,
            |c, target| c.object(&TARGET, target),
        )
    }
}

impl OldBehavior {
    /// The same in the layout from data version 5 on; `None` where nothing is saved. What it belongs to names it in turn,
    /// and its kind is a number of old editors.
    pub(super) fn renewed(self) -> Result<Option<Data>, &'static str> {
        /// The class of objects with behaviour, which is meant where none is saved.
        const BE_OBJECT: u32 = 19;
        let OldBehavior { data, oldest, .. } = self;
        let data = match data {
            Some(data) => *data,
            None => {
                let Some(mut bits) = oldest.flags else {
                    let some = oldest.prototype.is_some() || oldest.priority.is_some();
                    return if some { Err("its flags are missing") } else { Ok(None) };
                };
                // In the oldest files what uses a function is a building block.
                if bits & flags::USES_FUNCTION != 0 {
                    bits |= flags::BUILDING_BLOCK;
                }
                OldData {
                    prototype: oldest.prototype.unwrap_or_default(),
                    flags: bits,
                    compatible_class: oldest.compatible_class.unwrap_or(BE_OBJECT),
                    priority: oldest.priority.unwrap_or_default(),
                    ..OldData::default()
                }
            }
        };
        let is_block = data.flags & flags::BUILDING_BLOCK != 0;
        let sub_behaviors = self.sub_behaviors.map(Parts::listed).transpose()?;
        let local_parameters = self.local_parameters.map(Parts::listed).transpose()?;
        let graph = [&sub_behaviors, &self.links, &self.operations];
        if is_block && graph.iter().any(|list| list.as_ref().is_some_and(|all| !all.is_empty())) {
            return Err("it is a building block that holds a graph");
        }
        let version = if data.version == 0 { 0x1_0000 } else { data.version };
        let graph = |list: Option<Array<U32>>| list.filter(|_| !is_block);
        Ok(Some(Data {
            flags: if is_block { data.flags } else { data.flags & !flags::LOCKED },
            prototype: is_block.then_some(Prototype { guid: data.prototype, version }),
            priority: Some(data.priority).filter(|priority| *priority != 0),
            compatible_class: Some(data.compatible_class).filter(|class| *class != BE_OBJECT),
            target: oldest.target,
            contents: 0,
            sub_behaviors: graph(sub_behaviors),
            links: graph(self.links),
            operations: graph(self.operations),
            input_parameters: self.input_parameters,
            output_parameters: self.output_parameters,
            local_parameters,
            inputs: self.inputs,
            outputs: self.outputs,
        }))
    }
}
