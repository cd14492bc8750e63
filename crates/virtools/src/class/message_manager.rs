//! The message manager (`docs/formats/classes/managers.md#message-manager`).

use crate::codec::{Codec, Coded, Layout, Text, field, group};
use spelunk_core::Ty;

const PAGE: &str = "docs/formats/classes/managers.md#message-manager";

/// GUID of the manager.
pub const GUID: [u32; 2] = [0x466A_0FAC, 0];

/// The messages of a file; objects refer to them by their position.
#[derive(Clone, Debug, Default)]
pub struct MessageManager {
    /// The names. An empty or null one is no message.
    pub messages: Option<Vec<Text>>,
}

impl Layout for MessageManager {
    fn layout<C: Codec>(&mut self, c: &mut C) -> Coded<C> {
        c.section(0x53, group!("messages", "The messages."), &mut self.messages, |c, messages| {
            c.counted(
                field!("count", Ty::I32, "How many messages follow."),
                group!("messages", "Objects refer to them by their position."),
                messages,
                |c, name| c.text(field!("name", Ty::Text, "Its name."), name),
            )
        })
    }
}
