//! The time manager (`docs/formats/classes/managers.md#time-manager`).

use crate::codec::{Codec, Coded, Layout, field, group};
use spelunk_core::Ty;

const PAGE: &str = "docs/formats/classes/managers.md#time-manager";

/// GUID of the manager.
pub const GUID: [u32; 2] = [0x89CE_7B32, 0];

/// Passage of time.
#[derive(Clone, Debug, Default)]
pub struct TimeManager {
    /// Settings of the passage of time.
    pub settings: Option<Settings>,
}

/// Settings of the passage of time.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// Frames a second, at most.
    pub frame_limit: f32,
    /// Runs of behaviours a second, at most.
    pub behavior_limit: f32,
    /// 1000 divided by the longest time in ms that may pass in one frame, thus frames a second, at least.
    pub min_rate: f32,
    /// Speed of time compared with real time; 2 for twice as fast.
    pub time_scale: f32,
    /// Bits without known names.
    pub options: u32,
    /// The shortest time in ms that passes in one frame; missing in old files.
    pub min_delta: Option<f32>,
}

impl Layout for TimeManager {
    fn layout<C: Codec>(&mut self, c: &mut C) -> Coded<C> {
        c.section(0x80, group!("time", "How time passes."), &mut self.settings, |c, value| {
            let field = field!("frame_limit", Ty::F32, "Frames, at most.", unit("1/s"));
            c.item(field, &mut value.frame_limit)?;
            let field =
                field!("behavior_limit", Ty::F32, "Runs of behaviours, at most.", unit("1/s"));
            c.item(field, &mut value.behavior_limit)?;
            let field =
                field!("min_rate", Ty::F32, "1000 divided by the longest frame.", unit("1/s"));
            c.item(field, &mut value.min_rate)?;
            let field = field!("time_scale", Ty::F32, "How much faster than real time it passes.");
            c.item(field, &mut value.time_scale)?;
            let field = field!("options", Ty::Word, "Bits without known names.");
            c.item(field, &mut value.options)?;
            let more = c.detect("min_delta", value.min_delta.is_some(), |words| !words.is_empty());
            if c.when(more, "the section goes on") {
                let field = field!("min_delta", Ty::F32, "The shortest frame.", unit("ms"));
                c.item(field, value.min_delta.get_or_insert_default())?;
            }
            Ok(())
        })
    }
}
