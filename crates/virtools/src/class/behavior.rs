//! `CKBehavior` (`docs/formats/classes/behaviors.md#ckbehavior`).

use super::{
    be_object::SCENE_FLAGS,
    fresh::{Fresh, Host},
    object::Object,
    parameter_local::ParameterLocal,
    renew::{Old, Renew, Renewed},
};
use crate::{
    codec::{Array, Codec, Coded, Layout, Opaque, Reference, Saved, field, group},
    registered::PROTOTYPE_NAMES,
};
pub use flags::FLAGS;
use spelunk_core::{Field, Ty};
use zerocopy::little_endian::U32;

pub mod flags;
pub mod old_behavior;

const PAGE: &str = "docs/formats/classes/behaviors.md#ckbehavior";

/// A behaviour: a building block, or a graph of behaviours. That which belongs to no graph is a script.
#[derive(Clone, Debug, Default)]
pub struct Behavior {
    /// State that every object saves.
    pub object: Object,
    /// State of the editor's view; `Some(None)` where a null sub-chunk is stored.
    pub interface: Option<Option<Opaque>>,
    /// Kind and contents, from data version 5 on.
    pub data: Option<Data>,
    /// The same below data version 5.
    pub old: Option<Box<OldBehavior>>,
    /// Flags in the scene, where the file has no scene.
    pub scene_flags: Option<u32>,
}

/// Kind and contents of a behaviour.
#[derive(Clone, Debug, Default)]
pub struct Data {
    /// [`FLAGS`]. When it is written, those that say what follows are set by what is there.
    pub flags: u32,
    /// Building block that the behaviour is an instance of.
    pub prototype: Option<Prototype>,
    /// Higher ones are run earlier; 0 where there is none.
    pub priority: Option<i32>,
    /// The class of the objects that it can work on; that of objects with behaviour where there is none.
    pub compatible_class: Option<u32>,
    /// The input that names what the behaviour works on.
    pub target: Option<Reference>,
    /// Bits that say which lists are stored ([`CONTENTS`]). When it is written, the bits of lists are set by what is there.
    pub contents: u32,
    /// Behaviours of a graph.
    pub sub_behaviors: Option<Array<U32>>,
    /// Links between the behaviours of a graph.
    pub links: Option<Array<U32>>,
    /// Operations of a graph.
    pub operations: Option<Array<U32>>,
    /// Input parameters.
    pub input_parameters: Option<Array<U32>>,
    /// Output parameters.
    pub output_parameters: Option<Array<U32>>,
    /// Local parameters.
    pub local_parameters: Option<Array<U32>>,
    /// Inputs.
    pub inputs: Option<Array<U32>>,
    /// Outputs.
    pub outputs: Option<Array<U32>>,
}

/// The kind of a building block.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Prototype {
    /// GUID of the building block, as `d1` and `d2`.
    pub guid: [u32; 2],
    /// The version of the building block.
    pub version: u32,
}

/// State that behaviours save below data version 5.
#[derive(Clone, Debug, Default)]
pub struct OldBehavior {
    /// Kind of the behaviour.
    pub data: Option<Box<OldData>>,
    /// Fields that the oldest files have in sections of their own.
    pub oldest: Oldest,
    /// Behaviours of a graph.
    pub sub_behaviors: Option<Parts<Behavior>>,
    /// Links between the behaviours of a graph.
    pub links: Option<Array<U32>>,
    /// Operations of a graph.
    pub operations: Option<Array<U32>>,
    /// Input parameters.
    pub input_parameters: Option<Array<U32>>,
    /// Output parameters.
    pub output_parameters: Option<Array<U32>>,
    /// Local parameters.
    pub local_parameters: Option<Parts<ParameterLocal>>,
    /// Inputs.
    pub inputs: Option<Array<U32>>,
    /// Outputs.
    pub outputs: Option<Array<U32>>,
}

/// Objects that belong to a behaviour: a list or, outside file mode, each with its saved state.
#[derive(Clone, Debug, Default)]
pub struct Parts<T> {
    /// The list; empty where there are others.
    pub listed: Array<U32>,
    /// The others.
    pub saved: Vec<SavedPart<T>>,
}

/// A part of a behaviour with what it saved.
#[derive(Clone, Debug, Default)]
pub struct SavedPart<T> {
    /// The part.
    pub part: Reference,
    /// State that the object saved.
    pub saved: Option<Box<Saved<T>>>,
}

