//! The classes of objects: ids, names and parents (`docs/formats/virtools.md#10-class-ids`).

mod alike;
pub mod animation;
pub mod attribute_manager;
pub mod be_object;
pub mod behavior;
pub mod behavior_io;
pub mod behavior_link;
pub mod behavior_manager;
pub mod bitmap;
pub mod body_part;
pub mod camera;
pub mod character;
pub mod critical_section;
pub mod curve;
pub mod curve_point;
pub mod data_array;
pub mod entity_2d;
pub mod entity_3d;
pub mod fresh;
pub mod grid;
pub mod group;
pub mod interface_object_manager;
pub mod keyed_animation;
pub mod kinematic_chain;
pub mod layer;
pub mod level;
pub mod light;
pub mod material;
pub mod mesh;
pub mod message_manager;
pub mod midi_sound;
pub mod object;
pub mod object_animation;
pub mod parameter;
pub mod parameter_in;
pub mod parameter_local;
pub mod parameter_operation;
pub mod parameter_out;
pub mod parameter_type;
pub mod patch_mesh;
pub mod place;
pub mod render_manager;
pub(crate) mod renew;
pub mod scene;
pub mod sound;
pub mod sprite;
pub mod sprite_3d;
pub mod sprite_text;
pub mod state;
pub mod synchro;
pub mod target_camera;
pub mod target_light;
pub mod texture;
pub mod texture_font_manager;
pub mod time_manager;
mod value;
pub mod variable_manager;
mod vector;
pub mod wave_sound;

use std::borrow::Cow;
pub use value::{ClassValue, Value, ValuePool};

/// A class of the SDK.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Class {
    /// The id that object tables and chunks store.
    pub id: u32,
    /// The name in the SDK's spelling.
    pub name: &'static str,
    /// Id of the class that it derives from; `None` for `CKObject`.
    pub parent: Option<u32>,
    /// First ProductBuild in which the id means this class. Plugins may have the id before.
    pub since: u32,
}

const fn class(id: u32, name: &'static str, parent: u32) -> Class {
    Class { id, name, parent: if parent == 0 { None } else { Some(parent) }, since: 0 }
}

/// `CKBehavior`.
pub const BEHAVIOR: u32 = 8;
/// `CKRenderObject`.
pub const RENDER_OBJECT: u32 = 47;
/// `CKBeObject`.
pub const BE_OBJECT: u32 = 19;
/// `CKLevel`.
pub const LEVEL: u32 = 21;

/// `CKParameterIn`.
pub const PARAMETER_IN: u32 = 2;

/// `CKParameterOut`.
pub const PARAMETER_OUT: u32 = 3;

/// `CKScene`.
pub const SCENE: u32 = 10;

/// `CKRenderContext`.
pub const RENDER_CONTEXT: u32 = 12;

/// `CKAnimation`.
pub const ANIMATION: u32 = 16;

/// `CKCharacter`.
pub const CHARACTER: u32 = 40;

/// `CKBodyPart`.
pub const BODY_PART: u32 = 42;

/// `CKParameterLocal`.
pub const PARAMETER_LOCAL: u32 = 45;

/// `CKParameter`.
pub const PARAMETER: u32 = 46;

/// `CKInterfaceObjectManager`.
pub const INTERFACE_OBJECT_MANAGER: u32 = 48;

/// `CKDataArray`.
pub const DATA_ARRAY: u32 = 52;

/// `CKGroup`.
pub const GROUP: u32 = 23;

/// `CKSound`.
pub const SOUND: u32 = 24;

/// `CKSprite`.
pub const SPRITE: u32 = 28;

/// `CKObjectAnimation`.
pub const OBJECT_ANIMATION: u32 = 15;

/// `CKKeyedAnimation`.
pub const KEYED_ANIMATION: u32 = 18;

/// `CK3dObject`.
pub const OBJECT_3D: u32 = 41;

/// `CKMaterial`.
pub const MATERIAL: u32 = 30;

/// `CKTexture`.
pub const TEXTURE: u32 = 31;

/// `CKMesh`.
pub const MESH: u32 = 32;

/// `CK3dEntity`.
pub const ENTITY_3D: u32 = 33;

/// The classes of which scripts consist: parameters, operations, links, behaviours, their inputs and
/// outputs, and the editor's layout objects.
pub const SCRIPTS: [u32; 9] = [2, 3, 4, 6, 8, 9, 45, 46, 48];

