//! The types of parameters (`docs/formats/classes/parameters.md#types`).

use crate::registered::table::{GuidTable, Row};
use spelunk_core::{Field, Ty, field::GuidNames, value};
use std::sync::LazyLock;

/// The type whose values are types.
pub const PARAMETER_TYPE: [u32; 2] = [0x3451_7DF5, 0x045E_4965];

/// The type without values.
pub const NONE: [u32; 2] = [0x1CB1_0760, 0x419F_50C5];

/// Storage of the values of a type of parameters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ValueStorage {
    /// Not at all.
    None,
    /// As bytes, which are what [`ParameterType::field`] describes.
    Value,
    /// As a reference.
    Object,
    /// As a number of a manager.
    Manager,
    /// As a sub-chunk.
    Chunk,
    /// As a sub-chunk with a parameter for each of [`ParameterType::members`].
    Structure,
    /// As the GUID of a type.
    Type,
}

/// A type that engines or the plugins of known products register.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParameterType {
    /// The GUID of the type, as `d1` and `d2`.
    pub guid: [u32; 2],
    /// The name of the SDK's constant behind `CKPGUID_`; the label for a type without a constant.
    pub name: &'static str,
    /// The name under which editors show the type, of types of objects their class; the constant where no other is
    /// known.
    pub label: &'static str,
    /// Storage of the values.
    pub kind: ValueStorage,
    /// The description of a value that is stored as bytes.
    pub field: Field,
    /// The description of the position of a member, whose values are the names of the members.
    pub member: Field,
    row: Row,
}

/// A member of a structure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StructMember {
    /// Name of the member.
    pub name: &'static str,
    /// Type of the member, as `d1` and `d2`, where it is known.
    pub parameter_type: Option<[u32; 2]>,
}

/// Columns of the table, behind the GUID.
mod column {
    pub const NAME: usize = 0;
    pub const LABEL: usize = 1;
    pub const STORED: usize = 2;
    pub const UNIT: usize = 3;
    pub const DOC: usize = 4;
    pub const MEANINGS: usize = 5;
}

/// GUID and the [columns](column) of [`ParameterType`].
pub(crate) static TYPES: GuidTable = GuidTable(include_str!("../registered/types.tsv"));

impl ParameterType {
    fn of(guid: [u32; 2], row: Row) -> ParameterType {
        let text = |column| row.column(column).unwrap_or_default();
        let label = text(column::LABEL);
        let name = row.column(column::NAME).unwrap_or(label);
        let (kind, field) = stored(row);
        let field = field.unit(text(column::UNIT));
        let mut known = ParameterType { guid, name, label, kind, field, member: MEMBER, row };
        if kind == ValueStorage::Structure {
            let names = known.members_text().map(member_name);
            known.member = MEMBER.values((0..).zip(names).collect::<Vec<_>>().leak());
        }
        known
    }

    /// The members of a structure, in their order; none for other types, and where they are not known.
    pub fn members(&self) -> impl Iterator<Item = StructMember> + use<> {
        self.members_text().map(|text| {
            let kind = text.rsplit_once(':').map(|(_, kind)| kind);
            let parameter_type = kind.and_then(|kind| guid(kind).or_else(|| value::guid(kind)));
            StructMember { name: member_name(text), parameter_type }
        })
    }

    fn members_text(&self) -> impl Iterator<Item = &'static str> + use<> {
        let all =
            self.row.column(column::MEANINGS).filter(|_| self.kind == ValueStorage::Structure);
        all.into_iter().flat_map(|all| all.split(';'))
    }
}

/// The name in `NAME:TYPE`, or in `NAME` alone.
fn member_name(text: &'static str) -> &'static str {
    text.rsplit_once(':').map_or(text, |(name, _)| name)
}

static MEMBER: Field = Field::new("member", Ty::U32, "Position of the member in the structure.");

/// Storage of the values of a type, and the description of a value.
fn stored(row: Row) -> (ValueStorage, Field) {
    let doc = row.column(column::DOC);
    let value = |ty, usual| (ValueStorage::Value, Field::new("value", ty, doc.unwrap_or(usual)));
    let bytes = |kind, doc| (kind, Field::new("value", Ty::Bytes, doc));
    let kind = row.column(column::STORED).unwrap_or_default();
    if let Some(count) = kind.strip_prefix("f32*").and_then(|count| count.parse().ok()) {
        return value(Ty::Array(&Ty::F32, count), "Numbers.");
    }
    match kind {
        "i32" => {
            let meanings: Vec<_> = meanings(row).collect();
            if meanings.is_empty() {
                return value(Ty::I32, "A number with a meaning of its own.");
            }
            let (kind, field) = value(Ty::I32, "One of some.");
            (kind, field.values(meanings.leak()))
        }
        "flags" => {
            let (kind, field) = value(Ty::Word, "Flags.");
            let bits = meanings(row);
            let bits = bits.filter_map(|(bit, name)| Some((u32::try_from(bit).ok()?, name)));
            (kind, field.bits(bits.collect::<Vec<_>>().leak()))
        }
        "u32" => value(Ty::U32, "A number."),
        "f32" => value(Ty::F32, "A number."),
        "text" => value(Ty::Text, "A text."),
        "guid" => {
            let (_, field) = value(Ty::Guid, "A type.");
            (ValueStorage::Type, field.guids(&TYPE_NAMES))
        }
        "object" => bytes(ValueStorage::Object, "An object."),
        "manager" => bytes(ValueStorage::Manager, "A number of a manager."),
        "chunk" => bytes(ValueStorage::Chunk, "A sub-chunk."),
        "structure" => bytes(ValueStorage::Structure, "A sub-chunk with members."),
        "none" => bytes(ValueStorage::None, "Nothing."),
        _ => value(Ty::Bytes, "The value."),
    }
}

/// Numbers and their names. Whoever keeps them does so for the whole run: descriptions are made once.
fn meanings(row: Row) -> impl Iterator<Item = (i64, &'static str)> {
    let all = row.column(column::MEANINGS).into_iter().flat_map(|all| all.split(';'));
    all.filter_map(|pair| {
        let (number, name) = pair.split_once('=')?;
        Some((number.parse().ok()?, name))
    })
}

/// All types that are known, in ascending order of their GUIDs. They are made of the table when the first one is
/// asked for.
pub fn all() -> &'static [ParameterType] {
    static ALL: LazyLock<Vec<ParameterType>> =
        LazyLock::new(|| TYPES.rows().map(|(guid, row)| ParameterType::of(guid, row)).collect());
    &ALL
}

