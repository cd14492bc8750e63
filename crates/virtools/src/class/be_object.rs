//! `CKBeObject` (`docs/formats/classes/base.md#ckbeobject`).

use super::{
    fresh::{Fresh, Host},
    object::Object,
    parameter_out::ParameterOut,
    renew::{Old, Renew, Renewed},
};
use crate::codec::{
    Array, Codec, Coded, Layout, ManagerInts, Reference, Saved, Text, field, group,
};
use spelunk_core::Ty;
use zerocopy::little_endian::U32;

const PAGE: &str = "docs/formats/classes/base.md#ckbeobject";

/// The bit of [`Priority::flags`] that says that a priority was saved.
pub const HAS_PRIORITY: u32 = 0x1000_0000;

/// Names of the flags of an object in a scene.
pub const SCENE_FLAGS: &[(u32, &str)] = &[
    (0x01, "start activate"),
    (0x08, "active"),
    (0x10, "start deactivate"),
    (0x20, "start leave"),
    (0x40, "start reset"),
    (0x80, "has initial value"),
];

/// State that objects with behaviour save.
#[derive(Clone, Debug, Default)]
pub struct BeObject {
    /// State that every object saves.
    pub object: Object,
    /// Scripts of the object; in file mode only.
    pub scripts: Option<Array<U32>>,
    /// Below data version 5: its behaviours.
    pub behaviors: Option<Array<U32>>,
    /// Priority, where it is not 0.
    pub priority: Option<Priority>,
    /// Attributes of the object.
    pub attributes: Option<Box<Attributes>>,
    /// Attributes in the oldest files.
    pub old_attributes: Option<Vec<OldAttribute>>,
    /// Flags in the scene, where the file has no scene.
    pub scene_flags: Option<u32>,
}

/// In which order objects are run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Priority {
    /// [`HAS_PRIORITY`].
    pub flags: u32,
    /// Passed over by engines; below data version 5 only.
    pub ignored: [i32; 3],
    /// Higher ones are run earlier. 0 where the bit is missing, whatever stands here.
    pub priority: i32,
}

/// The attributes of an object. All lists have one length.
#[derive(Clone, Debug, Default)]
pub struct Attributes {
    /// The parameters that hold the values, null where an attribute has none.
    pub parameters: Array<U32>,
    /// The values, outside file mode.
    pub values: Vec<Option<Box<Saved<ParameterOut>>>>,
    /// The types, as numbers of the attribute manager of the file.
    pub types: ManagerInts,
}

/// An attribute as the oldest files have it, whose type has no number yet.
#[derive(Clone, Debug, Default)]
pub struct OldAttribute {
    /// Class of the objects that can have it; missing in the oldest form.
    pub compatible_class: Option<i32>,
    /// Name of the attribute.
    pub name: Text,
    /// Category of the attribute.
    pub category: Text,
    /// The type of its value.
    pub parameter_type: [u32; 2],
    /// The parameter that holds its value.
    pub parameter: Reference,
    /// The value, outside file mode.
    pub value: Option<Box<Saved<ParameterOut>>>,
}

impl Layout for BeObject {
    fn layout<C: Codec>(&mut self, c: &mut C) -> Coded<C> {
        self.object.layout(c)?;
        c.section(0x800, group!("scripts", "The scripts."), &mut self.scripts, |c, scripts| {
            c.objects(field!("scripts", Ty::U32, "Behaviours that this object owns."), scripts)
        })?;
        c.section(
            0x100,
            group!("behaviors", "Its behaviours, below data version 5."),
            &mut self.behaviors,
            |c, all| c.objects(field!("behaviors", Ty::U32, "Behaviours that it owns."), all),
        )?;
        c.section(
            0x40,
            group!("priority", "In which order objects are run."),
            &mut self.priority,
            priority,
        )?;
        c.section(
            0x11,
            group!("attributes", "The attributes. All lists have one length."),
            &mut self.attributes,
            attributes,
        )?;
        c.section(
            0x10,
            group!("old_attributes", "The attributes in the oldest files."),
            &mut self.old_attributes,
            old_attributes,
        )?;
        c.section(
            0x400,
            group!("single_activity", "Saved where the file has no scene."),
            &mut self.scene_flags,
            |c, flags| {
                c.item(
                    field!(
                        "scene_flags",
                        Ty::Word,
                        "What happens to it in a scene.",
                        bits(SCENE_FLAGS)
                    ),
                    flags,
                )
            },
        )
    }
}