/// Every class whose name is known, in ascending order of ids.
pub static CLASSES: &[Class] = &[
    class(1, "CKObject", 0),
    class(PARAMETER_IN, "CKParameterIn", 1),
    class(PARAMETER_OUT, "CKParameterOut", 46),
    class(4, "CKParameterOperation", 1),
    class(5, "CKStateObject", 1),
    class(6, "CKBehaviorLink", 1),
    class(BEHAVIOR, "CKBehavior", 11),
    class(9, "CKBehaviorIO", 1),
    class(SCENE, "CKScene", 19),
    class(11, "CKSceneObject", 1),
    class(RENDER_CONTEXT, "CKRenderContext", 1),
    class(13, "CKKinematicChain", 1),
    class(OBJECT_ANIMATION, "CKObjectAnimation", 11),
    class(ANIMATION, "CKAnimation", 11),
    class(KEYED_ANIMATION, "CKKeyedAnimation", 16),
    class(19, "CKBeObject", 11),
    class(20, "CKSynchroObject", 1),
    class(LEVEL, "CKLevel", 19),
    class(22, "CKPlace", 33),
    class(GROUP, "CKGroup", 19),
    class(24, "CKSound", 19),
    class(25, "CKWaveSound", 24),
    class(26, "CKMidiSound", 24),
    class(27, "CK2dEntity", 47),
    class(28, "CKSprite", 27),
    class(29, "CKSpriteText", 28),
    class(30, "CKMaterial", 19),
    class(31, "CKTexture", 19),
    class(32, "CKMesh", 19),
    class(33, "CK3dEntity", 47),
    class(34, "CKCamera", 33),
    class(35, "CKTargetCamera", 34),
    class(36, "CKCurvePoint", 33),
    class(37, "CKSprite3D", 33),
    class(38, "CKLight", 33),
    class(39, "CKTargetLight", 38),
    class(CHARACTER, "CKCharacter", 33),
    class(OBJECT_3D, "CK3dObject", 33),
    class(BODY_PART, "CKBodyPart", 41),
    class(43, "CKCurve", 33),
    class(PARAMETER_LOCAL, "CKParameterLocal", 46),
    class(PARAMETER, "CKParameter", 1),
    class(47, "CKRenderObject", 19),
    class(INTERFACE_OBJECT_MANAGER, "CKInterfaceObjectManager", 1),
    class(49, "CKCriticalSectionObject", 1),
    class(50, "CKGrid", 33),
    class(51, "CKLayer", 1),
    class(52, "CKDataArray", 19),
    class(53, "CKPatchMesh", 32),
    Class { since: 0x0300_0000, ..class(55, "CKParameterVariable", 45) },
];

/// The class of this id in files of a product.
pub fn find(id: u32, product_build: u32) -> Option<&'static Class> {
    let index = CLASSES.binary_search_by_key(&id, |class| class.id).ok()?;
    CLASSES.get(index).filter(|class| product_build >= class.since)
}

/// The name of a class, or `CKCID_` and the id where no name is known.
pub fn name(id: u32, product_build: u32) -> Cow<'static, str> {
    match find(id, product_build) {
        Some(class) => Cow::Borrowed(class.name),
        None => Cow::Owned(format!("CKCID_{id}")),
    }
}

/// The id of a class, by what [`name`] gives.
pub fn id(name: &str) -> Option<u32> {
    let known = CLASSES.iter().find(|class| class.name == name).map(|class| class.id);
    known.or_else(|| name.strip_prefix("CKCID_")?.parse().ok())
}

/// Whether class `id` is `ancestor` or derives from it.
pub fn is_a(id: u32, ancestor: u32) -> bool {
    let mut at = Some(id);
    while let Some(id) = at {
        if id == ancestor {
            return true;
        }
        at = find(id, u32::MAX).and_then(|class| class.parent);
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_ascend_and_every_class_derives_from_ck_object() {
        assert!(CLASSES.is_sorted_by(|a, b| a.id < b.id));
        for class in CLASSES {
            assert!(is_a(class.id, 1), "{}", class.name);
        }
        assert!(is_a(39, 33) && !is_a(33, 39) && !is_a(9999, 1));
    }

    #[test]
    fn ids_that_plugins_can_have_are_named_only_where_that_is_sure() {
        assert_eq!(name(55, 0x0201_000E), "CKCID_55");
        assert_eq!(name(55, 0x0300_0032), "CKParameterVariable");
        assert_eq!(name(0, u32::MAX), "CKCID_0");
        assert_eq!(name(32, 0), "CKMesh");
    }

    #[test]
    fn the_table_is_that_of_the_page() {
        let page = include_str!("../../../../docs/formats/virtools.md");
        for Class { id, name, parent, since } in CLASSES {
            let parent = parent.map_or("none".to_owned(), |parent| parent.to_string());
            let note = if *since > 0 { " (SDK 3.0 and later)" } else { "" };
            let row = format!("| {id} | {name}{note} | {parent} |");
            assert!(page.contains(&row), "{row}");
        }
    }

    #[test]
    fn the_page_of_classes_has_every_class_and_its_parent() {
        let page = include_str!("../../../../docs/formats/virtools-classes.md");
        for Class { id, name, parent, .. } in CLASSES {
            let parent = parent.map_or("".into(), |parent| super::name(parent, u32::MAX));
            let row = format!("| {id} | {name} | {parent} |");
            assert!(page.contains(&row), "{row}");
        }
    }
}
