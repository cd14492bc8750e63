//! `CKInterfaceObjectManager` (`docs/formats/classes/misc.md#ckinterfaceobjectmanager`).

use super::{
    fresh::{Fresh, Host},
    object::Object,
};
use crate::codec::{Codec, Coded, Layout, Opaque, field, group};
use spelunk_core::Ty;

const PAGE: &str = "docs/formats/classes/misc.md#ckinterfaceobjectmanager";

/// State that a part of the editor saves.
#[derive(Clone, Debug, Default)]
pub struct InterfaceObjectManager {
    /// State that every object saves.
    pub object: Object,
    /// Sub-chunks that the editor alone knows. Many hold plain dwords without identifiers.
    pub chunks: Option<Vec<Option<Opaque>>>,
    /// GUID of the part of the editor, as `d1` and `d2`.
    pub guid: Option<[u32; 2]>,
}

impl Layout for InterfaceObjectManager {
    fn layout<C: Codec>(&mut self, c: &mut C) -> Coded<C> {
        self.object.layout(c)?;
        c.section(
            0x0123_4567,
            group!("chunks", "Known to the editor only."),
            &mut self.chunks,
            |c, chunks| {
                c.counted(
                    field!("count", Ty::I32, "How many sub-chunks follow."),
                    group!("chunks", "Known to the editor only."),
                    chunks,
                    |c, chunk| c.opaque(group!("chunk", "Known to the editor only."), chunk),
                )
            },
        )?;
        c.section(
            0x8765_4321,
            group!("guid", "Which part of the editor it is."),
            &mut self.guid,
            |c, guid| c.item(field!("guid", Ty::Guid, "Which part of the editor it is."), guid),
        )
    }
}

impl Fresh for InterfaceObjectManager {
    fn fresh(_: &Host) -> InterfaceObjectManager {
        InterfaceObjectManager {
            object: Object::default(),
            chunks: Some(Vec::new()),
            guid: Some([0; 2]),
        }
    }
}