/// Kind of a behaviour below data version 5.
#[derive(Clone, Debug, Default)]
pub struct OldData {
    /// GUID of the building block, as `d1` and `d2`.
    pub prototype: [u32; 2],
    /// [`FLAGS`].
    pub flags: u32,
    /// The class of the objects that it can work on.
    pub compatible_class: u32,
    /// Kind of the behaviour.
    pub kind: u32,
    /// Higher ones are run earlier.
    pub priority: i32,
    /// Object that the behaviour belongs to.
    pub owner: Reference,
    /// The version of the building block.
    pub version: u32,
}

/// Fields of a behaviour in the oldest files, each in a section of its own.
#[derive(Clone, Debug, Default)]
pub struct Oldest {
    /// GUID of the building block, as `d1` and `d2`.
    pub prototype: Option<[u32; 2]>,
    /// [`FLAGS`].
    pub flags: Option<u32>,
    /// The class of the objects that it can work on.
    pub compatible_class: Option<u32>,
    /// Kind of the behaviour.
    pub kind: Option<u32>,
    /// Object that the behaviour belongs to.
    pub owner: Option<Reference>,
    /// Higher ones are run earlier.
    pub priority: Option<i32>,
    /// The input that names what the behaviour works on.
    pub target: Option<Reference>,
}

/// Lists of a behaviour that are stored.
pub const CONTENTS: &[(u32, &str)] = &[
    (0x100, "sub-behaviors"),
    (0x200, "input parameters"),
    (0x400, "output parameters"),
    (0x800, "inputs"),
    (0x1000, "outputs"),
    (0x4000, "operations"),
    (0x2_0000, "local parameters"),
    (0x8_0000, "links"),
];

static SUB_BEHAVIORS: Field = Field::new("sub_behaviors", Ty::U32, "Behaviours of the graph.");
static LINKS: Field = Field::new("links", Ty::U32, "Links of the graph.");
static OPERATIONS: Field = Field::new("operations", Ty::U32, "Operations of the graph.");
static INPUT_PARAMETERS: Field = Field::new("input_parameters", Ty::U32, "Its input parameters.");
static OUTPUT_PARAMETERS: Field =
    Field::new("output_parameters", Ty::U32, "Its output parameters.");
static LOCAL_PARAMETERS: Field = Field::new("local_parameters", Ty::U32, "Its local parameters.");
static INPUTS: Field = Field::new("inputs", Ty::U32, "Its inputs.");
static OUTPUTS: Field = Field::new("outputs", Ty::U32, "Its outputs.");

/// A list, where it stands in a behaviour.
type BehaviorList<'d> = (u32, &'static Field, &'d mut Option<Array<U32>>);

impl Data {
    /// Whether it is a building block and no graph.
    pub const fn is_building_block(&self) -> bool {
        self.prototype.is_some()
    }

    /// Whether it is a script: a graph that belongs to an object.
    pub const fn is_script(&self) -> bool {
        self.flags & flags::SCRIPT != 0
    }

    /// The flags with the bits that say what follows them.
    fn whole_flags(&self) -> u32 {
        [
            (flags::BUILDING_BLOCK, self.prototype.is_some()),
            (flags::PRIORITY, self.priority.is_some()),
            (flags::COMPATIBLE_CLASS, self.compatible_class.is_some()),
            (flags::TARGETABLE, self.target.is_some()),
        ]
        .into_iter()
        .fold(self.flags, |all, (bit, there)| if there { all | bit } else { all & !bit })
    }

    /// Makes room for what the flags say.
    fn make_room(&mut self) {
        room(&mut self.prototype, self.flags & flags::BUILDING_BLOCK != 0);
        room(&mut self.priority, self.flags & flags::PRIORITY != 0);
        room(&mut self.compatible_class, self.flags & flags::COMPATIBLE_CLASS != 0);
        room(&mut self.target, self.flags & flags::TARGETABLE != 0);
    }

