//! The types of parameters (`docs/formats/classes/parameters.md#types`).

use names::*;
use spelunk_core::{Field, Ty};

pub mod names;

/// The type whose values are types.
pub const PARAMETER_TYPE: [u32; 2] = [0x3451_7DF5, 0x045E_4965];

/// How parameters of a type store their values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Not at all.
    None,
    /// As bytes, which are what [`ParameterType::field`] tells.
    Value,
    /// As a reference.
    Object,
    /// As a number of a manager.
    Manager,
    /// As a sub-chunk.
    Chunk,
    /// As the GUID of a type.
    Type,
}

/// A type that engines know without plugins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParameterType {
    /// Which type it is, as `d1` and `d2`.
    pub guid: [u32; 2],
    /// The name of the SDK's constant behind `CKPGUID_`.
    pub name: &'static str,
    /// How values are stored.
    pub kind: Kind,
    /// What a value is, where it is bytes.
    pub field: Field,
}

/// The type with this GUID, where it is one of [`TYPES`].
pub fn find(guid: [u32; 2]) -> Option<&'static ParameterType> {
    let index = TYPES.binary_search_by_key(&guid, |known| known.guid).ok()?;
    TYPES.get(index)
}

/// The name of a type, where it is one of [`TYPES`].
pub fn name(guid: [u32; 2]) -> Option<&'static str> {
    find(guid).map(|known| known.name)
}

/// The GUID of the type with this name.
pub fn guid(name: &str) -> Option<[u32; 2]> {
    TYPES.iter().find(|known| known.name == name).map(|known| known.guid)
}

/// The description of a value of a type; bytes where the type is not known.
pub fn field(guid: [u32; 2]) -> &'static Field {
    static BYTES: Field = bytes("The value.");
    find(guid).map_or(&BYTES, |known| &known.field)
}

const fn new(guid: [u32; 2], name: &'static str, kind: Kind, field: Field) -> ParameterType {
    ParameterType { guid, name, kind, field }
}

const fn value(guid: [u32; 2], name: &'static str, field: Field) -> ParameterType {
    new(guid, name, Kind::Value, field)
}

const fn number(guid: [u32; 2], name: &'static str) -> ParameterType {
    value(guid, name, i32("A number with a meaning of its own."))
}

const fn choice(
    guid: [u32; 2],
    name: &'static str,
    values: &'static [(i64, &'static str)],
) -> ParameterType {
    value(guid, name, i32("One of some.").values(values))
}

const fn object(guid: [u32; 2], name: &'static str) -> ParameterType {
    new(guid, name, Kind::Object, bytes("An object."))
}

const fn manager(guid: [u32; 2], name: &'static str) -> ParameterType {
    new(guid, name, Kind::Manager, bytes("A number of a manager."))
}

const fn chunk(guid: [u32; 2], name: &'static str) -> ParameterType {
    new(guid, name, Kind::Chunk, bytes("A sub-chunk."))
}

const fn i32(doc: &'static str) -> Field {
    Field::new("value", Ty::I32, doc)
}

const fn f32(doc: &'static str) -> Field {
    Field::new("value", Ty::F32, doc)
}

const fn flags(bits: &'static [(u32, &'static str)]) -> Field {
    Field::new("value", Ty::Word, "Flags.").bits(bits)
}

const fn floats(count: u32, doc: &'static str) -> Field {
    Field::new("value", Ty::Array(&Ty::F32, count), doc)
}

const fn text(doc: &'static str) -> Field {
    Field::new("value", Ty::Text, doc)
}

const fn bytes(doc: &'static str) -> Field {
    Field::new("value", Ty::Bytes, doc)
}