/// The type with this GUID, where it is one of [`all`].
pub fn find(guid: [u32; 2]) -> Option<&'static ParameterType> {
    let index = all().binary_search_by_key(&guid, |known| known.guid).ok()?;
    all().get(index)
}

/// The name of the SDK's constant of a type, where it is one of [`all`].
pub fn name(guid: [u32; 2]) -> Option<&'static str> {
    find(guid).map(|known| known.name)
}

/// The name under which editors show a type, where it is one of [`all`].
pub fn label(guid: [u32; 2]) -> Option<&'static str> {
    find(guid).map(|known| known.label)
}

/// The GUID of the type with this constant.
pub fn guid(name: &str) -> Option<[u32; 2]> {
    TYPES.find(column::NAME, name)
}

/// Names of types: shown as editors show them, and found by that name or by the constant.
pub static TYPE_NAMES: GuidNames = GuidNames {
    name: label,
    guid: |name| TYPES.find(column::NAME, name).or_else(|| TYPES.find(column::LABEL, name)),
};

/// The description of a value of a type; bytes where the type is not known.
pub fn field(guid: [u32; 2]) -> &'static Field {
    static BYTES: Field = Field::new("value", Ty::Bytes, "The value.");
    find(guid).map_or(&BYTES, |known| &known.field)
}

#[cfg(test)]
mod tests {
    use super::*;
    use spelunk_core::Val;

    #[test]
    fn types_are_found_both_ways() {
        for known in all() {
            assert_eq!(find(known.guid), Some(known));
            assert_eq!(name(known.guid), Some(known.name));
            assert_eq!(field(known.guid), &known.field);
            assert!(!known.label.is_empty() && !known.name.is_empty(), "{:?}", known.guid);
            if known.row.column(column::NAME).is_some() {
                assert_eq!(guid(known.name), Some(known.guid), "{}", known.name);
            }
            let meanings =
                known.row.column(column::MEANINGS).map_or(0, |all| all.split(';').count());
            let made = known.field.values.len() + known.field.bits.len() + known.members().count();
            assert_eq!(made, meanings, "{}: each value, bit or member is one", known.name);
            let typed = known.members().filter(|member| member.parameter_type.is_some()).count();
            assert!(typed == 0 || typed == known.members().count(), "{}", known.name);
        }
        assert_eq!(find(PARAMETER_TYPE).map(|known| known.kind), Some(ValueStorage::Type));
        assert_eq!(find(NONE).map(|known| known.kind), Some(ValueStorage::None));
        assert_eq!((name([1, 2]), guid("NO")), (None, None));
        assert_eq!(field([1, 2]).ty, Ty::Bytes);
    }

    #[test]
    fn values_bits_and_types_have_names() {
        let field = |name| field(guid(name).unwrap());
        assert_eq!(field("ZFUNC").meaning(&Val::I(3)).as_deref(), Some("Equal"));
        let masks = field("RENDEROPTIONS").meaning(&Val::Word(0x11));
        assert_eq!(masks.as_deref(), Some("Background Sprites | Clear ZBuffer"));
        let stored = field("FOGMODE").encode(&Val::from("exponential squared"), &[]).ok();
        assert_eq!(stored, Some(vec![2, 0, 0, 0]));
        let float = guid("FLOAT").unwrap();
        assert_eq!((label(float), (TYPE_NAMES.guid)("float")), (Some("Float"), Some(float)));
        // Two types are labelled "Deflectors"; they differ by their constants.
        assert_eq!((TYPE_NAMES.guid)("Deflectors"), guid("DEFLECTORS"));
        let floor = find(guid("FLOOR").unwrap()).unwrap();
        let members: Vec<_> =
            floor.members().map(|it| (it.name, it.parameter_type.and_then(name))).collect();
        assert_eq!(members.len(), 5);
        assert_eq!(members[0], ("Floor Geometry", Some("FLOORGEOMETRY")));
    }

    #[test]
    fn the_table_is_that_of_the_page() {
        let page = include_str!("../../../../docs/formats/classes/parameters.md");
        for known in all() {
            let [d1, d2] = known.guid;
            let constant = known.row.column(column::NAME).unwrap_or_default();
            let row = format!("| {d1:08x}-{d2:08x} | {constant} | {} | ", known.label);
            assert!(page.contains(&row), "{row}");
        }
    }
}
