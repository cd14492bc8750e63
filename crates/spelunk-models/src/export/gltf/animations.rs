//! Animations: a channel for each kind of keys of each entity that moves.

use super::{
    GltfBuilder,
    model::{Animation, AnimationSampler, Channel, ChannelTarget},
};
use crate::gltf::{
    FRAME_RATE,
    extras::{self, Word},
    turned,
};
use spelunk_core::Result;
use virtools::scene::animation::{Keyframe, Track};

impl GltfBuilder<'_, '_, '_> {
    /// Makes the animations of all nodes.
    pub fn all_animations(&mut self) -> Result<()> {
        for animation in std::mem::take(&mut self.source.scene.animations) {
            let rate = animation.frame_rate.unwrap_or(FRAME_RATE);
            let (mut channels, mut samplers) = (Vec::new(), Vec::new());
            for track in &animation.tracks {
                let Some(node) = self.target(track) else { continue };
                let mut add = |path, keys: Option<(usize, usize)>| {
                    let Some((input, output)) = keys else { return };
                    let target = ChannelTarget { node, path };
                    channels.push(Channel { sampler: samplers.len(), target });
                    samplers.push(AnimationSampler { input, output, interpolation: "LINEAR" });
                };
                let moved = |[x, y, z]: [f32; 3]| [x, y, -z];
                add("translation", self.keys(&track.translation, rate, moved)?);
                add("rotation", self.keys(&track.rotation, rate, turned)?);
                add("scale", self.keys(&track.scale, rate, |scale| scale)?);
            }
            if channels.is_empty() {
                continue;
            }
            let extras = extras::Animation {
                index: animation.index,
                class: self.source.scene.class(animation.index).into_owned(),
                flags: Some(Word(animation.flags)).filter(|flags| flags.0 != 0),
                root: animation.root,
                length: animation.length,
                frame_rate: animation.frame_rate,
            };
            let (name, extras) = (self.source.name(animation.index), extras::Of::new(extras));
            self.root.animations.push(Animation { name, channels, samplers, extras });
        }
        Ok(())
    }

    /// The node that a track moves. Keys are as seen from the parent of the entity: without it there is none.
    fn target(&self, track: &Track) -> Option<usize> {
        let node = *self.nodes.get(&track.entity?)?;
        let is_below = self.root.nodes.get(node)?.extras.virtools.parent.is_none();
        is_below.then_some(node)
    }

    /// Times and values of keys; `None` without keys.
    fn keys<const N: usize>(
        &mut self,
        keys: &[Keyframe<N>],
        rate: f32,
        value: impl Fn([f32; N]) -> [f32; N],
    ) -> Result<Option<(usize, usize)>> {
        let budget = &mut self.source.task.budget;
        let mut timed: Vec<(f32, [f32; N])> = budget.vec(keys.len() as u64)?;
        let room = (keys.len() as u64).saturating_mul(size_of::<(f32, [f32; N])>() as u64);
        for key in keys {
            // Frames so close that they are one time, and those before the start, are not distinguished.
            let time = (key.time / rate).max(0.0);
            if time.is_finite() && timed.last().is_none_or(|(last, _)| time > *last) {
                timed.push((time, value(key.value)));
            }
        }
        let made = if timed.is_empty() {
            None
        } else {
            let input =
                self.bin.floats(timed.iter().map(|(time, _)| [*time]), false, true, budget)?;
            let output =
                self.bin.floats(timed.iter().map(|(_, value)| *value), false, false, budget)?;
            Some((input, output))
        };
        budget.release(room);
        Ok(made)
    }
}