/// The types that engines know without plugins, in ascending order of their GUIDs.
#[rustfmt::skip]
pub static TYPES: &[ParameterType] = &[
    chunk([0x0123_8843, 0xFF88_1C6E], "OBSTACLE"),
    choice([0x0201_1B99, 0x1EFB_0B91], "SETOPERATOR", SET_OPERATOR),
    object([0x024D_52F1, 0x6782_23B2], "DATAARRAY"),
    number([0x0259_699F, 0x6EDA_4960], "GLOBALEXMODE"),
    choice([0x0286_652D, 0x5EA7_09C2], "DIRECTION", DIRECTION),
    manager([0x0388_1E12, 0x5BA3_4E2B], "MESSAGE"),
    value([0x06C4_39EE, 0x45B5_0FC2], "QUATERNION", floats(4, "x, y, z, w.")),
    choice([0x080D_38D5, 0x02CF_7A30], "ADDRESSMODE", ADDRESS),
    choice([0x089E_28D4, 0x2EF0_31D2], "BLENDFACTOR", BLEND_FACTOR),
    number([0x0B32_72AA, 0x7F1A_3572], "SPRITEALIGN"),
    chunk([0x0C18_7C6F, 0x54F8_7691], "SAVEDEPENDENCIES"),
    object([0x1058_4787, 0x7693_2F77], "LEVEL"),
    object([0x1072_130B, 0x1F95_72BA], "CURVE"),
    value([0x1126_2CF5, 0x30B0_233A], "ANGLE", f32("An angle.").unit("radians")),
    object([0x11D8_7565, 0x5D0B_7989], "TARGETCAMERA"),
    value([0x13B0_1B3C, 0x1942_583E], "EULERANGLES", floats(3, "About x, y, z.").unit("radians")),
    value([0x13B9_7E4C, 0x982E_8B4F], "OLDATTRIBUTE", text("The name of an attribute.")),
    number([0x14E1_4BD8, 0x32A7_38E7], "WRAPMODE"),
    chunk([0x1542_64EA, 0x1EB1_5971], "COMBINE2TEX"),
    object([0x155B_2870, 0x1836_79F8], "TEXTURE"),
    object([0x1816_71E3, 0x1BDC_1503], "2DENTITY"),
    choice([0x1817_0AFB, 0x687D_5DA7], "SCENERESETFLAGS", SCENE_RESET),
    value([0x1964_4E43, 0x4D6F_6123], "CLASSID", Field::new("value", Ty::U32, "A class id.")),
    value([0x1AD5_2A8E, 0x5E74_1920], "BOOL", i32("Yes or no.").values(YES_NO)),
    new([0x1CB1_0760, 0x419F_50C5], "NONE", Kind::None, bytes("Nothing.")),
    choice([0x1CD2_4241, 0x533C_0F8F], "SCENEACTIVITYFLAGS", SCENE_ACTIVITY),
    choice([0x1D1A_3403, 0x535E_7252], "3DSPRITEMODE", SPRITE_3D_MODE),
    chunk([0x20AD_345D, 0x1AFB_25B1], "2DCURVE"),
    value([0x2136_61CC, 0x7D1A_2D54], "OLDMESSAGE", text("The name of a message.")),
    number([0x21E8_7A54, 0x65D3_7993], "TEXCOMBINE"),
    object([0x2314_A763, 0xC2F4_9238], "SYNCHRO"),
    chunk([0x235E_15CC, 0x6590_3824], "COMBINE3TEX"),
    object([0x23C8_061B, 0x7003_3A27], "SPRITE3D"),
    object([0x2453_5345, 0x65D1_5229], "MESH"),
    object([0x2495_30ED, 0x4C08_65F3], "PLACE"),
    object([0x25AE_6BD7, 0x7C8F_73A2], "SCENE"),
    object([0x286B_19DB, 0x2118_5D4F], "BEHAVIOR"),
    choice([0x2B0F_1617, 0x53CE_1B0E], "FILLMODE", FILL),
    number([0x2B49_245D, 0x582D_60D6], "FLAGS"),
    choice([0x2BD7_53B3, 0x563E_5165], "FILTERMODE", FILTER),
    choice([0x2CE4_6C85, 0x4B79_1332], "BINARYOPERATOR", BINARY_OPERATOR),
    object([0x305B_4E1C, 0x3DA0_7AE6], "KINEMATICCHAIN"),
    object([0x30EC_20AB, 0x6DF6_517D], "OBJECT"),
    new(PARAMETER_TYPE, "PARAMETERTYPE", Kind::Type, Field::new("value", Ty::Guid, "A type.")),
    object([0x3598_5C64, 0x51AF_1372], "CHARACTER"),
    object([0x362E_4DF8, 0x1744_3539], "OBJECT3D"),
    chunk([0x36DA_22D9, 0x4AC4_4B4C], "BUMPMAPPARAM"),
    number([0x38DF_566A, 0x30F7_7B9E], "STRUCTS"),
    choice([0x3C2A_6ACA, 0x6F0E_5865], "BLENDMODE", TEXTURE_BLEND),
    object([0x3CF2_4D6F, 0x2162_04F9], "CAMERA"),
    manager([0x3EA3_4EE9, 0x09FA_5366], "ATTRIBUTE"),
    object([0x4019_4410, 0x3A77_3F80], "SOUND"),
    object([0x4347_6550, 0x11E5_2C0E], "OBJECTANIMATION"),
    value([0x4788_4C3F, 0x432C_2C20], "FLOAT", f32("A number.")),
    value([0x4882_4EAE, 0x2FE4_7960], "VECTOR", floats(3, "x, y, z.")),
    number([0x4A39_553C, 0x1AC9_4677], "LAYERTYPE"),
    value([0x4A4D_4867, 0x3C28_773F], "OLDTIME", f32("A time.").unit("ms")),
    number([0x4A5D_4963, 0x4D28_883F], "FILTER"),
    object([0x4B6D_412F, 0x5D1E_1416], "LIGHT"),
    object([0x4B81_218B, 0x2EB7_145E], "MIDISOUND"),
    object([0x4BA1_010E, 0x7ABD_6D02], "BODYPART"),
    object([0x4BF7_4E5E, 0x45F4_09EF], "WAVESOUND"),
    value([0x4D08_2C90, 0x0C83_39A2], "VOIDBUF", bytes("Bytes of any kind.")),
    number([0x4DD3_7F6B, 0x240F_5FA2], "ENUMS"),
    object([0x4E5F_22FC, 0x1947_09D4], "TARGETLIGHT"),
    value([0x4EFC_B34A, 0x6079_E42F], "2DVECTOR", floats(2, "x, y.")),
    choice([0x4F0F_4891, 0x340A_05D1], "LIGHTTYPE", LIGHT),
    chunk([0x5076_6059, 0x159D_4BDE], "POINTER"),
    choice([0x51CD_1CF5, 0x1D5C_2D9B], "ZFUNC", COMPARE),
    value([0x54B4_422B, 0x730F_0F4F], "TIME", f32("A time.").unit("ms")),
    object([0x55AB_12CD, 0x22AE_6A8B], "MATERIAL"),
    object([0x577E_2EA8, 0x5B90_1969], "SPRITE"),
    value([0x57D4_2FEE, 0x7CBB_3B91], "COLOR", floats(4, "Red, green, blue, alpha.")),
    value([0x5A57_16FD, 0x44E2_76D7], "INT", i32("A number.")),
    object([0x5B8A_05D5, 0x31EA_28D4], "3DENTITY"),
    object([0x5BDF_2D37, 0x64EA_731F], "SCENEOBJECT"),
    object([0x5BFA_474D, 0x19E6_0236], "ANIMATION"),
    object([0x5C0F_151B, 0x6F05_47FD], "GROUP"),
    object([0x5C2E_69E3, 0xFE15_6F09], "SPRITETEXT"),
    object([0x5CC5_194F, 0x7234_2879], "CURVEPOINT"),
    number([0x5F1B_2B3C, 0x32AE_26B6], "OBSTACLEPRECISION"),
    number([0x5F3B_233C, 0x33AE_36B6], "OBSTACLEPRECISIONBEH"),
    choice([0x615D_017C, 0x54A9_524F], "ARRAYTYPE", COLUMN_TYPE),
    choice([0x62C5_63E3, 0x7323_470D], "MATERIALEFFECT", MATERIAL_EFFECT),
    value([0x643F_046E, 0x6521_1B71], "MATRIX", floats(16, "Four rows of four.")),
    object([0x6570_6358, 0x6362_7B50], "RENDEROBJECT"),
    value([0x6686_49C8, 0x283E_2EE1], "BOX", floats(6, "Two opposite corners.")),
    choice([0x686F_28EF, 0x5ECC_7766], "FOGMODE", FOG),
    chunk([0x6959_0C80, 0x30B6_1630], "DELETEDEPENDENCIES"),
    value([0x6BD0_10E2, 0x1156_17EA], "STRING", text("A text.")),
    number([0x6DD3_0F0A, 0x7467_1D2E], "LITMODE"),
    value([0x6E49_509A, 0x2F06_7425], "SPRITETEXTALIGNMENT", flags(TEXT_ALIGNMENT)),
    number([0x7111_9230, 0x62AB_EACC], "SUPPORT"),
    object([0x7165_3557, 0x2D1B_2E97], "ID"),
    object([0x71D8_0779, 0x402F_42F3], "BEOBJECT"),
    chunk([0x71DF_7142, 0xC437_133A], "OBJECTARRAY"),
    chunk([0x724B_7421, 0x0721_3ADD], "TEXGENREFEFFECT"),
    value([0x7456_55A9, 0x61BB_29A1], "RENDEROPTIONS", flags(RENDER_OPTIONS)),
    chunk([0x748D_4E0D, 0x3BF7_195B], "COPYDEPENDENCIES"),
    number([0x7589_4231, 0x12AF_E226], "BITMAP_SYSTEMCACHING"),
    object([0x75FD_45B5, 0x59E7_0E4B], "PATCHMESH"),
    choice([0x7946_5229, 0x61AF_2AF1], "PIXELFORMAT", PIXEL_FORMAT),
    number([0x7946_5230, 0x62A8_8AF1], "AXIS"),
    choice([0x7990_258F, 0x6032_6351], "SHADEMODE", SHADE),
    choice([0x79B9_0856, 0x75D0_70FF], "COMPOPERATOR", COMPARISON),
    value([0x7AB2_0D20, 0x6930_44A9], "RECT", floats(4, "Left, top, right, bottom.")),
    number([0x7DBC_28F5, 0x3F16_1E80], "TEXGENEFFECT"),
    object([0x7EA4_176D, 0x1B40_5D30], "SCRIPT"),
    chunk([0x7F2E_61BD, 0x007D_6890], "REPLACEDEPENDENCIES"),
    object([0x9438_212A, 0xC2F4_312C], "CRITICALSECTION"),
    chunk([0x9FB5_E33C, 0x134C_B77E], "STATECHUNK"),
    object([0xABE1_3353, 0xA283_4124], "STATE"),
    value([0xF3C8_4B4E, 0x0FFA_CC34], "PERCENTAGE", f32("A part of a whole; 1 is all of it.")),
    value([0xFA6E_1BDD, 0x62D2_ABD7], "KEY", i32("The scan code of a key.")),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_ascend_and_are_found_both_ways() {
        assert!(TYPES.is_sorted_by(|a, b| a.guid < b.guid));
        for known in TYPES {
            assert_eq!(guid(known.name), Some(known.guid), "{}", known.name);
            assert_eq!(name(known.guid), Some(known.name));
            assert_eq!(field(known.guid), &known.field);
        }
        assert_eq!(find(PARAMETER_TYPE).map(|known| known.kind), Some(Kind::Type));
        assert_eq!((name([1, 2]), guid("NO")), (None, None));
        assert_eq!(field([1, 2]).ty, Ty::Bytes);
    }

    #[test]
    fn the_table_is_that_of_the_page() {
        let page = include_str!("../../../../docs/formats/classes/parameters.md");
        for ParameterType { guid: [d1, d2], name, .. } in TYPES {
            let row = format!("| {d1:08x}-{d2:08x} | {name} | ");
            assert!(page.contains(&row), "{row}");
        }
    }
}
