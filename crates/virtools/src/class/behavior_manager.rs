//! The behaviour manager (`docs/formats/classes/managers.md#behavior-manager`).

use crate::codec::{Codec, Coded, Layout, field, group};
use spelunk_core::Ty;

const PAGE: &str = "docs/formats/classes/managers.md#behavior-manager";

/// GUID of the manager.
pub const GUID: [u32; 2] = [0x58D6_21AE, 0];

/// Settings of the run of behaviours.
#[derive(Clone, Debug, Default)]
pub struct BehaviorManager {
    /// Most runs of the behaviours of a script in one frame; 8000 where it is not saved.
    pub max_iterations: Option<i32>,
}

impl Layout for BehaviorManager {
    fn layout<C: Codec>(&mut self, c: &mut C) -> Coded<C> {
        c.section(
            0x58D6_21AE,
            group!("limits", "How long behaviours may run."),
            &mut self.max_iterations,
            |c, max| c.item(field!("max_iterations", Ty::I32, "Runs in one frame, at most."), max),
        )
    }
}