    /// The lists in their order; building blocks have no first three.
    fn lists(&mut self) -> impl Iterator<Item = BehaviorList<'_>> {
        let skipped = if self.is_building_block() { 3 } else { 0 };
        let all: [BehaviorList<'_>; 8] = [
            (0x100, &SUB_BEHAVIORS, &mut self.sub_behaviors),
            (0x8_0000, &LINKS, &mut self.links),
            (0x4000, &OPERATIONS, &mut self.operations),
            (0x200, &INPUT_PARAMETERS, &mut self.input_parameters),
            (0x400, &OUTPUT_PARAMETERS, &mut self.output_parameters),
            (0x2_0000, &LOCAL_PARAMETERS, &mut self.local_parameters),
            (0x800, &INPUTS, &mut self.inputs),
            (0x1000, &OUTPUTS, &mut self.outputs),
        ];
        all.into_iter().skip(skipped)
    }
}

/// Sets or clears an option where it is not yet.
fn room<T: Default>(value: &mut Option<T>, there: bool) {
    if there {
        value.get_or_insert_default();
    } else if value.is_some() {
        *value = None;
    }
}

impl Layout for Behavior {
    fn layout<C: Codec>(&mut self, c: &mut C) -> Coded<C> {
        self.object.layout(c)?;
        c.section(
            0x10,
            group!("interface", "How the editor shows it."),
            &mut self.interface,
            |c, chunk| c.opaque(group!("chunk", "Known to the editor only."), chunk),
        )?;
        let old = c.version() < 5;
        if c.when(old, "data version below 5") {
            self.old.get_or_insert_default().layout(c)?;
        }
        if c.when(!old, "data version 5 or later") {
            c.section(
                0x20,
                group!("behavior", "What it is and what it consists of."),
                &mut self.data,
                data,
            )?;
        }
        c.section(
            0x20_0000,
            group!("single_activity", "Saved where the file has no scene."),
            &mut self.scene_flags,
            |c, flags| {
                let field = field!(
                    "scene_flags",
                    Ty::Word,
                    "What happens to it in a scene.",
                    bits(SCENE_FLAGS)
                );
                c.item(field, flags)
            },
        )
    }
}

fn data<C: Codec>(c: &mut C, data: &mut Data) -> Coded<C> {
    data.flags = data.whole_flags();
    c.item(field!("flags", Ty::Word, "What it is.", bits(FLAGS)), &mut data.flags)?;
    data.make_room();
    let Data { prototype, priority, compatible_class, target, .. } = data;
    let there = prototype.is_some();
    if c.when(there, "building block") {
        let Prototype { guid, version } = prototype.get_or_insert_default();
        c.item(
            field!("prototype", Ty::Guid, "Which building block it is.", guids(&PROTOTYPE_NAMES)),
            guid,
        )?;
        c.item(field!("prototype_version", Ty::Word, "The version of the block."), version)?;
    }
    let there = priority.is_some();
    if c.when(there, "has priority") {
        let field = field!("priority", Ty::I32, "Higher ones are run earlier.");
        c.item(field, priority.get_or_insert_default())?;
    }
    let there = compatible_class.is_some();
    if c.when(there, "has compatible class") {
        let field = field!("compatible_class", Ty::U32, "Class of what it can work on.");
        c.item(field, compatible_class.get_or_insert_default())?;
    }
    let there = target.is_some();
    if c.when(there, "targetable") {
        let field = field!("target", Ty::U32, "The input that tells what it works on.");
        c.object(field, target.get_or_insert_default())?;
    }
    let mut contents = data.contents;
    for (bit, _, list) in data.lists() {
        contents = if list.is_some() { contents | bit } else { contents & !bit };
    }
    let field = field!("contents", Ty::Word, "Which lists follow.", bits(CONTENTS));
    c.item(field, &mut contents)?;
    data.contents = contents;
    data.lists().try_for_each(|(bit, field, list)| {
        let there = contents & bit != 0;
        room(list, there);
        if c.when(there, "the bit of the list is set") {
            c.objects(field, list.get_or_insert_default())?;
        }
        Ok(())
    })
}

impl Fresh for Behavior {
    fn fresh(_: &Host) -> Behavior {
        // A graph of nothing, which belongs to no object yet.
        Behavior { interface: Some(None), data: Some(Data::default()), ..Behavior::default() }
    }
}

impl Renew for Behavior {
    fn renew(&mut self, old: &Old) -> Renewed {
        self.object.renew(old)?;
        if let Some(behavior) = self.old.take().filter(|_| old.version < 5) {
            self.data = behavior.renewed()?;
        }
        Ok(())
    }
}