fn priority<C: Codec>(c: &mut C, value: &mut Priority) -> Coded<C> {
    c.item(
        field!("flags", Ty::Word, "What is saved.", bits(&[(HAS_PRIORITY, "has priority")])),
        &mut value.flags,
    )?;
    let old = c.version() < 5;
    if c.when(old, "data version below 5") {
        let field = field!("ignored", Ty::Array(&Ty::I32, 3), "Passed over by engines.");
        c.item(field, &mut value.ignored)?;
    }
    c.item(field!("priority", Ty::I32, "Higher ones are run earlier."), &mut value.priority)
}

fn attributes<C: Codec>(c: &mut C, value: &mut Box<Attributes>) -> Coded<C> {
    let Attributes { parameters, values, types } = value.as_mut();
    c.parallel(
        field!("parameters", Ty::U32, "The parameters that hold the values; null for none."),
        parameters,
    )?;
    let inside = !c.header().file_mode;
    if c.when(inside, "outside file mode") {
        c.sub_chunks(group!("values", "The parameters themselves."), values)?;
    }
    c.manager_ints(field!("types", Ty::U32, "Numbers of the attribute manager."), types)
}

fn old_attributes<C: Codec>(c: &mut C, value: &mut Vec<OldAttribute>) -> Coded<C> {
    let count = c.count(field!("count", Ty::U32, "How many follow."), value.len())?;
    let known = value.first().is_some_and(|first| first.compatible_class.is_some());
    let has_class = c.detect("compatible_class", known, |words| match words {
        [class, len, ..] => class.get() < 0x36 && (1..0x42).contains(&len.get()),
        _ => false,
    });
    c.list(group!("attributes", "The attributes."), count, value, |c, attribute| {
        let known = attribute.compatible_class.is_some();
        let has_class = c.detect("compatible_class", known, |_| has_class);
        if c.when(has_class, "not in the oldest form") {
            let field =
                field!("compatible_class", Ty::I32, "Class of the objects that can have it.");
            c.item(field, attribute.compatible_class.get_or_insert_default())?;
        }
        c.text(field!("name", Ty::Text, "Its name."), &mut attribute.name)?;
        c.text(field!("category", Ty::Text, "Its category."), &mut attribute.category)?;
        let field = field!(
            "parameter_type",
            Ty::Guid,
            "The type of its value.",
            guids(&super::parameter_type::TYPE_NAMES)
        );
        c.item(field, &mut attribute.parameter_type)?;
        let field = field!("parameter", Ty::U32, "The parameter that holds its value.");
        c.object(field, &mut attribute.parameter)?;
        let inside = !c.header().file_mode;
        if c.when(inside, "outside file mode") {
            c.sub_chunk(group!("value", "The parameter itself."), &mut attribute.value)?;
        }
        Ok(())
    })
}

/// Flags of [`SCENE_FLAGS`] that a new object has.
const START_ACTIVATE: u32 = 0x01;
const ACTIVE: u32 = 0x08;
const START_RESET: u32 = 0x40;

/// The first product that saves [`BeObject::scene_flags`] in files without a level, Virtools 2.1.0.14.
const WRITES_SCENE_FLAGS: u32 = 0x0201_000E;

impl Fresh for BeObject {
    fn fresh(host: &Host) -> BeObject {
        let flags = START_ACTIVATE | ACTIVE | START_RESET;
        let writes = !host.has_level && host.product_build >= WRITES_SCENE_FLAGS;
        BeObject { scene_flags: writes.then_some(flags), ..BeObject::default() }
    }
}

impl Renew for BeObject {
    fn renew(&mut self, old: &Old) -> Renewed {
        self.object.renew(old)?;
        if let Some(priority) = self.priority.as_mut().filter(|_| old.version < 5) {
            priority.ignored = [0; 3];
        }
        // What an object owns of behaviours are its scripts.
        if let Some(behaviors) = self.behaviors.take().filter(|all| !all.is_empty()) {
            match &self.scripts {
                Some(scripts) if **scripts != *behaviors => {
                    return Err("it has scripts and other behaviours of its own");
                }
                _ => self.scripts = Some(behaviors),
            }
        }
        match &self.old_attributes {
            Some(all) if !all.is_empty() => {
                Err("its attributes have names and no numbers of the attribute manager")
            }
            _ => {
                self.old_attributes = None;
                Ok(())
            }
        }
    }
}
