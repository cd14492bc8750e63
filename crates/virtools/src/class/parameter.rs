//! `CKParameter` (`docs/formats/classes/parameters.md#ckparameter`).

use super::{
    fresh::{Fresh, Host},
    object::Object,
    parameter_type,
};
use crate::codec::{
    Array, Buffer, Codec, Coded, Layout, ManagerInt, Reference, Saved, field, group,
};
use curve::Curve;
use spelunk_core::{Field, Ty};
use zerocopy::little_endian::U32;

mod curve;
pub mod parameter_value;

const PAGE: &str = "docs/formats/classes/parameters.md#ckparameter";

/// The section that holds type and value.
pub(crate) const SECTION: u32 = 0x40;

/// A parameter: a value of a type.
#[derive(Clone, Debug, Default)]
pub struct Parameter {
    /// State that every object saves.
    pub object: Object,
    /// Type and value.
    pub parameter: Option<TypedValue>,
}

/// The type of a parameter, and its value.
#[derive(Clone, Debug, Default)]
pub struct TypedValue {
    /// The type, as `d1` and `d2`.
    pub parameter_type: [u32; 2],
    /// The value.
    pub value: Value,
}

/// Value of a parameter in the form that the state names.
#[derive(Clone, Debug, Default)]
pub enum Value {
    /// Nothing at all, not even the state; so objects that stand for those of another file.
    #[default]
    Absent,
    /// State 0: what the type saves in its own way.
    Chunk(Option<Box<Saved<ChunkValue>>>),
    /// State 1: bytes.
    Buffer(Buffer),
    /// State 1 where the type is that of types.
    Type([u32; 2]),
    /// State 2: an object.
    Object(Reference),
    /// State 3: no value, as outputs of operations have none; or one of a type that was not known.
    None,
    /// All other states: a number of a manager, whose GUID starts with the state.
    Manager(ManagerInt),
}

/// A value that its type saves in its own way. Each type uses one of these.
#[derive(Clone, Debug, Default)]
pub struct ChunkValue {
    /// A curve of the plane.
    pub curve: Option<Option<Box<Saved<Curve>>>>,
    /// Objects.
    pub objects: Option<Array<U32>>,
    /// Copies or deletes nothing along with an object.
    pub no_dependencies: bool,
    /// Copies or deletes everything along with an object.
    pub all_dependencies: bool,
    /// Classes and options of what is copied or deleted along with an object.
    pub dependencies: Option<Array<[U32; 2]>>,
    /// The members of a structure.
    pub members: Option<Vec<Option<Box<Saved<ParameterOut>>>>>,
    /// The type of the parameter, which names the members; not stored here.
    pub structure: [u32; 2],
}

/// An output of a behaviour or an operation, and the value of an attribute.
#[derive(Clone, Debug, Default)]
pub struct ParameterOut {
    /// State of the base class.
    pub parameter: Parameter,
    /// The parameters that the value is copied to.
    pub destinations: Option<Array<U32>>,
}

impl Value {
    /// The dword that says how the value is stored.
    pub const fn state(&self) -> Option<u32> {
        match self {
            Value::Absent => None,
            Value::Chunk(_) => Some(0),
            Value::Buffer(_) | Value::Type(_) => Some(1),
            Value::Object(_) => Some(2),
            Value::None => Some(3),
            Value::Manager(number) => Some(number.manager[0]),
        }
    }

    /// Makes it one of this state, unless it is.
    fn be(&mut self, state: Option<u32>, of_types: bool) {
        if self.state() == state && matches!(self, Value::Type(_)) == (of_types && state == Some(1))
        {
            return;
        }
        *self = match state {
            None => Value::Absent,
            Some(0) => Value::Chunk(None),
            Some(1) if of_types => Value::Type([0; 2]),
            Some(1) => Value::Buffer(Buffer::default()),
            Some(2) => Value::Object(Reference::default()),
            Some(3) => Value::None,
            Some(d1) => Value::Manager(ManagerInt { manager: [d1, 0], value: 0 }),
        };
    }
}

impl Layout for Parameter {
    fn layout<C: Codec>(&mut self, c: &mut C) -> Coded<C> {
        self.object.layout(c)?;
        c.section(
            SECTION,
            group!("parameter", "The type of the parameter, and its value."),
            &mut self.parameter,
            content,
        )
    }
}

fn content<C: Codec>(c: &mut C, content: &mut TypedValue) -> Coded<C> {
    let TypedValue { parameter_type, value } = content;
    c.item(
        field!("type", Ty::Guid, "What the value is.", guids(&parameter_type::TYPE_NAMES)),
        parameter_type,
    )?;
    let state = c.peek("state", value.state());
    value.be(state, *parameter_type == parameter_type::PARAMETER_TYPE);
    match state {
        Some(state @ ..MANAGER) => drop(c.count(&STATE, state as usize)?),
        Some(_) => c.note(&STATE, MANAGER)?,
        None => {}
    }
    match value {
        Value::Absent | Value::None => Ok(()),
        Value::Chunk(chunk) => {
            // Those that have the value go by its type; a reader makes it, and has no use for names.
            let tell = |chunk: &mut Option<Box<Saved<ChunkValue>>>| {
                if let Some(saved) = chunk {
                    saved.value.structure = *parameter_type;
                }
            };
            tell(chunk);
            c.sub_chunk(group!("value", "The value, as its type saves it."), chunk)?;
            tell(chunk);
            Ok(())
        }
        Value::Buffer(bytes) => c.typed(|| parameter_type::field(*parameter_type), bytes),
        Value::Type(guid) => {
            c.item(field!("value", Ty::Guid, "A type.", guids(&parameter_type::TYPE_NAMES)), guid)
        }
        Value::Object(object) => c.object(field!("value", Ty::U32, "An object."), object),
        Value::Manager(number) => {
            c.manager_int(field!("value", Ty::U32, "A number of a manager."), number)
        }
    }
}

static STATE: Field = Field::new("state", Ty::U32, "How the value is stored.").values(&[
    (0, "sub-chunk"),
    (1, "bytes"),
    (2, "object"),
    (3, "no value"),
    (MANAGER as i64, "number of a manager"),
]);

/// Number that stands for all states that are GUIDs of managers.
const MANAGER: u32 = 4;

/// The type that most parameters of real files have: a whole number.
pub(super) const INT: [u32; 2] = [0x5A57_16FD, 0x44E2_76D7];

impl Fresh for Parameter {
    fn fresh(_: &Host) -> Parameter {
        let value = Value::Buffer(vec![0; 4].into());
        let content = TypedValue { parameter_type: INT, value };
        Parameter { object: Object::default(), parameter: Some(content) }
    }
}
